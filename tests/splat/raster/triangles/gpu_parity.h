// The calls of triangles on a GPU, emulated or not, beside the CPU's: the same bits of numbers and depths, all else but
// for rounding. Arrays lie in the GPU's memory, where nothing may be touched beyond their ends.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "splat/raster/triangles/rasteriser.h"
#include "tests/splat/raster/triangles/reference.h"

namespace splat::triangles::test {

// A copy of an array in the GPU's memory; null of an empty one.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& from) : count_(from.size()) {
    if (count_ == 0) return;
    EXPECT_EQ(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)), hipSuccess);
    EXPECT_EQ(hipMemcpyAsync(data_, from.data(), count_ * sizeof(T), hipMemcpyHostToDevice, nullptr), hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(nullptr), hipSuccess);
  }
  OnDevice(size_t count, T value) : OnDevice(std::vector<T>(count, value)) {}
  ~OnDevice() { EXPECT_EQ(hipFree(data_), hipSuccess); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() { return data_; }
  std::vector<T> read() const {
    std::vector<T> to(count_);
    if (count_) {
      EXPECT_EQ(hipMemcpyAsync(to.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost, nullptr), hipSuccess);
    }
    EXPECT_EQ(hipStreamSynchronize(nullptr), hipSuccess);
    return to;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

inline std::vector<float> some_floats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = number(random);
  return values;
}

inline void expect_close(const std::vector<float>& have, const std::vector<float>& want, double tolerance,
                         const std::string& what) {
  ASSERT_EQ(have.size(), want.size()) << what;
  double most = 1e-30;
  for (const float value : want) most = std::max(most, std::abs(double(value)));
  for (size_t i = 0; i < want.size(); ++i)
    if (std::isnan(want[i]))
      ASSERT_TRUE(std::isnan(have[i])) << what << " " << i;
    else
      ASSERT_NEAR(have[i], want[i], tolerance * most) << what << " " << i;
}
// Shares within rounding; depths and numbers bit by bit.
inline void expect_rast(const std::vector<float>& have, const std::vector<float>& want, const std::string& what) {
  ASSERT_EQ(have.size(), want.size()) << what;
  for (size_t i = 0; i < want.size(); ++i) {
    if (i % 4 >= 2)
      ASSERT_EQ(have[i], want[i]) << what << " " << i;
    else
      ASSERT_NEAR(have[i], want[i], 1e-6) << what << " " << i;
  }
}

struct Case {
  std::string name;
  Soup soup;
  size_t pictures = 1;
  std::vector<int32_t> ranges;

  size_t pixels() const { return pictures * size_t(soup.width) * size_t(soup.height); }
  // positions of the first picture, moved for the others; with ranges the same for all.
  std::vector<float> positions() const {
    std::vector<float> all = soup.positions;
    const std::vector<float> moved = some_floats(ranges.empty() ? (pictures - 1) * all.size() : 0, 9);
    for (size_t i = 0; i < moved.size(); ++i)
      all.push_back(soup.positions[i % soup.positions.size()] + 0.2f * moved[i]);
    return all;
  }
  Scene scene(const float* positions, const int32_t* corners, const int32_t* parts) const {
    return {positions, pictures, soup.vertices(), {corners, soup.count()}, parts, soup.width, soup.height};
  }
};

// With NaN, without area, behind the eye, and everywhere at once, of which the first of two counts.
inline Soup odd_soup() {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  Soup soup{{}, {}, 45, 37};
  soup.add({{{nan, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, 0, inf}, {1, -1, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, nan, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, 0, 1}, {0, 0, 0, 1}, {1, 1, 0, 1}}});
  soup.add({{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
  soup.add({{{-1, -1, 0, -1}, {1, -1, 0, -1}, {0, 1, 0, -1}}});
  soup.add({{{-1e-20f, -1e-20f, 0, 1e-20f}, {1e-20f, -1e-20f, 0, 1e-20f}, {0, 1e-20f, 0, 1e-20f}}});
  soup.add({{{-1, -1, 0, 1}, {1, -1, 0, 0}, {0, 1, -0.0f, 1}}});
  for (int i = 0; i < 2; ++i) soup.add({{{-1e38f, -1e38f, 0, 1}, {1e38f, -1e38f, 0, 1}, {0, 1e38f, 0, 1}}});
  return soup;
}
// Slim ones, whose tips reach beyond what rounding leaves of their bounds; and pieces of one plane, whose depths differ
// by rounding alone.
inline Soup slim_soup(size_t count, unsigned seed) {
  Soup soup = random_soup(count, 1.2f, false, 130, 120, seed);
  const std::vector<float> aside = some_floats(2 * count, seed);
  for (size_t t = 0; t < count; ++t)
    for (size_t i = 0; i < 4; ++i)
      soup.positions[12 * t + 8 + i] = soup.positions[12 * t + i] + (i < 2 ? 1e-3f * aside[2 * t + i] : 0);
  return soup;
}
inline Soup flat_soup(size_t count, unsigned seed) {
  Soup soup = random_soup(count, 0.6f, false, 100, 90, seed);
  for (size_t i = 0; i < soup.positions.size(); i += 4) {
    float* const p = &soup.positions[i];
    p[0] /= p[3], p[1] /= p[3], p[3] = 1, p[2] = 0.3f * p[0] - 0.2f * p[1] + 0.1f;
  }
  return soup;
}
inline std::vector<Case> cases() {
  Soup shared = random_soup(30, 0.5f, false, 70, 41, 8), same{{}, {}, 33, 40};
  for (int32_t& corner : shared.corners) corner = corner * 7 % 30;
  for (int i = 0; i < 20; ++i) same.add({{{-3, -3, i % 2 ? 0.0f : -0.0f, 1}, {3, -3, 0, 1}, {0, 5, 0, 1}}});
  return {{"many", random_soup(300, 0.2f, false, 100, 70, 1), 1, {}},
          {"large", random_soup(40, 1.5f, false, 65, 64, 2), 1, {}},
          {"behind", random_soup(60, 0.7f, true, 90, 97, 3), 1, {}},
          {"tiny", random_soup(2000, 0.02f, false, 64, 33, 4), 1, {}},
          {"line", random_soup(30, 1.0f, true, 1, 40, 5), 1, {}},
          {"slim", slim_soup(200, 9), 1, {}},
          {"flat", flat_soup(150, 10), 1, {}},
          {"odd", odd_soup(), 1, {}},
          {"equally near", same, 1, {}},
          {"shared", shared, 3, {}},
          {"ranges", random_soup(50, 0.4f, false, 50, 40, 6), 3, {0, 50, 10, 15, 3, 0}},
          {"no triangle", Soup{{0, 0, 0, 1}, {}, 20, 10}, 1, {}},
          {"no pixel", random_soup(5, 0.4f, false, 0, 10, 7), 1, {}}};
}

// With one channel and no slopes, or with five and the slopes of two.
inline void compare_interpolation(const Case& at, Rasteriser& gpu, const std::vector<float>& rast,
                                  const std::vector<float>& db, int channels, bool by_picture) {
  const size_t pixels = at.pixels();
  const Triangles triangles{at.soup.corners.data(), at.soup.count()};
  const std::vector<int32_t> wanted{3, 0};
  OnDevice<float> d_known(rast), d_known_db(db);
  OnDevice<int32_t> d_corners(at.soup.corners);
  const bool slopes = channels == 5;
  const std::vector<float> values =
      some_floats((by_picture ? at.pictures : 1) * at.soup.vertices() * size_t(channels), 13);
  const std::vector<float> v_out = some_floats(pixels * size_t(channels), 14), v_da = some_floats(4 * pixels, 15);
  std::vector<float> out(v_out.size(), -7), da(4 * pixels, -7), v_values(values.size(), -7), v_r(4 * pixels, -7),
      v_d(4 * pixels, -7);
  Attributes a{
      values.data(), by_picture,    at.soup.vertices(), channels, triangles, rast.data(), slopes ? db.data() : nullptr,
      at.pictures,   at.soup.width, at.soup.height,     {}};
  if (slopes) a.differentiated = wanted;
  ASSERT_TRUE(interpolate(a, out.data(), slopes ? da.data() : nullptr, nullptr).ok());
  ASSERT_TRUE(interpolate_backward(a, v_out.data(), slopes ? v_da.data() : nullptr,
                                   {v_values.data(), v_r.data(), slopes ? v_d.data() : nullptr}, nullptr)
                  .ok());
  OnDevice<float> d_values(values), d_v_out(v_out), d_v_da(v_da), d_out(out.size(), -7.0f), d_da(da.size(), -7.0f),
      d_v_values(values.size(), -7.0f), d_v_r(4 * pixels, -7.0f), d_v_d(4 * pixels, -7.0f);
  a.values = d_values.data(), a.triangles = Triangles{d_corners.data(), at.soup.count()}, a.rast = d_known.data();
  a.rast_db = slopes ? d_known_db.data() : nullptr;
  ASSERT_TRUE(gpu.interpolate(a, d_out.data(), slopes ? d_da.data() : nullptr, nullptr).ok());
  ASSERT_TRUE(gpu.interpolate_backward(a, d_v_out.data(), slopes ? d_v_da.data() : nullptr,
                                       {d_v_values.data(), d_v_r.data(), slopes ? d_v_d.data() : nullptr}, nullptr)
                  .ok());
  expect_close(d_out.read(), out, 1e-6, "out");
  expect_close(d_v_values.read(), v_values, 1e-6, "v_values");
  expect_close(d_v_r.read(), v_r, 1e-6, "v_rast");
  if (!slopes) return;
  expect_close(d_da.read(), da, 1e-6, "out_da");
  expect_close(d_v_d.read(), v_d, 1e-6, "v_rast_db");
}

// Draws, goes back, interpolates and goes back from there.
inline void compare(const Case& at, Rasteriser& gpu) {
  SCOPED_TRACE(at.name);
  const size_t pixels = at.pixels();
  const std::vector<float> positions = at.positions();
  std::vector<float> rast(4 * pixels, -7), db(4 * pixels, -7), v_positions(positions.size(), -7);
  const std::vector<float> v_rast = some_floats(4 * pixels, 11), v_db = some_floats(4 * pixels, 12);
  const Scene scene =
      at.scene(positions.data(), at.soup.corners.data(), at.ranges.empty() ? nullptr : at.ranges.data());
  ASSERT_TRUE(rasterize(scene, rast.data(), db.data(), nullptr).ok());
  ASSERT_TRUE(rasterize_backward(scene, rast.data(), v_rast.data(), v_db.data(), v_positions.data(), nullptr).ok());

  OnDevice<float> d_positions(positions), d_rast(4 * pixels, -7.0f), d_db(4 * pixels, -7.0f), d_v_rast(v_rast),
      d_v_db(v_db), d_v_positions(positions.size(), -7.0f), d_known(rast);
  OnDevice<int32_t> d_corners(at.soup.corners), d_ranges(at.ranges);
  const Scene there = at.scene(d_positions.data(), d_corners.data(), d_ranges.data());
  ASSERT_TRUE(gpu.rasterize(there, d_rast.data(), d_db.data(), nullptr).ok());
  expect_rast(d_rast.read(), rast, "rast");
  expect_close(d_db.read(), db, 1e-6, "rast_db");
  OnDevice<float> alone(4 * pixels, -7.0f);
  ASSERT_TRUE(gpu.rasterize(there, alone.data(), nullptr, nullptr).ok());
  EXPECT_EQ(alone.read(), d_rast.read());
  ASSERT_TRUE(
      gpu.rasterize_backward(there, d_known.data(), d_v_rast.data(), d_v_db.data(), d_v_positions.data(), nullptr)
          .ok());
  expect_close(d_v_positions.read(), v_positions, 1e-6, "v_positions");
  for (const int channels : {5, 1})
    for (const bool by_picture : {false, true}) compare_interpolation(at, gpu, rast, db, channels, by_picture);
}

// Hunyuan3D's rules, with and without a depth that was known before.
inline void compare_faces(const Case& at, Rasteriser& gpu) {
  SCOPED_TRACE(at.name);
  const size_t pixels = size_t(at.soup.width) * size_t(at.soup.height);
  OnDevice<float> positions(at.soup.positions), shares(3 * pixels, -7.0f);
  OnDevice<int32_t> corners(at.soup.corners), numbers(pixels, -7);
  std::vector<float> prior;
  for (size_t p = 0; p < pixels; ++p) prior.push_back(p % 50 == 3 ? NAN : 0.002f * float(p % 900) - 0.9f);
  OnDevice<float> d_prior(prior);
  for (const bool with_prior : {false, true}) {
    FaceScene scene{at.soup.positions.data(),
                    at.soup.vertices(),
                    {at.soup.corners.data(), at.soup.count()},
                    at.soup.width,
                    at.soup.height,
                    with_prior ? prior.data() : nullptr,
                    0.01f};
    std::vector<int32_t> want(pixels);
    std::vector<float> want_shares(3 * pixels);
    ASSERT_TRUE(rasterize_faces(scene, want.data(), want_shares.data(), nullptr).ok());
    scene.positions = positions.data(), scene.faces.corners = corners.data();
    if (with_prior) scene.depth_prior = d_prior.data();
    ASSERT_TRUE(gpu.rasterize_faces(scene, numbers.data(), shares.data(), nullptr).ok());
    EXPECT_EQ(numbers.read(), want);
    expect_close(shares.read(), want_shares, 1e-6, "shares");

    const std::vector<float> values = some_floats(3 * at.soup.vertices(), 17);
    std::vector<float> out(3 * pixels);
    FaceValues task{values.data(), at.soup.vertices(), 3, {at.soup.corners.data(), at.soup.count()}, pixels,
                    want.data(),   want_shares.data()};
    ASSERT_TRUE(interpolate_faces(task, out.data(), nullptr).ok());
    OnDevice<float> d_values(values), d_out(3 * pixels, -7.0f), known(want_shares);
    task = {d_values.data(), at.soup.vertices(), 3, scene.faces, pixels, numbers.data(), known.data()};
    ASSERT_TRUE(gpu.interpolate_faces(task, d_out.data(), nullptr).ok());
    expect_close(d_out.read(), out, 1e-6, "out");
  }
}

}  // namespace splat::triangles::test
