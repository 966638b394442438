// Projection on the CPU asks bounds before it reads rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "splat/backend/cpu/dispatch.h"
#include "splat/backend/cpu/frame.h"
#include "splat/backend/cpu/parameters.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

constexpr size_t kRows = 2 * cpu::kBoundedSplats + 5;

class CpuBounds : public ::testing::TestWithParam<cpu::SimdLevel> {
 protected:
  CpuBounds() : blocks_(1) {
    scene_.view.camera.width = 640, scene_.view.camera.height = 480;
    blocks_.set_degree(0);
    blocks_.assign(scene_.model, pool_);
    const size_t chunks = 1, rows = chunks * cpu::kChunkSplats;
    visible_.resize(rows / cpu::kBlockSplats);
    visible_.fill_bytes(0xff);
    records_.resize(rows);
    depths_.resize(rows);
  }

  // How many are visible.
  uint32_t project(std::vector<math::RowBounds<float>>& bounds) {
    uint32_t count = 0, tile_rows = 0;
    cpu::ProjectArgs args;
    args.parameters = blocks_.data();
    args.block_floats = blocks_.block_floats();
    args.splats = kRows;
    args.view = math::make_view_params<float>(scene_.view);
    args.sides = math::sides_of(args.view, 1);
    args.bounds = bounds.data();
    args.tiles_y = 30;
    args.records = records_.data();
    args.depths = depths_.data();
    args.visible_bits = visible_.data();
    args.chunk_visible = &count;
    args.chunk_rows = &tile_rows;
    cpu::kernels_of(GetParam()).project(args, 0);
    return count;
  }
  bool any_visible(size_t group) const {
    constexpr size_t kBlocks = cpu::kBoundedSplats / cpu::kBlockSplats;
    for (size_t block = group * kBlocks; block < (group + 1) * kBlocks && block * cpu::kBlockSplats < kRows; ++block)
      if (visible_[block]) return true;
    return false;
  }

  Scene scene_ = make_scene({.seed = 9, .splats = int(kRows), .sh_degree = 0});
  ThreadPool pool_{1};
  cpu::SplatBlocks blocks_;
  AlignedBuffer<uint16_t> visible_;
  AlignedBuffer<cpu::SplatRecord> records_;
  AlignedBuffer<float> depths_;
};

TEST_P(CpuBounds, AreFoundWhereTheyAreNotKnown) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<math::RowBounds<float>> bounds(3, {{nan, nan, nan}, {nan, nan, nan}, nan});
  const uint32_t visible = project(bounds);
  EXPECT_GT(visible, kRows / 2);
  for (size_t group = 0; group < 3; ++group) {
    EXPECT_TRUE(any_visible(group)) << group;
    for (size_t row = group * cpu::kBoundedSplats; row < std::min(kRows, (group + 1) * cpu::kBoundedSplats); ++row) {
      const float* mean = &scene_.model.means[3 * row];
      EXPECT_TRUE(bounds[group].low.x <= mean[0] && mean[0] <= bounds[group].high.x) << row;
      EXPECT_TRUE(bounds[group].low.y <= mean[1] && mean[1] <= bounds[group].high.y) << row;
      EXPECT_TRUE(bounds[group].low.z <= mean[2] && mean[2] <= bounds[group].high.z) << row;
      for (size_t k = 0; k < 3; ++k) EXPECT_LE(scene_.model.log_scales[3 * row + k], bounds[group].log_scale) << row;
    }
  }
  EXPECT_EQ(project(bounds), visible);
}

// Bounds of another place: nobody looks at the rows themselves.
TEST_P(CpuBounds, RowsOutsideTheViewAreNotRead) {
  std::vector<math::RowBounds<float>> bounds(3);
  for (auto& b : bounds) b = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}, 0};
  const uint32_t visible = project(bounds);
  const auto& pose = scene_.view.cam_from_world;
  const auto axis = [&](size_t i) { return float(-1e6 * pose.rotation[6 + i]); };  // far behind the camera
  bounds[1].low = bounds[1].high = {axis(0), axis(1), axis(2)};
  EXPECT_LT(project(bounds), visible);
  EXPECT_TRUE(any_visible(0));
  EXPECT_FALSE(any_visible(1));
  EXPECT_TRUE(any_visible(2));
}

INSTANTIATE_TEST_SUITE_P(Cpu, CpuBounds, ::testing::ValuesIn(cpu::usable_simd_levels()),
                         [](const auto& level) { return std::string(cpu::simd_level_option(level.param)); });

}  // namespace
}  // namespace splat::test
