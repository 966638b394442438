#include "studio/model/continuation.h"

#include "app/jobs/input/run_folder.h"
#include "io/checkpoint.h"

namespace studio {

namespace fs = std::filesystem;

std::optional<Continuation> continuation_from(const fs::path& checkpoint, const Options& options) {
  const int iteration = iteration_of_checkpoint(checkpoint);
  if (iteration < 0) return std::nullopt;
  return Continuation{checkpoint, options.output, iteration, options.train.iterations};
}

std::optional<Continuation> continuation_of(const fs::path& file, const TrainedScene& trained) {
  const fs::path run = run_folder_of(file);
  if (run.empty() || !trained.photos || !trained.settings) return std::nullopt;
  const fs::path checkpoint = io::is_checkpoint(file) ? file : newest_checkpoint(run);
  if (checkpoint.empty()) return std::nullopt;
  Options options = *trained.settings;
  options.output = run;  // wherever it was when it began
  return continuation_from(checkpoint, options);
}

bool holds_a_run(const fs::path& output) {
  std::error_code code;
  return fs::is_regular_file(output / "metrics.json", code) || !newest_result(output).empty();
}

}  // namespace studio
