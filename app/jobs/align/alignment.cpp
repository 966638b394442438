#include "app/jobs/align/alignment.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/jobs/align/scene_folder.h"
#include "app/jobs/host/host.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/companion.h"
#include "io/json.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

const char* doing(align::Stage stage) {
  constexpr const char* kWords[align::kStages] = {
      "looking at the photos", "taking frames",   "finding features", "matching",
      "verifying pairs",       "placing cameras", "refining"};
  return kWords[int(stage)];
}

class AlignmentProgress final : public Progress {
 public:
  AlignmentProgress(const align::AlignProgress& now, bool begins) : now_(now), begins_(begins) {}

  std::string sentence() const override { return "aligning: " + progress_sentence(now_); }
  nlohmann::json facts() const override {
    return {{"type", "align"},         {"stage", align::name_of(now_.stage)},
            {"done", now_.done},       {"total", now_.total},
            {"photos", now_.photos},   {"registered", now_.registered},
            {"seconds", now_.seconds}, {"eta_seconds", now_.eta_seconds}};
  }
  double share() const override { return now_.eta_seconds > 0 ? now_.share : -1; }
  double seconds_left() const override { return now_.eta_seconds; }
  bool urgent() const override { return begins_; }

 private:
  const align::AlignProgress& now_;
  bool begins_;  // its stage
};

// The task's log.txt for as long as the cameras are looked for; of a failure what comes after that, too.
class AlignLog {
 public:
  explicit AlignLog(const AlignTask& task) : task_(task) {
    std::error_code code;
    is_new_ = !fs::exists(task.log, code);
    if (task.log.empty()) return;
    if (const splat::Status status = log::open_file(task.log); !status) log::warning(status.error().message);
  }
  // Without a program to run there is nothing that the file would be about.
  void remove_if_new() {
    close();
    std::error_code code;
    if (is_new_) fs::remove(task_.log, code);
  }
  void close() {
    if (!task_.log.empty()) log::close_file();
  }
  // Into the file alone: the sentence on the terminal has the last of them.
  void add_quietly(const std::vector<std::string>& lines) {
    log::set_quiet(true);
    for (const std::string& line : lines) log::info("  | " + line);
    log::set_quiet(task_.quiet);
  }

 private:
  const AlignTask& task_;
  bool is_new_ = false;
};

bool is_record(const fs::path& file) {
  const auto text = io::read_file(file);
  if (!text) return false;
  const auto record = io::parse_json(*text, "align.json");
  return record && record->is_object() && (record->contains("input") || record->contains("stages"));
}

// What is there was made here, or it is somebody's work.
splat::Status check_scene(const fs::path& scene) {
  std::error_code code;
  const fs::path record = scene / "align.json";
  for (const fs::path& file : {record, scene / "align.log", scene / "log.txt"})
    if (fs::exists(file, code)) SPLAT_TRY(io::check_place_of_file(file));
  if (is_record(record)) return {};
  if (fs::exists(scene / "sparse/0", code))
    return splat::Error{
        fmt::format("'{}' holds cameras that hipsplat align has not found, and would replace: choose another folder",
                    (scene / "sparse/0").string())};
  for (const char* name : {"align.json", "work/database.db", "work/matches.bin", "work/mapping", "work/snapshots",
                           "work/so_far", "work/merged", "work/refined"})
    if (fs::exists(scene / name, code))
      return splat::Error{fmt::format(
          "'{}' is there already, and hipsplat align, which has not made it, would replace it: choose another "
          "folder",
          (scene / name).string())};
  return {};
}

}  // namespace

align::AlignOptions align_options(const AlignTask& task) {
  align::AlignOptions align;
  align.input = task.input;
  align.scene = task.scene;
  align.masks = task.masks;
  align.matcher = task.settings.matcher == "colmap" ? align::Matcher::kColmap : align::Matcher::kOurs;
  align.quality = task.settings.quality == "fast"   ? align::Quality::kFast
                  : task.settings.quality == "fine" ? align::Quality::kFine
                                                    : align::Quality::kNormal;
  align.fisheye = task.settings.lens == "fisheye";
  align.frames = task.settings.frames;
  align.threads = task.threads;
  align.deterministic = task.deterministic;
  align.note = [](const std::string& sentence) { log::info(sentence); };
  align.warning = [](const std::string& sentence) { log::warning(sentence); };
  return align;
}

void take_only_video(fs::path& input) {
  const fs::path video = align::only_video_in(input);
  if (video.empty()) return;
  log::info(fmt::format("'{}' holds one video and no photos: taking '{}'", input.string(), video.string()));
  input = video;
}

std::string progress_sentence(const align::AlignProgress& now) {
  std::string text = doing(now.stage);
  if (now.total > 0) text += fmt::format(" {}/{}", now.done, now.total);
  return text;
}

Outcome align_input(const AlignTask& task, Monitor& monitor, align::AlignReport& report,
                    const std::function<void(const fs::path&)>& model_so_far) {
  SceneFolder folder(task.scene);
  if (const splat::Status status = folder.take(); !status) return bad_input(status.error());
  if (const splat::Status status = check_scene(task.scene); !status) return bad_input(status.error());
  for (const fs::path& part : {task.scene, task.scene / "work", task.scene / "work/photos", task.scene / "sparse/0"})
    io::remove_dead_partial_files(part, "");
  std::optional<align::Stage> stage;
  AlignLog file(task);
  align::AlignOptions align = align_options(task);
  align.cancelled = [&] { return monitor.cancelled(); };
  align.progress = [&](const align::AlignProgress& now) {
    const bool begins = stage != now.stage;
    stage = now.stage;
    monitor.progress(AlignmentProgress(now, begins));
  };
  align.model_so_far = model_so_far;
  align::AlignOutcome outcome = align::align_scene(align);
  report = std::move(outcome.report);
  switch (outcome.end) {
    case align::AlignEnd::kDone:
      log::info("aligned " + alignment_sentence(report));
      file.close();
      return done();
    case align::AlignEnd::kUnusable:
      return bad_input(outcome.sentence);
    case align::AlignEnd::kCancelled:
      return {ExitCode::kInterrupted,
              fmt::format("interrupted; the same command goes on where it was ('{}')", task.scene.string())};
    case align::AlignEnd::kMissingProgram:
      file.remove_if_new();
      return failed(outcome.sentence);
    default:
      file.add_quietly(outcome.last_lines);
      return failed(outcome.sentence);
  }
}

fs::path scene_beside(const fs::path& output, bool single_file) {
  if (!single_file) return output / "align";
  return output.parent_path() / (output.stem().string() + "-align");
}

std::string alignment_sentence(const align::AlignReport& report) {
  return fmt::format("{} of {} photos in {}: {} points, reprojection error {:.2f} px, seen by {:.1f} photos each",
                     report.registered, report.photos, human_duration(report.seconds), human_count(report.points),
                     report.reprojection_error_px, report.track_length);
}

fs::path aligned_from(const fs::path& scene) {
  const auto text = io::read_file(scene / "align.json");
  if (!text) return {};
  const auto record = io::parse_json(*text, "align.json");
  if (!record || !record->is_object() || !record->contains("input") || !(*record)["input"].is_string()) return {};
  std::error_code code;
  return fs::weakly_canonical((*record)["input"].get<std::string>(), code);
}

std::optional<AlignmentQuality> alignment_of(const fs::path& dataset) {
  const auto text = io::read_file(dataset / "align.json");
  if (!text) return std::nullopt;
  const auto record = io::parse_json(*text, "align.json");
  if (!record || !record->is_object() || !record->contains("result")) return std::nullopt;
  const nlohmann::json& result = (*record)["result"];
  for (const char* name : {"photos", "registered", "reprojection_error_px", "track_length"})
    if (!result.is_object() || !result.contains(name) || !result[name].is_number()) return std::nullopt;
  AlignmentQuality found;
  found.reprojection_error_px = result["reprojection_error_px"].get<double>();
  found.track_length = result["track_length"].get<double>();
  try {
    found.photos = io::whole_number<uint64_t>(result["photos"]);
    found.registered = io::whole_number<uint64_t>(result["registered"]);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  const bool likely = found.registered <= found.photos && found.reprojection_error_px >= 0 && found.track_length >= 0;
  return likely ? std::optional(found) : std::nullopt;
}

}  // namespace app
