// INRIA's cameras.json.
#include "io/cameras_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/bytes.h"
#include "tests/io/error_sentence.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::test::TempFolder;

// As INRIA's code writes it (values of its documentation's form): rotation holds the camera's axes in world coordinates
// as columns; here the camera at (1, 2, 3) is turned a quarter about y, looking along world -x.
const std::string kInria =
    R"([{"id": 0, "img_name": "00001", "width": 980, "height": 545, "position": [1.0, 2.0, 3.0], )"
    R"("rotation": [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], "fy": 578.5, "fx": 581.25}])";

splat::Dataset small_dataset() {
  splat::Dataset dataset;
  for (int i = 0; i < 3; ++i) {
    splat::DatasetView view;
    view.name = "sub folder/\xc3\xa9" + std::to_string(i) + ".jpg";
    view.camera = {640 + i, 480, 500.1f + float(i), 501.7f, 321.3f, 239.9f};
    const double c = std::cos(0.3 + i), s = std::sin(0.3 + i);
    view.cam_from_world.rotation = {c, -s, 0, s, c, 0, 0, 0, 1};
    view.cam_from_world.translation = {0.1 * i, -2, 1 / 3.0};
    dataset.views.push_back(view);
  }
  return dataset;
}

TEST(CamerasJson, ReadsInria) {
  const auto views = parse_cameras_json(kInria, "cameras.json");
  ASSERT_TRUE(views.ok()) << views.error().message;
  ASSERT_EQ(views->size(), 1u);
  const splat::View& view = views->front().view;
  EXPECT_EQ(views->front().name, "00001");
  EXPECT_EQ(view.camera.width, 980);
  EXPECT_EQ(view.camera.height, 545);
  EXPECT_EQ(view.camera.fx, 581.25f);
  EXPECT_EQ(view.camera.fy, 578.5f);
  EXPECT_EQ(view.camera.cx, 490.0f);
  EXPECT_EQ(view.camera.cy, 272.5f);
  const auto centre = view.cam_from_world * std::array<double, 3>{1, 2, 3};
  const auto ahead = view.cam_from_world * std::array<double, 3>{-4, 2, 3};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(centre[i], 0, 1e-12);
    EXPECT_NEAR(ahead[i], i == 2 ? 5 : 0, 1e-12);
  }
}

TEST(CamerasJson, RoundTrip) {
  const TempFolder folder;
  const splat::Dataset dataset = small_dataset();
  const auto path = folder.path() / "cameras.json";
  ASSERT_TRUE(write_cameras_json(path, dataset).ok());
  const auto views = read_cameras_json(path);
  ASSERT_TRUE(views.ok()) << views.error().message;
  ASSERT_EQ(views->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const splat::DatasetView& expected = dataset.views[i];
    const NamedView& read = (*views)[i];
    EXPECT_EQ(read.name, expected.name);
    EXPECT_EQ(read.view.camera.width, expected.camera.width);
    EXPECT_EQ(read.view.camera.fx, expected.camera.fx);
    EXPECT_EQ(read.view.camera.fy, expected.camera.fy);
    EXPECT_EQ(read.view.camera.cx, expected.camera.cx);
    EXPECT_EQ(read.view.camera.cy, expected.camera.cy);
    for (size_t k = 0; k < 9; ++k)
      EXPECT_NEAR(read.view.cam_from_world.rotation[k], expected.cam_from_world.rotation[k], 1e-15);
    for (size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(read.view.cam_from_world.translation[k], expected.cam_from_world.translation[k], 1e-14);
  }
}

TEST(CamerasJson, HoldsOtherPosesWhereTheyAreGiven) {
  const TempFolder folder;
  const splat::Dataset dataset = small_dataset();
  std::vector<splat::Rigid3> poses;
  for (const splat::DatasetView& view : dataset.views) poses.push_back(view.cam_from_world);
  poses[1].translation[2] += 0.5;
  ASSERT_TRUE(write_cameras_json(folder.path() / "c.json", dataset, poses).ok());
  const auto views = read_cameras_json(folder.path() / "c.json");
  ASSERT_TRUE(views.ok());
  EXPECT_NEAR((*views)[1].view.cam_from_world.translation[2], poses[1].translation[2], 1e-14);
  EXPECT_NEAR((*views)[2].view.cam_from_world.translation[2], poses[2].translation[2], 1e-14);
}

TEST(CamerasJson, NamesThatAreNoUtf8DoNotStopIt) {
  const TempFolder folder;
  splat::Dataset dataset = small_dataset();
  dataset.views[1].name = "\xff\xfe.jpg";
  ASSERT_TRUE(write_cameras_json(folder.path() / "c.json", dataset).ok());
  EXPECT_TRUE(read_cameras_json(folder.path() / "c.json").ok());
}

TEST(CamerasJson, BadInputIsNamed) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kInria;
    text.replace(text.find(from), from.size(), to);
    return parse_cameras_json(text, "c.json");
  };
  expect_sentence(parse_cameras_json("", "c.json"), {"c.json", "empty"});
  expect_sentence(parse_cameras_json("{}", "c.json"), {"c.json", "list of cameras"});
  expect_sentence(parse_cameras_json("[]", "c.json"), {"c.json", "list of cameras"});
  expect_sentence(parse_cameras_json("[1]", "c.json"), {"camera 0", "object"});
  expect_sentence(changed("980", "0"), {"c.json", "camera 0", "'width'"});
  expect_sentence(changed("545", "1e9"), {"camera 0", "'height'"});
  expect_sentence(changed("581.25", "-1"), {"camera 0", "focal length"});
  expect_sentence(changed("581.25", "\"x\""), {"camera 0", "'fx'"});
  expect_sentence(changed("\"fy\"", "\"gy\""), {"camera 0", "'fy'"});
  expect_sentence(changed("[1.0, 2.0, 3.0]", "[1.0, 2.0]"), {"camera 0", "'position'"});
  expect_sentence(changed("[0.0, 1.0, 0.0]", "[0.0, 0.0, 0.0]"), {"camera 0", "'rotation'"});
  expect_sentence(changed("[0.0, 1.0, 0.0]", "3"), {"camera 0", "'rotation'"});
  for (size_t size = 0; size < kInria.size(); ++size)
    expect_sentence(parse_cameras_json(kInria.substr(0, size), "c.json"), {"c.json"});
}

}  // namespace
}  // namespace io::test
