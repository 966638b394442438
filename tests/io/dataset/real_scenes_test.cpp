// Real photo sets with COLMAP models, where they are at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <map>

#include "io/bytes.h"
#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using splat::Dataset, splat::DatasetView, splat::Lens, splat::TrainingImage;

fs::path scene_path(const char* name) { return test_paths::data() / "scenes" / name; }

#define SKIP_WITHOUT(name)                                                             \
  if (!fs::exists(scene_path(name))) {                                                 \
    GTEST_SKIP() << "the photo set " << scene_path(name) << " is not on this machine"; \
  }

Dataset load(const char* name, int resolution = 0) {
  io::DatasetOptions options;
  options.resolution = resolution;
  auto dataset = io::load_dataset(scene_path(name), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return dataset.ok() ? std::move(*dataset) : Dataset{};
}

// One measured image point with the 3D point it belongs to, read here without the project's readers.
struct Observation {
  std::string image;
  double x, y;
  std::array<double, 3> point;
};

template <class T>
T take(const std::string& bytes, size_t& at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  at += sizeof value;
  return value;
}

std::vector<Observation> read_observations(const fs::path& model) {
  const std::string points = *io::read_file(model / "points3D.bin"), images = *io::read_file(model / "images.bin");
  std::map<uint64_t, std::array<double, 3>> position;
  size_t at = 0;
  for (uint64_t count = take<uint64_t>(points, at); count > 0; --count) {
    const auto id = take<uint64_t>(points, at);
    position[id] = take<std::array<double, 3>>(points, at);
    at += 3 + 8;
    at += 8 * take<uint64_t>(points, at);
  }
  std::vector<Observation> observations;
  at = 0;
  for (uint64_t count = take<uint64_t>(images, at); count > 0; --count) {
    at += 4 + 7 * 8 + 4;
    const std::string name(images.c_str() + at);
    at += name.size() + 1;
    for (uint64_t left = take<uint64_t>(images, at); left > 0; --left) {
      const auto x = take<double>(images, at), y = take<double>(images, at);
      const auto id = take<uint64_t>(images, at);
      if (id != ~uint64_t(0)) observations.push_back({name, x, y, position.at(id)});
    }
  }
  return observations;
}

std::array<double, 2> pinhole_pixel(const splat::PinholeCamera& camera, double u, double v) {
  return {camera.fx * u + camera.cx, camera.fy * v + camera.cy};
}

struct Errors {
  double source = 0;              // mean px, in the distorted photo
  double undistorted = 0;         // mean px, in the pinhole picture
  double worst_disagreement = 0;  // px, between undistorting a projection and projecting with the pinhole
};

Errors reprojection_errors(const Dataset& dataset, const std::vector<Observation>& observations) {
  std::map<std::string, const DatasetView*> by_name;
  for (const DatasetView& view : dataset.views) by_name[view.name] = &view;
  Errors errors;
  for (const Observation& seen : observations) {
    const DatasetView& view = *by_name.at(seen.image);
    const Lens lens = lens_of(view.source);
    const std::array<double, 3> point = view.cam_from_world * seen.point;
    const auto projected = image_from_cam(lens, point);
    const auto pinhole = pinhole_pixel(view.camera, point[0] / point[2], point[1] / point[2]);
    const auto back = cam_from_image(lens, projected[0], projected[1]);
    const auto measured = cam_from_image(lens, seen.x, seen.y);
    EXPECT_TRUE(back && measured);
    if (!back || !measured) continue;
    const auto back_px = pinhole_pixel(view.camera, (*back)[0], (*back)[1]);
    const auto measured_px = pinhole_pixel(view.camera, (*measured)[0], (*measured)[1]);
    errors.source += std::hypot(projected[0] - seen.x, projected[1] - seen.y);
    errors.undistorted += std::hypot(pinhole[0] - measured_px[0], pinhole[1] - measured_px[1]);
    errors.worst_disagreement =
        std::max(errors.worst_disagreement, std::hypot(pinhole[0] - back_px[0], pinhole[1] - back_px[1]));
  }
  errors.source /= double(observations.size());
  errors.undistorted /= double(observations.size());
  return errors;
}

// COLMAP's own mean re-projection errors stand in the sets' README.
TEST(RealScenes, PointsProjectWhereTheyWereSeen) {
  const struct {
    const char* name;
    size_t observations;
    double mean_px;
  } scenes[] = {{"banana", 24612, 0.222}, {"banana_distorted", 24612, 0.223}, {"plush_opencv", 27204, 0.900}};
  for (const auto& scene : scenes) {
    SKIP_WITHOUT(scene.name);
    const std::vector<Observation> observations = read_observations(scene_path(scene.name) / "sparse/0");
    ASSERT_EQ(observations.size(), scene.observations);
    const Errors errors = reprojection_errors(load(scene.name), observations);
    EXPECT_NEAR(errors.source, scene.mean_px, 0.001) << scene.name;
    EXPECT_NEAR(errors.undistorted, scene.mean_px, 0.03 * scene.mean_px) << scene.name;
    EXPECT_LT(errors.worst_disagreement, 0.01) << scene.name;
  }
}

double sample(const TrainingImage& image, double x, double y) {  // green, bilinear
  const int column = int(std::floor(x - 0.5)), row = int(std::floor(y - 0.5));
  const double a = x - 0.5 - column, b = y - 0.5 - row;
  const uint8_t* p = &image.rgb[size_t(image.height + row) * size_t(image.width) + size_t(column)];
  return (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[image.width] + a * p[image.width + 1]);
}

// Mean grey-level difference between COLMAP's undistorted photo and ours at the same rays, ours moved by shift_x px.
double twin_difference(const DatasetView& theirs, const TrainingImage& their_image, const DatasetView& ours,
                       const TrainingImage& our_image, double shift_x) {
  double sum = 0;
  int count = 0;
  for (int y = 20; y < their_image.height - 20; ++y)
    for (int x = 20; x < their_image.width - 20; ++x) {
      const auto pixel = pinhole_pixel(ours.camera, (x + 0.5 - theirs.camera.cx) / theirs.camera.fx,
                                       (y + 0.5 - theirs.camera.cy) / theirs.camera.fy);
      sum += std::abs(sample(their_image, x + 0.5, y + 0.5) - sample(our_image, pixel[0] + shift_x, pixel[1]));
      ++count;
    }
  return sum / count;
}

TEST(RealScenes, UndistortedPhotosAreThoseOfColmap) {
  SKIP_WITHOUT("banana");
  SKIP_WITHOUT("banana_distorted");
  const Dataset theirs = load("banana"), ours = load("banana_distorted");
  for (size_t i : {0, 7}) {
    ASSERT_EQ(theirs.views[i].name, ours.views[i].name);
    const auto a = io::load_training_image(theirs.views[i]), b = io::load_training_image(ours.views[i]);
    ASSERT_TRUE(a.ok() && b.ok());
    const auto difference = [&](double shift) {
      return twin_difference(theirs.views[i], *a, ours.views[i], *b, shift);
    };
    const double here = difference(0);
    EXPECT_LT(here, 2.5);  // two rounds of JPEG and of interpolation
    EXPECT_GT(difference(0.5), 1.2 * here);
    EXPECT_GT(difference(-0.5), 1.2 * here);
  }
}

TEST(RealScenes, PlushOpencvHasOnePhotoWithoutAPose) {
  SKIP_WITHOUT("plush_opencv");
  const Dataset dataset = load("plush_opencv");
  EXPECT_EQ(dataset.views.size(), 48u);
  EXPECT_EQ(dataset.extra_images, std::vector<std::string>{"20240212_004018.jpg"});
  EXPECT_TRUE(dataset.missing_images.empty());
  EXPECT_EQ(dataset.points.size(), 5443u);
}

TEST(RealScenes, TextAndBinaryGiveTheSameViews) {
  SKIP_WITHOUT("banana");
  SKIP_WITHOUT("banana_text");
  const Dataset a = load("banana", 2), b = load("banana_text", 2);
  ASSERT_EQ(a.views.size(), b.views.size());
  EXPECT_EQ(b.format, "COLMAP text");
  for (size_t i = 0; i < a.views.size(); ++i) {
    EXPECT_EQ(a.views[i].name, b.views[i].name);
    EXPECT_EQ(a.views[i].camera.width, 468);
    EXPECT_EQ(a.views[i].camera.height, 312);
    EXPECT_NEAR(a.views[i].camera.fx, b.views[i].camera.fx, 1e-3);
    EXPECT_NEAR(a.views[i].cam_from_world.translation[2], b.views[i].cam_from_world.translation[2], 1e-9);
  }
}

TEST(RealScenes, HalvedSizesAreThoseOfOtherPrograms) {
  SKIP_WITHOUT("plush");
  const Dataset full = load("plush", 1), half = load("plush", 2);
  EXPECT_EQ(full.views[0].camera.width, 995);
  EXPECT_EQ(half.views[0].camera.width, 498);
  EXPECT_EQ(half.views[0].camera.height, 373);
  EXPECT_NEAR(half.views[0].camera.fx, double(full.views[0].camera.fx) * 498 / 995, 1e-4);
}

TEST(RealScenes, ViewUpPointsAwayFromGravity) {
  SKIP_WITHOUT("plush");
  const Dataset dataset = load("plush");
  double mean = 0;  // the photographer held the phone upright
  for (const DatasetView& view : dataset.views)
    for (size_t i = 0; i < 3; ++i) mean -= dataset.view_up[i] * view.cam_from_world.rotation[3 + i] / 48;
  EXPECT_GT(mean, 0.5);
  EXPECT_NEAR(std::hypot(dataset.view_up[0], dataset.view_up[1], dataset.view_up[2]), 1, 1e-12);
}

// Processor time, which other programs on the machine hardly change: 4 s are 2 s on two cores.
TEST(RealScenes, LoadingIsFast) {
  SKIP_WITHOUT("plush_opencv");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "not measured with sanitizers";
#endif
  const std::clock_t start = std::clock();
  Dataset dataset = load("plush_opencv");
  const auto images = io::open_images(dataset, {});
  ASSERT_TRUE(images.ok()) << images.error().message;
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("cpu_seconds", std::to_string(seconds));
  EXPECT_LT(seconds, 4);
}

}  // namespace
