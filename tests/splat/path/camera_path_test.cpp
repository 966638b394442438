// Camera paths: what passes where, how fast, and how smoothly.
#include "splat/path/camera_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "splat/math/quat_curve.h"
#include "splat/model/transform.h"
#include "splat/path/picture_rate.h"

namespace splat {
namespace {

using Vector = std::array<double, 3>;

double distance(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
// The angle between two rotations, whatever their signs.
double angle(const math::Quat<double>& a, const math::Quat<double>& b) {
  const math::Quat<double> between = math::conjugate(a) * b;
  const double half = std::atan2(std::hypot(between.x, between.y, between.z), std::abs(between.w));
  return 2 * half;
}

// Keys of uneven distances and times, turning on several axes.
CameraPath winding() {
  CameraPath path;
  const std::vector<Vector> at{{0, 0, 0}, {1, 0.2, 0}, {1.3, 1, 0.5}, {3, 1.5, 0}, {3.1, 1.4, 1}, {0, 2, 4}};
  const std::vector<double> when{0, 1, 1.6, 3, 3.4, 6};
  for (size_t i = 0; i < at.size(); ++i)
    path.keys.push_back(
        {when[i],
         {at[i], quat_about_axes({20. * double(i), -35. * double(i), 10. * double(i * i)}), 40. + 3 * double(i)}});
  return path;
}

// Velocities of position and rotation a little before and after every time in (from, to) jump by no more than `most`,
// relative to the largest.
void expect_smooth(const PathCurve& curve, double from, double to, double most) {
  constexpr double kStep = 1e-4;
  double fastest = 0, turning = 0;
  std::vector<Vector> velocities;
  std::vector<double> turns;
  for (double t = from; t < to - 2 * kStep; t += kStep) {
    const CameraPose a = curve.at(t), b = curve.at(t + kStep);
    Vector v{};
    for (size_t i = 0; i < 3; ++i) v[i] = (b.position[i] - a.position[i]) / kStep;
    velocities.push_back(v);
    turns.push_back(angle(a.world_from_cam, b.world_from_cam) / kStep);
    fastest = std::max(fastest, std::hypot(v[0], v[1], v[2]));
    turning = std::max(turning, turns.back());
  }
  for (size_t i = 1; i < velocities.size(); ++i) {
    ASSERT_LT(distance(velocities[i], velocities[i - 1]), most * fastest) << "at " << from + double(i) * kStep;
    ASSERT_LT(std::abs(turns[i] - turns[i - 1]), most * std::max(turning, 1e-9)) << "at " << from + double(i) * kStep;
  }
}

// Also of constant speed, where they follow from the way, with a hold and in rounds.
TEST(CameraPath, SaysWhenItComesToItsKeys) {
  for (const bool constant : {false, true})
    for (const LoopMode loop : {LoopMode::kNone, LoopMode::kLoop, LoopMode::kPingPong}) {
      CameraPath path = winding();
      for (PathKey& key : path.keys) key.seconds += 5;
      path.keys[3].hold = 0.25;
      path.constant_speed = constant, path.loop = loop;
      const PathCurve curve(path);
      const std::vector<double> when = curve.key_seconds();
      ASSERT_EQ(when.size(), path.keys.size());
      for (size_t i = 0; i < when.size(); ++i) {
        EXPECT_LT(distance(curve.at(when[i]).position, path.keys[i].pose.position), 1e-4) << i;
        if (!constant) {
          EXPECT_DOUBLE_EQ(when[i], path.keys[i].seconds - 5);
        }
      }
      EXPECT_EQ(when[0], 0);
      EXPECT_LT(distance(curve.at(when[3] + 0.24).position, path.keys[3].pose.position), 1e-4) << "it stays";
    }
}

TEST(CameraPath, PassesThroughItsKeysAtTheirTimes) {
  const CameraPath path = winding();
  const PathCurve curve(path);
  EXPECT_NEAR(curve.seconds(), 6, 1e-12);
  for (const PathKey& key : path.keys) {
    const CameraPose pose = curve.at(key.seconds);
    EXPECT_LT(distance(pose.position, key.pose.position), 1e-12);
    EXPECT_LT(angle(pose.world_from_cam, key.pose.world_from_cam), 1e-7);
    EXPECT_NEAR(pose.fov_y_deg, key.pose.fov_y_deg, 1e-9);
  }
}

TEST(CameraPath, VelocitiesHaveNoJumps) { expect_smooth(PathCurve(winding()), 0, 6, 1e-2); }

TEST(CameraPath, ConstantSpeedIsConstant) {
  CameraPath path = winding();
  path.constant_speed = true;
  const PathCurve curve(path);
  EXPECT_NEAR(curve.seconds(), 6, 1e-9);
  constexpr double kStep = 0.01;
  double least = 1e9, most = 0;
  for (double t = 0; t + kStep < 6; t += kStep) {
    const double speed = distance(curve.at(t).position, curve.at(t + kStep).position) / kStep;
    least = std::min(least, speed), most = std::max(most, speed);
  }
  EXPECT_LT((most - least) / (most + least), 0.02);
  const PathCurve uneven(winding());
  const double slow = distance(uneven.at(0.5).position, uneven.at(0.51).position) / kStep;
  const double fast = distance(uneven.at(2.5).position, uneven.at(2.51).position) / kStep;
  EXPECT_GT(std::max(slow, fast), 1.2 * std::min(slow, fast)) << "the test tests nothing";
  expect_smooth(curve, 0, 6, 0.02);
}

TEST(CameraPath, EaseComesToRestAndHoldStays) {
  CameraPath path = winding();
  path.keys[2].hold = 0.5;
  path.keys[4].ease = true;
  for (size_t i = 3; i < path.keys.size(); ++i) path.keys[i].seconds += 0.5;
  for (const bool constant : {false, true}) {
    path.constant_speed = constant;
    const PathCurve curve(path);
    EXPECT_NEAR(curve.seconds(), 6.5, 1e-9);
    expect_smooth(curve, 0, 6.5, 1e-2);
    if (constant) continue;
    EXPECT_EQ(curve.at(1.6).position, curve.at(2.1).position);
    EXPECT_EQ(curve.at(1.6).position, path.keys[2].pose.position);
    EXPECT_LT(distance(curve.at(3.899).position, curve.at(3.901).position), 1e-5);
  }
}

TEST(CameraPath, LoopsClose) {
  for (const bool constant : {false, true}) {
    CameraPath path = winding();
    path.loop = LoopMode::kLoop;
    path.closing_seconds = 2;
    path.constant_speed = constant;
    const PathCurve curve(path);
    EXPECT_NEAR(curve.seconds(), 8, 1e-9);
    EXPECT_LT(distance(curve.at(0).position, curve.at(8 - 1e-9).position), 1e-6);
    EXPECT_LT(angle(curve.at(0).world_from_cam, curve.at(8 - 1e-9).world_from_cam), 1e-6);
    EXPECT_LT(distance(curve.at(3).position, curve.at(19).position), 1e-12);
    expect_smooth(curve, 7, 9, 0.02);
  }
  CameraPath path = winding();
  path.loop = LoopMode::kLoop;
  EXPECT_NEAR(PathCurve(path).seconds(), 7.2, 1e-9) << "closed in the mean time of the others";
}

TEST(CameraPath, PingPongComesBackGently) {
  CameraPath path = winding();
  path.loop = LoopMode::kPingPong;
  const PathCurve curve(path);
  EXPECT_NEAR(curve.seconds(), 12, 1e-12);
  EXPECT_LT(distance(curve.at(5).position, curve.at(7).position), 1e-12);
  expect_smooth(curve, 5, 7, 1e-2);
}

TEST(CameraPath, TurnsTheShorterWayWhateverTheSigns) {
  CameraPath path;
  const auto turn = quat_about({0, 1, 0}, 40);
  path.keys = {{0, {{0, 0, 0}, {1, 0, 0, 0}}}, {1, {{1, 0, 0}, {-turn.w, -turn.x, -turn.y, -turn.z}}}};
  const PathCurve curve(path);
  EXPECT_LT(angle(curve.at(0.5).world_from_cam, quat_about({0, 1, 0}, 20)), 1e-9);
  path.keys[1].pose.world_from_cam = {-1, 0, 0, 0};  // opposite quaternions, the same rotation
  EXPECT_LT(angle(PathCurve(path).at(0.3).world_from_cam, {1, 0, 0, 0}), 1e-9);
}

TEST(CameraPath, OneKeyAndEqualKeysStandStill) {
  CameraPath path;
  path.keys = {{5, {{1, 2, 3}, {1, 0, 0, 0}, 30}, false, 2}};
  for (const LoopMode mode : {LoopMode::kNone, LoopMode::kLoop, LoopMode::kPingPong}) {
    path.loop = mode;
    const PathCurve one(path);
    EXPECT_EQ(one.seconds(), mode == LoopMode::kPingPong ? 4 : 2);
    EXPECT_EQ(one.at(1).position, (Vector{1, 2, 3}));
  }
  path = winding();
  path.keys[3].pose.position = path.keys[2].pose.position;  // a turn on the spot
  for (const bool constant : {false, true}) {
    path.constant_speed = constant;
    const PathCurve curve(path);
    EXPECT_NEAR(curve.seconds(), 6, 1e-9);
    expect_smooth(curve, 0, 6, 0.02);
  }
  for (PathKey& key : path.keys) key.pose = path.keys[0].pose;
  const PathCurve still(path);
  EXPECT_EQ(still.at(2.5).position, path.keys[0].pose.position);
  EXPECT_NEAR(still.at(2.5).fov_y_deg, 40, 1e-12);
}

TEST(CameraPath, DollyZoomKeepsTheSizeOfItsTarget) {
  CameraPath path;
  path.keys = {{0, {{0, 0, -2}, {1, 0, 0, 0}, 60}}, {1, {{0, 0, -6}, {1, 0, 0, 0}, 60}}};
  path.target = Vector{0, 0, 0};
  path.dolly_zoom = true;
  const PathCurve curve(path);
  for (const double t : {0., 0.3, 1.}) {
    const View view = view_of(curve.at(t), 640, 480);
    EXPECT_NEAR(double(view.camera.fy) / view.cam_from_world.translation[2], 240 / std::tan(std::numbers::pi / 6) / 2,
                1e-3);
  }
}

TEST(CameraPath, SamplesAreViewsAndSignsStayTogether) {
  CameraPath path = winding();
  path.loop = LoopMode::kLoop;
  const std::vector<CameraPose> poses = PathCurve(path).sampled(30);
  ASSERT_EQ(poses.size(), 216u);
  for (size_t i = 1; i < poses.size(); ++i)
    EXPECT_GT(math::dot(poses[i - 1].world_from_cam, poses[i].world_from_cam), 0.9);
  const View view = view_of(poses[17], 1920, 1080);
  const CameraPose back = pose_of(view);
  EXPECT_LT(distance(back.position, poses[17].position), 1e-12);
  EXPECT_LT(angle(back.world_from_cam, poses[17].world_from_cam), 1e-7);
  EXPECT_NEAR(back.fov_y_deg, poses[17].fov_y_deg, 1e-5);
  EXPECT_EQ(view.camera.cx, 960);
}

TEST(CameraPath, BadPathsAreNamed) {
  const auto message = [](auto&& change) {
    CameraPath path = winding();
    change(path);
    const Status status = check_path(path);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(message([](CameraPath& p) { p.keys.clear(); }), "it has no keys");
  EXPECT_NE(message([](CameraPath& p) { p.keys[2].seconds = 1; }).find("key 3: its time"), std::string::npos);
  EXPECT_NE(message([](CameraPath& p) { p.keys[1].hold = 0.6; }).find("key 3: its time"), std::string::npos);
  EXPECT_NE(message([](CameraPath& p) { p.keys[0].pose.fov_y_deg = 180; }).find("key 1"), std::string::npos);
  EXPECT_NE(message([](CameraPath& p) { p.keys[0].pose.position[1] = NAN; }).find("not finite"), std::string::npos);
  EXPECT_NE(message([](CameraPath& p) {
              p.keys[4].pose.world_from_cam = {0, 0, 0, 0};
            }).find("key 5"),
            std::string::npos);
  EXPECT_NE(message([](CameraPath& p) { p.dolly_zoom = true; }).find("target"), std::string::npos);
}

// The whole lens is there and back, and goes evenly from key to key.
TEST(CameraPath, LensesKeepBothFocalLengthsAndTheirMiddle) {
  View view;
  view.camera = {1297, 841, 960, 900, 640.5f, 431};
  const CameraPose pose = pose_of(view);
  const PinholeCamera same = view_of(pose, 1297, 841).camera, twice = view_of(pose, 2594, 1682).camera;
  for (const auto& [a, b] : {std::pair{same.fx, 960.f}, {same.fy, 900.f}, {same.cx, 640.5f}, {same.cy, 431.f}})
    EXPECT_NEAR(double(a), double(b), 1e-3);
  EXPECT_NEAR(double(twice.cx), 1281, 1e-3);
  CameraPath path;
  path.keys = {{0, {}}, {1, pose}};
  path.keys[1].pose.position = {1, 0, 0};
  EXPECT_NEAR(PathCurve(path).at(0.5).stretch, (1 + 960. / 900) / 2, 1e-6);
  path.keys[1].pose.stretch = 0;
  EXPECT_FALSE(check_path(path));
}

TEST(PictureRate, TelevisionsAreFractions) {
  for (const auto& [given, text] : {std::pair{29.97, "30000/1001"},
                                    {23.976, "24000/1001"},
                                    {23.98, "24000/1001"},
                                    {59.94, "60000/1001"},
                                    {119.88, "120000/1001"},
                                    {30., "30"},
                                    {24., "24"},
                                    {12.5, "12.5"},
                                    {29.9, "29.9"}})
    EXPECT_EQ(rate_text(picture_rate(given)), text);
  EXPECT_EQ(picture_rate(30000 / 1001.), picture_rate(29.97));
}

}  // namespace
}  // namespace splat
