#include "studio/documents/recent_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/input/recognise.h"
#include "app/jobs/scene/scene_picture.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/fnv1a.h"
#include "splat/core/system.h"
#include "studio/documents/demo.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

constexpr uintmax_t kMostBytes = 400'000'000;  // of a splat file: a larger one takes long, and much memory
constexpr uintmax_t kMostPictureBytes = 1 << 20;
constexpr int kDemoSide = 640;         // px, of its photos: its tile is larger than those of recent scenes
constexpr size_t kMostPictures = 100;  // in the cache; the oldest go

// By where it is, how large, and when it was written last.
fs::path file_for(const fs::path& cache, const fs::path& scene) {
  std::error_code code;
  const auto time = fs::last_write_time(scene, code).time_since_epoch().count();
  const uintmax_t bytes = fs::is_regular_file(scene, code) ? fs::file_size(scene, code) : 0;
  const std::string key = fmt::format("{}\n{}\n{}", fs::weakly_canonical(scene, code).string(), time, bytes);
  return cache / "scenes" / fmt::format("{:016x}.png", splat::fnv1a(key));
}

std::optional<splat::Image8> kept_picture(const fs::path& file) {
  std::error_code code;
  const uintmax_t bytes = fs::file_size(file, code);
  if (code || bytes > kMostPictureBytes) return std::nullopt;
  auto picture = io::read_image(file);
  const bool good = picture && picture->channels == 3 && std::max(picture->width, picture->height) <= kRecentSide;
  return good ? std::optional(std::move(*picture)) : std::nullopt;
}

void drop_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (std::error_code of_file; entry.path().extension() == ".png")
      files.emplace_back(fs::last_write_time(entry.path(), of_file), entry.path());
  if (files.size() <= kMostPictures) return;
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i + kMostPictures < files.size(); ++i) fs::remove(files[i].second, code);
}

}  // namespace

fs::path cache_folder() {
  const char* cache = splat::environment("XDG_CACHE_HOME");
  if (cache && fs::path(cache).is_absolute()) return fs::path(cache) / "hipsplat";
  const char* home = splat::environment("HOME");
  if (home && *home) return fs::path(home) / ".cache" / "hipsplat";
  return {};
}

std::optional<splat::Image8> recent_picture(const fs::path& cache, const fs::path& scene, int threads) {
  std::error_code code;
  if (fs::equivalent(scene, demo_folder(), code)) {  // a photo is read as quickly as a kept picture
    auto photo = picture_of_scene(scene, kDemoSide, threads);
    return photo ? std::optional(std::move(*photo)) : std::nullopt;
  }
  const fs::path shown = recognise(scene).path;
  if (!fs::exists(shown, code) || (fs::is_regular_file(shown, code) && fs::file_size(shown, code) > kMostBytes))
    return std::nullopt;
  const fs::path file = cache.empty() ? fs::path() : file_for(cache, shown);
  if (!file.empty())
    if (auto kept = kept_picture(file)) return kept;
  auto made = picture_of_scene(scene, kRecentSide, threads);
  if (!made) return std::nullopt;
  if (!file.empty()) {
    fs::create_directories(file.parent_path(), code);
    if (io::write_file_atomically(file, io::encode_png(*made))) drop_oldest(file.parent_path());
  }
  return std::move(*made);
}

}  // namespace studio
