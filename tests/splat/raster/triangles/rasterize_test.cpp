// Each pixel sees what the reference says, but for borders and depths within rounding.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>

#include "splat/backend/cpu/simd_level.h"
#include "splat/raster/triangles/triangles.h"
#include "tests/splat/raster/triangles/reference.h"

namespace splat::triangles {
namespace {

using test::Hit;
using test::Soup;

constexpr double kBorder = 2e-3;  // px
constexpr double kDepth = 2e-5;

std::array<std::array<double, 4>, 3> in_pixels(const Soup& soup, size_t t) {
  std::array<std::array<double, 4>, 3> c;
  for (size_t k = 0; k < 3; ++k) {
    const float* p = &soup.positions[4 * size_t(soup.corners[3 * t + k])];
    c[k] = {0.5 * (double(p[0]) + p[3]) * soup.width, 0.5 * (double(p[1]) + p[3]) * soup.height, p[2], p[3]};
  }
  return c;
}

struct Raster {
  std::vector<float> rast, db;
};

Scene scene_of(const Soup& soup) {
  return {
      soup.positions.data(), 1, soup.vertices(), {soup.corners.data(), soup.count()}, nullptr, soup.width, soup.height};
}

Raster raster_of(const Soup& soup, ThreadPool* pool = nullptr) {
  const size_t floats = 4 * size_t(soup.width) * size_t(soup.height);
  Raster r{std::vector<float>(floats, -7), std::vector<float>(floats, -7)};
  const Status status = rasterize(scene_of(soup), r.rast.data(), r.db.data(), pool);
  EXPECT_TRUE(status.ok()) << status.error().message;
  return r;
}

// Slopes by differences of the reference's shares.
void expect_slopes(const std::array<std::array<double, 4>, 3>& c, double x, double y, const float* db) {
  const double h = 1e-4;
  double most = 1e-3;
  for (int i = 0; i < 4; ++i) most = std::max(most, std::abs(double(db[i])));
  for (int share = 0; share < 2; ++share)
    for (int axis = 0; axis < 2; ++axis) {
      const double dx = axis == 0 ? h : 0, dy = axis == 1 ? h : 0;
      const double slope =
          (test::hit_of(c, x + dx, y + dy).share[share] - test::hit_of(c, x - dx, y - dy).share[share]) / (2 * h);
      EXPECT_NEAR(db[2 * share + axis], slope, 5e-3 * most);
    }
}

// How many pixels show another triangle than the reference, for reasons of rounding.
size_t compare(const Soup& soup, const Raster& raster) {
  std::vector<std::array<std::array<double, 4>, 3>> all;
  for (size_t t = 0; t < soup.count(); ++t) all.push_back(in_pixels(soup, t));
  size_t other = 0;
  for (int y = 0; y < soup.height; ++y)
    for (int x = 0; x < soup.width; ++x) {
      size_t best = 0;
      double nearest = 1e9, surely = 1e9;
      for (size_t t = 0; t < soup.count(); ++t) {
        const Hit hit = test::hit_of(all[t], x + 0.5, y + 0.5);
        if (hit.border >= kBorder && std::abs(hit.depth) <= 1 - kDepth) surely = std::min(surely, hit.depth);
        if (hit.border >= 0 && std::abs(hit.depth) <= 1 && hit.depth < nearest) nearest = hit.depth, best = t + 1;
      }
      const size_t at = 4 * (size_t(y) * size_t(soup.width) + size_t(x));
      const float *r = &raster.rast[at], *db = &raster.db[at];
      const size_t seen = size_t(r[3]);
      other += seen != best;
      if (seen == 0) {
        EXPECT_GT(surely, 2) << "a hole at " << x << " " << y;
        for (int i = 0; i < 4; ++i) EXPECT_TRUE(r[i] == 0 && db[i] == 0);
        continue;
      }
      const Hit hit = test::hit_of(all[seen - 1], x + 0.5, y + 0.5);
      EXPECT_GT(hit.border, -kBorder) << x << " " << y;
      EXPECT_LT(hit.depth, surely + kDepth) << x << " " << y;
      EXPECT_NEAR(r[2], hit.depth, kDepth);
      if (hit.border < kBorder) continue;
      EXPECT_NEAR(r[0], hit.share[0], 2e-4);
      EXPECT_NEAR(r[1], hit.share[1], 2e-4);
      expect_slopes(all[seen - 1], x + 0.5, y + 0.5, db);
    }
  return other;
}

TEST(Rasterize, AgreesWithTheReference) {
  size_t pixels = 0, other = 0;
  unsigned seed = 1;
  for (const auto& [count, size, behind, width, height] :
       {std::tuple{300, 0.2f, false, 100, 70}, std::tuple{60, 1.5f, false, 65, 64}, std::tuple{60, 0.7f, true, 90, 97},
        std::tuple{2000, 0.02f, false, 64, 33}, std::tuple{30, 1.0f, true, 1, 40}, std::tuple{30, 1.0f, true, 40, 1}}) {
    const Soup soup = test::random_soup(size_t(count), size, behind, width, height, seed++);
    pixels += size_t(width) * size_t(height);
    other += compare(soup, raster_of(soup));
  }
  EXPECT_LT(double(other), 2e-3 * double(pixels));
}

TEST(Rasterize, NeighboursLeaveNoGaps) {
  constexpr int kCells = 37;
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-1, 1);
  Soup soup{{}, {}, 150, 130};
  for (int y = 0; y <= kCells; ++y)
    for (int x = 0; x <= kCells; ++x) {
      const bool border = x == 0 || y == 0 || x == kCells || y == kCells;
      const float move = border ? 0 : 0.4f / kCells, w = 1.5f + 0.4f * number(random);
      const float px = 2.2f * float(x) / kCells - 1.1f, py = 2.2f * float(y) / kCells - 1.1f;
      for (const float value : {w * (px + move * number(random)), w * (py + move * number(random)), 0.3f * w, w})
        soup.positions.push_back(value);
      if (x == kCells || y == kCells) continue;
      const int32_t a = y * (kCells + 1) + x, b = a + 1, c = a + kCells + 1, d = c + 1;
      for (const int32_t corner : {a, b, c, c, b, d}) soup.corners.push_back(corner);
    }
  const Raster raster = raster_of(soup);
  for (size_t p = 0; p < raster.rast.size(); p += 4) ASSERT_GT(raster.rast[p + 3], 0) << "pixel " << p / 4;
}

TEST(Rasterize, OfEquallyNearTrianglesTheFirstIsSeen) {
  Soup soup{{}, {}, 64, 64};
  const std::array<std::array<float, 4>, 3> big{{{-3, -3, 0.5f, 1}, {3, -3, 0.5f, 1}, {0, 5, 0.5f, 1}}};
  for (int i = 0; i < 40; ++i) soup.add(big);
  const Raster raster = raster_of(soup);
  for (size_t p = 0; p < raster.rast.size(); p += 4) ASSERT_EQ(raster.rast[p + 3], 1);
}

TEST(Rasterize, CutsAtTheNearAndTheFarPlane) {
  // A floor below the eye (y up), from behind it to beyond the far plane: w is the distance, z/w from -1 at 1 to 1
  // at 10.
  const auto corner = [](float x, float w) { return std::array<float, 4>{x, -0.5f, w * 11 / 9 - 20.0f / 9, w}; };
  Soup soup{{}, {}, 64, 64};
  soup.add({corner(-80, -20), corner(80, -20), corner(0, 60)});
  EXPECT_EQ(compare(soup, raster_of(soup)), 0u);
  const Raster raster = raster_of(soup);
  for (int y = 0; y < 64; ++y) {  // y/w = -0.5/w: from -0.5 (w = 1) to -0.05 (w = 10)
    const double place = 2 * (y + 0.5) / 64 - 1;
    EXPECT_EQ(raster.rast[size_t(4 * (64 * y + 32) + 3)], place > -0.5 && place < -0.05 ? 1 : 0) << y;
  }
}

TEST(Rasterize, WhatHasNoAreaOrNoNumbersIsNotDrawn) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  Soup soup{{}, {}, 40, 40};
  soup.add({{{nan, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, 0, inf}, {1, -1, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, nan, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}}});
  soup.add({{{-1, -1, 0, 1}, {0, 0, 0, 1}, {1, 1, 0, 1}}});
  soup.add({{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
  soup.add({{{-1, -1, 0, -1}, {1, -1, 0, -1}, {0, 1, 0, -1}}});                   // behind the eye
  soup.add({{{-1e38f, -1e38f, 0, 1}, {1e38f, -1e38f, 0, 1}, {0, 1e38f, 0, 1}}});  // everywhere
  const Raster raster = raster_of(soup);
  for (size_t p = 0; p < raster.rast.size(); p += 4) ASSERT_EQ(raster.rast[p + 3], 7);
}

TEST(Rasterize, ThreadsAndSimdLevelsDoNotMatter) {
  for (const bool behind : {false, true}) {
    const Soup soup = test::random_soup(3000, 0.3f, behind, 300, 290, 11);
    const Raster wanted = raster_of(soup);
    for (const int threads : {1, 2, 5}) {
      ThreadPool pool(threads);
      const Raster have = raster_of(soup, &pool);
      EXPECT_TRUE(have.rast == wanted.rast && have.db == wanted.db) << threads;
    }
    for (const cpu::SimdLevel level : cpu::usable_simd_levels()) {
      setenv("HIPSPLAT_SIMD", cpu::simd_level_option(level), 1);
      const Raster have = raster_of(soup);
      unsetenv("HIPSPLAT_SIMD");
      EXPECT_TRUE(have.rast == wanted.rast && have.db == wanted.db) << cpu::simd_level_name(level);
    }
  }
}

TEST(Rasterize, PicturesOfABatchAndRangesAreDrawnAlone) {
  const Soup a = test::random_soup(50, 0.4f, false, 50, 40, 21), b = test::random_soup(50, 0.4f, true, 50, 40, 22);
  const size_t floats = 4 * 50 * 40;
  std::vector<float> positions = a.positions, both(2 * floats), want = raster_of(a).rast;
  positions.insert(positions.end(), b.positions.begin(), b.positions.end());
  const std::vector<float> second = raster_of(b).rast;
  want.insert(want.end(), second.begin(), second.end());
  Scene scene = scene_of(a);
  scene.positions = positions.data(), scene.pictures = 2;
  ASSERT_TRUE(rasterize(scene, both.data(), nullptr, nullptr).ok());
  EXPECT_EQ(both, want);
  // The same as one list, of which each picture is a part.
  std::vector<int32_t> corners(2 * 150);
  std::iota(corners.begin(), corners.end(), 0);
  const int32_t ranges[4] = {0, 50, 50, 50};
  scene.vertices = 300, scene.triangles = {corners.data(), 100}, scene.ranges = ranges;
  ASSERT_TRUE(rasterize(scene, both.data(), nullptr, nullptr).ok());
  for (size_t p = floats; p < 2 * floats; p += 4) want[p + 3] += want[p + 3] > 0 ? 50 : 0;
  EXPECT_EQ(both, want);
}

TEST(Rasterize, RefusesWhatIsNotThere) {
  Soup soup = test::random_soup(3, 0.4f, false, 8, 8, 1);
  std::vector<float> rast(4 * 8 * 8);
  Scene scene = scene_of(soup);
  const auto message = [&] {
    const Status status = rasterize(scene, rast.data(), nullptr, nullptr);
    return status.ok() ? "" : status.error().message;
  };
  soup.corners[4] = 9;
  EXPECT_EQ(message(), "triangle 1 has vertex 9 of 9");
  soup.corners[4] = -1;
  EXPECT_EQ(message(), "triangle 1 has vertex -1 of 9");
  soup.corners[4] = 4;
  const int32_t ranges[2] = {1, 3};
  scene.ranges = ranges;
  EXPECT_EQ(message(), "range 0 is of triangles 1 to 4 of 3");
  scene.ranges = nullptr;
  scene.width = 65536;
  EXPECT_NE(message(), "");
  scene.width = 0;
  EXPECT_EQ(message(), "");
}

// ---- Hunyuan3D

struct Faces {
  std::vector<int32_t> numbers;
  std::vector<float> shares;
};

Faces faces_of(const Soup& soup, const float* prior = nullptr, float truncation = 0, ThreadPool* pool = nullptr) {
  const size_t pixels = size_t(soup.width) * size_t(soup.height);
  Faces faces{std::vector<int32_t>(pixels, -7), std::vector<float>(3 * pixels, -7)};
  const FaceScene scene{soup.positions.data(),
                        soup.vertices(),
                        {soup.corners.data(), soup.count()},
                        soup.width,
                        soup.height,
                        prior,
                        truncation};
  EXPECT_TRUE(rasterize_faces(scene, faces.numbers.data(), faces.shares.data(), pool).ok());
  return faces;
}

// As its rules say: corners are projected, whatever their w, and the triangle between them is filled.
std::array<std::array<double, 4>, 3> projected(const Soup& soup, size_t t) {
  std::array<std::array<double, 4>, 3> c;
  for (size_t k = 0; k < 3; ++k) {
    const float* p = &soup.positions[4 * size_t(soup.corners[3 * t + k])];
    const double x = double(p[0]) / p[3], y = double(p[1]) / p[3], z = double(p[2]) / p[3];
    c[k] = {(x * 0.5 + 0.5) * (soup.width - 1) + 0.5, (y * 0.5 + 0.5) * (soup.height - 1) + 0.5, z * 0.49999 + 0.5, 1};
  }
  return c;
}

size_t compare_faces(const Soup& soup, const Faces& faces, const std::vector<float>& prior, double truncation) {
  constexpr double kStep = 1.0 / 262144;
  std::vector<std::array<std::array<double, 4>, 3>> all;
  for (size_t t = 0; t < soup.count(); ++t) all.push_back(projected(soup, t));
  size_t other = 0;
  for (int y = 0; y < soup.height; ++y)
    for (int x = 0; x < soup.width; ++x) {
      const size_t at = size_t(y) * size_t(soup.width) + size_t(x);
      const double least = prior.empty() ? -kStep : std::max(-kStep, prior[at] * 0.49999 + 0.5 + truncation);
      int32_t best = 0;
      double nearest = 1e9, surely = 1e9;
      for (size_t t = 0; t < soup.count(); ++t) {
        const Hit hit = test::hit_of(all[t], x + 0.5, y + 0.5);
        if (hit.border >= kBorder && hit.depth >= least + kDepth) surely = std::min(surely, hit.depth);
        const double steps = std::trunc(hit.depth / kStep);
        if (hit.border >= 0 && hit.depth > least && steps < nearest) nearest = steps, best = int32_t(t) + 1;
      }
      const int32_t seen = faces.numbers[at];
      other += seen != best;
      if (seen == 0) {
        EXPECT_GT(surely, 8192);
        continue;
      }
      const Hit hit = test::hit_of(all[size_t(seen) - 1], x + 0.5, y + 0.5);
      EXPECT_GT(hit.border, -kBorder);
      EXPECT_LT(hit.depth, surely + kStep + kDepth * std::max(1.0, surely));
      EXPECT_GT(hit.depth, least - kDepth);
      double weighted[3], sum = 0;
      for (size_t k = 0; k < 3; ++k)
        sum += weighted[k] = hit.share[k] / soup.positions[4 * size_t(soup.corners[3 * size_t(seen) - 3 + k]) + 3];
      if (std::abs(sum) < 0.05) continue;  // where the triangle crosses the eye's plane
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(faces.shares[3 * at + k], weighted[k] / sum, 1e-3 / std::abs(sum));
    }
  return other;
}

TEST(RasterizeFaces, AgreesWithTheRulesOfTheOriginal) {
  size_t pixels = 0, other = 0;
  unsigned seed = 31;
  for (const bool with_prior : {false, true})
    for (const bool behind : {false, true}) {
      const Soup soup = test::random_soup(80, 0.5f, behind, 90, 70, seed++);
      std::vector<float> prior;
      for (int p = 0; with_prior && p < 90 * 70; ++p) prior.push_back(0.002f * float(p % 900) - 0.9f);
      const Faces faces = faces_of(soup, with_prior ? prior.data() : nullptr, 0.01f);
      pixels += 90 * 70;
      other += compare_faces(soup, faces, prior, 0.01);
    }
  EXPECT_LT(double(other), 2e-3 * double(pixels));
}

TEST(RasterizeFaces, OfDepthsInOneStepTheFirstIsSeen) {
  Soup soup{{}, {}, 33, 33};
  for (const float z : {0.100013f, 0.10001f, 0.2f}) soup.add({{{-4, -4, z, 1}, {4, -4, z, 1}, {0, 6, z, 1}}});
  for (const int32_t number : faces_of(soup).numbers) ASSERT_EQ(number, 1);
  soup.positions[2] = soup.positions[6] = soup.positions[10] = 0.10005f;  // farther by more than a step
  for (const int32_t number : faces_of(soup).numbers) ASSERT_EQ(number, 2);
}

TEST(RasterizeFaces, ThePictureReachesFromCentreToCentre) {
  Soup soup{{}, {}, 5, 5};  // pixel centres at x = -1, -0.5, 0, 0.5, 1
  soup.add({{{-0.5f, -1, 0, 1}, {0.5f, -1, 0, 1}, {0.5f, 1, 0, 1}}});
  const Faces faces = faces_of(soup);
  EXPECT_EQ(faces.numbers,
            (std::vector<int32_t>{0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
}

TEST(RasterizeFaces, ThreadsDoNotMatter) {
  const Soup soup = test::random_soup(3000, 0.3f, true, 200, 210, 41);
  const Faces wanted = faces_of(soup);
  ThreadPool pool(3);
  const Faces have = faces_of(soup, nullptr, 0, &pool);
  EXPECT_EQ(have.numbers, wanted.numbers);
  EXPECT_EQ(have.shares, wanted.shares);
}

TEST(RasterizeFaces, ValuesAreSumsOfTheCornersShares) {
  Soup soup{{}, {}, 2, 1};
  soup.add({{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}});
  const std::vector<float> values{1, 10, 2, 20, 4, 40}, shares{0.5f, 0.25f, 0.25f, 0, 0, 0};
  const std::vector<int32_t> numbers{1, 0};
  std::vector<float> out(4, -7);
  const FaceValues task{values.data(), 3, 2, {soup.corners.data(), 1}, 2, numbers.data(), shares.data()};
  ASSERT_TRUE(interpolate_faces(task, out.data(), nullptr).ok());
  EXPECT_EQ(out, (std::vector<float>{2, 20, 0, 0}));
}

}  // namespace
}  // namespace splat::triangles
