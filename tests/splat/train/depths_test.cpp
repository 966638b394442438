// Training with depth maps of the photos.
#include "splat/train/terms/depths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/core/percentile.h"
#include "tests/support/random_values.h"
#include "tests/support/tiny_run.h"

namespace splat {
namespace {

enum class Kind { kInverse, kDepth };

// What the splats that were photographed show: 1 / world units where they cover the pixel, else 0.
std::vector<double> true_inverse_depths(Backend& backend, const View& view) {
  backend.forward(view, {});
  std::vector<float> moments;
  backend.read_depth(DepthKind::kMoments, moments);
  const size_t pixels = moments.size() / 3;
  std::vector<double> depths;
  for (size_t i = 0; i < pixels; ++i)
    depths.push_back(moments[i] > 0.5f ? double(moments[i] / moments[pixels + i]) : 0);
  return depths;
}

// Each photo's map has a scale and a shift of its own.
void give_maps(test::TinyDataset& tiny, Kind kind) {
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(tiny.truth);
  for (size_t i = 0; i < tiny.dataset.views.size(); ++i) {
    DatasetView& view = tiny.dataset.views[i];
    view.depth_path = "depths/" + view.name;
    const double scale = 1 + 0.1 * double(i % 3);
    std::vector<uint16_t>& map = tiny.images.photos[i].depth;
    map.clear();
    for (const double d : true_inverse_depths(*backend, view.view()))
      map.push_back(d <= 0                   ? uint16_t(0)
                    : kind == Kind::kInverse ? uint16_t(1000 + 40000 * scale * d)
                                             : uint16_t(1000 * scale / d));
  }
}

// The median over the pixels, relative.
double held_out_depth_error(test::TinyRun& run) {
  const std::unique_ptr<Backend> truth = std::move(*make_cpu_backend({.threads = 1}));
  truth->upload(run.tiny.truth);
  std::vector<double> errors;
  for (const int i : run.tiny.dataset.held_out_views()) {
    const View view = run.tiny.dataset.views[size_t(i)].view();
    const std::vector<double> should = true_inverse_depths(*truth, view), is = true_inverse_depths(*run.backend, view);
    for (size_t k = 0; k < is.size(); ++k)
      if (should[k] > 0) errors.push_back(std::abs(is[k] / should[k] - 1));
  }
  return median(errors);
}

// A wavy wall of one colour, seen by cameras side by side, every second one held out: photos say nothing about what is
// near but at its border.
test::TinyDataset plain_wall() {
  test::TinyDataset tiny;
  Gaussians& truth = tiny.truth;
  for (int i = 0; i < 24 * 18; ++i) {
    const int column = i % 24, row = i / 24;
    const float x = -1.8f + 0.15f * float(column), y = -1.35f + 0.15f * float(row);
    truth.means.insert(truth.means.end(), {x, y, 4 + 0.5f * std::sin(2 * x) * std::cos(2.5f * y)});
    truth.log_scales.insert(truth.log_scales.end(), 3, std::log(0.09f));
    truth.quats.insert(truth.quats.end(), {1, 0, 0, 0});
    truth.logit_opacities.push_back(4);
    truth.sh.insert(truth.sh.end(), 3, 0.5f);
  }
  truth.sh_degree = 0;
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(truth);
  for (int i = 0; i < 5; ++i) {
    DatasetView view;
    view.name = "photo_" + std::to_string(i) + ".png";
    view.camera = {60, 44, 60, 60, 30, 22};
    view.cam_from_world.translation = {1 - 0.5 * i, 0, 0};
    view.held_out = i % 2 == 1;
    backend->forward(view.view(), {});
    ImageF picture;
    backend->read_image(picture);
    TrainingImage photo{60, 44, {}, {}};
    for (const float value : picture.rgb) photo.rgb.push_back(uint8_t(std::lround(255 * std::min(value, 1.0f))));
    tiny.dataset.views.push_back(view);
    tiny.images.photos.push_back(photo);
  }
  return tiny;
}

// What photos show, some pixels of each training view: where a reconstruction finds its points. noise: relative, of
// the depth.
PointCloud points_seen(const test::TinyDataset& tiny, double noise = 0) {
  test::RandomValues random(6);
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(tiny.truth);
  PointCloud points;
  constexpr int kStep = 6;
  for (const int i : tiny.dataset.training_views()) {
    const View view = tiny.dataset.views[size_t(i)].view();
    const TrainingImage& photo = tiny.images.photos[size_t(i)];
    const std::vector<double> depths = true_inverse_depths(*backend, view);
    const auto centre = view.cam_from_world.origin_in_source();
    for (int y = kStep / 2; y < photo.height; y += kStep)
      for (int x = kStep / 2; x < photo.width; x += kStep) {
        const size_t at = size_t(y * photo.width + x), pixels = size_t(photo.width * photo.height);
        if (depths[at] <= 0) continue;
        const double depth = (1 + noise * random.normal()) / depths[at];
        const double ray[3] = {(x + 0.5 - view.camera.cx) / view.camera.fx, (y + 0.5 - view.camera.cy) / view.camera.fy,
                               1};
        for (size_t k = 0; k < 3; ++k) {
          double along = 0;
          for (size_t r = 0; r < 3; ++r) along += view.cam_from_world.rotation[3 * r + k] * ray[r];
          points.xyz.push_back(float(centre[k] + along * depth));
          points.rgb.push_back(photo.rgb[k * pixels + at]);
        }
      }
  }
  return points;
}

// Five photos of a scene, one held out.
test::TinyRun few_views() {
  test::TinyRun run({.seed = 3, .views = 5, .splats = 60, .points_per_splat = 3, .width = 48, .height = 40});
  run.config.iterations = 300;
  run.config.exposure = ExposureMode::kOff;
  run.tiny.dataset.points = points_seen(run.tiny);
  return run;
}

TEST(Depths, FindsOutWhatMapsHold) {
  for (const Kind kind : {Kind::kInverse, Kind::kDepth}) {
    test::TinyRun run = few_views();
    give_maps(run.tiny, kind);
    Depths depths(run.tiny.dataset, {}, 1);
    ASSERT_TRUE(depths.fit_to_points(run.tiny.dataset, run.tiny.images).ok());
    EXPECT_EQ(depths.is_depth(), kind == Kind::kDepth);
    EXPECT_EQ(depths.maps(), 4u);
    EXPECT_EQ(depths.fitted(), 4u) << depths.sentences(run.tiny.dataset).back();
    EXPECT_LT(depths.median_error(), 0.1);
    EXPECT_FALSE(depths.due(300, 300)) << "nothing waits";
  }
}

TEST(Depths, LeavesOutAndNamesWhatDoesNotFit) {
  test::TinyRun run = few_views();
  give_maps(run.tiny, Kind::kInverse);
  for (uint16_t& value : run.tiny.images.photos[2].depth) value = value > 0 ? uint16_t(65535 - value) : uint16_t(0);
  Depths depths(run.tiny.dataset, {}, 1);
  ASSERT_TRUE(depths.fit_to_points(run.tiny.dataset, run.tiny.images).ok());
  EXPECT_EQ(depths.left_out(), std::vector<int>{2});
  EXPECT_TRUE(depths.prior(2, run.tiny.images.photos[2]).values.empty());
  EXPECT_FALSE(depths.prior(1, run.tiny.images.photos[1]).values.empty());
  EXPECT_FALSE(depths.needs_photo(2));
  EXPECT_TRUE(depths.needs_photo(1));
  EXPECT_NE(depths.sentences(run.tiny.dataset).back().find(run.tiny.dataset.views[2].name), std::string::npos);
}

TEST(Depths, WithoutPointsAreFittedToTheSplats) {
  test::TinyRun run = few_views();
  give_maps(run.tiny, Kind::kDepth);
  Depths depths(run.tiny.dataset, {}, 1);
  run.tiny.dataset.points = {};
  ASSERT_TRUE(depths.fit_to_points(run.tiny.dataset, run.tiny.images).ok());
  EXPECT_EQ(depths.fitted(), 0u);
  EXPECT_FALSE(depths.due(10, 300));
  ASSERT_TRUE(depths.due(20, 300));
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(run.tiny.truth);
  ASSERT_TRUE(depths.fit_to_splats(*backend, run.tiny.dataset, run.tiny.images, {}).ok());
  EXPECT_EQ(depths.fitted(), 4u);
  EXPECT_TRUE(depths.is_depth());
  EXPECT_FALSE(depths.due(20, 300));
}

TEST(Depths, HelpWhereViewsAreFew) {
  constexpr int kSeeds = 5;  // single ones differ by more than the maps gain
  double error[2] = {}, psnr[2] = {};
  for (int i = 0; i < 2 * kSeeds; ++i) {
    const bool with = i % 2;
    test::TinyRun run = few_views();
    run.tiny = plain_wall();
    run.config.seed = uint64_t(i / 2);
    run.config.iterations = 800;
    run.config.rates.mean_first *= 10;  // a short run, in which splats can still go where they belong
    run.tiny.dataset.points = points_seen(run.tiny, 0.03);
    if (with) give_maps(run.tiny, Kind::kInverse);
    run.make_trainer(1);
    ASSERT_TRUE(run.trainer->initialise().ok());
    run.train(800);
    error[with] += held_out_depth_error(run) / kSeeds;
    const auto evaluation = run.trainer->evaluate();
    ASSERT_TRUE(evaluation.ok());
    psnr[with] += evaluation->psnr / kSeeds;
  }
  EXPECT_LT(error[1], 0.7 * error[0]) << error[0];
  EXPECT_GT(psnr[1], psnr[0] - 0.5) << "of 12 seeds they lose 0.04 dB +- 0.14: a plain wall looks right at any depth";
}

TEST(Depths, ResumedRunsEndInTheSameBytes) {
  test::TinyRun run = few_views();
  give_maps(run.tiny, Kind::kInverse);
  run.config.iterations = 60;
  run.make_trainer(1);
  ASSERT_TRUE(run.trainer->initialise().ok());
  run.train(30);
  const Archive half = run.state();
  run.train(60);
  const Archive whole = run.state();
  run.make_trainer(3);
  ASSERT_TRUE(run.trainer->load_state(half).ok());
  run.train(60);
  EXPECT_EQ(run.state().blobs, whole.blobs);

  // A checkpoint from before there were depths goes on without; one of other maps is refused.
  Archive old = half;
  for (const char* name : {"depths/photos", "depths/known", "depths/is_depth"}) ASSERT_EQ(old.blobs.erase(name), 1u);
  run.make_trainer(1);
  ASSERT_TRUE(run.trainer->load_state(old).ok());
  EXPECT_FALSE(run.trainer->depths().any());
  run.tiny.dataset.views[1].depth_path.clear();
  run.make_trainer(1);
  EXPECT_FALSE(run.trainer->load_state(half).ok());
}

}  // namespace
}  // namespace splat
