// --mesh of thin things that lie in nothing: views from all around graze them, and no face goes on where they end.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "io/splats/ply/ply.h"
#include "splat/model/gaussians.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using Point = std::array<double, 3>;

constexpr double kApart = 0.025;  // of splats

// Flat, opaque, bright splats.
struct Things {
  splat::Gaussians splats;
  std::vector<Point> points;

  void add(const Point& p, const Point& normal) {
    const size_t i = points.size();
    points.push_back(p);
    splats.resize(i + 1);
    const double length = std::hypot(normal[0], normal[1], normal[2]), w = 1 + normal[2] / length;
    const std::array<double, 4> from_z =
        w > 1e-6 ? std::array{w, -normal[1] / length, normal[0] / length, 0.0} : std::array{0.0, 1.0, 0.0, 0.0};
    for (size_t k = 0; k < 3; ++k) {
      splats.means[3 * i + k] = float(p[k]);
      splats.log_scales[3 * i + k] = std::log(float(k == 2 ? 0.1 : 0.7) * float(kApart));
      splats.sh[3 * i + k] = k == 1 ? 1.2f : 0.6f;
    }
    for (size_t k = 0; k < 4; ++k) splats.quats[4 * i + k] = float(from_z[k]);
    splats.logit_opacities[i] = 5;
  }
  // The faces of a box.
  void add_box(const Point& low, const Point& high) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (double a = low[u]; a <= high[u] + 1e-6; a += kApart)
        for (double b = low[v]; b <= high[v] + 1e-6; b += kApart)
          for (const bool upper : {false, true}) {
            Point p, normal{};
            p[u] = a, p[v] = b, p[axis] = upper ? high[axis] : low[axis], normal[axis] = upper ? 1 : -1;
            add(p, normal);
          }
    }
  }
  // y over x and z within `half`.
  void add_floor(double half, double wave) {
    for (double x = -half; x <= half; x += kApart)
      for (double z = -half; z <= half; z += kApart)
        add({x, wave * std::sin(4 * x) * std::cos(3 * z), z},
            {-4 * wave * std::cos(4 * x) * std::cos(3 * z), 1, 3 * wave * std::sin(4 * x) * std::sin(3 * z)});
  }
};

Things things_of(const std::string& name) {
  Things things;
  if (name == "plate") things.add_box({-1, -0.03, -0.8}, {1, 0.03, 0.8});
  if (name == "sheet") things.add_floor(1, 0);
  if (name == "floor") things.add_floor(1.2, 0.06);
  if (name == "table") {
    things.add_box({-1, -0.04, -0.6}, {1, 0.04, 0.6});
    for (double x : {-0.9, 0.8})
      for (double z : {-0.5, 0.4}) things.add_box({x, 0.04, z}, {x + 0.1, 0.8, z + 0.1});
  }
  return things;
}

class Plates : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(io::write_splat_ply(folder_.path() / "splats.ply", things_.splats)); }

  nlohmann::json made(const std::vector<std::string>& more) {
    std::vector<std::string> words{"--mesh", folder_.path() / "splats.ply", "-o", file_, "--mesh-detail", "coarse",
                                   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string bytes = text_of(file_);
    const size_t data = bytes.find("end_header\n") + 11;
    positions_.resize(ran.summary()["vertices"].get<size_t>());
    darkest_ = 255;
    for (size_t v = 0; v < positions_.size(); ++v) {
      float p[3];
      std::memcpy(p, bytes.data() + data + 27 * v, sizeof p);
      positions_[v] = {p[0], p[1], p[2]};
      darkest_ = std::min(darkest_, int(uint8_t(bytes[data + 27 * v + 25])));
    }
    voxel_ = ran.summary()["voxel"];
    return ran.summary();
  }

  double away(const Point& from, const std::vector<Point>& points) const {
    double least = std::numeric_limits<double>::max();
    for (const Point& p : points) {
      const double x = p[0] - from[0], y = p[1] - from[1], z = p[2] - from[2];
      least = std::min(least, x * x + y * y + z * z);
    }
    return std::sqrt(least);
  }

  const Things things_ = things_of(GetParam());
  const splat::test::TempFolder folder_;
  const fs::path file_ = folder_.path() / "mesh.ply";
  std::vector<Point> positions_;
  int darkest_ = 0;
  double voxel_ = 0;
};

TEST_P(Plates, NoFaceIsWhereNoSplatIs) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--watertight"}}) {
    const nlohmann::json summary = made(more);
    EXPECT_TRUE(more.empty() || summary["open_edges"] == 0) << summary;
    double farthest = 0;
    for (const Point& p : positions_) farthest = std::max(farthest, away(p, things_.points));
    EXPECT_LT(farthest, 2 * kApart + (more.empty() ? 2 : 5) * voxel_) << "a back is four voxels behind";
    EXPECT_GT(darkest_, 150);
    size_t covered = 0;
    for (const Point& p : things_.points) covered += away(p, positions_) < 3 * voxel_ + kApart;
    EXPECT_GT(double(covered), 0.98 * double(things_.points.size()));
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, Plates, testing::Values("plate", "sheet", "floor", "table"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace app::test
