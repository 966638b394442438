// Times of drawing triangles and of interpolating between their corners: triangle_benchmarks [repeats [threads]]. The
// best of the repeats.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "splat/raster/triangles/triangles.h"

namespace {

using namespace splat;

double best_ms(int repeats, const std::function<Status()>& run) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (!run().ok()) std::abort();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Anywhere in the picture, of about this size in its half, at depths at random.
struct Soup {
  std::vector<float> positions;
  std::vector<int32_t> corners;

  Soup(size_t count, float size) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1, 1);
    for (size_t t = 0; t < count; ++t) {
      const float x = number(random), y = number(random), z = 0.9f * number(random);
      for (int k = 0; k < 3; ++k) {
        const float w = 2 + number(random),
                    values[4] = {x + size * number(random), y + size * number(random), z + 0.1f * number(random), 1};
        for (const float value : values) positions.push_back(w * value);
        corners.push_back(int32_t(corners.size()));
      }
    }
  }
};

void time_soup(const char* name, size_t count, float size, int side, int repeats, ThreadPool& pool) {
  const Soup soup(count, size);
  const size_t pixels = size_t(side) * size_t(side), vertices = 3 * count;
  const triangles::Triangles list{soup.corners.data(), count};
  const triangles::Scene scene{soup.positions.data(), 1, vertices, list, nullptr, side, side};
  const triangles::FaceScene faces{soup.positions.data(), vertices, list, side, side, nullptr, 0};
  std::vector<float> rast(4 * pixels), db(4 * pixels), shares(3 * pixels), v_positions(4 * vertices), out(3 * pixels);
  std::vector<int32_t> numbers(pixels);
  const triangles::Attributes attributes{
      soup.positions.data(), false, vertices, 3, list, rast.data(), nullptr, 1, side, side, {}};
  const double plain = best_ms(repeats, [&] { return rasterize(scene, rast.data(), nullptr, &pool); });
  const double both = best_ms(repeats, [&] { return rasterize(scene, rast.data(), db.data(), &pool); });
  const double hunyuan = best_ms(repeats, [&] { return rasterize_faces(faces, numbers.data(), shares.data(), &pool); });
  const double mixed = best_ms(repeats, [&] { return interpolate(attributes, out.data(), nullptr, &pool); });
  const double back = best_ms(
      repeats, [&] { return rasterize_backward(scene, rast.data(), rast.data(), nullptr, v_positions.data(), &pool); });
  std::printf(
      "%-28s %7zu triangles, %4d^2 px: rasterize %7.2f ms, with slopes %7.2f; faces %7.2f; interpolate 3 %7.2f; "
      "rasterize_backward %7.2f\n",
      name, count, side, plain, both, hunyuan, mixed, back);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 20;
  ThreadPool pool(argc > 2 ? std::atoi(argv[2]) : 0);
  time_soup("a few layers", 10'000, 0.03f, 1024, repeats, pool);
  time_soup("a few layers", 5'000, 0.04f, 512, repeats, pool);
  time_soup("large, on each other", 10'000, 0.6f, 1024, std::min(repeats, 10), pool);
  time_soup("small", 1'000'000, 0.002f, 1024, std::min(repeats, 3), pool);
  if (repeats > 1) time_soup("a large picture", 100'000, 0.01f, 8192, 1, pool);
}
