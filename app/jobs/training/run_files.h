// The files of a training run. What cannot be written where it belongs is written elsewhere (RunOutput::spare_folder),
// and the log says so. A device or memory that refuses makes a sentence, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/jobs/outcome.h"
#include "app/jobs/training/report/report.h"
#include "app/jobs/training/run_now.h"
#include "app/jobs/training/run_output.h"

namespace app {

inline constexpr const char* kSettingsEntry = "app/settings";  // of a checkpoint: the options as JSON

// Whether the disk has room for what the run writes, and what it says about that. splats_that_fit: in memory.
Outcome check_disk(const RunNow& run, const RunOutput& output, uint64_t splats_that_fit);

// Into a folder, before the first iteration. Without all of them there is no run; then those are removed again that
// were not there before.
Outcome write_first_files(const RunNow& run, RunOutput& output);

splat::Status write_reports(const RunNow& run, const RunOutput& output, const RunRecord& record,
                            const std::vector<ReportPictures::View>& views);

// Splats and checkpoints.
class RunFiles {
 public:
  explicit RunFiles(RunOutput& output) : output_(output) {}

  splat::Status write_splats(const RunNow& run);
  // Where it cannot be written, into the spare folder; the log says so, and what happens `then`.
  splat::Status write_checkpoint(const RunNow& run, std::string_view then = {});
  // After write_splats() failed: `sentence`, with what is kept, wherever there is room for it.
  std::string keep_without_splats(const RunNow& run, std::string sentence);

  uint64_t splats_in_file() const { return splats_in_file_; }                   // that was written last
  const std::filesystem::path& last_checkpoint() const { return checkpoint_; }  // empty: none yet
  int checkpoint_iteration() const { return checkpoint_iteration_; }            // of that; -1: none yet
  std::string kept_elsewhere() const;  // where the last checkpoint is, and why; empty: in the output

 private:
  splat::Status write_splats_to(const std::filesystem::path& path, const RunNow& run);
  splat::Status write_spare_splats(const RunNow& run, std::filesystem::path& written);
  splat::Status write_checkpoint_to(const std::filesystem::path& path, const RunNow& run);

  RunOutput& output_;
  uint64_t splats_in_file_ = 0;
  std::filesystem::path checkpoint_;
  int checkpoint_iteration_ = -1;
  std::string spare_cause_;  // why the last checkpoint in the spare folder is there
};

}  // namespace app
