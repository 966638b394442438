// What a backend says of its stages, and the scenes and repeats they are measured with.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/reference/reference_backend.h"
#include "splat/bench/time_stages.h"

namespace splat::test {
namespace {

using bench::make_scene;

std::map<std::string, StageTime> by_name(const std::vector<StageTime>& stages) {
  std::map<std::string, StageTime> named;
  for (const StageTime& stage : stages) named[std::string(stage.name)] = stage;
  return named;
}

// `splats` splats, each covering the whole 40x24 picture; the opacity comes as a logit.
bench::Scene covering_scene(size_t splats, float logit_opacity) {
  bench::Scene scene = make_scene({splats, 40, 24});
  for (size_t i = 0; i < splats; ++i) {
    scene.model.means[3 * i] = scene.model.means[3 * i + 1] = 0;
    scene.model.means[3 * i + 2] = 2 + float(i);
    for (size_t k = 0; k < 3; ++k) scene.model.log_scales[3 * i + k] = 5;
    scene.model.logit_opacities[i] = logit_opacity;
  }
  return scene;
}

void iterate(Backend& backend, const bench::Scene& scene) {
  backend.upload(scene.model);
  backend.forward(scene.view, {});
  backend.loss(scene.target, {});
  backend.backward();
  backend.update({});
}

class StageTimes : public ::testing::TestWithParam<cpu::SimdLevel> {};

TEST_P(StageTimes, UnitsAreCountedExactly) {
  auto backend = make_cpu_backend({2, GetParam()});
  ASSERT_TRUE(backend);
  const bench::Scene scene = covering_scene(3, -3);  // too faint to end a pixel
  iterate(**backend, scene);
  auto stages = by_name((*backend)->stage_times());
  ASSERT_EQ(stages.size(), 8u);
  EXPECT_EQ(stages["project"].units, 3u);
  EXPECT_EQ(stages["update"].units, 3u);
  EXPECT_EQ(stages["loss"].units, 40u * 24u);
  constexpr uint64_t kTiles = 3 * 2;
  for (const char* name : {"bin", "sort", "combine"}) EXPECT_EQ(stages[name].units, 3 * kTiles) << name;
  constexpr uint64_t kBlocksInside = 10 * 6;  // 40x24 px is a whole number of blocks of any shape
  for (const char* name : {"blend_forward", "blend_backward"}) EXPECT_EQ(stages[name].units, 3 * kBlocksInside) << name;
  for (const auto& [name, stage] : stages) {
    EXPECT_GT(stage.wall_ms, 0) << name;
    EXPECT_GT(stage.cpu_ms, 0) << name;
  }
}

TEST_P(StageTimes, BlocksBehindFinishedPixelsAreNotCounted) {
  auto backend = make_cpu_backend({1, GetParam()});
  ASSERT_TRUE(backend);
  iterate(**backend, covering_scene(200, 20));  // alpha 0.99: the second or third splat ends every pixel
  auto stages = by_name((*backend)->stage_times());
  EXPECT_EQ(stages["bin"].units, 200u * 6u);
  EXPECT_GE(stages["blend_forward"].units, 2u * 60u);
  EXPECT_LE(stages["blend_forward"].units, 3u * 60u);
}

INSTANTIATE_TEST_SUITE_P(Cpu, StageTimes, ::testing::ValuesIn(cpu::usable_simd_levels()),
                         [](const auto& level) { return std::string(cpu::simd_level_option(level.param)); });

TEST(BenchScene, CoversThePictureAlikeAtEverySize) {
  const auto blocks_per_pixel = [](const bench::SceneSize& size) {
    auto backend = make_cpu_backend({1});
    iterate(**backend, make_scene(size));
    return double(by_name((*backend)->stage_times())["blend_forward"].units) / (double(size.width) * size.height);
  };
  const double few = blocks_per_pixel({2000, 250, 186}), many = blocks_per_pixel({20000, 500, 372});
  EXPECT_GT(few, 1.0);
  EXPECT_NEAR(many / few, 1, 0.35) << "the smaller the splats, the larger a block beside them";
}

TEST(BenchScene, IsTheSameEveryTime) {
  const bench::Scene a = make_scene({50, 40, 30}), b = make_scene({50, 40, 30});
  EXPECT_EQ(a.model.means, b.model.means);
  EXPECT_EQ(a.model.sh, b.model.sh);
  EXPECT_EQ(a.target.rgb, b.target.rgb);
  EXPECT_EQ(a.model.sh_degree, 3);
}

TEST(TimeStages, LeavesTheModelAsItWasAndTakesTheRepeatsAskedFor) {
  auto backend = make_cpu_backend({1});
  const bench::Scene scene = make_scene({300, 48, 40});
  int last = 0;
  bench::TimingOptions options{4, {}, [&](int repeat) { last = repeat; }};
  const auto result = bench::time_stages(**backend, scene, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->repeats, 4);
  EXPECT_EQ(last, 4);
  EXPECT_EQ(result->stages.size(), 8u);
  EXPECT_LE(result->best_ms, result->ms);
  EXPECT_EQ(result->memory_bytes, (*backend)->memory_bytes());
  Gaussians after;
  (*backend)->download(after);
  EXPECT_EQ(after.means, scene.model.means) << "every repeat does the same work";
  EXPECT_EQ(after.logit_opacities, scene.model.logit_opacities);
  EXPECT_EQ(after.sh, scene.model.sh);
}

TEST(TimeStages, StopsWhenAsked) {
  auto backend = make_cpu_backend({1});
  int asked = 0;
  EXPECT_FALSE(bench::time_stages(**backend, make_scene({30, 16, 16}), {0, [&] { return ++asked == 3; }, {}}));
  EXPECT_EQ(asked, 3);
}

TEST(TimeStages, ABackendMayHaveNoStages) {
  const auto backend = make_reference_backend();
  const auto result = bench::time_stages(*backend, make_scene({5, 16, 16}), {1, {}, {}});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->stages.empty());
  EXPECT_GT(result->ms, 0);
}

// As a GPU works: every call returns at once, and wait() lasts until the 2 ms of work of each are done.
class Ahead : public ReferenceBackend {
 public:
  Ahead() { info_.device_bytes_per_splat = 1000; }
  const BackendInfo& info() const override { return info_; }
  void update(const AdamSettings& settings) override {
    ReferenceBackend::update(settings);
    most_waiting = std::max(most_waiting, ++waiting_);
  }
  void wait() const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * waiting_));
    waiting_ = 0;
  }
  std::vector<StageTime> stage_times() const override {
    wait();
    return {};
  }

  int most_waiting = 0;  // iterations

 private:
  BackendInfo info_{"ahead", "a device that is behind"};
  mutable int waiting_ = 0;
};

TEST(TimeStages, AGpusIterationsLastUntilItHasDoneThem) {
  Ahead backend;
  const auto result = bench::time_stages(backend, make_scene({2, 4, 4}), {100, {}, {}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->repeats, 100);
  EXPECT_GE(result->best_ms, 2);
  EXPECT_LT(result->ms, 20);
  EXPECT_EQ(result->cpu_ms, 0);
  EXPECT_LE(backend.most_waiting, 5) << "a twentieth of what is timed, while it warms up as well";
}

}  // namespace
}  // namespace splat::test
