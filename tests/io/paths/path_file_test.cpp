// Camera paths in files: ours there and back, those of other programs by samples in their form.
#include "io/paths/path_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "io/bytes.h"
#include "splat/model/transform.h"
#include "tests/io/error_sentence.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::CameraPath;
using splat::CameraPose;
using Vector = std::array<double, 3>;

CameraPath example() {
  CameraPath path;
  for (int i = 0; i < 4; ++i)
    path.keys.push_back({1.5 * i,
                         {{0.1 * i, 1 / 3., -2.5 * i}, splat::quat_about_axes({12. * i, 30. * i, -7.}), 40. + i},
                         i == 1,
                         i == 2 ? 0.25 : 0});
  path.loop = splat::LoopMode::kLoop;
  path.closing_seconds = 2;
  path.constant_speed = true;
  path.target = Vector{1, 2, 3};
  path.dolly_zoom = true;
  return path;
}

void expect_near(const CameraPose& a, const CameraPose& b, double tolerance) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.position[i], b.position[i], tolerance);
  const auto &p = a.world_from_cam, &q = b.world_from_cam;
  EXPECT_NEAR(std::abs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z), 1, tolerance);
  EXPECT_NEAR(a.fov_y_deg, b.fov_y_deg, tolerance);
}

// Where the camera looks, and its up, in the world.
Vector axis(const CameraPose& pose, size_t row, double sign) {
  const auto& r = splat::view_of(pose, 100, 100).cam_from_world.rotation;
  return {sign * r[3 * row], sign * r[3 * row + 1], sign * r[3 * row + 2]};
}
void expect_near(const Vector& a, const Vector& b) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

PathFile read(const std::string& text) {
  auto parsed = parse_path_file(text, "path.json");
  EXPECT_TRUE(parsed.ok()) << parsed.error().message;
  return parsed ? *parsed : PathFile{};
}

TEST(PathFile, OursComesBack) {
  const splat::test::TempFolder folder;
  ASSERT_TRUE(write_path_file(folder.path() / "path.json", example()).ok());
  const auto back = read_path_file(folder.path() / "path.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->format, PathFormat::kOurs);
  const CameraPath path = example(), &other = back->path;
  ASSERT_EQ(other.keys.size(), path.keys.size());
  for (size_t i = 0; i < path.keys.size(); ++i) {
    EXPECT_EQ(other.keys[i].seconds, path.keys[i].seconds);
    EXPECT_EQ(other.keys[i].ease, path.keys[i].ease);
    EXPECT_EQ(other.keys[i].hold, path.keys[i].hold);
    expect_near(other.keys[i].pose, path.keys[i].pose, 1e-12);
  }
  EXPECT_EQ(other.loop, path.loop);
  EXPECT_EQ(other.closing_seconds, 2);
  EXPECT_TRUE(other.constant_speed && other.dolly_zoom);
  EXPECT_EQ(other.target, path.target);
  EXPECT_EQ(path_json(other), path_json(path));
}

TEST(PathFile, NerfstudiosIsReadAsItsRendererReadsIt) {
  // At (1, 2, 3), turned a quarter about y: its x is the world's -z, it looks (its -z) along the world's -x.
  const PathFile file = read(
      R"({"camera_type": "perspective", "render_height": 1080, "render_width": 1920, "fps": 24, "seconds": 2,
      "is_cycle": false, "smoothness_value": 0.0, "keyframes": [], "crop": null, "camera_path": [
      {"camera_to_world": [0,0,1,1, 0,1,0,2, -1,0,0,3, 0,0,0,1], "fov": 61.5, "aspect": 1.7778},
      {"camera_to_world": [0,0,1,2, 0,1,0,2, -1,0,0,3, 0,0,0,1], "fov": 61.5, "aspect": 1.7778}]})");
  EXPECT_EQ(file.format, PathFormat::kNerfstudio);
  EXPECT_EQ(file.per_second, 24);
  EXPECT_EQ(file.width, 1920);
  ASSERT_EQ(file.path.keys.size(), 2u);
  const CameraPose& pose = file.path.keys[0].pose;
  expect_near(pose.position, {1, 2, 3});
  expect_near(axis(pose, 2, 1), {-1, 0, 0});
  expect_near(axis(pose, 1, -1), {0, 1, 0});
  EXPECT_EQ(pose.fov_y_deg, 61.5);
  EXPECT_NEAR(file.path.keys[1].seconds, 1 / 24., 1e-12);
  EXPECT_NEAR(splat::PathCurve(file.path).seconds(), 2 / 24., 1e-12) << "the last picture is shown as well";
}

TEST(PathFile, NerfstudiosComesBack) {
  const splat::test::TempFolder folder;
  ASSERT_TRUE(write_nerfstudio_path(folder.path() / "camera_path.json", example(), {25, 1280, 720}).ok());
  const auto back = read_path_file(folder.path() / "camera_path.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->width, 1280);
  EXPECT_EQ(back->path.loop, splat::LoopMode::kLoop);
  const splat::PathCurve curve(example()), other(back->path);
  EXPECT_NEAR(curve.seconds(), other.seconds(), 0.021);
  for (size_t i = 0; i < back->path.keys.size(); ++i) {
    expect_near(back->path.keys[i].pose, curve.at(double(i) / 25), 1e-6);
    expect_near(other.at(double(i) / 25), curve.at(double(i) / 25), 1e-6);
  }
}

TEST(PathFile, LichtFeldsIsTurnedIntoTheWorldOfTheData) {
  // Unturned, its camera looks along -z of its world, whose y and z are the data's turned round: along the data's +z,
  // with the data's -y up. Turned a quarter to the left about its y: along its -x.
  const PathFile file = read(
      R"({"version": 4, "clip_duration": 30.0, "keyframes": [
      {"time": 0, "position": [1, 2, 3], "rotation": [1, 0, 0, 0], "focal_length_mm": 24, "easing": 0},
      {"time": 2, "position": [4, 5, 6], "rotation": [0.7071068, 0, 0.7071068, 0], "focal_length_mm": 35, "easing": 2},
      {"time": 3, "position": [4, 5, 7], "rotation": [0.7071068, 0, 0.7071068, 0], "focal_length_mm": 35, "easing": 0}
      ]})");
  EXPECT_EQ(file.format, PathFormat::kLichtFeld);
  ASSERT_EQ(file.path.keys.size(), 3u);
  const CameraPose& first = file.path.keys[0].pose;
  expect_near(first.position, {1, -2, -3});
  expect_near(axis(first, 2, 1), {0, 0, 1});
  expect_near(axis(first, 1, -1), {0, -1, 0});
  EXPECT_NEAR(first.fov_y_deg, 2 * std::atan(0.5) * 180 / std::numbers::pi, 1e-9);
  expect_near(axis(file.path.keys[1].pose, 2, 1), {-1, 0, 0});
  EXPECT_FALSE(file.path.keys[1].ease);
  EXPECT_TRUE(file.path.keys[2].ease) << "it slows down on the way to the third key";
}

TEST(PathFile, SuperSplatsIsTurnedHalfRoundZ) {
  const PathFile file = read(
      R"({"camera": {"fov": 60, "startAnim": "animTrack", "animTrack": "cameraAnim"}, "background": {},
      "animTracks": [{"name": "other"}, {"name": "cameraAnim", "duration": 4, "frameRate": 30, "target": "camera",
      "loopMode": "repeat", "interpolation": "spline", "keyframes": {"times": [0, 90],
      "values": {"position": [1, 2, 3, 0, 0, 5], "target": [1, 2, 0, 0, 0, 0]}}}]})");
  EXPECT_EQ(file.format, PathFormat::kSuperSplat);
  ASSERT_EQ(file.path.keys.size(), 2u);
  const CameraPose& pose = file.path.keys[0].pose;
  expect_near(pose.position, {-1, -2, 3});
  expect_near(axis(pose, 2, 1), {0, 0, -1});
  expect_near(axis(pose, 1, -1), {0, -1, 0});
  EXPECT_NEAR(std::tan(pose.fov_y_deg * std::numbers::pi / 360), std::tan(std::numbers::pi / 6) * 9 / 16, 1e-9);
  EXPECT_EQ(file.path.keys[1].seconds, 3);
  EXPECT_EQ(file.path.loop, splat::LoopMode::kLoop);
  EXPECT_EQ(file.path.closing_seconds, 1);
}

TEST(PathFile, BlendersAnimationIsReadInTheOrderOfItsNames) {
  const PathFile file = read(
      R"({"camera_angle_x": 0.9, "w": 800, "h": 400, "frames": [
      {"file_path": "r_0002", "transform_matrix": [[1,0,0,5],[0,1,0,0],[0,0,1,0],[0,0,0,1]]},
      {"file_path": "r_0001", "transform_matrix": [[1,0,0,4],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]})");
  EXPECT_EQ(file.format, PathFormat::kTransforms);
  ASSERT_EQ(file.path.keys.size(), 2u);
  expect_near(file.path.keys[0].pose.position, {4, 0, 0});
  expect_near(axis(file.path.keys[0].pose, 2, 1), {0, 0, -1});
  EXPECT_NEAR(std::tan(file.path.keys[0].pose.fov_y_deg * std::numbers::pi / 360), std::tan(0.45) / 2, 1e-6);
  EXPECT_NEAR(file.path.keys[1].seconds, 1 / 30., 1e-12);
  EXPECT_NEAR(splat::PathCurve(file.path).seconds(), 2 / 30., 1e-12) << "the last picture is shown as well";
}

TEST(PathFile, BadFilesAreOneSentenceWithThePlace) {
  const std::string ours = path_json(example());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = ours;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
  };
  expect_sentence(parse_path_file("", "a.json"), {"a.json"});
  expect_sentence(parse_path_file("{}", "a.json"), {"a.json", "no camera path"});
  expect_sentence(parse_path_file("[1]", "a.json"), {"a.json", "no camera path"});
  expect_sentence(parse_path_file(with("\"version\": 1", "\"version\": 2"), "a.json"), {"a.json", "version"});
  expect_sentence(parse_path_file(with("\"loop\": \"loop\"", "\"loop\": \"round\""), "a.json"), {"a.json", "'loop'"});
  expect_sentence(parse_path_file(with("\"fov_y\": 41.0", "\"fov_y\": \"wide\""), "a.json"), {"key 2", "'fov_y'"});
  expect_sentence(parse_path_file(with("\"fov_y\": 42.0", "\"fov_y\": 200"), "a.json"), {"a.json", "key 3", "field"});
  expect_sentence(parse_path_file(with("\"seconds\": 3.0", "\"seconds\": 1.5"), "a.json"), {"key 3", "time"});
  expect_sentence(parse_path_file(R"({"camera_path": []})", "a.json"), {"a.json", "no keys"});
  expect_sentence(parse_path_file(R"({"camera_path": [{"fov": 50, "camera_to_world": [1, 2]}]})", "a.json"),
                  {"picture 1", "camera_to_world"});
  expect_sentence(parse_path_file(R"({"animTracks": []})", "a.json"), {"a.json", "no camera animation"});
}

}  // namespace
}  // namespace io::test
