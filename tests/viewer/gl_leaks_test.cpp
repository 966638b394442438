// Windows that come and go: nothing of them may stay behind.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "splat/bench/bench_scene.h"
#include "splat/core/parallel.h"
#include "tests/support/virtual_display.h"
#include "viewer/depth_order.h"
#include "viewer/window.h"

namespace {

constexpr int kWindows = 50, kWarmUp = 15;
constexpr double kMostGrowthBytes = 8e6;  // of which the driver's caches

double resident_bytes() {
  malloc_trim(0);  // what the allocator merely keeps is no leak
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

viewer::OpenedSplats opened_splats(const splat::Gaussians& model) {
  splat::ThreadPool pool(1);
  viewer::OpenedSplats opened;
  opened.path = "scene.ply";
  opened.gaussians = model;
  opened.packed = viewer::pack_splats(model);
  opened.centres_radii = viewer::centres_and_radii(model, pool);
  opened.bounds = viewer::robust_bounds(model.means);
  return opened;
}

// A window that shows the splats with OpenGL, takes its picture and closes.
void open_and_close(const splat::Gaussians& model) {
  viewer::AppState state;
  viewer::WindowOptions options;
  options.width = 640, options.height = 480;
  options.screenshot = options.opening = options.debug = true;
  options.settings = "{\"renderer\": 1}";
  auto window = viewer::Window::open(options, state);
  ASSERT_TRUE(window.ok()) << window.error().message;
  state.devices.put({});
  state.splats.put(opened_splats(model));
  std::thread application([&] {  // answers the Quit
    while (true)
      if (auto command = state.commands.wait(std::chrono::milliseconds(50));
          command && std::holds_alternative<viewer::Quit>(*command))
        break;
    state.quit_done.put({});
  });
  const auto result = (*window)->run();
  application.join();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->opengl_problems, 0);
  EXPECT_TRUE(result->screenshot.has_value());
}

TEST(GlLeaks, FiftyWindowsLeaveNoMemoryBehind) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::Gaussians model = splat::bench::make_scene({5000, 300, 200}).model;
  double before = 0;
  for (int i = 0; i < kWindows; ++i) {
    if (i == kWarmUp) before = resident_bytes();
    open_and_close(model);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_LT(resident_bytes() - before, kMostGrowthBytes);
}

}  // namespace
