// Times of nearest neighbours, by how the points lie: knn_benchmarks [points [repeats]]. The best of the repeats.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "knn/knn.h"

namespace {

using Points = std::vector<float>;

Points cloud(size_t count, const std::function<void(size_t, float*)>& put) {
  Points points(3 * count);
  for (size_t i = 0; i < count; ++i) put(i, &points[3 * i]);
  return points;
}

double best_seconds(int repeats, const std::function<void()>& run) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void time_cloud(const char* name, const Points& points, int repeats) {
  const double all = best_seconds(repeats, [&] { (void)knn::mean_squared_distance_to_nearest(points, 3); });
  const knn::PointIndex index(points);
  const size_t asked = std::min<size_t>(index.size(), 100'000), step = index.size() / asked;
  const double questions = best_seconds(repeats, [&] {
    std::vector<uint32_t> found(8);
    for (size_t i = 0; i < asked; ++i) (void)index.nearest(&points[3 * i * step], found);
  });
  std::printf("%-28s %8zu points: mean of 3 %8.1f ms; 8 nearest %6.2f us a question\n", name, index.size(), 1e3 * all,
              1e6 * questions / double(asked));
}

}  // namespace

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? size_t(std::atoll(argv[1])) : 1'000'000;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 3;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto anywhere = [&](size_t, float* p) {
    p[0] = uniform(random), p[1] = uniform(random), p[2] = uniform(random);
  };
  const auto in_one_place = [](size_t, float* p) { p[0] = 1, p[1] = 2, p[2] = 3; };
  const auto on_a_globe = [&](size_t i, float* p) {
    anywhere(i, p);
    const float r = std::hypot(p[0], p[1], p[2]);
    for (int k = 0; k < 3; ++k) p[k] /= r;
  };
  time_cloud("anywhere in a cube", cloud(count, anywhere), repeats);
  time_cloud("on a globe", cloud(count, on_a_globe), repeats);
  time_cloud("in one place", cloud(count, in_one_place), repeats);
  time_cloud("a twelfth of that, in a cube", cloud(count / 12, anywhere), repeats);
  time_cloud("a twelfth, in one place", cloud(count / 12, in_one_place), repeats);
  const Points places = cloud(1 + count / 50, anywhere);
  time_cloud("places with 50 points each",
             cloud(count, [&](size_t i, float* p) { std::copy_n(&places[3 * (i / 50)], 3, p); }), repeats);
}
