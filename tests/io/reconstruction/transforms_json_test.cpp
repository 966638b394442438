// transforms.json of nerfstudio, instant-ngp and Blender.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "io/json.h"
#include "io/reconstruction/rotation.h"
#include "io/reconstruction/transforms_json.h"
#include "splat/model/camera_models.h"
#include "tests/io/error_sentence.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::CameraModel;
using splat::Result;
using splat::test::TempFolder;

// As nerfstudio writes it; the camera stands at (1, 2, 5) and looks along -z.
const std::string kMatrix = "[[1,0,0,1],[0,1,0,2],[0,0,1,5],[0,0,0,1]]";
const std::string kIntrinsics = R"("w": 640, "h": 480, "fl_x": 500.5, "fl_y": 501, "cx": 321, "cy": 239)";

std::string frame(const std::string& path, const std::string& more = "") {
  return R"({"file_path": ")" + path + R"(", "transform_matrix": )" + kMatrix + (more.empty() ? "" : ", " + more) + "}";
}
std::string file_with(const std::string& globals, const std::string& frames) {
  return "{" + globals + (globals.empty() ? "" : ",") + "\n\"frames\": [\n" + frames + "\n]}\n";
}
Result<TransformsText> parse(const std::string& text) { return parse_transforms_json(text, "t.json", "/data"); }

// The only image of a file with these globals.
ReconstructionImage image_with(const std::string& globals, const std::string& frame_fields = "") {
  const auto result = parse(file_with(globals, frame("a.png", frame_fields)));
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? result->reconstruction.images[0] : ReconstructionImage{};
}

TEST(TransformsJson, Nerfstudio) {
  const auto result = parse(file_with(
      R"("camera_model": "OPENCV", "k1": 0.1, "k2": 0.2, "p1": 0.3, "p2": 0.4, "ply_file_path": "sparse_pc.ply",
         "applied_transform": [[1,0,0,0],[0,0,1,0],[0,-1,0,0]], )" +
          kIntrinsics,
      frame("images/b.jpg") + "," + frame("./images/a.jpg", R"("mask_path": "masks/a.png")")));
  ASSERT_TRUE(result.ok()) << result.error().message;
  const Reconstruction& model = result->reconstruction;
  EXPECT_EQ(model.format, "transforms.json");
  EXPECT_EQ(model.cameras, 1);
  ASSERT_EQ(model.images.size(), 2u);
  EXPECT_EQ(model.images[0].name, "images/a.jpg");
  EXPECT_EQ(model.images[1].name, "images/b.jpg");
  EXPECT_EQ(model.images[0].file_hint, "/data/images/a.jpg");
  EXPECT_EQ(model.images[0].mask_hint, "/data/masks/a.png");
  EXPECT_TRUE(model.images[1].mask_hint.empty());
  EXPECT_EQ(model.images[0].camera.model, CameraModel::kOpenCv);
  EXPECT_EQ(model.images[0].camera.params, (std::vector<double>{500.5, 501, 321, 239, 0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(model.images[0].camera.width, 640);
  EXPECT_EQ(model.images[0].camera.height, 480);
  EXPECT_EQ(result->ply_file, fs::path("/data/sparse_pc.ply"));
  EXPECT_FALSE(model.images[0].held_out.has_value());
}

// The OpenGL camera at (1,2,5) looks along -z with y up: what lies ahead has z > 0 in our frame, what is higher smaller
// y.
TEST(TransformsJson, OpenGlAxesBecomeOurs) {
  const splat::Rigid3 pose = image_with(kIntrinsics).cam_from_world;
  const auto ahead = pose * std::array<double, 3>{1, 2, 0};
  EXPECT_EQ(ahead, (std::array<double, 3>{0, 0, 5}));
  const auto above = pose * std::array<double, 3>{1, 3, 0};
  EXPECT_EQ(above, (std::array<double, 3>{0, -1, 5}));
  const auto right = pose * std::array<double, 3>{4, 2, 0};
  EXPECT_EQ(right, (std::array<double, 3>{3, 0, 5}));
  EXPECT_EQ(pose.origin_in_source(), (std::array<double, 3>{1, 2, 5}));
}

TEST(TransformsJson, AFramesOwnIntrinsicsWin) {
  const auto result =
      parse(file_with(kIntrinsics, frame("a.png") + "," + frame("b.png", R"("fl_x": 900, "fl_y": 901, "w": 1000)")));
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->reconstruction.cameras, 2);
  const splat::SourceCamera& own = result->reconstruction.images[1].camera;
  EXPECT_EQ(own.params, (std::vector<double>{900, 901, 321, 239}));
  EXPECT_EQ(own.width, 1000);
  EXPECT_EQ(own.height, 480);
  EXPECT_EQ(own.model, CameraModel::kPinhole);
}

TEST(TransformsJson, LensModels) {
  const auto lens = [](const std::string& fields) { return image_with(kIntrinsics + ", " + fields).camera; };
  EXPECT_EQ(lens(R"("k1": 0, "k2": 0.0, "p1": 0, "camera_model": "OPENCV")").model, CameraModel::kPinhole);
  EXPECT_EQ(lens(R"("k1": 0.5, "camera_model": "SIMPLE_PINHOLE")").params,
            (std::vector<double>{500.5, 501, 321, 239, 0.5, 0, 0, 0}));
  const auto full = lens(R"("k1": 1, "k2": 2, "k3": 3, "p1": 4, "p2": 5)");
  EXPECT_EQ(full.model, CameraModel::kFullOpenCv);
  EXPECT_EQ(full.params, (std::vector<double>{500.5, 501, 321, 239, 1, 2, 4, 5, 3, 0, 0, 0}));
  for (const char* fisheye : {R"("camera_model": "OPENCV_FISHEYE")", R"("is_fisheye": true)"}) {
    const auto camera = lens(std::string(R"("k1": 1, "k2": 2, "k3": 3, "k4": 4, )") + fisheye);
    EXPECT_EQ(camera.model, CameraModel::kOpenCvFisheye);
    EXPECT_EQ(camera.params, (std::vector<double>{500.5, 501, 321, 239, 1, 2, 3, 4}));
  }
  const auto refused = [](const std::string& fields) {
    return parse(file_with(kIntrinsics + ", " + fields, frame("a.png")));
  };
  for (const char* model : {"SPHERICAL", "SPHERE"})
    EXPECT_EQ(lens(R"("camera_model": ")" + std::string(model) + "\"").model, CameraModel::kEquirectangular);
  const auto k4 = lens(R"("k1": 1, "k2": 2, "k3": 3, "k4": 0.1, "p1": 4, "p2": 5)");
  EXPECT_EQ(k4.model, splat::kOpenCvK4);
  EXPECT_EQ(k4.params, (std::vector<double>{500.5, 501, 321, 239, 1, 2, 4, 5, 3, 0.1}));
  for (const char* model : {"VR180_L", "OMNIDIRECTIONALSTEREO_R", "ORTHOPHOTO", "FISHEYE624"})
    expect_sentence(refused(R"("camera_model": ")" + std::string(model) + "\""),
                    {"frame 0", model, "OPENCV_FISHEYE", "EQUIRECTANGULAR"});
  expect_sentence(refused(R"("ftheta_p0": 1)"), {"ftheta_p0"});
}

TEST(TransformsJson, AByteOrderMarkIsSkippedAndUtf16IsCalledThat) {
  const std::string text = file_with(kIntrinsics, frame("a.png"));
  EXPECT_TRUE(parse("\xef\xbb\xbf" + text).ok());
  std::string utf16 = "\xff\xfe";
  for (const char c : text) utf16 += c, utf16 += '\0';
  expect_sentence(parse(utf16), {"t.json", "UTF-16", "UTF-8"});
}

// nerfstudio writes fl_x = fl_y = h and a centre along with them; neither is needed, nor is the size.
TEST(TransformsJson, Panoramas) {
  const std::string model = R"("camera_model": "EQUIRECTANGULAR")";
  for (const std::string& more : {std::string(), std::string(R"(, "fl_x": 320, "fl_y": 320, "cx": 320, "cy": 160)")}) {
    const ReconstructionImage image = image_with(R"("w": 640, "h": 320, )" + model + more);
    EXPECT_EQ(image.camera.model, CameraModel::kEquirectangular);
    EXPECT_EQ(image.camera.params, (std::vector<double>{640, 320}));
    EXPECT_FALSE(image.pending.any());
  }
  ReconstructionImage image = image_with(model);
  complete_camera(image, 800, 400);
  EXPECT_EQ(image.camera.width, 800);
  EXPECT_EQ(image.camera.params, (std::vector<double>{800, 400}));
}

TEST(TransformsJson, WhatIsMissingIsFilledIn) {
  const ReconstructionImage centred = image_with(R"("w": 640, "h": 480, "fl_x": 500)");
  EXPECT_EQ(centred.camera.params, (std::vector<double>{500, 500, 320, 240}));
  EXPECT_FALSE(centred.pending.any());
  const ReconstructionImage angle = image_with(R"("w": 640, "h": 480, "camera_angle_x": 1.5707963267948966)");
  EXPECT_NEAR(angle.camera.params[0], 320, 1e-9);
  EXPECT_NEAR(angle.camera.params[1], 320, 1e-9);
  const ReconstructionImage degrees =
      image_with(R"("w": 640, "h": 480, "x_fov": 90, "camera_angle_y": 1.5707963267948966)");
  EXPECT_NEAR(degrees.camera.params[0], 320, 1e-9);
  EXPECT_NEAR(degrees.camera.params[1], 240, 1e-9);
}

TEST(TransformsJson, WithoutASizeThePhotoDecides) {
  ReconstructionImage image = image_with(R"("camera_angle_x": 1.5707963267948966)");
  EXPECT_EQ(image.camera.width, 0);
  EXPECT_TRUE(image.pending.any());
  complete_camera(image, 800, 600);
  EXPECT_FALSE(image.pending.any());
  EXPECT_EQ(image.camera.width, 800);
  EXPECT_EQ(image.camera.height, 600);
  EXPECT_NEAR(image.camera.params[0], 400, 1e-9);
  EXPECT_NEAR(image.camera.params[1], 400, 1e-9);
  EXPECT_EQ(image.camera.params[2], 400);
  EXPECT_EQ(image.camera.params[3], 300);
  complete_camera(image, 1, 1);  // nothing is pending any more
  EXPECT_EQ(image.camera.width, 800);
  EXPECT_EQ(image.camera.params[2], 400);
}

TEST(TransformsJson, ScaledAndRoundedRotationsAreRepaired) {
  const std::string scaled =
      R"({"file_path": "a.png", "transform_matrix": [[0,-2.0001,0,1],[2,0,0,2],[0,0,1.9999,3],[0,0,0,1]]})";
  const auto result = parse(file_with(kIntrinsics, scaled));
  ASSERT_TRUE(result.ok()) << result.error().message;
  const splat::Rigid3& pose = result->reconstruction.images[0].cam_from_world;
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s) {
      double dot = 0;
      for (int c = 0; c < 3; ++c) dot += pose.rotation[size_t(3 * r + c)] * pose.rotation[size_t(3 * s + c)];
      EXPECT_NEAR(dot, r == s, 1e-12);
    }
  EXPECT_NEAR(pose.origin_in_source()[0], 1, 1e-12);
  EXPECT_NEAR(pose.origin_in_source()[2], 3, 1e-12);
}

TEST(TransformsJson, MatricesThatAreNoRotationAreRefused) {
  const auto with = [](const std::string& matrix) {
    return parse(file_with(kIntrinsics, R"({"file_path": "a.png", "transform_matrix": )" + matrix + "}"));
  };
  const std::vector<std::string> where{"t.json", "frame 0 ('a.png')", "transform_matrix"};
  for (const char* matrix :
       {"[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,1]]", "[[1,0,0,0],[1,0,0,0],[0,0,1,0],[0,0,0,1]]",
        "[[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]", "[[1,0.5,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]",
        "[[1,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]", "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,2]]",
        "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[1,0,0,1]]", "[[1,0,0],[0,1,0],[0,0,1]]", "[[1,0,0,0],[0,1,0,0]]",
        "[[1,0,0,1e30],[0,1,0,0],[0,0,1,0],[0,0,0,1]]", "[[1,0,0,\"x\"],[0,1,0,0],[0,0,1,0],[0,0,0,1]]", "[1,2,3]",
        "null", "{}", "[[1,0,0,null],[0,1,0,0],[0,0,1,0]]"})
    expect_sentence(with(matrix), where);
  EXPECT_TRUE(with("[[1,0,0,0],[0,1,0,0],[0,0,1,0]]").ok());
}

TEST(TransformsJson, BadInputIsNamed) {
  expect_sentence(parse(""), {"t.json", "empty"});
  expect_sentence(parse("{\n\"frames\": [\n}\n"), {"t.json", "line 3", "not valid JSON"});
  expect_sentence(parse("[]"), {"t.json", "neither splats nor a dataset"});
  expect_sentence(parse("{}"), {"t.json", "frames"});
  expect_sentence(parse(R"({"frames": {}})"), {"frames"});
  expect_sentence(parse(R"({"frames": []})"), {"'frames' is empty"});
  expect_sentence(parse(R"({"frames": [3]})"), {"frame 0", "object"});
  expect_sentence(parse(file_with(kIntrinsics, frame(""))), {"frame 0", "file_path"});
  expect_sentence(parse(file_with(kIntrinsics, R"({"transform_matrix": [], "file_path": 3})")),
                  {"frame 0", "file_path"});
  expect_sentence(parse(file_with(R"("w": 640, "h": 480)", frame("a.png"))),
                  {"frame 0", "fl_x", "camera_angle_x", "'K'"});
  expect_sentence(parse(file_with(R"("fl_x": -5)", frame("a.png"))), {"focal length"});
  expect_sentence(parse(file_with(R"("fl_x": "five")", frame("a.png"))), {"fl_x", "not a number"});
  expect_sentence(parse(file_with(R"("fl_x": 1e200)", frame("a.png"))), {"frame 0", "focal length is absurd"});
  expect_sentence(parse(file_with(R"("fl_x": 5, "cx": 1e200)", frame("a.png"))), {"frame 0", "principal point"});
  expect_sentence(parse(file_with(R"("camera_angle_x": 1e-200)", frame("a.png"))), {"frame 0", "camera_angle_x"});
  expect_sentence(parse(file_with(R"("fl_x": 1e999)", frame("a.png"))), {"t.json", "1e999"});
  expect_sentence(parse(file_with(R"("camera_angle_x": 4)", frame("a.png"))), {"camera_angle_x", "180"});
  for (const char* side : {"0", "-4", "640.5", "70000", "1e300"})
    expect_sentence(parse(file_with(R"("fl_x": 5, "h": 4, "w": )" + std::string(side), frame("a.png"))),
                    {"'w'", "65535"});
  expect_sentence(parse(std::string(1000, '[')), {"t.json"});
  expect_sentence(parse("{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}"), {"t.json", "nests deeper"});
  expect_sentence(parse(std::string(2000000, '[')), {"t.json", "nests deeper"});
}

TEST(TransformsJson, CommentsAreAllowedAsInstantNgpDoes) {
  EXPECT_TRUE(parse("// by hand\n" + file_with(kIntrinsics, frame("a.png"))).ok());
}

TEST(TransformsJson, EveryTruncationIsAnError) {
  const std::string whole = file_with(kIntrinsics, frame("a.png"));
  ASSERT_TRUE(parse(whole).ok());
  for (size_t size = 0; size + 1 < whole.size(); ++size) expect_sentence(parse(whole.substr(0, size)), {"t.json"});
}

// Whatever the form of either: a value of the file never stands beside the frame's own.
TEST(TransformsJson, AFramesOwnValuesWinInWhateverForm) {
  const auto focal = [](const std::string& globals, const std::string& own) {
    const splat::SourceCamera camera = image_with(R"("w": 640, "h": 480, )" + globals, own).camera;
    return std::pair{camera.params.at(0), camera.params.at(1)};
  };
  const std::string half_turn = "1.5707963267948966", matrix = R"("K": [[70, 0, 300], [0, 71, 200], [0, 0, 1]])";
  for (const std::string& file : {std::string(R"("fl_x": 500, "fl_y": 501)"), std::string(R"("camera_angle_x": 2)"),
                                  std::string(R"("x_fov": 20, "y_fov": 15)"), matrix}) {
    const auto expect = [&](const std::string& own, double fx, double fy) {
      const auto [x, y] = focal(file, own);
      EXPECT_NEAR(x, fx, 1e-9) << file << " " << own;
      EXPECT_NEAR(y, fy, 1e-9) << file << " " << own;
    };
    expect(R"("fl_x": 900)", 900, file.find("fl_y") == std::string::npos ? 900 : 501);
    expect(R"("fl_x": 900, "fl_y": 901)", 900, 901);
    expect(R"("camera_angle_x": )" + half_turn, 320, 320);
    expect(R"("camera_angle_y": )" + half_turn, 240, 240);
    expect(R"("x_fov": 90, "y_fov": 90)", 320, 240);
    expect(R"("K": [[80, 0, 300], [0, 81, 200], [0, 0, 1]])", 80, 81);
  }
  const auto centre = image_with(kIntrinsics, matrix).camera;
  EXPECT_EQ(centre.params, (std::vector<double>{70, 71, 300, 200}));
  const auto own_centre = image_with(R"("w": 640, "h": 480, )" + matrix, R"("cx": 310, "cy": 230)").camera;
  EXPECT_EQ(own_centre.params, (std::vector<double>{70, 71, 310, 230}));
  EXPECT_EQ(image_with(kIntrinsics, R"("cx": 310, "fl_y": 7, "h": 90)").camera.params,
            (std::vector<double>{500.5, 7, 310, 239}));
  const auto lens = image_with(kIntrinsics + R"(, "k1": 0.5, "k2": 0.4)", R"("k1": 0.1)").camera;
  EXPECT_EQ(lens.params, (std::vector<double>{500.5, 501, 321, 239, 0.1, 0, 0, 0}));
  const auto model = image_with(kIntrinsics + R"(, "is_fisheye": true)", R"("camera_model": "PINHOLE")").camera;
  EXPECT_EQ(model.model, CameraModel::kPinhole);
}

TEST(TransformsJson, LensesAsOtherProgramsWriteThem) {
  const auto params = [](const std::string& fields) { return image_with(fields).camera.params; };
  const std::string size = R"("w": 640, "h": 480, )";
  const std::vector<double> expected{500, 510, 320, 240};
  EXPECT_EQ(params(size + R"("K": [[500, 0, 320], [0, 510, 240], [0, 0, 1]])"), expected);
  EXPECT_EQ(params(size + R"("intrinsics": [500, 0, 320, 0, 510, 240, 0, 0, 1])"), expected);
  EXPECT_EQ(params(size + R"("K": [[500, 0, 320, 0], [0, 510, 240, 0], [0, 0, 1, 0], [0, 0, 0, 1]])"), expected);
  EXPECT_EQ(params(R"("w": "640", "h": "480", "fl_x": "500.0", "fl_y": " 5.1e2")"), expected);
  for (const char* bad :
       {"[[500, 0, 320], [0, 510, 240]]", "[500, 510, 320, 240]", "[[500, 90, 320], [0, 510, 240], [0, 0, 1]]",
        "[[500, 0], [0, 510], [0, 0]]", "7", "[[500, 0, \"x\"], [0, 510, 240], [0, 0, 1]]"})
    expect_sentence(parse(file_with(size + R"("K": )" + bad, frame("a.png"))), {"frame 0", "'K'"});
  const std::string fisheye = kIntrinsics + R"(, "camera_model": "OPENCV_FISHEYE", "k1": 0.1, )";
  const splat::SourceCamera tangential = image_with(fisheye + R"("k4": 0.2, "p1": 1e-5, "p2": -2e-5)").camera;
  EXPECT_EQ(tangential.model, CameraModel::kThinPrismFisheye);
  EXPECT_EQ(tangential.params, (std::vector<double>{500.5, 501, 321, 239, 0.1, 0, 1e-5, -2e-5, 0, 0.2, 0, 0}));
}

TEST(TransformsJson, DepthMapsByTheNamesOfBothPrograms) {
  EXPECT_EQ(image_with(kIntrinsics, R"("depth_file_path": "d/a.png", "depth_path": "no")").depth_hint, "/data/d/a.png");
  EXPECT_EQ(image_with(kIntrinsics, R"("depth_path": "a.depth.png")").depth_hint, "/data/a.depth.png");
}

TEST(TransformsJson, AFieldOfViewBesideAFocalLengthIsKeptForComparing) {
  EXPECT_EQ(image_with(kIntrinsics + R"(, "camera_angle_x": 0.5)").stated_angle_x, 0.5);
  EXPECT_FALSE(image_with(kIntrinsics).stated_angle_x.has_value());
}

TEST(TransformsJson, BadFramesAreLeftOut) {
  const std::string size = R"("w": 640, "h": 480)";
  for (const auto& [bad, why] : {std::pair{frame("bad.png", R"("fl_x": NaN)"), "'fl_x' is NaN"},
                                 {frame("bad.png", R"("fl_x": -Infinity)"), "'fl_x' is -Infinity"},
                                 {frame("bad.png", R"("fl_x": 1e999)"), "'fl_x' is 1e999, not a finite number"},
                                 {frame("bad.png", R"("fl_x": 0)"), "not positive"},
                                 {frame("bad.png", R"("w": 0)"), "'w'"},
                                 {frame("bad.png", R"("camera_model": "VR")"), "'VR'"},
                                 {std::string(R"({"file_path": "bad.png", "transform_matrix": [[1,0,0,NaN]]})"), "4x4"},
                                 {std::string(R"({"file_path": "bad.png", "transform_matrix": )"
                                              "[[1,0,0,NaN],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}"),
                                  "'transform_matrix' is NaN"},
                                 {std::string("7"), "not an object"},
                                 {std::string("{}"), "file_path"}}) {
    const auto result = parse(file_with(R"("fl_x": 500, )" + size, frame("a.png") + "," + bad));
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->reconstruction.images.size(), 1u) << bad;
    ASSERT_EQ(result->reconstruction.warnings.size(), 1u) << bad;
    const std::string& warning = result->reconstruction.warnings[0];
    for (const std::string& part : {std::string("1 photo cannot be used"), std::string("frame 1"), std::string(why)})
      EXPECT_NE(warning.find(part), std::string::npos) << warning;
  }
  expect_sentence(parse(file_with(R"("fl_x": NaN, )" + size, frame("a.png"))), {"frame 0 ('a.png')", "'fl_x' is NaN"});
}

TEST(TransformsJson, APhotoListedTwiceCountsOnce) {
  const auto same = parse(file_with(kIntrinsics, frame("a.png") + "," + frame("b.png") + "," + frame("./a.png")));
  ASSERT_TRUE(same.ok()) << same.error().message;
  EXPECT_EQ(same->reconstruction.images.size(), 2u);
  EXPECT_TRUE(same->reconstruction.warnings.empty());
  const auto other = parse(file_with(kIntrinsics, frame("a.png") + "," + frame("a.png", R"("fl_x": 9)")));
  ASSERT_TRUE(other.ok()) << other.error().message;
  ASSERT_EQ(other->reconstruction.images.size(), 1u);
  EXPECT_EQ(other->reconstruction.images[0].camera.params[0], 500.5);
  ASSERT_EQ(other->reconstruction.warnings.size(), 1u);
  EXPECT_NE(other->reconstruction.warnings[0].find("'a.png' twice"), std::string::npos);
}

TEST(TransformsJson, KeysThatNobodyReadsAreNamedOnce) {
  const auto result =
      parse(file_with(kIntrinsics + R"(, "orientation_override": "up", "aabb_scale": null, "k1": 0)",
                      frame("a.png", R"("mask_color": [1, 2, 3])") + "," + frame("b.png", R"("mask_color": 4)")));
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->reconstruction.notes,
            std::vector<std::string>{
                "keys of transforms.json that have no meaning here: 'mask_color', 'orientation_override'"});
}

TEST(TransformsJson, ListsOfPhotosAreThoseOfNerfstudio) {
  const auto sides = [](const std::string& lists) {
    const auto result = parse(file_with(kIntrinsics + ", " + lists, frame("a.png") + "," + frame("b.png") + "," +
                                                                        frame("c.png") + "," + frame("d.png")));
    EXPECT_TRUE(result.ok());
    std::string text;  // t: trained on, h: held out, -: neither, ?: not said
    for (const ReconstructionImage& image : result->reconstruction.images)
      text += image.left_out ? '-' : !image.held_out ? '?' : *image.held_out ? 'h' : 't';
    return text;
  };
  EXPECT_EQ(sides(R"("train_filenames": ["a.png", "./b.png"], "val_filenames": ["c.png"], "test_filenames": [])"),
            "tth-");
  EXPECT_EQ(sides(R"("train_filenames": ["a.png"], "val_filenames": ["c.png"], "test_filenames": ["d.png"])"), "t--h");
  EXPECT_EQ(sides(R"("val_filenames": ["c.png"], "test_filenames": ["d.png"])"), "tt-h");
  EXPECT_EQ(sides(R"("test_filenames": ["d.png"])"), "ttth");
  EXPECT_EQ(sides(R"("train_filenames": [], "test_filenames": [], "val_filenames": null)"), "????");
  EXPECT_EQ(sides(R"("train_filenames": ["a.png", "d.png"])"), "t--t");
  const auto unknown = parse(file_with(kIntrinsics + R"(, "test_filenames": ["a.png", "x.png"])", frame("a.png")));
  ASSERT_TRUE(unknown.ok());
  ASSERT_EQ(unknown->reconstruction.warnings.size(), 1u);
  EXPECT_NE(unknown->reconstruction.warnings[0].find("x.png"), std::string::npos);
  expect_sentence(parse(file_with(kIntrinsics + R"(, "val_filenames": [3])", frame("a.png"))), {"val_filenames"});
}

TEST(TransformsJson, TestFilenamesAreHeldOut) {
  const auto result = parse(file_with(
      kIntrinsics + R"(, "train_filenames": ["./a.png"], "test_filenames": ["./b.png"], "val_filenames": ["a.png"])",
      frame("a.png") + "," + frame("b.png")));
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->reconstruction.images[0].held_out, false);
  EXPECT_EQ(result->reconstruction.images[1].held_out, true);
}

TEST(TransformsJson, FilesAreFound) {
  const TempFolder folder;
  EXPECT_FALSE(find_transforms_json(folder.path()).has_value());
  const fs::path train = folder.write("transforms_train.json", "{}");
  EXPECT_EQ(find_transforms_json(folder.path()), train);
  const fs::path plain = folder.write("transforms.json", "{}");
  EXPECT_EQ(find_transforms_json(folder.path()), plain);
  EXPECT_EQ(find_transforms_json(train), train);
  EXPECT_FALSE(find_transforms_json(folder.path() / "other.json").has_value());
}

TEST(TransformsJson, BlendersSplitAndMissingExtensions) {
  const TempFolder folder;
  const auto split = [&](const std::string& name, const std::string& photo) {
    folder.write("transforms_" + name + ".json",
                 file_with(R"("camera_angle_x": 0.7)", frame("./" + name + "/" + photo)));
  };
  split("train", "r_0");
  split("test", "r_0");
  split("val", "r_0");
  folder.write("train/r_0.png", "x");
  folder.write("test/r_0.JPG", "x");
  const auto model = read_transforms_json(folder.path() / "transforms_train.json");
  ASSERT_TRUE(model.ok()) << model.error().message;
  ASSERT_EQ(model->images.size(), 2u);
  EXPECT_EQ(model->images[0].name, "test/r_0.JPG");
  EXPECT_EQ(model->images[0].held_out, true);
  EXPECT_EQ(model->images[1].name, "train/r_0.png");
  EXPECT_EQ(model->images[1].held_out, false);
  EXPECT_TRUE(fs::exists(model->images[0].file_hint) && fs::exists(model->images[1].file_hint));
  ASSERT_EQ(model->notes.size(), 1u);
  EXPECT_NE(model->notes[0].find("transforms_test.json"), std::string::npos);
}

TEST(TransformsJson, PhotosThatMovedWithTheFileAreFound) {
  const TempFolder folder;
  folder.write("images/a.jpg", "x");
  folder.write("transforms.json",
               file_with(kIntrinsics, frame("C:\\\\data\\\\images\\\\a.jpg") + "," + frame("/elsewhere/gone.jpg")));
  const auto model = read_transforms_json(folder.path() / "transforms.json");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->images[0].name, "C:/data/images/a.jpg");
  EXPECT_EQ(model->images[0].file_hint, folder.path() / "images" / "a.jpg");
  EXPECT_EQ(model->images[1].file_hint, "/elsewhere/gone.jpg");  // to be listed as missing
}

TEST(TransformsJson, NamesWrittenAsInAUrlAreFound) {
  const TempFolder folder;
  folder.write("images/a b.jpg", "x");
  folder.write("images/c%20d.jpg", "x");
  const fs::path file = folder.write(
      "transforms.json", file_with(kIntrinsics, frame("images/a%20b.jpg") + "," + frame("images/c%20d.jpg")));
  const auto model = read_transforms_json(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->images[0].file_hint, folder.path() / "images/a b.jpg");
  EXPECT_EQ(model->images[1].file_hint, folder.path() / "images/c%20d.jpg");
}

// Blender's sets with a test file that is empty or broken: the next one is the split.
TEST(TransformsJson, ATestFileWithoutFramesIsNone) {
  const TempFolder folder;
  const fs::path file = folder.write("transforms_train.json", file_with(kIntrinsics, frame("train/a.png")));
  folder.write("transforms_test.json", file_with(kIntrinsics, ""));
  folder.write("transforms_val.json", file_with(kIntrinsics, frame("val/b.png")));
  const auto model = read_transforms_json(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  ASSERT_EQ(model->images.size(), 2u);
  EXPECT_EQ(model->images[1].name, "val/b.png");
  EXPECT_EQ(model->images[1].held_out, true);
  ASSERT_EQ(model->warnings.size(), 1u);
  EXPECT_NE(model->warnings[0].find("transforms_test.json"), std::string::npos);
}

TEST(TransformsJson, PointsTooFarForFloatsAreWarnedOf) {
  const TempFolder folder;
  const auto frame_at = [](const std::string& name, double x) {
    return R"({"file_path": ")" + name + R"(", "transform_matrix": [[1,0,0,)" + std::to_string(x) +
           "],[0,1,0,5456000],[0,0,1,3],[0,0,0,1]]}";
  };
  const auto read = [&](const std::string& type, const std::string& rows) {
    folder.write("p.ply", "ply\nformat ascii 1.0\nelement vertex 9\nproperty " + type + " x\nproperty " + type +
                              " y\nproperty " + type + " z\nend_header\n" + rows);
    const auto model = read_transforms_json(
        folder.write("transforms.json", file_with(kIntrinsics + R"(, "ply_file_path": "p.ply")",
                                                  frame_at("a.png", 331998) + "," + frame_at("b.png", 332002))));
    EXPECT_TRUE(model.ok());
    return *model;
  };
  std::string rows = "332000 nan 1\n";
  for (int i = 0; i < 4; ++i) rows += "332000 5456000 1\n332000.25 5456000.125 2\n";
  const auto far = read("float", rows).warnings;
  ASSERT_EQ(far.size(), 2u);
  EXPECT_NE(far[0].find("1 of 9 points"), std::string::npos) << far[0];
  EXPECT_NE(far[1].find("step by 0.5"), std::string::npos) << far[1];
  const Reconstruction exact = read("double", rows);
  EXPECT_EQ(exact.warnings.size(), 1u) << "doubles step by less";
  ASSERT_EQ(exact.points.size(), 8u);
  EXPECT_EQ(exact.points.origin, (std::array<double, 3>{}));
  for (size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(exact.points.xyz[3 + k] + exact.origin[k], (std::array{332000.25, 5456000.125, 2.0})[k], 1e-6) << k;
}

// nerfstudio's own layout: a model of COLMAP's, and what only the .json knows.
TEST(TransformsJson, BesideAModelSaysWhatTheModelDoesNot) {
  const TempFolder folder;
  Reconstruction model;
  for (const char* name : {"a.png", "b.png", "c.png"}) model.images.emplace_back().name = name;
  const auto merged = [&](const std::string& text) {
    Reconstruction result = model;
    add_what_only_transforms_say(folder.write("transforms.json", text), result);
    return result;
  };
  const Reconstruction both =
      merged(file_with(kIntrinsics + R"(, "test_filenames": ["images/b.png"], "fisheye_crop_radius": 40)",
                       frame("images/a.png", R"("mask_path": "segm/a.png")") + "," +
                           frame("images/b.png", R"("depth_file_path": "d/b.png", "mask_path": "segm/b.png")")));
  EXPECT_EQ(both.images[0].mask_hint, folder.path() / "segm/a.png");
  EXPECT_EQ(both.images[1].depth_hint, folder.path() / "d/b.png");
  EXPECT_EQ(both.images[0].held_out, false);
  EXPECT_EQ(both.images[1].held_out, true);
  EXPECT_FALSE(both.images[2].held_out.has_value());
  EXPECT_EQ(both.images[0].crop_radius_px, 40);
  EXPECT_TRUE(both.images[0].camera.params.empty()) << "the camera is the model's";
  ASSERT_EQ(both.notes.size(), 1u);
  EXPECT_EQ(both.notes[0],
            "there is a transforms.json too; the COLMAP model is used; from the other come the masks of 2 photos, the "
            "depth maps of 1 photos, the split of 2 photos");
  EXPECT_NE(merged(file_with(kIntrinsics, frame("x.png"))).notes[0].find("names none of its photos"),
            std::string::npos);
  const Reconstruction broken = merged("{");
  ASSERT_EQ(broken.warnings.size(), 1u);
  EXPECT_NE(broken.warnings[0].find("not valid JSON"), std::string::npos);
}

TEST(TransformsJson, OtherLensesBesideAModelAreNamedOnce) {
  const TempFolder folder;
  const auto warnings = [&](const std::string& globals, const std::string& own) {
    Reconstruction model;
    for (const char* name : {"a.png", "b.png"}) {
      ReconstructionImage& image = model.images.emplace_back();
      image.name = name;
      image.camera = {CameraModel::kOpenCv, 640, 480, {500.5, 501, 321, 239, 0.05, 0, 0, 0}};
    }
    const std::string frames = frame("images/a.png", own) + "," + frame("images/b.png");
    add_what_only_transforms_say(folder.write("transforms.json", file_with(globals, frames)), model);
    return model.warnings;
  };
  const std::string lens = R"(, "k1": 0.05)";
  EXPECT_TRUE(warnings(kIntrinsics + lens, "").empty());
  EXPECT_TRUE(warnings(R"("w": 1280, "h": 960, "fl_x": 1001, "fl_y": 1002, "cx": 642, "cy": 478)" + lens, "").empty())
      << "of photos of twice the size";
  const auto one = warnings(kIntrinsics + lens, R"("fl_x": 520, "fl_y": 520)");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(
      one[0],
      "1 photo has another lens in transforms.json than in the COLMAP model (by up to 15 px); the model's is used: "
      "a.png");
  const auto all = warnings(kIntrinsics, "");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NE(all[0].find("a.png, b.png"), std::string::npos) << all[0];
  EXPECT_EQ(warnings(R"("camera_model": "EQUIRECTANGULAR")", "").size(), 1u);
}

TEST(TransformsJson, WhatIsNoneIsNamed) {
  const auto said = [](const std::string& text, const std::string& name) {
    return parse_transforms_json(text, name, "/data").error().message;
  };
  EXPECT_EQ(said("{}", "transforms_train.json"),
            "'transforms_train.json' is not a transforms.json: it has no list 'frames'");
  for (const auto& [name, text, what] :
       {std::tuple("package.json", R"({"name": "x", "dependencies": {}})", "describes a package"),
        {"lod.json", R"({"lodLevels": 3})", "levels of detail"},
        {"tileset.json", R"({"asset": {}, "geometricError": 1})", "3D Tiles"},
        {"any.json", R"({"a": 1})", "is a JSON text, and neither splats nor a dataset"},
        {"text.json", "\"a\"", "is a JSON text, and neither splats nor a dataset"},
        {"list.json", "[1, 2]", "is a JSON text, and neither splats nor a dataset"},
        {"dataparser_transforms.json", R"({"transform": []})", "nerfstudio's note"}}) {
    const std::string sentence = said(text, name);
    EXPECT_EQ(sentence.find("'" + std::string(name) + "'"), 0u) << sentence;
    EXPECT_NE(sentence.find(what), std::string::npos) << sentence;
  }
  const TempFolder folder;
  const fs::path sfm = folder.write("reconstruction.json", R"([{"cameras": {}, "shots": {}}])");
  EXPECT_NE(read_transforms_json(sfm).error().message.find("OpenSfM"), std::string::npos);
}

TEST(Json, NumbersThatAreNoneAreNamed) {
  for (const char* word : {"NaN", "-Infinity", "Infinity", "nan", "-nan", "inf", "1e999", "-2E+400"}) {
    const std::string text =
        "{\n// a NaN of a comment\n\"NaN\": \"inf \\\" NaN\",\n\"x\": [1, " + std::string(word) + "]}";
    expect_sentence(parse_json(text, "f.json"), {"f.json", "line 4", std::string(word) + " stands where a number"});
    const auto parsed = parse_json(text, "f.json", NonFinite::kText);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ((*parsed)["x"][1], word);
    EXPECT_EQ((*parsed)["NaN"], "inf \" NaN");
  }
  expect_sentence(parse_json("[1, nay]", "f.json"), {"not valid JSON"});
}

TEST(TransformsJson, PointsComeFromThePly) {
  const TempFolder folder;
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
      "property uint8 red\nproperty uint8 green\nproperty uint8 blue\nend_header\n1 2 3 10 20 30\n4 5 6 40 50 60\n";
  const std::string text = file_with(kIntrinsics + R"(, "ply_file_path": "./points.ply")", frame("a.png"));
  const fs::path file = folder.write("transforms.json", text);
  const auto without = read_transforms_json(file);
  ASSERT_TRUE(without.ok());
  ASSERT_EQ(without->notes.size(), 1u);
  EXPECT_NE(without->notes[0].find("points.ply"), std::string::npos);
  folder.write("points.ply", ply);
  const auto with = read_transforms_json(file);
  ASSERT_TRUE(with.ok()) << with.error().message;
  EXPECT_TRUE(with->notes.empty());
  EXPECT_EQ(with->points.xyz, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(with->points.rgb, (std::vector<uint8_t>{10, 20, 30, 40, 50, 60}));
  folder.write("points.ply", ply.substr(0, ply.size() - 10));
  expect_sentence(read_transforms_json(file), {"points.ply", "byte 160", "2 rows"});
  expect_sentence(read_transforms_json(folder.path() / "gone.json"), {"gone.json"});
}

TEST(NearestRotation, KeepsRotationsAndRefusesTheRest) {
  const double c = std::cos(0.3), s = std::sin(0.3);
  const std::array<double, 9> turn{c, -s, 0, s, c, 0, 0, 0, 1};
  const auto same = nearest_rotation(turn);
  ASSERT_TRUE(same.has_value());
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR((*same)[i], turn[i], 1e-15);
  EXPECT_FALSE(nearest_rotation({1, 0, 0, 0, 1, 0, 0, 0, 0}).has_value());
  EXPECT_FALSE(nearest_rotation({1, 0, 0, 0, 1, 0, 0, 0, -1}).has_value());
  EXPECT_FALSE(nearest_rotation({std::nan(""), 0, 0, 0, 1, 0, 0, 0, 1}).has_value());
  EXPECT_FALSE(nearest_rotation({1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e200}).has_value());
}

}  // namespace
}  // namespace io::test
