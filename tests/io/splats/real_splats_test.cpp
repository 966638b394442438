// The same scenes in files of different formats, by other people's programs: what we read of them must agree within the
// steps of the coarser format.
#include <gtest/gtest.h>

#include "io/io.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::Gaussians;
using splat::test::TempFolder;

struct Bounds {
  double mean = 0, log_scale = 0, rgb = 0, opacity = 0, angle = 0, sh = 0;
  double rgb_margin = 0.1, lowest_log_scale = -100, sh_limit = 100;  // where the coarser format ends
};

constexpr Bounds kCompressed{2e-3, 0.02, 0.01, 0.003, 0.0048, 0.02};
constexpr Bounds kSpz{1.3e-4, 0.04, 0.007, 0.003, 0.0048, 0.07, 0.1, -10, 1};
constexpr Bounds kKsplat{1e-3, 0.001, 0.004, 0.004, 0.003, 0.001, 0};  // its writer rounds bytes down

// Splats that can be seen: the rotation of a round or an invisible one is arbitrary.
bool has_orientation(const Gaussians& model, size_t row) {
  const float* s = model.log_scales.data() + 3 * row;
  return std::abs(s[0] - s[1]) > 0.5 && std::abs(s[1] - s[2]) > 0.5 && std::abs(s[0] - s[2]) > 0.5;
}

// Of `a`, row row[i] is what row i of `b` should be. Nearly all must keep to the bounds: a few splats are confused with
// others at the same place.
void expect_same_scene(const Gaussians& a, const Gaussians& b, const std::vector<size_t>& row, const Bounds& bounds) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.sh_degree, b.sh_degree);
  const size_t width = size_t(a.coefficients()) * 3;
  std::array<size_t, 6> outside{};
  for (size_t i = 0; i < b.size(); ++i) {
    const size_t j = row[i];
    const auto differ = [&](double x, double y, double low, double high, double bound) {
      return std::abs(std::clamp(x, low, high) - std::clamp(y, low, high)) > bound;
    };
    std::array<bool, 6> beyond{};
    for (size_t c = 0; c < 3; ++c) {
      beyond[0] |= differ(a.means[3 * j + c], b.means[3 * i + c], -1e9, 1e9, bounds.mean);
      beyond[1] |=
          differ(a.log_scales[3 * j + c], b.log_scales[3 * i + c], bounds.lowest_log_scale, 1e9, bounds.log_scale);
      beyond[2] |= differ(rgb_of(a.sh[width * j + c]), rgb_of(b.sh[width * i + c]), -bounds.rgb_margin,
                          1 + bounds.rgb_margin, bounds.rgb);
    }
    beyond[3] = differ(sigmoid_of(a.logit_opacities[j]), sigmoid_of(b.logit_opacities[i]), 0, 1, bounds.opacity);
    beyond[4] = has_orientation(a, j) && angle_between(a.quats.data() + 4 * j, b.quats.data() + 4 * i) > bounds.angle;
    for (size_t k = 3; k < width; ++k)
      beyond[5] |= differ(a.sh[width * j + k], b.sh[width * i + k], -bounds.sh_limit, bounds.sh_limit, bounds.sh);
    for (size_t group = 0; group < 6; ++group) outside[group] += beyond[group];
  }
  const char* const kGroups[] = {"means", "scales", "colours", "opacities", "rotations", "harmonics"};
  for (size_t group = 0; group < 6; ++group)
    EXPECT_LE(double(outside[group]), 0.001 * double(b.size())) << kGroups[group] << " of " << b.size();
}

Gaussians read(const std::filesystem::path& path) {
  auto file = read_splat_file(path);
  EXPECT_TRUE(file.ok()) << (file ? "" : file.error().message);
  if (!file) return {};
  EXPECT_EQ(file->invalid_rows, 0u) << path;
  return std::move(file->gaussians);
}
std::vector<size_t> in_order(size_t n) {
  std::vector<size_t> rows(n);
  for (size_t i = 0; i < n; ++i) rows[i] = i;
  return rows;
}

#define SKIP_WITHOUT_REAL_FILES() \
  if (!std::filesystem::exists(kRealSplats)) GTEST_SKIP() << "the real splats are not beside the source tree"

TEST(RealSplats, PlaybotAgreesInEveryFormat) {
  SKIP_WITHOUT_REAL_FILES();
  const Gaussians ply = read(kRealSplats / "playbot_31k_sh2.ply");
  ASSERT_EQ(ply.size(), 31000u);
  for (const auto& [name, bounds] : {std::pair<const char*, Bounds>{"playbot_31k_sh2.compressed.ply", kCompressed},
                                     {"playbot_31k_sh2.spz", kSpz},
                                     {"playbot_31k_sh2_c1.ksplat", kKsplat}}) {
    SCOPED_TRACE(name);
    const Gaussians other = read(kRealSplats / name);
    if (other.size() == ply.size())
      expect_same_scene(ply, other, match_by_position(ply, other), bounds);
    else
      ADD_FAILURE() << other.size();
  }
}

TEST(RealSplats, BikerAgreesInBothFormats) {
  SKIP_WITHOUT_REAL_FILES();
  const Gaussians compressed = read(kRealSplats / "biker.compressed.ply"), spz = read(kRealSplats / "biker.spz");
  ASSERT_EQ(compressed.size(), 152746u);
  ASSERT_EQ(spz.size(), 152746u);
  EXPECT_EQ(std::count_if(compressed.logit_opacities.begin(), compressed.logit_opacities.end(),
                          [](float o) { return sigmoid_of(o) * 255 > 254.5; }),
            198);
  double middle[2][3] = {};  // the splats lie too close together to be told apart by their places
  for (size_t i = 0; i < spz.means.size(); ++i) {
    middle[0][i % 3] += compressed.means[i] / 152746.0;
    middle[1][i % 3] += spz.means[i] / 152746.0;
  }
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(middle[0][c], middle[1][c], 1e-3);
  const double box[3][2] = {{-0.6213, 0.4144}, {-3.1801, 0}, {-0.5323, 0.6133}};  // as another reader found it
  for (const Gaussians* model : {&compressed, &spz})
    for (size_t c = 0; c < 3; ++c) {
      float low = 1e9f, high = -1e9f;
      for (size_t i = c; i < model->means.size(); i += 3) {
        low = std::min(low, model->means[i]);
        high = std::max(high, model->means[i]);
      }
      EXPECT_NEAR(low, box[c][0], 2e-3);
      EXPECT_NEAR(high, box[c][1], 2e-3);
    }
}

TEST(RealSplats, ThreePointsOfTrainAgree) {
  SKIP_WITHOUT_REAL_FILES();
  const Gaussians ply = read(kRealSplats / "test-splat.3-points-from-train.ply");
  const Gaussians spz = read(kRealSplats / "test-splat.3-points-from-train.spz");
  const Gaussians splat = read(kRealSplats / "test-splat.3-points-from-train.splat");
  expect_same_scene(ply, spz, in_order(3), kSpz);
  Gaussians flat = ply;  // .splat has no spherical harmonics
  flat.sh_degree = 0;
  flat.sh.clear();
  for (size_t i = 0; i < 3; ++i)
    flat.sh.insert(flat.sh.end(), ply.sh.begin() + long(48 * i), ply.sh.begin() + long(48 * i + 3));
  ASSERT_EQ(splat.size(), 3u);
  expect_same_scene(flat, splat, in_order(3), {1e-6, 1e-5, 0.004, 0.004, 0.03, 0, 0});
}

TEST(RealSplats, MinimalFilesAgree) {
  SKIP_WITHOUT_REAL_FILES();
  const Gaussians splat = read(kRealSplats / "minimal.splat"), ksplat = read(kRealSplats / "minimal.ksplat");
  ASSERT_EQ(splat.size(), 4u);
  ASSERT_EQ(ksplat.size(), 4u);
  for (const char* name : {"minimal-v2.spz", "minimal-v3.spz", "minimal-v4.spz", "minimal-raw.spz"})
    EXPECT_EQ(read(kRealSplats / name).size(), 4u) << name;
  EXPECT_EQ(read(kRealSplats / "minimal-v3.spz").means, read(kRealSplats / "minimal-v4.spz").means);
}

// Read from one format and written to the others: within the steps of each.
TEST(RealSplats, ConvertedFilesAreTheSameScene) {
  SKIP_WITHOUT_REAL_FILES();
  const TempFolder folder;
  const Gaussians ply = read(kRealSplats / "playbot_31k_sh2.ply");
  for (const auto& [name, bounds] :
       {std::pair<const char*, Bounds>{"a.compressed.ply", kCompressed}, {"a.spz", kSpz}, {"a.ply", {}}}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(write_splat_file(folder.path() / name, ply).ok());
    const Gaussians other = read(folder.path() / name);
    expect_same_scene(ply, other,
                      std::string(name) == "a.compressed.ply" ? match_by_position(ply, other) : in_order(ply.size()),
                      bounds);
  }
}

}  // namespace
}  // namespace io::test
