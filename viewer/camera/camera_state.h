// The user's camera: the one state that all navigation changes, and the views that follow from it.
#pragma once

#include <optional>

#include "splat/model/camera.h"
#include "splat/model/pixel.h"
#include "viewer/camera/geometry.h"

namespace viewer {

struct CameraState {
  Vec3 position{0, 0, 0};
  Mat3 world_from_cam = identity();  // a rotation; its columns are right, down and forward
  double fov_y_deg = 50;
  double focus_distance = 1;  // world units along forward, > 0: distance of the pivot that orbiting turns around
  bool orthographic = false;

  Vec3 right() const { return splat::math::column(world_from_cam, 0); }
  Vec3 down() const { return splat::math::column(world_from_cam, 1); }
  Vec3 forward() const { return splat::math::column(world_from_cam, 2); }
  Vec3 pivot() const { return position + focus_distance * forward(); }
};

// The pinhole that draws the state. Orthographic: a pinhole of kOrthographicFovDeg from far behind, which shows the
// plane through the pivot at the same size, so that renderers know pinholes only.
inline constexpr double kOrthographicFovDeg = 1;
splat::View view_of(const CameraState& state, int width, int height);  // px, > 0

bool same_view(const splat::View& a, const splat::View& b);
bool same_camera(const CameraState& a, const CameraState& b);  // bit by bit

// Unit vector, world, through the point (x, y) px of a viewport of this size, seen from view_of()'s centre.
Vec3 ray_through(const CameraState& state, int width, int height, double x, double y);

using splat::Pixel;
std::optional<Pixel> pixel_of(const splat::View& view, const Vec3& point);
Vec3 point_at(const splat::View& view, double x, double y, double depth);  // the inverse

// The view of a photo fitted into a viewport: same centre and axes, the whole photo visible and centred.
// Its principal point and focal ratio are kept, so that the picture lies on the photo pixel by pixel.
splat::View fitted(const splat::View& photo, int width, int height);

// The state that looks through the photo's camera with its whole picture visible in a viewport of this size.
CameraState state_of(const splat::View& photo, int width, int height, double focus_distance);

}  // namespace viewer
