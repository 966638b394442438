#include "app/cli/commands/unaligned_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "align/align.h"
#include "align/photos/look.h"
#include "align/video/frame_choice.h"
#include "align/video/probe.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/jobs/host/host.h"
#include "io/dataset/photo_folder.h"
#include "io/text.h"
#include "splat/core/parallel.h"

namespace app {

namespace {

using nlohmann::json;

constexpr size_t kLeastPhotos = 3, kGoodPhotos = 20;
// Seconds of one thread, by the figures of docs/benchmarks.md, which are of photos of a megapixel; and how many pairs
// of photos are matched: all of few, of many those with their most similar ones.
constexpr double kPerPhoto = 0.8, kPerPair = 0.018, kMostPartners = 25;
constexpr double kAllPairsUpTo = 150;

double seconds_to_align(size_t photos, int threads) {
  const double count = double(photos);
  const double pairs = count <= kAllPairsUpTo ? count * (count - 1) / 2 : count * kMostPartners;
  return (count * kPerPhoto + pairs * kPerPair) / (threads > 0 ? threads : splat::available_cores());
}

struct Lens {
  std::string name;  // "1008x756, Canon EOS 5D, 35 mm"
  size_t photos = 0;
};

std::vector<Lens> lenses_of(const align::PhotoSet& set) {
  std::map<int, Lens> lenses;
  for (const align::Photo& photo : set.photos) {
    Lens& lens = lenses[photo.group];
    if (lens.photos++ > 0) continue;
    lens.name = fmt::format("{}x{}", photo.size.width, photo.size.height);
    const std::string camera = photo.exif.model.empty() ? photo.exif.make : photo.exif.model;
    lens.name += camera.empty() ? ", no camera named by EXIF" : ", " + camera;
    if (photo.exif.focal_mm > 0) lens.name += fmt::format(", {:.4g} mm", photo.exif.focal_mm);
    if (photo.exif.equivalent_mm > 0) lens.name += fmt::format(" (as {} mm on film)", photo.exif.equivalent_mm);
    if (photo.exif.zoom > 1) lens.name += fmt::format(", digital zoom {:.3g}", photo.exif.zoom);
  }
  std::vector<Lens> sorted;
  for (auto& [group, lens] : lenses) sorted.push_back(std::move(lens));
  std::stable_sort(sorted.begin(), sorted.end(), [](const Lens& a, const Lens& b) { return a.photos > b.photos; });
  return sorted;
}

std::vector<std::string> warnings_of(const align::PhotoSet& set, const std::string& missing_program) {
  std::vector<std::string> warnings = set.unreadable;
  if (!set.unread.empty()) warnings.push_back(io::unread_sentence(set.unread));
  if (!set.duplicates.empty()) warnings.push_back("there twice and used once: " + io::first_names(set.duplicates));
  if (!set.blurred.empty()) warnings.push_back("much less sharp than the others: " + io::first_names(set.blurred));
  if (set.photos.size() < kGoodPhotos)
    warnings.push_back(set.photos.size() < kLeastPhotos
                           ? "at least 3 photos from different places are needed, better 20 or more"
                           : "20 photos or more, each overlapping the next by two thirds, give much better scenes");
  if (!missing_program.empty()) warnings.push_back(missing_program);
  return warnings;
}

void print_next(const InfoTask& task, const std::vector<std::string>& warnings) {
  print("next      hipsplat train {} -o OUT finds the cameras first\n", task.path.string());
  for (const std::string& warning : warnings) print("note      {}\n", warning);
}

Outcome photos_info(const InfoTask& task) {
  align::LookOptions look;
  look.masks = task.dataset.masks_folder;
  look.threads = task.threads;
  auto set = align::look_at_photos(task.path, look);
  if (!set) return bad_input(set.error());
  std::erase_if(set->photos, [&](const align::Photo& photo) {
    const auto& names = task.dataset.leave_out;
    return std::find(names.begin(), names.end(), photo.name) != names.end();
  });
  const std::vector<Lens> lenses = lenses_of(*set);
  const std::vector<std::string> warnings = warnings_of(*set, align::missing_program(task.path));
  const auto masked = size_t(std::count_if(set->photos.begin(), set->photos.end(),
                                           [](const align::Photo& photo) { return !photo.mask.empty(); }));
  const double seconds = seconds_to_align(set->photos.size(), task.threads);
  if (task.console.json) {
    json rows = json::array();
    for (const Lens& lens : lenses) rows.push_back({{"lens", lens.name}, {"photos", lens.photos}});
    print_json({{"path", task.path.string()},
                {"format", "photos without cameras"},
                {"photos", set->photos.size()},
                {"masked", masked},
                {"lenses", rows},
                {"unreadable", set->unreadable.size() + set->unread.size()},
                {"align_seconds", seconds},
                {"warnings", warnings}});
    return done();
  }
  print("photos    {} in '{}', without cameras\n", set->photos.size(), set->root.string());
  for (const Lens& lens : lenses)
    print("lens      {} ({} photo{})\n", lens.name, lens.photos, lens.photos == 1 ? "" : "s");
  if (masked > 0) print("masks     {} photos with a mask file\n", masked);
  if (set->photos.size() >= kLeastPhotos)
    print("cameras   to be found: roughly {} here, by COLMAP\n", human_duration(seconds));
  print_next(task, warnings);
  return done();
}

Outcome video_info(const InfoTask& task) {
  const std::string missing = align::missing_video_tools();
  if (!missing.empty()) return failed(missing);
  const auto video = align::probe_video(task.path);
  if (!video) return bad_input(video.error());
  const align::FramePlan plan = align::plan_frames(*video, 0);
  std::vector<std::string> warnings;
  if (const std::string program = align::missing_program(task.path); !program.empty()) warnings.push_back(program);
  const double seconds = seconds_to_align(size_t(plan.frames), task.threads);
  if (task.console.json) {
    print_json({{"path", task.path.string()},
                {"format", "video"},
                {"seconds", video->seconds},
                {"width", video->width},
                {"height", video->height},
                {"fps", video->fps},
                {"hdr", video->hdr},
                {"frames", plan.frames},
                {"align_seconds", seconds},
                {"warnings", warnings}});
    return done();
  }
  print("video     {}, {}x{} as stored, {:.3g} frames a second{}\n", human_duration(video->seconds), video->width,
        video->height, video->fps, video->hdr ? ", HDR" : "");
  print("frames    up to {} are taken, each the sharpest of {}\n", plan.frames, plan.candidates);
  print("cameras   to be found: roughly {} here, by COLMAP\n", human_duration(seconds));
  print_next(task, warnings);
  return done();
}

}  // namespace

Outcome unaligned_info(const InfoTask& task) {
  return align::is_video(task.path) ? video_info(task) : photos_info(task);
}

}  // namespace app
