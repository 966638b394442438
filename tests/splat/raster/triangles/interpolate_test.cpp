// Attributes between corners, and the gradients of both steps against central differences in double.
#include <gtest/gtest.h>

#include <functional>

#include "splat/math/triangle.h"
#include "splat/raster/triangles/triangles.h"
#include "tests/splat/raster/triangles/reference.h"
#include "tests/support/finite_differences.h"

namespace splat::triangles {
namespace {

constexpr int kWidth = 40, kHeight = 30, kChannels = 5;
constexpr size_t kPixels = size_t(kWidth) * size_t(kHeight);
const std::vector<int32_t> kDifferentiated{3, 0};

std::vector<float> random_floats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = number(random);
  return values;
}

// Two pictures of the same few triangles, which share vertices.
struct Setting {
  test::Soup first = test::random_soup(30, 0.5f, false, kWidth, kHeight, 1);
  std::vector<float> positions = first.positions, rast = std::vector<float>(8 * kPixels), db = rast;
  std::vector<float> values = random_floats(2 * first.vertices() * kChannels, 2);
  std::vector<float> v_out = random_floats(2 * kPixels * kChannels, 3), v_out_da = random_floats(2 * kPixels * 4, 4);
  std::vector<float> v_rast = random_floats(8 * kPixels, 5), v_db = random_floats(8 * kPixels, 6);

  Setting() {
    for (int32_t& corner : first.corners) corner = corner * 7 % 30;
    const std::vector<float> moved = random_floats(positions.size(), 7);
    for (size_t i = 0; i < moved.size(); ++i) positions.push_back(first.positions[i] + 0.2f * moved[i]);
    EXPECT_TRUE(rasterize(scene(), rast.data(), db.data(), nullptr).ok());
  }
  Triangles triangles() const { return {first.corners.data(), first.count()}; }
  Scene scene() const { return {positions.data(), 2, first.vertices(), triangles(), nullptr, kWidth, kHeight}; }
  Attributes attributes(bool by_picture) const {
    return {values.data(), by_picture, first.vertices(), kChannels, triangles(),    rast.data(),
            db.data(),     2,          kWidth,           kHeight,   kDifferentiated};
  }
};

// sum over all pixels with a triangle of term(pixel, its corners' vertices).
double over_pixels(const Setting& s, const std::function<double(size_t, const int32_t*)>& term) {
  double sum = 0;
  for (size_t p = 0; p < 2 * kPixels; ++p)
    if (s.rast[4 * p + 3] > 0) sum += term(p, &s.first.corners[3 * (size_t(s.rast[4 * p + 3]) - 1)]);
  return sum;
}

double interpolated_loss(const Setting& s, const std::vector<double>& values, const std::vector<double>& rast,
                         const std::vector<double>& db, bool by_picture) {
  return over_pixels(s, [&](size_t p, const int32_t* corners) {
    const auto value = [&](size_t k, size_t i) {
      const size_t picture = by_picture ? p / kPixels : 0;
      return values[(picture * s.first.vertices() + size_t(corners[k])) * kChannels + i];
    };
    const double u = rast[4 * p], v = rast[4 * p + 1];
    double loss = 0;
    for (size_t i = 0; i < kChannels; ++i)
      loss += s.v_out[kChannels * p + i] * (u * value(0, i) + v * value(1, i) + (1 - u - v) * value(2, i));
    for (size_t d = 0; d < 2; ++d)
      for (size_t axis = 0; axis < 2; ++axis) {
        const size_t i = size_t(kDifferentiated[d]);
        loss += s.v_out_da[4 * p + 2 * d + axis] *
                (db[4 * p + axis] * (value(0, i) - value(2, i)) + db[4 * p + 2 + axis] * (value(1, i) - value(2, i)));
      }
    return loss;
  });
}

std::vector<double> doubles(const std::vector<float>& v) { return {v.begin(), v.end()}; }

TEST(Interpolate, MixesCornersByShares) {
  const Setting s;
  std::vector<float> out(2 * kPixels * kChannels, -7), out_da(2 * kPixels * 4, -7);
  ASSERT_TRUE(interpolate(s.attributes(true), out.data(), out_da.data(), nullptr).ok());
  double sum = 0;
  for (size_t i = 0; i < out.size(); ++i) sum += double(out[i]) * s.v_out[i];
  for (size_t i = 0; i < out_da.size(); ++i) sum += double(out_da[i]) * s.v_out_da[i];
  EXPECT_NEAR(sum, interpolated_loss(s, doubles(s.values), doubles(s.rast), doubles(s.db), true), 1e-2);
  size_t empty = 0;
  for (size_t p = 0; p < 2 * kPixels; ++p)
    if (s.rast[4 * p + 3] == 0) {
      ++empty;
      for (size_t i = 0; i < kChannels; ++i) EXPECT_EQ(out[kChannels * p + i], 0);
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(out_da[4 * p + i], 0);
    }
  EXPECT_GT(empty, 20u);
}

TEST(Interpolate, DerivativesAreThoseOfThePicture) {
  // A plane's own x as attribute: a flat triangle without perspective.
  test::Soup soup{{}, {}, kWidth, kHeight};
  soup.add({{{-4, -4, 0, 1}, {4, -4, 0, 1}, {0, 6, 0, 1}}});
  std::vector<float> rast(4 * kPixels), db(4 * kPixels), out(kPixels * 2), out_da(kPixels * 4);
  const Scene scene{soup.positions.data(), 1, 3, {soup.corners.data(), 1}, nullptr, kWidth, kHeight};
  ASSERT_TRUE(rasterize(scene, rast.data(), db.data(), nullptr).ok());
  std::vector<float> pixels;
  for (size_t k = 0; k < 3; ++k)
    for (const size_t axis : {0u, 1u})
      pixels.push_back((soup.positions[4 * k + axis] + 1) / 2 * float(axis == 0 ? kWidth : kHeight));
  const std::vector<int32_t> both{0, 1};
  const Attributes a{pixels.data(), false, 3, 2, scene.triangles, rast.data(), db.data(), 1, kWidth, kHeight, both};
  ASSERT_TRUE(interpolate(a, out.data(), out_da.data(), nullptr).ok());
  for (size_t p = 0; p < kPixels; ++p) {
    const size_t x = p % kWidth, y = p / kWidth;
    EXPECT_NEAR(out[2 * p], float(x) + 0.5f, 1e-4);
    EXPECT_NEAR(out[2 * p + 1], float(y) + 0.5f, 1e-4);
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(out_da[4 * p + i], i == 0 || i == 3 ? 1 : 0, 1e-5);
  }
}

TEST(Interpolate, GradientsAgreeWithDifferences) {
  const Setting s;
  for (const bool by_picture : {true, false}) {
    std::vector<float> v_values(s.values.size() / (by_picture ? 1 : 2)), v_rast(8 * kPixels, -7), v_db(8 * kPixels, -7);
    const AttributeGradients gradients{v_values.data(), v_rast.data(), v_db.data()};
    ASSERT_TRUE(
        interpolate_backward(s.attributes(by_picture), s.v_out.data(), s.v_out_da.data(), gradients, nullptr).ok());
    std::vector<double> values = doubles(s.values), rast = doubles(s.rast), db = doubles(s.db);
    values.resize(v_values.size());
    splat::test::expect_gradients_near(
        doubles(v_values),
        splat::test::central_differences(
            [&](const std::vector<double>& x) { return interpolated_loss(s, x, rast, db, by_picture); }, values, 1e-2),
        1e-5);
    // The loss is linear in what a pixel has: its own term says its gradient.
    for (size_t p = 0; p < 2 * kPixels; p += 17)
      for (size_t i = 0; i < 8; ++i) {
        std::vector<double>& moved = i < 4 ? rast : db;
        const double before = interpolated_loss(s, values, rast, db, by_picture), kept = moved[4 * p + i % 4];
        moved[4 * p + i % 4] += 1;
        const double slope = interpolated_loss(s, values, rast, db, by_picture) - before;
        moved[4 * p + i % 4] = kept;
        EXPECT_NEAR((i < 4 ? v_rast : v_db)[4 * p + i % 4], slope, 1e-5) << p << " " << i;
      }
  }
}

double raster_loss(const Setting& s, const std::vector<double>& positions) {
  return over_pixels(s, [&](size_t p, const int32_t* corners) {
    math::Vec3<double> c[3];
    for (size_t k = 0; k < 3; ++k) {
      const double* at = &positions[4 * (p / kPixels * s.first.vertices() + size_t(corners[k]))];
      c[k] = {(at[0] + at[3]) / 2 * kWidth, (at[1] + at[3]) / 2 * kHeight, at[3]};
    }
    const size_t x = p % kPixels % kWidth, y = p % kPixels / kWidth;
    const auto shares = math::triangle_shares(c, double(x) + 0.5, double(y) + 0.5);
    const float *g = &s.v_rast[4 * p], *h = &s.v_db[4 * p];
    return g[0] * shares.u + g[1] * shares.v + h[0] * shares.u_x + h[1] * shares.u_y + h[2] * shares.v_x +
           h[3] * shares.v_y;
  });
}

TEST(Rasterize, GradientsAgreeWithDifferences) {
  const Setting s;
  std::vector<float> v(s.positions.size(), -7);
  ASSERT_TRUE(rasterize_backward(s.scene(), s.rast.data(), s.v_rast.data(), s.v_db.data(), v.data(), nullptr).ok());
  splat::test::expect_gradients_near(
      doubles(v),
      splat::test::central_differences([&](const std::vector<double>& x) { return raster_loss(s, x); },
                                       doubles(s.positions), 1e-5),
      1e-5);
}

TEST(Rasterize, GradientsDoNotDependOnThreads) {
  const Setting s;
  ThreadPool pool(3);
  std::vector<float> v[2], v_values[2];
  for (size_t i = 0; i < 2; ++i) {
    ThreadPool* threads = i ? &pool : nullptr;
    v[i].resize(s.positions.size()), v_values[i].resize(s.values.size());
    ASSERT_TRUE(rasterize_backward(s.scene(), s.rast.data(), s.v_rast.data(), nullptr, v[i].data(), threads).ok());
    ASSERT_TRUE(
        interpolate_backward(s.attributes(true), s.v_out.data(), s.v_out_da.data(), {v_values[i].data()}, threads)
            .ok());
  }
  EXPECT_EQ(v[0], v[1]);
  EXPECT_EQ(v_values[0], v_values[1]);
}

TEST(Interpolate, NumbersOfNoTriangleReadAsNone) {
  Setting s;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float numbers[] = {-3, 31, 1e30f, nan, 0.5f};
  for (size_t i = 0; i < 5; ++i) s.rast[4 * i + 3] = numbers[i];
  std::vector<float> out(2 * kPixels * kChannels, -7), out_da(2 * kPixels * 4), v(s.values.size());
  ASSERT_TRUE(interpolate(s.attributes(true), out.data(), out_da.data(), nullptr).ok());
  for (size_t i = 0; i < 5 * kChannels; ++i) EXPECT_EQ(out[i], 0);
  EXPECT_TRUE(interpolate_backward(s.attributes(true), s.v_out.data(), s.v_out_da.data(), {v.data()}, nullptr).ok());
  Attributes a = s.attributes(true);
  const std::vector<int32_t> beyond{5};
  a.differentiated = beyond;
  EXPECT_FALSE(interpolate(a, out.data(), out_da.data(), nullptr).ok());
  a = s.attributes(true);
  a.vertices = 10;
  EXPECT_FALSE(interpolate(a, out.data(), out_da.data(), nullptr).ok());
}

}  // namespace
}  // namespace splat::triangles
