// Camera paths in files: ours there and back, those of other programs by samples in their form.
#include "io/paths/path_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "io/bytes.h"
#include "io/image_file.h"
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
  const auto angle = [&](double shape) {
    return std::tan(path_for(file, shape).keys[0].pose.fov_y_deg * std::numbers::pi / 360);
  };
  EXPECT_NEAR(angle(16. / 9), std::tan(std::numbers::pi / 6) * 9 / 16, 1e-9);
  EXPECT_NEAR(angle(9. / 16), std::tan(std::numbers::pi / 6), 1e-9) << "the longer side of a picture that stands";
  EXPECT_NEAR(angle(1), std::tan(std::numbers::pi / 6), 1e-9);
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

const char* kFrames =
    R"("frames": [{"file_path": "./test/r_0", "transform_matrix": [[1,0,0,5],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}])";

// The whole lens goes into the film: in pictures of the file's size each pixel is where the file has it.
TEST(PathFile, TransformsKeepSizeBothFocalLengthsAndPrincipalPoint) {
  const PathFile file =
      read(std::string(R"({"w": 1297, "h": 841, "fl_x": 960, "fl_y": 900, "cx": 640.5, "cy": 421, )") + kFrames + "}");
  EXPECT_EQ(file.width, 1297);
  EXPECT_EQ(file.height, 841);
  const splat::PathCurve curve(path_for(file, 1297. / 841));
  const splat::PinholeCamera camera = splat::view_of(curve.at(0), 1297, 841).camera;
  EXPECT_NEAR(double(camera.fx), 960, 1e-3);
  EXPECT_NEAR(double(camera.fy), 900, 1e-3);
  EXPECT_NEAR(double(camera.cx), 640.5, 1e-3);
  EXPECT_NEAR(double(camera.cy), 421, 1e-3);
  const splat::PinholeCamera half = splat::view_of(curve.at(0), 1297 * 2, 841 * 2).camera;
  EXPECT_NEAR(double(half.cx), 1281, 1e-3);
  const auto back = parse_path_file(path_json(file.path), "a.json");  // and through a file of ours
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->path, file.path);
}

// NeRF's synthetic scenes: an angle across and no size.
TEST(PathFile, AnAngleAcrossIsThatOfThePhotosElseOfTheFilm) {
  const std::string text = std::string(R"({"camera_angle_x": 0.6911112070083618, )") + kFrames + "}";
  const auto focal = [](const PathFile& file, int width, int height) {
    const auto path = path_for(file, double(width) / height);
    return double(splat::view_of(path.keys[0].pose, width, height).camera.fx);
  };
  const PathFile alone = read(text);
  EXPECT_EQ(alone.width, 0) << "the film's own";
  for (const auto& [width, height] : {std::pair{800, 800}, {1920, 1080}, {400, 900}})
    EXPECT_NEAR(focal(alone, width, height), width / 2. / std::tan(0.6911112070083618 / 2), 1e-2) << width;
  const splat::test::TempFolder folder;
  folder.write("test/r_0.png", encode_png({640, 480, 1, std::vector<uint8_t>(640 * 480)}));
  const auto beside = read_path_file(folder.write("transforms_test.json", text));
  ASSERT_TRUE(beside.ok()) << beside.error().message;
  EXPECT_EQ(beside->width, 640);
  EXPECT_EQ(beside->height, 480);
  EXPECT_NEAR(focal(*beside, 640, 480), 320 / std::tan(0.6911112070083618 / 2), 1e-2);
  EXPECT_NEAR(focal(*beside, 320, 240), 160 / std::tan(0.6911112070083618 / 2), 1e-2);
  const PathFile two = read(std::string(R"({"camera_angle_x": 0.9, "camera_angle_y": 0.9, )") + kFrames + "}");
  EXPECT_EQ(two.width, two.height) << "square pixels";
}

TEST(PathFile, NumbersInNamesCountByTheirValue) {
  std::string frames;
  for (const int i : {0, 10, 2, 1})
    frames += (frames.empty() ? "" : ", ") + std::string(R"({"file_path": "r_)") + std::to_string(i) +
              R"(", "transform_matrix": [[1,0,0,)" + std::to_string(i) + "],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}";
  const PathFile file = read(R"({"camera_angle_x": 0.9, "w": 80, "h": 80, "frames": [)" + frames + "]}");
  ASSERT_EQ(file.path.keys.size(), 4u);
  EXPECT_EQ(file.path.keys[2].pose.position[0], 2);
  EXPECT_EQ(file.path.keys[3].pose.position[0], 10);
}

TEST(PathFile, KeysAloneMakeAPathToo) {
  const std::string by_columns = R"("matrix": "[1,0,0,0, 0,1,0,0, 0,0,1,0, 4,5,6,1]", "fov": 60)";
  PathFile file =
      read(R"({"keyframes": [{)" + by_columns + "}, {" + by_columns + R"(}, {)" + by_columns +
           R"(}], "render_height": 360, "render_width": 640, "camera_path": [], "fps": 29.97, "seconds": 4})");
  ASSERT_EQ(file.path.keys.size(), 3u);
  expect_near(file.path.keys[0].pose.position, {4, 5, 6});
  expect_near(axis(file.path.keys[0].pose, 2, 1), {0, 0, -1});
  EXPECT_EQ(file.path.keys[1].seconds, 2);
  EXPECT_EQ(file.per_second, 30000 / 1001.);
  EXPECT_EQ(file.width, 640);
  file = read(
      R"({"keyframes": [{"matrix": [1,0,0,4, 0,1,0,5, 0,0,1,6, 0,0,0,1]}, {"matrix": [[1,0,0,7],[0,1,0,5],[0,0,1,6]],
      "override_transition_sec": 5}], "default_fov": 70, "default_transition_sec": 3, "is_cycle": true})");
  ASSERT_EQ(file.path.keys.size(), 2u);
  expect_near(file.path.keys[0].pose.position, {4, 5, 6});
  expect_near(file.path.keys[1].pose.position, {7, 5, 6});
  EXPECT_EQ(file.path.keys[1].seconds, 5);
  EXPECT_EQ(file.path.keys[0].pose.fov_y_deg, 70);
  EXPECT_EQ(file.path.closing_seconds, 3);
}

TEST(PathFile, MatricesInRowsAndListsOfThemAreRead) {
  PathFile file = read(R"({"camera_path": [{"camera_to_world": [[1,0,0,4],[0,1,0,5],[0,0,1,6],[0,0,0,1]], "fov": 60}],
      "camera_type": "equirectangular", "render_width": 1024, "render_height": 512})");
  expect_near(file.path.keys[0].pose.position, {4, 5, 6});
  EXPECT_TRUE(file.all_around);
  file = read(R"([{"file_path": "a.png", "transform": [[1,0,0,4],[0,1,0,5],[0,0,1,6]]},
      {"file_path": "b.png", "transform": [[1,0,0,5],[0,1,0,5],[0,0,1,6]]}])");
  ASSERT_EQ(file.path.keys.size(), 2u);
  expect_near(file.path.keys[1].pose.position, {5, 5, 6});
  EXPECT_NEAR(splat::PathCurve(file.path).seconds(), 2 / 30., 1e-12);
}

TEST(PathFile, CamerasThatAreNoPathAreToldHowToBecomeOne) {
  const std::string inria = R"([{"id": 0, "img_name": "a", "width": 64, "height": 48, "position": [0,0,0],
      "rotation": [[1,0,0],[0,1,0],[0,0,1]], "fx": 50, "fy": 50}])";
  expect_sentence(parse_path_file(inria, "cameras.json"), {"cameras.json", "--path photos --cameras 'cameras.json'"});
  expect_sentence(parse_path_file(R"({"cameras": []})", "a.json"), {"a.json", "--path photos --cameras"});
  const splat::test::TempFolder folder;
  expect_sentence(read_path_file(folder.path()), {"folder", "--path photos --cameras"});
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
