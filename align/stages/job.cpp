#include "align/stages/job.h"

#include <algorithm>
#include <fstream>

#include "align/photos/working_folder.h"
#include "io/atomic_file.h"
#include "splat/core/parallel.h"

namespace align {

namespace fs = std::filesystem;
using splat::Status;

namespace {

// Seconds a photo or pair on one core, before anything was measured: for the first estimate only.
constexpr double kFeatureSeconds = 0.7, kMatchSeconds = 0.005, kVerifySeconds = 0.012, kMapSeconds = 0.25,
                 kRefineSeconds = 0.05;

size_t expected_pairs(size_t photos) { return photos <= 150 ? photos * (photos - 1) / 2 : photos * 30; }

}  // namespace

Paths::Paths(const fs::path& scene_folder)
    : scene(scene_folder),
      work(scene / "work"),
      photos(work / "photos"),
      masks(work / "masks"),
      database(work / "database.db"),
      matches(work / "matches.bin"),
      mapping(work / "mapping"),
      snapshots(work / "snapshots"),
      so_far(work / "so_far"),
      refined(work / "refined"),
      log(scene / "align.log") {}

Job::Job(const AlignOptions& given, Colmap program)
    : options(given),
      paths(given.scene),
      colmap(std::move(program)),
      record(given.scene / "align.json"),
      start_(Clock::now()),
      stage_start_(start_) {}

void Job::note(const std::string& sentence) const {
  if (options.note) options.note(sentence);
}

void Job::warning(const std::string& sentence) const {
  if (options.warning) options.warning(sentence);
}

// ---- progress

void Job::begin(Stage stage, size_t total) {
  now_.stage = stage;
  now_.done = 0;
  now_.total = total;
  now_.photos = photos.photos.size();
  stage_start_ = Clock::now();
  done_before_ = 0;
  first_progress_ = true;
  report_progress();
}

void Job::progress(size_t done) {
  if (first_progress_) done_before_ = done > 1 ? done - 1 : 0;
  first_progress_ = false;
  now_.done = done;
  report_progress();
}

void Job::registered(size_t count) {
  now_.registered = count;
  progress(std::max(now_.done, count));
}

double Job::stage_seconds() const { return std::chrono::duration<double>(Clock::now() - stage_start_).count(); }

// The present stage by its own speed, the more the more of it is done; stages to come by usual ones.
double Job::rest_seconds() const {
  const double cores = threads(), photos_now = double(now_.photos), pairs = double(expected_pairs(now_.photos));
  const double usual[kStages] = {0,
                                 0,
                                 photos_now * kFeatureSeconds / cores,
                                 pairs * kMatchSeconds / cores,
                                 pairs * kVerifySeconds / cores,
                                 photos_now * kMapSeconds,
                                 photos_now * kRefineSeconds};
  double rest = 0;
  for (int stage = int(now_.stage) + 1; stage < kStages; ++stage) rest += usual[stage];
  constexpr double kTrusted = 3;  // a third of a stage says how long it takes
  const double here = usual[int(now_.stage)];
  if (now_.done <= done_before_ || now_.total < now_.done) return rest + here;
  const double done = double(now_.done - done_before_), left = double(now_.total - now_.done);
  const double trust = std::min(1.0, kTrusted * done / (done + left));
  return rest + trust * stage_seconds() * left / done + (1 - trust) * here * left / (done + left);
}

void Job::report_progress() {
  if (!options.progress) return;
  now_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (now_.photos > 0) rest_.update(now_.seconds, rest_seconds());
  now_.eta_seconds = rest_.rest(), now_.share = rest_.share();
  options.progress(now_);
}

// ---- COLMAP

int Job::threads() const {
  if (options.deterministic) return 1;
  return options.threads > 0 ? options.threads : splat::available_cores();
}

StageEnd Job::run_colmap(const ColmapArguments& arguments, const std::function<void(const ColmapLine&)>& on_line,
                         const std::function<void()>& on_tick) {
  ToolCommand command;
  command.program = colmap.program();
  command.arguments = arguments.list();
  command.environment = {"QT_QPA_PLATFORM=offscreen"};
  command.cancelled = options.cancelled;
  command.log = paths.log;
  command.on_tick = on_tick;
  command.on_line = [&](std::string_view text, bool) {
    if (!on_line) return;
    if (const auto line = parse_colmap_line(text)) on_line(*line);
  };
  {
    std::ofstream log(paths.log, std::ios::app);
    log << "\n$ " << command.program.string();
    for (const std::string& word : command.arguments) log << " '" << word << "'";
    log << "\n";
  }
  const ToolResult result = run_tool(command);
  out_of_memory_ = result.end == ToolEnd::kOutOfMemory;
  if (result.ok()) return {};
  last_lines = result.last_lines;
  if (result.end == ToolEnd::kCancelled) return {AlignEnd::kCancelled, "cancelled"};
  std::string sentence = tool_failure("colmap " + arguments.list().front(), result);
  if (out_of_memory_) sentence += "; close other programs, or try --align-quality fast";
  if (result.end == ToolEnd::kDiskFull) sentence += "; make room, and the same command goes on where it was";
  return {AlignEnd::kFailed, sentence + "; all it printed is in '" + paths.log.string() + "'"};
}

Status Job::write_lines(const fs::path& file, const std::vector<std::string>& lines) const {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return io::write_file_atomically(file, text);
}

std::map<std::string, std::string> Job::true_names() const {
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < photos.photos.size(); ++i) names[working_name(photos, i)] = photos.photos[i].name;
  return names;
}

std::vector<std::string> Job::missing_photos() const {
  std::vector<std::string> missing;
  for (const auto& [working, name] : true_names())
    if (!std::binary_search(model.names.begin(), model.names.end(), working)) missing.push_back(name);
  std::sort(missing.begin(), missing.end());
  return missing;
}

std::string Job::true_name(const std::string& working) const {
  for (size_t i = 0; i < photos.photos.size(); ++i)
    if (working_name(photos, i) == working) return photos.photos[i].name;
  return working;
}

}  // namespace align
