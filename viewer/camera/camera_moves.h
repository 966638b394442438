// What turns and ways make of a camera, and the places that look at something: plain functions of its state and the up
// axis (unit), for the navigator. Angles in radians, lengths in world units.
#pragma once

#include <optional>
#include <span>

#include "viewer/camera/camera_state.h"

namespace viewer {

// Yaw around up, pitch around the camera's right; a level camera does not go over the poles.
Mat3 turned(const Mat3& world_from_cam, const Vec3& up, double yaw, double pitch);
void orbit(CameraState& camera, const Vec3& up, double yaw, double pitch);  // likewise, around its pivot

// In a viewport of this size, px. The pivot's plane follows a movement of the mouse.
void pan(CameraState& camera, int height, double dx_px, double dy_px);
// Until the pivot is at this distance; the point of its plane under (x, y) px stays there.
void dolly(CameraState& camera, int width, int height, double focus_distance, const Pixel& at);

double roll(const CameraState& camera, const Vec3& up);  // by which it must be turned, around its axis, to be level
bool level_by(CameraState& camera, const Vec3& up, double fraction);  // of the roll; true: it is level now

// From the camera's direction, all of the box in a viewport of this size; around an empty one `radius` is seen.
CameraState framing(CameraState camera, const Bounds& bounds, double radius, int width, int height);
// Where the cameras of photos lie inside the box and `framed` is farther out than any of them, as for a room, which
// from there is seen through its walls: the camera that looks along most nearly where `framed` does, of those that see
// far. None: the scene was seen from outside.
std::optional<CameraState> view_from_inside(const Bounds& box, std::span<const CameraState> cameras,
                                            const CameraState& framed);
CameraState looking_along(CameraState camera, const Vec3& forward, const Vec3& up);  // unit; around its pivot
Vec3 front(const Vec3& up);  // horizontal: what numpad 1 looks along

}  // namespace viewer
