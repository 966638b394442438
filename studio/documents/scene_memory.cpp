#include "studio/documents/scene_memory.h"

#include <algorithm>

namespace studio {
namespace {

constexpr double kSameUp = 1e-9;  // distance of unit vectors; normalising one again may change its last bit

bool same_up(const std::optional<Vec3>& a, const std::optional<Vec3>& b) {
  return a.has_value() == b.has_value() && (!a || length(*a - *b) < kSameUp);
}

bool same_bookmark(const std::optional<CameraState>& a, const std::optional<CameraState>& b) {
  return a.has_value() == b.has_value() && (!a || same_camera(*a, *b));
}

}  // namespace

bool SceneMemory::empty() const {
  return !up && !metres_per_unit && !crop_box && path.keys.empty() &&
         std::none_of(bookmarks.begin(), bookmarks.end(), [](const auto& b) { return b.has_value(); });
}

bool operator==(const SceneMemory& a, const SceneMemory& b) {
  return same_up(a.up, b.up) && a.metres_per_unit == b.metres_per_unit && a.crop_box == b.crop_box &&
         a.path == b.path && std::equal(a.bookmarks.begin(), a.bookmarks.end(), b.bookmarks.begin(), same_bookmark);
}

}  // namespace studio
