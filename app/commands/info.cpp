#include <fmt/format.h>

#include <cmath>

#include "app/commands/commands.h"
#include "app/memory_plan.h"
#include "app/progress_display.h"
#include "app/session.h"
#include "app/standard_streams.h"
#include "io/dataset/preflight.h"
#include "io/io.h"

namespace app {

namespace fs = std::filesystem;

namespace {

struct Bounds {
  std::array<double, 3> low{}, high{};
  bool empty = true;
};

Bounds bounds_of(const splat::Gaussians& gaussians) {
  Bounds bounds;
  for (size_t i = 0; i < gaussians.size(); ++i) {
    const float* mean = &gaussians.means[i * 3];
    if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) continue;
    for (size_t c = 0; c < 3; ++c) {
      bounds.low[c] = bounds.empty ? mean[c] : std::min(bounds.low[c], double(mean[c]));
      bounds.high[c] = bounds.empty ? mean[c] : std::max(bounds.high[c], double(mean[c]));
    }
    bounds.empty = false;
  }
  return bounds;
}

Outcome splat_file_info(const Options& options) {
  auto file = io::read_splat_file(options.input);
  if (!file) return bad_input(file.error());
  const Bounds bounds = bounds_of(file->gaussians);
  if (options.json) {
    nlohmann::json box;
    if (!bounds.empty) box = {{"min", bounds.low}, {"max", bounds.high}};
    print_json({{"path", options.input.string()},
                {"format", file->format},
                {"splats", file->gaussians.size()},
                {"sh_degree", file->gaussians.sh_degree},
                {"antialiased", file->antialiased},
                {"producer", file->producer.empty() ? nlohmann::json() : nlohmann::json(file->producer)},
                {"bounds", box},
                {"invalid_rows", file->invalid_rows},
                {"warnings", file->warnings}});
    return done();
  }
  std::error_code code;
  print("file         {} ({})\n", options.input.string(), human_bytes(fs::file_size(options.input, code)));
  print("format       {}\n", file->format);
  print("splats       {}\n", human_count(file->gaussians.size()));
  print("SH degree    {}\n", file->gaussians.sh_degree);
  print("antialiased  {}\n", file->antialiased ? "yes" : "no");
  print("producer     {}\n", file->producer.empty() ? "not said" : file->producer);
  if (!bounds.empty)
    print("bounds       x {:.4g} to {:.4g}, y {:.4g} to {:.4g}, z {:.4g} to {:.4g}\n", bounds.low[0], bounds.high[0],
          bounds.low[1], bounds.high[1], bounds.low[2], bounds.high[2]);
  for (const std::string& warning : file->warnings) print("warning      {}\n", warning);
  return done();
}

Outcome dataset_info(const Options& options) {
  auto dataset = io::load_dataset(options.input, options.dataset);
  if (!dataset) return bad_input(dataset.error());
  io::PreflightOptions settings;
  settings.bytes_per_splat = kBytesPerSplat;
  settings.base_bytes = base_bytes(*dataset);
  const io::Preflight preflight = io::make_preflight(*dataset, settings);
  if (options.json) {
    print_json(io::preflight_json(preflight));
    return done();
  }
  for (const std::string& line : io::preflight_lines(preflight)) print("{}\n", line);
  return done();
}

}  // namespace

Outcome run_info(const Options& options) {
  std::error_code code;
  if (!fs::exists(options.input, code)) return bad_input(fmt::format("there is no '{}'", options.input.string()));
  const bool dataset = fs::is_directory(options.input, code) || options.input.extension() == ".json";
  return dataset ? dataset_info(options) : splat_file_info(options);
}

}  // namespace app
