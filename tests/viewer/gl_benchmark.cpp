// Times the OpenGL renderer and the depth sort on seeded scenes; prints a line of the table in docs/benchmarks.md for
// each count on its command line. Built on request: ninja gl_benchmark. Needs a display (xvfb-run gives one).
#include <glad/gl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "splat/bench/bench_scene.h"
#include "viewer/depth_order.h"
#include "viewer/draw/canvas.h"
#include "viewer/draw/splats_gl.h"
#include "viewer/gl_window.h"

namespace {

constexpr int kWidth = 1280, kHeight = 720;  // px
constexpr double kSeconds = 6;               // about as long as each is timed

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double milliseconds(const Work& work) {  // of one call, mean
  work();
  const double start = seconds_now();
  int calls = 0;
  do work(), ++calls;
  while (seconds_now() - start < kSeconds);
  return (seconds_now() - start) * 1e3 / calls;
}

void time_scene(size_t count) {
  const auto scene = splat::bench::make_scene({count, kWidth, kHeight});
  splat::ThreadPool pool;
  const std::vector<float> centres = viewer::centres_and_radii(scene.model, pool);
  viewer::DepthScratch scratch;
  std::vector<uint32_t> order;
  const double sort_ms = milliseconds([&] { viewer::sort_by_depth(centres, scene.view, pool, scratch, order); });
  viewer::SplatsGl splats;
  viewer::Canvas canvas;
  if (!splats.build() || !splats.start_upload(std::make_unique<viewer::PackedSplats>(viewer::pack_splats(scene.model))))
    return;
  while (!splats.continue_upload(size_t(1) << 26)) {
  }
  splats.set_order(order);
  const double frame_ms = milliseconds([&] {
    canvas.begin(kWidth, kHeight, {0, 0, 0});
    splats.draw(scene.view, {});
    canvas.end();
    glFinish();
  });
  std::printf("| %zu | %zu | %.1f | %.0f | %.0f |\n", count, order.size(), sort_ms, frame_ms,
              double(splats.device_bytes()) / double(count));
}

}  // namespace

int main(int count, char** words) {
  viewer::GlWindowOptions options;
  options.visible = false;
  auto window = viewer::GlWindow::open(options);
  if (!window) {
    std::fprintf(stderr, "%s\n", window.error().message.c_str());
    return 3;
  }
  std::printf("%s\n| splats | in sight | sort, ms | frame, ms | bytes a splat |\n", (*window)->renderer().c_str());
  for (int i = 1; i < count; ++i) time_scene(size_t(std::atoll(words[i])));
  return 0;
}
