#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "align/align.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/splat_info.h"
#include "app/cli/commands/unaligned_info.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/jobs/align/alignment.h"
#include "app/jobs/host/host.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "io/dataset/preflight.h"
#include "io/io.h"
#include "io/text.h"

namespace app {

namespace fs = std::filesystem;

namespace {

nlohmann::json to_json(const std::optional<splat::Extent>& bounds) {
  if (!bounds) return nullptr;
  return {{"min", bounds->low}, {"max", bounds->high}};
}

nlohmann::json to_json(const splat::Histogram& histogram) {
  return {{"edges", histogram.edges}, {"counts", histogram.counts}};
}

void print_info_json(const SplatInput& input, const SplatInfo& info) {
  const io::SplatFile& file = input.file;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
  };
  const bool placed = file.frame.says_something();
  std::vector<std::string> warnings = file.warnings;
  warnings.insert(warnings.end(), info.mistakes.begin(), info.mistakes.end());
  print_json({{"path", input.path.string()},
              {"format", file.format},
              {"splats", file.gaussians.size()},
              {"sh_degree", file.gaussians.sh_degree},
              {"stored_sh_degree", file.stored_sh_degree},
              {"antialiased", file.antialiased},
              {"low_pass", nlohmann::json::parse(io::shortest_text(file.low_pass))},
              {"flat", file.flat},
              {"producer", text_or_null(file.producer)},
              {"generator", text_or_null(file.generator)},
              {"resembles", text_or_null(file.resembles)},
              {"up", info.up ? nlohmann::json(info.up->direction) : nlohmann::json()},
              {"up_source", info.up ? nlohmann::json(info.up->source) : nlohmann::json()},
              {"origin", placed ? nlohmann::json(file.frame.origin) : nlohmann::json()},
              {"epsg", file.frame.epsg != 0 ? nlohmann::json(file.frame.epsg) : nlohmann::json()},
              {"metres_per_unit",
               file.frame.metres_per_unit != 0 ? nlohmann::json(file.frame.metres_per_unit) : nlohmann::json()},
              {"bounds", to_json(info.bounds)},
              {"robust_bounds", to_json(info.robust_bounds)},
              {"opacity_histogram", to_json(info.opacity)},
              {"size_histogram", to_json(info.size)},
              {"invalid_rows", file.invalid_rows},
              {"unread", file.unread},
              {"warnings", warnings}});
}

// Four digits of the extent, far from 0 as well, as far as floats go.
void print_bounds(const char* label, const std::optional<splat::Extent>& bounds) {
  constexpr double kUsual = 4, kMost = std::numeric_limits<float>::max_digits10;
  if (!bounds) return;
  const auto& [low, high] = *bounds;
  double extent = 0;
  for (size_t c = 0; c < 3; ++c) extent = std::max(extent, high[c] - low[c]);
  std::vector<std::string> axes;
  for (size_t c = 0; c < 3; ++c) {
    const double times = extent > 0 ? std::max(std::abs(low[c]), std::abs(high[c])) / extent : 1;
    const int digits = int(std::min(kUsual + std::floor(std::log10(std::max(times, 1.0))), kMost));
    axes.push_back(fmt::format("{} {:.{}g} to {:.{}g}", "xyz"[c], low[c], digits, high[c], digits));
  }
  print("{:<13}{}, {}, {}\n", label, axes[0], axes[1], axes[2]);
}

void print_info(const SplatInput& input, const SplatInfo& info) {
  const io::SplatFile& file = input.file;
  print("file         {} ({})\n", input.path.string(), human_bytes(file.bytes));
  print("format       {}\n", file.format);
  print("splats       {}{}\n", human_count(file.gaussians.size()), file.flat ? " (2D Gaussians)" : "");
  print("SH degree    {}\n", file.gaussians.sh_degree);
  print("antialiased  {}\n", file.antialiased ? "yes" : "no, or not stated");
  if (file.low_pass != splat::kUsualLowPass) print("low pass     {} px^2\n", file.low_pass);
  print("producer     {}\n", file.producer.empty() ? "not stated" : file.producer);
  if (!file.generator.empty()) print("generator    {}, by the marks of its files\n", file.generator);
  if (!file.resembles.empty()) print("generator    perhaps {}; others write such files, too\n", file.resembles);
  if (info.up) {
    const auto& [x, y, z] = info.up->direction;
    print("up           {:.3g}, {:.3g}, {:.3g} ({})\n", x, y, z, info.up->source);
  } else {
    print("up           not stated\n");
  }
  if (const auto& [x, y, z] = file.frame.origin; file.frame.says_something())
    print("origin       {}, {}, {}{}\n", x, y, z,
          file.frame.epsg != 0 ? fmt::format(" (EPSG {})", file.frame.epsg) : "");
  if (file.frame.metres_per_unit != 0) print("one unit     {:.6g} m\n", file.frame.metres_per_unit);
  print_bounds("bounds", info.bounds);
  print_bounds("98 % within", info.robust_bounds);
  if (!info.opacity.counts.empty() && file.gaussians.size() > 0) print("opacity\n");
  if (file.gaussians.size() > 0)
    for (const std::string& line : histogram_lines(info.opacity)) print("{}\n", line);
  if (!info.size.counts.empty()) print("size (standard deviation along the longest axis, world units)\n");
  for (const std::string& line : histogram_lines(info.size)) print("{}\n", line);
  if (!file.unread.empty()) print("not read     {}\n", fmt::format("{}", fmt::join(file.unread, ", ")));
  for (const std::string& warning : file.warnings) print("warning      {}\n", warning);
  for (const std::string& mistake : info.mistakes) print("warning      {}\n", mistake);
}

Outcome splat_file_info(const InfoTask& task) {
  const auto input = read_splat_input(task.path, task.threads);
  if (!input) return bad_input(input.error());
  const SplatInfo info = describe_splats(input->file, input->path);
  if (task.console.json)
    print_info_json(*input, info);
  else
    print_info(*input, info);
  return done();
}

Outcome dataset_info(const InfoTask& task) {
  auto dataset = io::load_dataset(task.path, task.dataset);
  if (!dataset) return bad_input(dataset.error());
  io::PreflightOptions settings;
  settings.bytes_per_splat = kBytesPerSplatAtStart;
  settings.base_bytes = base_bytes(*dataset);
  settings.random_splats = size_t(task.random_splats);
  settings.matching_bytes = default_matching_bytes(*dataset);
  io::Preflight preflight = io::make_preflight(*dataset, settings);
  io::look_at_masks(*dataset, task.threads, preflight);
  if (task.console.json) {
    print_json(io::preflight_json(preflight));
    return done();
  }
  for (const std::string& line : io::preflight_lines(preflight)) print("{}\n", line);
  return done();
}

}  // namespace

Outcome run_info(const InfoTask& given) {
  InfoTask task = given;
  std::error_code code;
  if (!fs::exists(task.path, code)) return bad_input(fmt::format("there is no '{}'", task.path.string()));
  if (recognise(task.path).kind == PathKind::kDataset) take_only_video(task.path);
  const bool video = align::is_video(task.path);
  const bool dataset = !video && recognise(task.path).kind == PathKind::kDataset;
  if (video || (dataset && align::is_unaligned(task.path))) return unaligned_info(task);
  return dataset ? dataset_info(task) : splat_file_info(task);
}

}  // namespace app
