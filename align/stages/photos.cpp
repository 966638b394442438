// The photos: looked at, grouped, linked under names that COLMAP's lists can hold.
#include <algorithm>

#include "align/photos/working_folder.h"
#include "align/stages/job.h"
#include "io/dataset/photo_folder.h"
#include "io/text.h"
#include "splat/core/counted.h"

namespace align {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLeastPhotos = 3, kFewPhotos = 8;

void tell_findings(const Job& job) {
  const PhotoSet& set = job.photos;
  if (!set.unreadable.empty())
    job.warning(splat::counted(set.unreadable.size(), "file is", "files are") +
                " left out: " + io::first_names(set.unreadable));
  if (!set.unread.empty()) job.warning(io::unread_sentence(set.unread));
  if (!set.duplicates.empty())
    job.warning(splat::counted(set.duplicates.size(), "photo is", "photos are") +
                " there twice and used once: " + io::first_names(set.duplicates));
  if (!set.blurred.empty() && !job.is_film)
    job.warning(splat::counted(set.blurred.size(), "photo is", "photos are") +
                " much less sharp than the others and may harm the result: " + io::first_names(set.blurred));
  if (set.photos.size() >= kLeastPhotos && set.photos.size() < kFewPhotos)
    job.warning("there are only " + std::to_string(set.photos.size()) +
                " photos: 20 or more, each overlapping the next by two thirds, give much better scenes");
  const size_t masks = size_t(
      std::count_if(set.photos.begin(), set.photos.end(), [](const Photo& photo) { return !photo.mask.empty(); }));
  job.note(splat::counted(set.photos.size(), "photo", "photos") + " in '" + set.root.string() + "', of " +
           splat::counted(size_t(set.groups), "lens or size", "lenses or sizes") +
           (masks > 0 ? ", " + splat::counted(masks, "with a mask", "with masks") : ""));
}

// What is there in place of photos, and what to do.
std::string too_few(const Job& job) {
  const PhotoSet& set = job.photos;
  const std::string place = "'" + job.options.input.string() + "' holds ";
  const std::vector<std::string> videos = videos_in(job.options.input);
  if (set.photos.empty() && set.unreadable.empty() && set.unread.empty() && !videos.empty())
    return place + splat::counted(videos.size(), "video", "videos") + " and no photos (" + io::first_names(videos) +
           "): give one of them ('hipsplat align " + (job.options.input / videos.front()).string() +
           " -o SCENE'), or a folder with frames of all";
  std::vector<std::string> why = set.unreadable;
  if (!set.unread.empty()) why.push_back(io::unread_sentence(set.unread));
  return place + splat::counted(set.photos.size(), "photo that can be used", "photos that can be used") +
         (why.empty() ? "" : " (" + io::first_names(why) + ")") +
         ": at least 3 from different places are needed, better 20 or more";
}

bool lies_within(const fs::path& inner, const fs::path& outer) {
  std::error_code code;
  const fs::path relative = fs::weakly_canonical(inner, code).lexically_relative(fs::weakly_canonical(outer, code));
  return !relative.empty() && *relative.begin() != "..";
}

// scene/images: where training finds the photos.
splat::Status link_images(const Job& job) {
  const fs::path images = job.paths.scene / "images";
  std::error_code code;
  if (fs::equivalent(images, job.photos.root, code)) return {};
  return link_or_copy(job.photos.root, images);
}

}  // namespace

StageEnd look_stage(Job& job) {
  if (!job.is_film) job.begin(Stage::kPhotos);
  LookOptions look;
  look.masks = job.options.masks;
  look.threads = job.options.threads;
  look.cancelled = job.options.cancelled;
  look.progress = [&](size_t done, size_t total) {
    job.set_total(total);
    job.progress(done);
  };
  auto set = look_at_photos(job.is_film ? job.paths.scene / "images" : job.options.input, look);
  if (job.cancelled()) return {AlignEnd::kCancelled, "cancelled"};
  if (!set) return {AlignEnd::kUnusable, set.error().message};
  if (!job.is_film && lies_within(job.paths.scene, set->root))
    return {AlignEnd::kUnusable, "'" + job.paths.scene.string() + "' lies among the photos of '" + set->root.string() +
                                     "': choose a folder elsewhere for -o"};
  job.photos = std::move(*set);
  if (job.photos.photos.size() < kLeastPhotos) return {AlignEnd::kUnusable, too_few(job)};
  tell_findings(job);
  ALIGN_TRY(make_working_folder(job.photos, job.paths.work));
  ALIGN_TRY(link_images(job));
  for (size_t i = 0; i < job.photos.photos.size(); ++i) {
    const Photo& photo = job.photos.photos[i];
    job.stamp.add(photo.name).add(int64_t(photo.file_bytes)).add(photo.modified).add(photo.group);
    std::error_code code;
    if (!photo.mask.empty())
      job.stamp.add(photo.mask.string()).add(int64_t(fs::last_write_time(photo.mask, code).time_since_epoch().count()));
  }
  return {};
}

}  // namespace align
