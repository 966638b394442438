#include "studio/window/photo_frusta.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "splat/model/near_scale.h"
#include "viewer/camera/camera_state.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kPointedPx = 190;  // width at scale 1
constexpr ImU32 kTint = IM_COL32(255, 255, 255, 235);

// The corners of its picture plane on the screen; none where one lies behind the camera that looks.
std::optional<std::array<ImVec2, 4>> corners_of(const splat::View& photo, double depth, const splat::View& seen,
                                                const ScenePlace& scene) {
  const double w = photo.camera.width, h = photo.camera.height;
  const std::array<std::pair<double, double>, 4> pixels{{{0, 0}, {w, 0}, {w, h}, {0, h}}};
  std::array<ImVec2, 4> corners;
  for (size_t c = 0; c < 4; ++c) {
    const auto at = scene.at(seen, point_at(photo, pixels[c].first, pixels[c].second, depth));
    if (!at) return std::nullopt;
    corners[c] = *at;
  }
  return corners;
}

}  // namespace

double camera_depth(const Workspace& work) {
  return 0.1 * work.look.navigator.scene_radius() * work.settings.camera_size;
}

double nearest_camera(const Workspace& work) {
  const Navigator& navigator = work.look.navigator;
  const bool orbits = navigator.mode() == NavigationMode::kOrbit;
  return std::max(orbits ? 0.5 * navigator.camera().focus_distance : 0, splat::near_plane(navigator.scene_radius()));
}

// The farthest first, so that nearer ones cover it.
void draw_photos_in_cameras(Workspace& work, const ScenePlace& scene) {
  const WindowSettings& settings = work.settings;
  if (!settings.show_cameras || !settings.camera_photos || work.look.navigator.photo() || work.scene_covered()) return;
  const splat::View seen = work.look.navigator.view();
  const auto& cameras = work.received.cameras();
  std::vector<std::pair<double, int>> order;
  for (const auto& [view, picture] : work.received.thumbnails) {
    if (size_t(view) >= cameras.size()) continue;
    const double depth = (seen.cam_from_world * cameras[size_t(view)].view.cam_from_world.origin_in_source())[2];
    if (depth >= nearest_camera(work)) order.push_back({-depth, view});
  }
  std::sort(order.begin(), order.end());
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  for (const auto& [nearness, view] : order) {
    const auto at = corners_of(cameras[size_t(view)].view, camera_depth(work), seen, scene);
    if (!at) continue;
    const ImTextureID picture = texture_id(work.received.thumbnails[view].texture());
    list.AddImageQuad(picture, (*at)[0], (*at)[1], (*at)[2], (*at)[3], {0, 0}, {1, 0}, {1, 1}, {0, 1}, kTint);
  }
  list.PopClipRect();
}

void draw_pointed_photo(Workspace& work, int view) {
  if (view < 0 || size_t(view) >= work.received.cameras().size() || !ImGui::BeginTooltip()) return;
  const PhotoCamera& camera = work.received.cameras()[size_t(view)];
  if (const auto picture = work.received.thumbnails.find(view); picture != work.received.thumbnails.end()) {
    const float width = kPointedPx * work.appearance.scale;
    const float height = width * float(picture->second.height()) / float(std::max(picture->second.width(), 1));
    ImGui::Image(texture_id(picture->second.texture()), {width, height});
  }
  ImGui::TextUnformatted((camera.name + (camera.held_out ? " (held out)" : "")).c_str());
  note_place(("pointed " + camera.name).c_str());
  work.all([&](Feature& feature) {
    if (const std::string figures = feature.figures_of_photo(view); !figures.empty())
      ImGui::TextUnformatted(figures.c_str());
  });
  ImGui::TextDisabled("Click to look from there, right click for more");
  ImGui::EndTooltip();
}

}  // namespace studio
