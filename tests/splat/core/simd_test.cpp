// splat/core/simd.h at every level this CPU has. Prints the largest errors of exp and log in units in the last place.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "splat/backend/cpu/simd_level.h"
#include "splat/core/random.h"
#include "tests/splat/core/simd_probe.h"

namespace splat::test {
namespace {

const SimdProbe& probe_of(cpu::SimdLevel level) {
#if defined(__x86_64__)
  return level == cpu::SimdLevel::kSse4 ? sse4::kProbe : level == cpu::SimdLevel::kAvx2 ? avx2::kProbe : avx512::kProbe;
#else
  (void)level;
  return neon::kProbe;
#endif
}

class Simd : public testing::TestWithParam<cpu::SimdLevel> {
 protected:
  const SimdProbe& probe = probe_of(GetParam());
  const float nan = std::numeric_limits<float>::quiet_NaN();
};

// |y - exact| in units of the last place of exact as a float.
double ulp_error(float y, double exact) {
  const float rounded = std::abs(float(exact));
  const double ulp = double(std::nextafter(rounded, std::numeric_limits<float>::infinity())) - rounded;
  return std::abs(double(y) - exact) / ulp;
}

double worst_error(void (*function)(const float*, float*, size_t), double (*exact)(double), double from, double to,
                   double step) {
  std::vector<float> x, y;
  for (double value = from; value < to; value += step) x.push_back(float(value));
  while (x.size() % 16) x.push_back(0);
  y.resize(x.size());
  function(x.data(), y.data(), x.size());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulp_error(y[i], exact(double(x[i]))));
  return worst;
}

TEST_P(Simd, ExpIsAccurate) {
  const auto worst = [&](double from, double to, double step) {
    return worst_error(probe.exp, std::exp, from, to, step);
  };
  const double around_zero = worst(-1e-3, 1e-3, 2e-8), usual = worst(-20, 20, 2e-5), all = worst(-87.3, 88.3, 1e-4);
  std::printf("exp: %.2f ULP around 0, %.2f within 20, %.2f everywhere\n", around_zero, usual, all);
  EXPECT_LE(around_zero, 1.5);
  EXPECT_LE(usual, 3);
  EXPECT_LE(all, 6);
}

TEST_P(Simd, Exp2IsAccurateWhereItIsNormal) {
  const double around_zero = worst_error(probe.exp2_normal, std::exp2, -1e-3, 1e-3, 2e-8);
  const double all = worst_error(probe.exp2_normal, std::exp2, -126, 127, 1e-4);
  std::printf("exp2_normal: %.2f ULP around 0, %.2f everywhere\n", around_zero, all);
  EXPECT_LE(around_zero, 1.5);
  EXPECT_LE(all, 3);
}

TEST_P(Simd, ExpOfExtremes) {
  const std::vector<float> x{-88,     -1e4f, -1e30f, -std::numeric_limits<float>::infinity(),
                             89,      1e4f,  1e30f,  std::numeric_limits<float>::infinity(),
                             nan,     0,     -0.0f,  1e-40f,
                             -1e-40f, 1,     -1,     nan};
  std::vector<float> y(16);
  probe.exp(x.data(), y.data(), 16);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(y[i] > 0 && y[i] < 1.3e-38f) << x[i] << " -> " << y[i];
  for (int i = 4; i < 8; ++i) EXPECT_TRUE(y[i] > 2.3e38f && std::isfinite(y[i])) << x[i] << " -> " << y[i];
  EXPECT_TRUE(std::isnan(y[8]));
  for (int i = 9; i < 13; ++i) EXPECT_EQ(y[i], 1.0f);
}

TEST_P(Simd, LogIsAccurate) {
  std::vector<float> x, y;
  for (uint32_t bits = 0x00800000u; bits < 0x7f800000u; bits += 1499) x.push_back(std::bit_cast<float>(bits));
  for (int i = -50000; i < 50000; ++i) x.push_back(float(1 + 1e-7 * i));
  while (x.size() % 16) x.push_back(2);
  y.resize(x.size());
  probe.log(x.data(), y.data(), x.size());
  double worst = 0, at = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::log(double(x[i]));
    if (exact == 0) {
      EXPECT_EQ(y[i], 0.0f);
    } else if (const double error = ulp_error(y[i], exact); error > worst) {
      worst = error, at = x[i];
    }
  }
  std::printf("log: %.2f ULP at %g\n", worst, at);
  EXPECT_LE(worst, 1);
}

TEST_P(Simd, DivisionAndRootsAreRoundedCorrectly) {
  std::vector<float> x, y(4096), z(4096);
  random::Sequence random(7, random::kTest);
  for (int i = 0; i < 4096; ++i) x.push_back(std::exp(40 * random.uniform() - 20));
  probe.rcp(x.data(), y.data(), x.size());
  probe.rsqrt(x.data(), z.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(y[i], 1.0f / x[i]);
    EXPECT_EQ(z[i], 1.0f / std::sqrt(x[i]));
  }
}

TEST_P(Simd, ComparisonsSelectLikeScalars) {
  const std::vector<float> a{1, 2, 3, nan, -1, 0, 5, -0.0f, 8, nan, 1, 7, -3, 4, 4, 0};
  const std::vector<float> b{2, 1, 3, 1, nan, -0.0f, 6, 0, 7, nan, 1, 8, -4, 5, 4, 1};
  std::vector<float> low(16), high(16), chosen(16), kept(16);
  probe.min(a.data(), b.data(), low.data(), 16);
  probe.max(a.data(), b.data(), high.data(), 16);
  probe.select_less(a.data(), b.data(), chosen.data(), 16);
  probe.zero_unless_less(a.data(), b.data(), kept.data(), 16);
  for (int i = 0; i < 16; ++i) {
    if (!std::isnan(a[i]) && !std::isnan(b[i])) {
      EXPECT_EQ(low[i], std::min(a[i], b[i]));
      EXPECT_EQ(high[i], std::max(a[i], b[i]));
    }
    if (a[i] < b[i]) {
      EXPECT_EQ(chosen[i], a[i]);
      EXPECT_EQ(kept[i], a[i]);
    } else {
      EXPECT_EQ(kept[i], 0.0f);
      EXPECT_TRUE(std::isnan(b[i]) ? std::isnan(chosen[i]) : chosen[i] == 2 * b[i]);
    }
  }
  for (int first = 0; first < 16; first += probe.lanes) {
    uint32_t expected = 0;
    for (int i = 0; i < probe.lanes; ++i) expected |= uint32_t(a[first + i] < b[first + i]) << i;
    EXPECT_EQ(probe.less_bits(a.data() + first, b.data() + first), expected);
  }
}

TEST_P(Simd, MasksAndBits) {
  const uint32_t all = (1u << probe.lanes) - 1;
  for (uint32_t bits : {0u, 1u, 0x5555u, 0xaaaau, 0x8001u, 0xffffu})
    EXPECT_EQ(probe.round_trip_bits(bits & all), bits & all);
  for (int n = 0; n <= probe.lanes; ++n) EXPECT_EQ(probe.first_lanes_bits(n), (1u << n) - 1);
}

TEST_P(Simd, Conversions) {
  std::vector<uint8_t> bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = uint8_t(i);
  std::vector<float> floats(256), fractions{-2.5f, -1, -0.5f, 0, 0.5f, 1, 1.5f, 1e6f, 7, 8, 9, -7.9f, 3, 2, 1, 0};
  std::vector<float> floors(16);
  std::vector<int32_t> integers(16);
  probe.from_bytes(bytes.data(), floats.data(), 256);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(floats[i], float(i));
  probe.to_integers(fractions.data(), integers.data(), 16);
  probe.floor(fractions.data(), floors.data(), 16);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(integers[i], int32_t(fractions[i]));
    EXPECT_EQ(floors[i], std::floor(fractions[i]));
  }
}

TEST_P(Simd, Sums) {
  std::vector<float> x(8 * 16);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * i % 97) - 40);  // whole numbers: exact in any order
  std::vector<float> y(8);
  probe.sums(x.data(), y.data());
  for (int row = 0; row < 8; ++row) {
    float expected = 0;
    for (int i = 0; i < probe.lanes; ++i) expected += x[row * probe.lanes + i];
    EXPECT_EQ(y[row], expected);
    EXPECT_EQ(probe.sum(x.data() + row * probe.lanes), expected);
  }
}

TEST_P(Simd, Transpositions) {
  random::Sequence random(3, random::kTest);
  std::vector<uint8_t> rows(64);
  for (uint8_t& row : rows) row = uint8_t(random.below(256));
  std::vector<uint64_t> columns(8);
  probe.transpose_bits(rows.data(), columns.data());
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 8; ++j) EXPECT_EQ(columns[j] >> i & 1, uint64_t(rows[i] >> j & 1)) << i << " " << j;

  constexpr int kStride = 12;
  std::vector<float> structures(16 * kStride), vectors(4 * 16), back(16 * kStride, -1);
  for (size_t i = 0; i < structures.size(); ++i) structures[i] = float(i);
  probe.load_transposed(structures.data() + 4, kStride, vectors.data());
  for (int field = 0; field < 4; ++field)
    for (int lane = 0; lane < probe.lanes; ++lane)
      EXPECT_EQ(vectors[field * probe.lanes + lane], float(lane * kStride + 4 + field));
  probe.store_transposed(vectors.data(), back.data() + 4, kStride);
  for (int lane = 0; lane < probe.lanes; ++lane)
    for (int field = 0; field < kStride; ++field)
      EXPECT_EQ(back[lane * kStride + field], field >= 4 && field < 8 ? float(lane * kStride + field) : -1.0f);
}

INSTANTIATE_TEST_SUITE_P(Levels, Simd, testing::ValuesIn(cpu::usable_simd_levels()),
                         [](const auto& level) { return std::string(cpu::simd_level_option(level.param)); });

}  // namespace
}  // namespace splat::test
