#include "knn/knn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

namespace {

std::vector<float> random_points(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> points(count * 3);
  for (float& x : points) x = normal(generator);
  return points;
}

std::vector<float> brute_force(const std::vector<float>& points, int k) {
  const size_t count = points.size() / 3;
  std::vector<float> result;
  for (size_t i = 0; i < count; ++i) {
    std::vector<double> squared;
    for (size_t j = 0; j < count; ++j) {
      double sum = 0;
      for (size_t axis = 0; axis < 3; ++axis) sum += std::pow(double(points[3 * i + axis]) - points[3 * j + axis], 2);
      if (j != i) squared.push_back(sum);
    }
    std::sort(squared.begin(), squared.end());
    const size_t found = std::min(squared.size(), size_t(k));
    double sum = 0;
    for (size_t n = 0; n < found; ++n) sum += squared[n];
    result.push_back(found ? float(sum / double(found)) : 0.0f);
  }
  return result;
}

TEST(PointIndex, FindsTheNearestFirst) {
  const std::vector<float> points = random_points(500, 3), places = random_points(50, 4);
  const knn::PointIndex index(points);
  for (size_t i = 0; i < 50; ++i) {
    const auto squared = [&](uint32_t point) {
      double sum = 0;
      for (size_t c = 0; c < 3; ++c) sum += std::pow(double(points[3 * point + c]) - places[3 * i + c], 2);
      return sum;
    };
    std::vector<uint32_t> all(500), found(20);
    for (uint32_t p = 0; p < 500; ++p) all[p] = p;
    std::sort(all.begin(), all.end(), [&](uint32_t a, uint32_t b) { return squared(a) < squared(b); });
    ASSERT_EQ(index.nearest(&places[3 * i], found), 20u);
    all.resize(20);
    EXPECT_EQ(found, all);
  }
  const knn::PointIndex two(random_points(2, 1));
  std::vector<uint32_t> found(5);
  EXPECT_EQ(two.nearest(places.data(), found), 2u);
}

void expect_close(const std::vector<float>& have, const std::vector<float>& want) {
  ASSERT_EQ(have.size(), want.size());
  for (size_t i = 0; i < have.size(); ++i) ASSERT_NEAR(have[i], want[i], 1e-5 * want[i] + 1e-12) << "point " << i;
}

TEST(Knn, EqualsBruteForce) {
  for (size_t count : {4u, 10u, 11u, 200u, 1500u}) {
    const std::vector<float> points = random_points(count, unsigned(count));
    for (int k : {1, 3, 7}) expect_close(knn::mean_squared_distance_to_nearest(points, k, 2), brute_force(points, k));
  }
}

TEST(Knn, FewerPointsThanNeighbours) {
  EXPECT_TRUE(knn::mean_squared_distance_to_nearest({}, 3).empty());
  const std::vector<float> one{1, 2, 3};
  EXPECT_EQ(knn::mean_squared_distance_to_nearest(one, 3), std::vector<float>{0.0f});
  const std::vector<float> two{0, 0, 0, 0, 3, 4};
  EXPECT_EQ(knn::mean_squared_distance_to_nearest(two, 3), (std::vector<float>{25, 25}));
  const std::vector<float> three{0, 0, 0, 1, 0, 0, 0, 2, 0};
  EXPECT_EQ(knn::mean_squared_distance_to_nearest(three, 3), (std::vector<float>{2.5f, 3.0f, 4.5f}));
}

TEST(Knn, DuplicatesAreNeighboursAtDistanceZero) {
  std::vector<float> points = random_points(300, 5);
  for (size_t i = 0; i < 300; ++i) points[i] = points[i + 300];  // points 0..99 equal 100..199
  for (size_t i = 0; i < 60; ++i) points.insert(points.end(), {7, 7, 7});
  expect_close(knn::mean_squared_distance_to_nearest(points, 3, 1), brute_force(points, 3));
  const std::vector<float> same(3 * 5000, 1.5f);
  EXPECT_EQ(knn::mean_squared_distance_to_nearest(same, 3), std::vector<float>(5000, 0.0f));
}

// Cameras on tripods: many places with several points, at some distance from the origin.
std::vector<float> several_in_each(size_t places, size_t each) {
  std::vector<float> points, at = random_points(places, 6);
  for (size_t i = 0; i < each; ++i) points.insert(points.end(), at.begin(), at.end());
  for (float& x : points) x += 100;
  return points;
}

TEST(Knn, SeveralPointsInEachPlace) {
  for (size_t each : {2u, 3u, 4u, 9u, 40u}) {
    const std::vector<float> points = several_in_each(25, each);
    for (int k : {1, 3, 20}) expect_close(knn::mean_squared_distance_to_nearest(points, k, 2), brute_force(points, k));
  }
}

TEST(Knn, PointsOnAPlaneAndOnALine) {
  std::vector<float> points = random_points(900, 7);
  for (size_t i = 0; i < 900; ++i) points[3 * i + 2] = -3;
  for (size_t i = 0; i < 300; ++i) points[3 * i] = points[3 * i + 1] = float(i % 100);
  expect_close(knn::mean_squared_distance_to_nearest(points, 3, 2), brute_force(points, 3));
}

TEST(PointIndex, FindsAllPointsOfAPlace) {
  const size_t places = 60, each = 40;
  const std::vector<float> points = several_in_each(places, each);
  const knn::PointIndex index(points);
  for (size_t place = 0; place < places; ++place) {
    std::vector<uint32_t> found(each);
    ASSERT_EQ(index.nearest(&points[3 * place], found), each);
    EXPECT_EQ(std::set<uint32_t>(found.begin(), found.end()).size(), each);
    for (uint32_t point : found) EXPECT_EQ(point % places, place);
  }
}

TEST(PointIndex, ThereIsNoneThatIsFartherThanNumbersGo) {
  const knn::PointIndex index({0, 0, 0, 1e30f, 0, 0});
  const float here[3] = {1, 0, 0}, nowhere[3] = {std::numeric_limits<float>::quiet_NaN(), 0, 0};
  std::vector<uint32_t> found(2);
  EXPECT_EQ(index.nearest(here, found), 1u);
  EXPECT_EQ(found[0], 0u);
  EXPECT_EQ(index.nearest(nowhere, found), 0u);
  EXPECT_EQ(knn::PointIndex({}).nearest(here, found), 0u);
}

double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Where every point of a place is compared with every other, this takes minutes.
TEST(Knn, ManyPointsInOnePlaceTakeNoLonger) {
  const size_t count = 300'000;
  const std::vector<float> apart = random_points(count, 8), together(3 * count, 1.5f);
  const auto both = [](const std::vector<float>& points) {
    (void)knn::mean_squared_distance_to_nearest(points, 3, 1);
    const knn::PointIndex index(points);
    std::vector<uint32_t> found(8);
    for (size_t i = 0; i < 1000; ++i) (void)index.nearest(&points[3 * i], found);
  };
  EXPECT_LT(seconds([&] { both(together); }), 2 * seconds([&] { both(apart); }) + 0.1);
}

TEST(Knn, ThreadsDoNotMatter) {
  for (const std::vector<float>& points : {random_points(70000, 9), several_in_each(7000, 10)}) {
    const std::vector<float> one = knn::mean_squared_distance_to_nearest(points, 3, 1);
    for (int threads : {0, 2, 5}) EXPECT_EQ(knn::mean_squared_distance_to_nearest(points, 3, threads), one);
  }
}

TEST(Knn, EndsSoonWhereAPauseThrows) {
  const std::vector<float> points = random_points(1000000, 11);
  struct Ended {};
  for (const int pauses : {0, 10, 100, 300}) {
    std::atomic<int> left{pauses};
    std::atomic<std::chrono::steady_clock::time_point> thrown{};
    const auto pause = [&] {
      if (left-- > 0) return;
      thrown = std::chrono::steady_clock::now();
      throw Ended();
    };
    EXPECT_THROW((void)knn::mean_squared_distance_to_nearest(points, 3, 2, pause), Ended) << pauses;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - thrown.load();
    EXPECT_LT(waited.count(), 0.5) << pauses;
  }
}

}  // namespace
