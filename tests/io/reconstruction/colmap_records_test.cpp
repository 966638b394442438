// COLMAP's tables, binary and text, from memory: what is read, and what bad input gets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/reconstruction/colmap_records.h"
#include "splat/model/camera_models.h"
#include "tests/io/error_sentence.h"
#include "tests/io/reconstruction/golden_colmap.h"

namespace io::test {
namespace {

using colmap::Cameras;
using colmap::Images;
using colmap::Notes;
using splat::PointCloud;
using splat::Result;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Cameras golden_cameras() {
  Notes notes;
  return *colmap::parse_cameras_bin(golden_cameras_bin(), "cameras.bin", notes);
}
Result<Cameras> cameras_bin(const std::string& bytes) {
  Notes notes;
  return colmap::parse_cameras_bin(bytes, "cameras.bin", notes);
}
Result<Cameras> cameras_txt(const std::string& text) {
  Notes notes;
  return colmap::parse_cameras_txt(text, "cameras.txt", notes);
}
Result<Images> images_bin(const std::string& bytes) {
  Notes notes;
  return colmap::parse_images_bin(bytes, "images.bin", golden_cameras(), notes);
}
Result<Images> images_txt(const std::string& text) {
  Notes notes;
  return colmap::parse_images_txt(text, "images.txt", golden_cameras(), notes);
}
Result<PointCloud> points_bin(const std::string& bytes) {
  Notes notes;
  return colmap::parse_points_bin(bytes, "points3D.bin", notes);
}
Result<PointCloud> points_txt(const std::string& text) {
  Notes notes;
  return colmap::parse_points_txt(text, "points3D.txt", notes);
}

// One of the sentences about what is left out holds all of these.
void expect_warning(const Notes& notes, const std::vector<std::string>& parts) {
  std::vector<std::string> warnings = notes.warnings;
  notes.left_out.report(warnings);
  const auto holds_all = [&](const std::string& warning) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return warning.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), holds_all))
      << testing::PrintToString(parts) << " in none of " << testing::PrintToString(warnings);
}

void expect_equal(const Images& a, const Images& b) {
  EXPECT_EQ(a.observations, b.observations);
  ASSERT_EQ(a.images.size(), b.images.size());
  for (size_t i = 0; i < a.images.size(); ++i) {
    EXPECT_EQ(a.images[i].id, b.images[i].id);
    EXPECT_EQ(a.images[i].name, b.images[i].name);
    EXPECT_EQ(a.images[i].camera_id, b.images[i].camera_id);
    EXPECT_EQ(a.images[i].cam_from_world.rotation, b.images[i].cam_from_world.rotation);
    EXPECT_EQ(a.images[i].cam_from_world.translation, b.images[i].cam_from_world.translation);
  }
}

TEST(ColmapRecords, PanoramasByTheNamesOfOtherPrograms) {
  for (const char* line : {"1 SPHERICAL 320 160 320 160\n", "1 SPHERE 320 160 1.0 160 80\n", "1 SPHERICAL 320 160\n"}) {
    const auto cameras = cameras_txt(line);
    ASSERT_TRUE(cameras.ok()) << cameras.error().message;
    EXPECT_EQ(cameras->at(1).model, splat::CameraModel::kEquirectangular);
    EXPECT_EQ(cameras->at(1).params, (std::vector<double>{320, 160}));
  }
}

TEST(ColmapCameras, BinaryAndTextSayTheSame) {
  for (const Result<Cameras>& cameras : {cameras_bin(golden_cameras_bin()), cameras_txt(golden_cameras_txt())}) {
    ASSERT_TRUE(cameras.ok()) << cameras.error().message;
    ASSERT_EQ(cameras->size(), 2u);
    const splat::SourceCamera& pinhole = cameras->at(1);
    EXPECT_EQ(pinhole.model, splat::CameraModel::kPinhole);
    EXPECT_EQ(pinhole.width, 640);
    EXPECT_EQ(pinhole.height, 480);
    EXPECT_EQ(pinhole.params, (std::vector<double>{500, 501, 320, 240.5}));
    const splat::SourceCamera& opencv = cameras->at(7);
    EXPECT_EQ(opencv.model, splat::CameraModel::kOpenCv);
    EXPECT_EQ(opencv.width, 1920);
    EXPECT_EQ(opencv.params, (std::vector<double>{1000, 1001, 960, 540, 0.1, -0.2, 0.001, 0.002}));
  }
}

// Names, ids and parameter counts of COLMAP's models, spelled out here once more.
TEST(ColmapCameras, EveryModelIsReadInBothEncodings) {
  const std::vector<std::pair<std::string, size_t>> models{{"SIMPLE_PINHOLE", 3},
                                                           {"PINHOLE", 4},
                                                           {"SIMPLE_RADIAL", 4},
                                                           {"RADIAL", 5},
                                                           {"OPENCV", 8},
                                                           {"OPENCV_FISHEYE", 8},
                                                           {"FULL_OPENCV", 12},
                                                           {"FOV", 5},
                                                           {"SIMPLE_RADIAL_FISHEYE", 4},
                                                           {"RADIAL_FISHEYE", 5},
                                                           {"THIN_PRISM_FISHEYE", 12},
                                                           {"RAD_TAN_THIN_PRISM_FISHEYE", 16},
                                                           {"SIMPLE_DIVISION", 4},
                                                           {"DIVISION", 5},
                                                           {"SIMPLE_FISHEYE", 3},
                                                           {"FISHEYE", 4},
                                                           {"EUCM", 6},
                                                           {"EQUIRECTANGULAR", 2}};
  EXPECT_EQ(models.size(), splat::camera_models().size());
  for (size_t id = 0; id < models.size(); ++id) {
    const auto& [name, count] = models[id];
    std::vector<double> params;
    std::string line = "3 " + name + " 100 50";
    for (size_t i = 0; i < count; ++i) {
      params.push_back(name == "EQUIRECTANGULAR"  ? (i == 0 ? 100 : 50)
                       : name == "EUCM" && i >= 4 ? 0.5
                                                  : 100 + 0.5 * double(i));
      line += " " + std::to_string(params.back());
    }
    const auto binary = cameras_bin(counted({golden_camera(3, int32_t(id), 100, 50, params)}));
    const auto text = cameras_txt(line + "\n");
    ASSERT_TRUE(binary.ok()) << binary.error().message;
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (const Cameras* cameras : {&*binary, &*text}) {
      EXPECT_EQ(int(cameras->at(3).model), int(id));
      EXPECT_EQ(cameras->at(3).params, params);
    }
    EXPECT_EQ(camera_model_info(splat::CameraModel(id)).name, name);
    expect_sentence(cameras_txt(line + " 1\n"), {"cameras.txt", "line 1", name});
  }
}

TEST(ColmapCameras, BadOnesAreRefused) {
  const std::vector<double> pinhole{500, 500, 320, 240};
  const auto one = [&](int32_t model, uint64_t width, uint64_t height, const std::vector<double>& params) {
    return cameras_bin(counted({golden_camera(4, model, width, height, params)}));
  };
  ASSERT_TRUE(one(1, 640, 480, pinhole).ok());
  expect_sentence(one(18, 640, 480, pinhole),
                  {"cameras.bin", "byte 12", "model id 18", "image_undistorter", "OPENCV_FISHEYE"});
  expect_sentence(one(-1, 640, 480, pinhole), {"model id -1"});
  expect_sentence(one(1, 0, 480, pinhole), {"cameras.bin", "byte 8", "camera 4", "0x480"});
  expect_sentence(one(1, 640, uint64_t(1) << 40, pinhole), {"camera 4", "65535"});
  expect_sentence(one(1, 640, 480, {0, 500, 320, 240}), {"camera 4", "focal length"});
  expect_sentence(one(1, 640, 480, {500, -1, 320, 240}), {"focal length"});
  expect_sentence(one(1, 640, 480, {500, 1e-300, 320, 240}), {"camera 4", "focal length is absurd"});  // 0 as a float
  expect_sentence(one(1, 640, 480, {1e300, 500, 320, 240}), {"camera 4", "focal length is absurd"});
  expect_sentence(one(1, 640, 480, {500, 500, 320, -1e300}), {"camera 4", "principal point"});
  expect_sentence(one(1, 640, 480, {500, 500, kNan, 240}), {"not a finite number"});
  expect_sentence(one(1, 640, 480, {500, kInfinity, 320, 240}), {"not a finite number"});
  expect_sentence(one(16, 640, 480, {500, 500, 320, 240, 1.1, 1}), {"camera 4", "alpha", "between 0 and 1"});
  expect_sentence(one(16, 640, 480, {500, 500, 320, 240, 0.5, 0}), {"camera 4", "beta", "not positive"});
  expect_sentence(one(17, 640, 320, {640, 480}), {"camera 4", "EQUIRECTANGULAR", "w, h", "image size"});
  const std::string camera = golden_camera(4, 1, 640, 480, pinhole);
  expect_sentence(cameras_bin(counted({camera, camera})), {"byte 64", "id 4 appears twice"});
  expect_sentence(cameras_bin(counted({})), {"holds no cameras"});
  expect_sentence(cameras_bin(""), {"cameras.bin", "empty"});

  expect_sentence(cameras_txt("1 VR180 640 480 1\n"), {"cameras.txt", "line 1", "'VR180'", "image_undistorter"});
  expect_sentence(cameras_txt("# none\n\n"), {"cameras.txt", "holds no cameras"});
  expect_sentence(cameras_txt(""), {"cameras.txt", "no cameras"});
  expect_sentence(cameras_txt("1 PINHOLE 640 480 500 500 320\n"), {"line 1", "4 parameters", "3"});
  expect_sentence(cameras_txt("1 PINHOLE 640 480 500 500 x 240\n"), {"line 1", "'x'"});
  expect_sentence(cameras_txt("1 PINHOLE 640 480 500 nan 320 240\n"), {"line 1", "finite"});
  expect_sentence(cameras_txt("1 PINHOLE 640.5 480 500 500 320 240\n"), {"line 1", "whole numbers"});
  expect_sentence(cameras_txt("1 PINHOLE -640 480 500 500 320 240\n"), {"line 1", "whole numbers"});
  expect_sentence(cameras_txt("one PINHOLE 640 480 500 500 320 240\n"), {"line 1", "id"});
  expect_sentence(cameras_txt("1 PINHOLE 9 9 5 5 3 2\n1 PINHOLE 9 9 5 5 3 2\n"), {"line 2", "twice"});
  EXPECT_TRUE(cameras_txt("1 PINHOLE 640.0 480.0 5e2 +500 320 240\n").ok());
}

std::string utf16(const std::string& text, bool marked) {
  std::string bytes = marked ? "\xff\xfe" : "";
  for (const char c : text) bytes += c, bytes += '\0';
  return bytes;
}

TEST(ColmapText, AByteOrderMarkIsSkippedAndUtf16IsCalledThat) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(cameras_txt(mark + golden_cameras_txt())->size(), 2u);
  EXPECT_EQ(cameras_txt(mark + "1 PINHOLE 9 9 5 5 3 2\n")->size(), 1u);
  EXPECT_EQ(images_txt(mark + "1 1 0 0 0 0 0 0 1 a.jpg\n\n")->images.size(), 1u);
  EXPECT_EQ(points_txt(mark + golden_points_txt())->size(), 4u);
  EXPECT_EQ(colmap::count_images_txt(mark + golden_images_txt()), 3u);
  for (const bool marked : {true, false}) {
    expect_sentence(cameras_txt(utf16(golden_cameras_txt(), marked)), {"cameras.txt", "UTF-16", "UTF-8"});
    expect_sentence(images_txt(utf16(golden_images_txt(), marked)), {"images.txt", "UTF-16", "UTF-8"});
    expect_sentence(points_txt(utf16(golden_points_txt(), marked)), {"points3D.txt", "UTF-16", "UTF-8"});
    EXPECT_EQ(colmap::count_images_txt(utf16(golden_images_txt(), marked)), 0u);
  }
}

TEST(ColmapImages, BinaryAndTextSayTheSame) {
  const auto binary = images_bin(golden_images_bin()), text = images_txt(golden_images_txt());
  ASSERT_TRUE(binary.ok()) << binary.error().message;
  ASSERT_TRUE(text.ok()) << text.error().message;
  expect_equal(*binary, *text);
  EXPECT_EQ(binary->observations, 4u);
  ASSERT_EQ(binary->images.size(), 3u);
  EXPECT_EQ(binary->images[0].name, "b folder/c 2.jpg");
  EXPECT_EQ(binary->images[0].cam_from_world.translation, (std::array<double, 3>{0.5, -1, 2}));
  EXPECT_EQ(binary->images[2].name, "\xc3\xa4\xe2\x82\xac.png");
  EXPECT_EQ(binary->images[2].camera_id, 1u);
}

TEST(ColmapImages, QuaternionsBecomeRotations) {
  const auto images = images_bin(golden_images_bin());
  ASSERT_TRUE(images.ok());
  // (1,1,1,1)/2 turns x to y, y to z, z to x; (0,2,0,0) is half a turn about x.
  const splat::Rigid3& turn = images->images[1].cam_from_world;
  const std::array<double, 3> x = turn * std::array<double, 3>{1, 0, 0};
  EXPECT_NEAR(x[0], 0, 1e-15);
  EXPECT_NEAR(x[1], 1, 1e-15);
  EXPECT_NEAR(x[2], 4, 1e-15);
  const std::array<double, 9> half_turn{1, 0, 0, 0, -1, 0, 0, 0, -1};
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR(images->images[2].cam_from_world.rotation[i], half_turn[i], 1e-15) << i;
}

TEST(ColmapImages, TextMayHaveCrlfBlankLinesAndBackslashes) {
  std::string crlf;
  for (const char c : golden_images_txt()) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto images = images_txt("\r\n" + crlf + "\r\n# end\r\n");
  ASSERT_TRUE(images.ok()) << images.error().message;
  expect_equal(*images, *images_bin(golden_images_bin()));
  const auto windows = images_txt("1 1 0 0 0 0 0 0 1 left\\a.jpg\n\n");
  ASSERT_TRUE(windows.ok());
  EXPECT_EQ(windows->images[0].name, "left/a.jpg");
}

// One that cannot be used is left out, with its reason, and the set is refused for it only where it is the last.
TEST(ColmapImages, BadOnesAreLeftOutInBothEncodings) {
  const GoldenImage good;
  ASSERT_TRUE(images_bin(counted({good.bytes()})).ok());
  const auto expect_left_out = [&](auto&& change, const std::string& why) {
    GoldenImage image = good;
    image.id = 42;
    change(image);
    std::string line = std::to_string(image.id);
    for (const double value : image.q) line += " " + std::to_string(value);
    for (const double value : image.t) line += " " + std::to_string(value);
    line += " " + std::to_string(image.camera) + " " + image.name + "\n\n";
    Notes binary, text;
    const auto a = colmap::parse_images_bin(counted({GoldenImage{.name = "other.jpg"}.bytes(), image.bytes()}),
                                            "images.bin", golden_cameras(), binary);
    const auto b =
        colmap::parse_images_txt("1 1 0 0 0 0 0 0 1 other.jpg\n\n" + line, "images.txt", golden_cameras(), text);
    for (const auto* images : {&a, &b}) {
      ASSERT_TRUE(images->ok()) << why << ": " << images->error().message;
      ASSERT_EQ((*images)->images.size(), 1u) << why;
      EXPECT_EQ((*images)->images[0].name, "other.jpg");
    }
    const std::string shown = image.name.empty() ? "42" : image.name;
    expect_warning(binary, {"1 photo cannot be used", "'" + shown + "'", "image 42", why, "images.bin", "byte 90"});
    expect_warning(text, {"1 photo cannot be used", "'" + shown + "'", "image 42", why, "images.txt", "line 3"});
    if (image.name == "other.jpg" || image.name.empty()) return;
    expect_sentence(images_bin(counted({image.bytes()})), {"images.bin", "image 42", why});
    expect_sentence(images_txt(line), {"images.txt", "line 1", "image 42", why});
  };
  expect_left_out([](GoldenImage& i) { i.q = {0, 0, 0, 0}; }, "quaternion has no length");
  expect_left_out([](GoldenImage& i) { i.q[2] = kNan; }, "finite quaternion");
  expect_left_out([](GoldenImage& i) { i.q[0] = kInfinity; }, "finite quaternion");
  expect_left_out([](GoldenImage& i) { i.t[1] = kNan; }, "translation");
  expect_left_out([](GoldenImage& i) { i.t[1] = -kInfinity; }, "translation");
  expect_left_out([](GoldenImage& i) { i.t[1] = 1e30; }, "translation");
  expect_left_out([](GoldenImage& i) { i.camera = 3; }, "camera 3 is not among the 2 cameras");
  expect_left_out([](GoldenImage& i) { i.name = ""; }, "no name");
  expect_left_out([](GoldenImage& i) { i.name = "other.jpg"; }, "name appears twice");
  Notes notes;
  const std::string twice = counted({good.bytes(), GoldenImage{.name = "b.jpg"}.bytes()});
  ASSERT_EQ(colmap::parse_images_bin(twice, "images.bin", golden_cameras(), notes)->images.size(), 1u);
  expect_warning(notes, {"'b.jpg'", "id appears twice"});
  expect_sentence(images_bin(counted({})), {"images.bin", "registers no images"});
  expect_sentence(images_bin(""), {"images.bin", "empty"});
  expect_sentence(images_txt("# Number of images: 0\n"), {"images.txt", "registers no images"});
}

// The camera that some program wrote for photos it could not align takes these photos along, not the others.
TEST(ColmapCameras, BadOnesTakeTheirPhotosAlong) {
  const std::string good = "1 PINHOLE 640 480 500 500 320 240\n";
  for (const char* bad :
       {"PINHOLE 640 480 -nan(ind) -nan(ind) 320 240", "PINHOLE 640 480 1.#QNAN 500 320 240",
        "PINHOLE 640 480 -1.#IND 500 320 240", "PINHOLE 640 480 0 500 320 240", "PINHOLE 640 480 -500 500 320 240",
        "PINHOLE 0 480 500 500 320 240", "PINHOLE nan 480 500 500 320 240", "PINHOLE 640 480 500 500 x 240",
        "PINHOLE 640 480 500", "SOME_LENS 640 480 500 500 320 240"}) {
    Notes notes;
    const auto cameras = colmap::parse_cameras_txt(good + "2 " + bad + "\n", "cameras.txt", notes);
    ASSERT_TRUE(cameras.ok()) << cameras.error().message;
    EXPECT_EQ(cameras->size(), 1u);
    const auto images =
        colmap::parse_images_txt("1 1 0 0 0 0 0 0 1 a.jpg\n\n2 1 0 0 0 0 0 0 2 b.jpg\n\n3 1 0 0 0 0 0 0 2 c.jpg\n\n",
                                 "images.txt", *cameras, notes);
    ASSERT_TRUE(images.ok()) << images.error().message;
    ASSERT_EQ(images->images.size(), 1u);
    expect_warning(notes, {"1 camera cannot be used and is left out: '2'", "'cameras.txt', line 2"});
    expect_warning(notes, {"2 photos cannot be used and are left out: 'b.jpg', 'c.jpg'", "its camera cannot be used"});
  }
  Notes notes;
  const auto cameras = colmap::parse_cameras_bin(
      counted({golden_camera(1, 1, 640, 480, {500, 500, 320, 240}), golden_camera(2, 1, 640, 480, {kNan, 1, 2, 3})}),
      "cameras.bin", notes);
  ASSERT_TRUE(cameras.ok()) << cameras.error().message;
  EXPECT_EQ(cameras->size(), 1u);
  expect_warning(notes, {"1 camera cannot be used", "'2'", "'cameras.bin', byte 64", "not a finite number"});
}

TEST(ColmapImages, BadTextLinesAreNamed) {
  expect_sentence(images_txt("1 1 0 0 0 0 0 zero 1 a.jpg\n\n"), {"images.txt", "line 1", "IMAGE_ID QW"});
  expect_sentence(images_txt("1 1 0 0 0 0 0 0 1 a.jpg\n1 2 3 4\n"), {"images.txt", "line 2", "'a.jpg'", "threes"});
  expect_sentence(images_txt("1 1 0 0 0 0 0 0 1 a.jpg\n2 1 0 0 0 0 0 0 1 b.jpg\n"), {"line 2", "observations"});
  expect_sentence(images_txt("x\n"), {"line 1", "id"});
  expect_sentence(images_txt("# Number of images: 3, mean\n1 1 0 0 0 0 0 0 1 a.jpg\n2 2"), {"line 3"});
  Notes notes;  // whole lines under a count that nobody corrected
  ASSERT_TRUE(colmap::parse_images_txt("# Number of images: 3, mean\n1 1 0 0 0 0 0 0 1 a.jpg\n\n", "images.txt",
                                       golden_cameras(), notes)
                  .ok());
  expect_warning(notes, {"images.txt", "1 of the 3 images"});
}

TEST(ColmapImages, ControlCharactersInNamesDoNotReachTheTerminal) {
  const auto images = images_bin(counted({GoldenImage{.t = {kNan, 0, 0}, .name = "a\x1b[31m\nb"}.bytes()}));
  expect_sentence(images, {"a?[31m?b"});
}

TEST(ColmapPoints, BinaryAndTextSayTheSame) {
  for (const Result<PointCloud>& points : {points_bin(golden_points_bin()), points_txt(golden_points_txt())}) {
    ASSERT_TRUE(points.ok()) << points.error().message;
    EXPECT_EQ(points->xyz, (std::vector<float>{0.5, 1.5, -2, 1, 2, 3, -1e3, 0, 0.125, 7, 8, 9}));
    EXPECT_EQ(points->rgb, (std::vector<uint8_t>{255, 0, 10, 1, 2, 3, 0, 128, 255, 4, 5, 6}));
  }
}

TEST(ColmapPoints, BadOnesAreLeftOut) {
  const std::string good = golden_point(1, {0, 0, 0}, {0, 0, 0}, {});
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e30, -1e300}) {
    Notes notes;
    const auto points =
        colmap::parse_points_bin(counted({good, golden_point(2, {0, bad, 0}, {0, 0, 0}, {})}), "points3D.bin", notes);
    ASSERT_TRUE(points.ok()) << points.error().message;
    EXPECT_EQ(points->size(), 1u);
    expect_warning(notes, {"1 3D point cannot be used and is left out: '2'", "points3D.bin",
                           "byte " + std::to_string(8 + good.size()), "position"});
  }
  for (const auto& [line, why] : {std::pair{"2 0 inf 0 1 2 3 0.5", "position"},
                                  {"2 0 0 -nan(ind) 1 2 3 0.5", "position"},
                                  {"2 0 0 0 1 2 256 0.5", "colours"},
                                  {"2 0 0 0 1 nan 3 0.5", "colours"},
                                  {"2 0 0 0 1 2 -3 0.5", "colours"}}) {
    Notes notes;
    const auto points =
        colmap::parse_points_txt(std::string("1 0 0 0 1 2 3 0.5\n") + line + "\n", "points3D.txt", notes);
    ASSERT_TRUE(points.ok()) << points.error().message;
    EXPECT_EQ(points->rgb, (std::vector<uint8_t>{1, 2, 3})) << line;
    expect_warning(notes, {"points3D.txt", "line 2", why});
  }
  expect_sentence(points_bin(""), {"points3D.bin", "empty"});
  expect_sentence(points_txt("1 0 0 0 1 2\n"), {"line 1", "POINT3D_ID"});
  expect_sentence(points_txt("1 0 0 0 1 2 3 0.5 7\n"), {"line 1", "pairs"});
  expect_sentence(points_txt("1 0 0 0 1 2 3 0.5 7 a\n"), {"line 1", "'a'"});
  EXPECT_EQ(points_txt("")->size(), 0u);  // how poses of known cameras are given
  EXPECT_EQ(points_bin(counted({}))->size(), 0u);
}

TEST(ColmapPoints, TextEditedByHandIsRead) {
  EXPECT_EQ(points_txt("1 0 0 0 127.0 2.4 2.6e0 0.5\n")->rgb, (std::vector<uint8_t>{127, 2, 3}));
  Notes notes;
  const std::string lines = "# Number of points: 3, mean\n1 0 0 0 1 2 3 0.5\n2 0 0 0 1 2 3 0.5\n";
  ASSERT_EQ(colmap::parse_points_txt(lines, "points3D.txt", notes)->size(), 2u);
  expect_warning(notes, {"points3D.txt", "2 of the 3 points"});
  expect_sentence(points_txt(lines.substr(0, lines.size() - 1)), {"2 of the 3 points", "truncated"});
}

// Every count of a binary file, overwritten by ones that the file cannot hold.
TEST(ColmapBinary, CountsThatLieAreRefused) {
  for (const uint64_t lie : {uint64_t(5), uint64_t(1) << 20, uint64_t(1) << 32, uint64_t(1) << 61, ~uint64_t(0)}) {
    const auto with_count = [lie](std::string bytes, size_t position) {
      std::memcpy(bytes.data() + position, &lie, sizeof lie);
      return bytes;
    };
    expect_sentence(cameras_bin(with_count(golden_cameras_bin(), 0)), {"cameras.bin", "byte", "truncated or corrupt"});
    expect_sentence(images_bin(with_count(golden_images_bin(), 0)), {"images.bin", "byte", "truncated or corrupt"});
    expect_sentence(points_bin(with_count(golden_points_bin(), 0)), {"points3D.bin", "byte", "truncated or corrupt"});
    const size_t observations = golden_images_bin().size() - 3 * 24 - 8;
    expect_sentence(images_bin(with_count(golden_images_bin(), observations)),
                    {"images.bin", std::to_string(lie) + " observations"});
    const size_t track = golden_points_bin().size() - 8 - 8;
    expect_sentence(points_bin(with_count(golden_points_bin(), track)),
                    {"points3D.bin", std::to_string(lie) + " track"});
  }
}

TEST(ColmapBinary, EveryTruncationIsAnError) {
  const std::string cameras = golden_cameras_bin(), images = golden_images_bin(), points = golden_points_bin();
  for (size_t size = 0; size < cameras.size(); ++size)
    expect_sentence(cameras_bin(cameras.substr(0, size)), {"cameras.bin"});
  for (size_t size = 0; size < images.size(); ++size)
    expect_sentence(images_bin(images.substr(0, size)), {"images.bin"});
  for (size_t size = 0; size < points.size(); ++size)
    expect_sentence(points_bin(points.substr(0, size)), {"points3D.bin"});
}

TEST(ColmapBinary, TrailingBytesAreWarnedOf) {
  Notes notes;
  ASSERT_TRUE(colmap::parse_points_bin(golden_points_bin() + "abc", "points3D.bin", notes).ok());
  ASSERT_EQ(notes.warnings.size(), 1u);
  EXPECT_NE(notes.warnings[0].find("last 3 bytes"), std::string::npos) << notes.warnings[0];
}

// A cut text is an error, or says that its last line is open, or has lost nothing but empty lines.
template <class Parse, class Equal>
void expect_honest_truncations(const std::string& text, Parse&& parse, Equal&& equal) {
  Notes notes;
  const auto whole = parse(text, notes);
  ASSERT_TRUE(whole.ok());
  ASSERT_TRUE(notes.notes.empty() && notes.warnings.empty());
  for (size_t size = 0; size < text.size(); ++size) {
    notes = {};
    const auto cut = parse(text.substr(0, size), notes);
    if (!cut) {
      expect_sentence(cut, {"file.txt"});
    } else {
      EXPECT_TRUE(!notes.notes.empty() || !notes.warnings.empty() || equal(*cut, *whole))
          << "silent loss after byte " << size;
    }
  }
}

TEST(ColmapText, TruncationsAreHonest) {
  expect_honest_truncations(
      golden_cameras_txt(),
      [](const std::string& text, Notes& notes) { return colmap::parse_cameras_txt(text, "file.txt", notes); },
      [](const Cameras& a, const Cameras& b) { return a.size() == b.size(); });
  expect_honest_truncations(
      golden_images_txt(),
      [](const std::string& text, Notes& notes) {
        return colmap::parse_images_txt(text, "file.txt", golden_cameras(), notes);
      },
      [](const Images& a, const Images& b) { return a.images.size() == b.images.size(); });
  expect_honest_truncations(
      golden_points_txt(),
      [](const std::string& text, Notes& notes) { return colmap::parse_points_txt(text, "file.txt", notes); },
      [](const PointCloud& a, const PointCloud& b) { return a.xyz == b.xyz && a.rgb == b.rgb; });
}

}  // namespace
}  // namespace io::test
