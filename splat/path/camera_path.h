// A camera's way through a scene: keys in time, and what lies between them. Positions follow centripetal Catmull-Rom
// curves (Yuksel et al. 2011) and rotations squads, the shorter way round; both have continuous velocities, and the
// field of view goes by its logarithm without overshooting. World units and seconds; a camera looks along +z, x right,
// y down. No file and no window: films, the timeline and the page for browsers sample the same curve.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "splat/core/result.h"
#include "splat/math/quat.h"
#include "splat/model/camera.h"

namespace splat {

struct CameraPose {
  std::array<double, 3> position{0, 0, 0};        // of the camera's centre, world
  math::Quat<double> world_from_cam{1, 0, 0, 0};  // of length 1
  double fov_y_deg = 50;                          // vertical field of view, of the whole picture
  double stretch = 1;                             // the focal length across by the one down
  std::array<double, 2> shift{0, 0};              // of the principal point from the middle, right and down; heights
  friend bool operator==(const CameraPose& a, const CameraPose& b) {
    const auto &p = a.world_from_cam, &q = b.world_from_cam;
    return a.position == b.position && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z &&
           a.fov_y_deg == b.fov_y_deg && a.stretch == b.stretch && a.shift == b.shift;
  }
};
View view_of(const CameraPose& pose, int width, int height);  // px
CameraPose pose_of(const View& view);                         // with the whole lens

struct PathKey {
  double seconds = 0;  // when the camera is there
  CameraPose pose;
  bool ease = false;  // the camera comes to rest here, and starts gently
  double hold = 0;    // s: how long it stays; it then comes to rest as well
  friend bool operator==(const PathKey&, const PathKey&) = default;
};

enum class LoopMode { kNone, kLoop, kPingPong };
std::string_view name_of(LoopMode mode);  // "none", "loop", "ping-pong"

struct CameraPath {
  std::vector<PathKey> keys;  // in the order of their times
  LoopMode loop = LoopMode::kNone;
  double closing_seconds = 0;   // of a loop: from the last key back to the first; 0: the mean of the others
  bool constant_speed = false;  // times of keys follow from the way between them; its whole time, holds and turns on
                                // the spot stay
  std::optional<std::array<double, 3>> target;  // what the film is about: cameras with a lens focus there
  bool dolly_zoom = false;                      // the field of view keeps the size of the target as at the first key
  friend bool operator==(const CameraPath&, const CameraPath&) = default;
};

inline constexpr double kLeastFov = 0.1, kMostFov = 179;  // degrees
inline constexpr double kMostStretch = 100, kMostShift = 100;
inline constexpr double kLeastStep = 1e-4;  // s between a key and the next, without its hold
inline constexpr double kMostSeconds = 86400;
inline constexpr size_t kMostKeys = 1'000'000;

// What is wrong with it, "key 3: ...", with keys counted from 1.
Status check_path(const CameraPath& path);

class PathCurve {
 public:
  explicit PathCurve(const CameraPath& path);  // of a path that check_path() accepts

  double seconds() const;  // of one round; there and back with ping-pong
  // Time 0 is the first key. Before the start and after the end the camera stays, or goes round.
  CameraPose at(double seconds) const;
  std::vector<double> key_seconds() const;  // when the camera comes to each of the path's keys; at constant speed
                                            // within a millionth of the whole time
  // Poses in order of time, one every 1/per_second from 0 on, at least one: what goes into a page or another program.
  // Neighbouring quaternions never have opposite signs.
  std::vector<CameraPose> sampled(double per_second) const;

 private:
  struct Piece {              // of time
    double from = 0, to = 0;  // s
    double u_from = 0, u_to = 0;
    bool rest_from = false, rest_to = false;
    bool by_length = false;
  };
  void place_keys(const CameraPath& path);
  void make_tangents(bool closed, bool constant_speed);
  void add_pieces(const CameraPath& path);
  void measure();
  void add_hold(double hold, double u);
  void add_piece(Piece piece, double seconds);
  math::Vec3<double> position_at(size_t segment, double part) const;  // of its chord parameter
  double length_at(double u) const;                                   // of a key
  double u_at_length(double length) const;
  double u_at(double seconds) const;
  CameraPose pose_at(double u) const;

  std::vector<PathKey> keys_;  // of a loop the first again at the end
  LoopMode loop_ = LoopMode::kNone;
  // A value a key: parameter u (its time without holds), chord parameter c, tangents.
  std::vector<double> u_, c_, c_slope_, log_fov_, fov_slope_;
  std::vector<math::Vec3<double>> tangent_, turn_;  // by c, by u
  size_t steps_ = 0;                                // of a segment
  std::vector<double> lengths_;                     // after each step, from the start
  std::vector<Piece> pieces_;
  std::optional<math::Vec3<double>> target_;  // of a dolly zoom
  double target_size_ = 0;                    // distance times tan(fov / 2)
};

}  // namespace splat
