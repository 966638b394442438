// Windows and scenes that come and go: nothing of them may stay behind, in memory or in OpenGL.
#include <glad/gl.h>
// GLFW after glad, which brings the OpenGL header.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <fstream>
#include <thread>

#include "splat/bench/bench_scene.h"
#include "splat/core/parallel.h"
#include "studio/compare/messages.h"
#include "studio/documents/opened_model.h"
#include "studio/window/features.h"
#include "studio/window/viewport.h"
#include "studio/window/window.h"
#include "tests/support/virtual_display.h"
#include "viewer/shell/gl_window.h"

namespace {

constexpr int kWindows = 50, kScenes = 50, kWarmUp = 15;
constexpr int kPhotos = 12;
constexpr GLuint kNames = 20'000;            // of OpenGL's objects that are looked at
constexpr double kMostGrowthBytes = 8e6;     // of which the driver's caches
constexpr double kMostOwnGrowthBytes = 6e6;  // beyond what the driver leaves of windows in which nothing is drawn

double resident_bytes() {
  malloc_trim(0);  // what the allocator merely keeps is no leak
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

studio::OpenedSplats opened_splats(const splat::Gaussians& model) {
  splat::ThreadPool pool(1);
  studio::OpenedSplats opened;
  opened.path = "scene.ply";
  studio::describe_model(model, pool, opened);
  opened.packed = studio::pack_model(model, pool);
  return opened;
}

splat::Result<std::unique_ptr<viewer::GlWindow>> hidden_debug_window() {
  viewer::GlWindowOptions options;
  options.visible = false, options.debug = true;
  return viewer::GlWindow::open(options);
}

// A window that shows the splats with OpenGL, takes its picture and closes.
// After the first ones Mesa 25 leaves 140 kB of each, Mesa 22 20 kB.
void open_and_close_a_bare_window() {
#ifdef GLFW_PLATFORM
  glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
  ASSERT_TRUE(glfwInit());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(640, 480, "bare", nullptr, nullptr);
  ASSERT_NE(window, nullptr);
  glfwMakeContextCurrent(window);
  glfwSwapBuffers(window);
  glfwDestroyWindow(window);
  glfwTerminate();
}

// Bytes that windows leave in the process, after the first ones.
template <class Open>
double growth_of(const Open& open) {
  double before = 0;
  for (int i = 0; i < kWindows && !testing::Test::HasFatalFailure(); ++i) {
    if (i == kWarmUp) before = resident_bytes();
    open();
  }
  return resident_bytes() - before;
}

void open_and_close(const splat::Gaussians& model) {
  studio::Bridge state;
  studio::WindowOptions options;
  options.width = 640, options.height = 480;
  options.screenshot = options.opening = options.debug = true;
  options.settings = "{\"renderer\": 1}";
  auto window = studio::Window::open(options, state);
  ASSERT_TRUE(window.ok()) << window.error().message;
  state.reports.put(studio::Abilities{});
  state.reports.put(opened_splats(model));
  std::thread application([&] {  // answers the Quit
    while (!state.requests.take<studio::Quit>()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    state.reports.put(studio::QuitDone{});
  });
  const auto result = (*window)->run();
  application.join();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->opengl_problems, 0);
  EXPECT_TRUE(result->screenshot.has_value());
}

splat::Image8 grey_picture(int width, int height) {
  return {width, height, 3, std::vector<uint8_t>(size_t(width) * size_t(height) * 3, 128)};
}

// With photos' cameras, so that everything the window draws for a dataset is there.
studio::OpenedDataset opened_dataset() {
  studio::OpenedDataset opened;
  opened.path = "photos";
  for (int i = 0; i < kPhotos; ++i) {
    studio::DatasetCamera camera;
    camera.name = std::to_string(i);
    camera.held_out = i == 0;
    camera.view.camera = {64, 48, 60, 60, 32, 24};
    camera.view.cam_from_world.translation = {0.1 * i, 0, 3};
    opened.cameras.push_back(camera);
    for (const float position : {float(i), 0.5f, 2.0f}) {
      opened.points.xyz.push_back(position);
      opened.points.rgb.push_back(200);
    }
  }
  opened.bounds = viewer::robust_bounds(opened.points.xyz);
  return opened;
}

viewer::EngineImage engine_image() {
  viewer::EngineImage image;
  image.width = 320, image.height = 200;
  image.rgba.assign(size_t(320) * 200 * 4, 99);
  return image;
}

// Objects of the current context.
size_t live_names() {
  size_t count = 0;
  for (GLuint name = 1; name < kNames; ++name)
    for (const GLboolean is : {glIsBuffer(name), glIsTexture(name), glIsVertexArray(name), glIsFramebuffer(name),
                               glIsProgram(name), glIsShader(name)})
      count += is == GL_TRUE;
  return count;
}

// An application that shows splats and datasets in turn in one window, and takes stock after each pair.
class TakingTurns {
 public:
  TakingTurns(const splat::Gaussians& model, studio::Bridge& state) : model_(model), state_(state) {}

  void trace(const std::string& line) {  // on the window's thread
    if (!line.starts_with("state ")) return;
    const nlohmann::json state = nlohmann::json::parse(line.substr(6));
    if (state["splats"] == 5000 && state["photos"] == 0 && shown_ == 'd' && state["settled"]) {
      if (round_ == kWarmUp || round_ == kScenes - 1) names_.push_back(live_names());
      shown_ = 's';
    }
    if (state["photos"] == kPhotos) shown_ = 'd';
  }

  void run() {
    for (round_ = 0; round_ < kScenes && good_; ++round_) {
      state_.reports.put(opened_dataset());
      good_ = wait_for('d');
      for (int i = 0; i < kPhotos; ++i)
        state_.reports.put(studio::Thumbnail{i, std::to_string(i), grey_picture(160, 120)});
      state_.reports.put(studio::Photo{0, grey_picture(640, 480)});
      state_.reports.put(
          studio::Comparison{0, 1, grey_picture(320, 240), grey_picture(320, 240), grey_picture(320, 240), 20, 0.5});
      state_.reports.put(engine_image());
      std::this_thread::sleep_for(std::chrono::milliseconds(30));  // a frame or two
      state_.reports.put(opened_splats(model_));
      good_ = good_ && wait_for('s');
      if (round_ == kWarmUp || round_ == kScenes - 1) bytes_.push_back(resident_bytes());
    }
    state_.reports.put(studio::QuitDone{});
  }

  bool good() const { return good_; }
  const std::vector<size_t>& names() const { return names_; }
  const std::vector<double>& bytes() const { return bytes_; }

 private:
  bool wait_for(char shown) {
    for (int i = 0; i < 5000 && shown_ != shown; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return shown_ == shown;
  }

  const splat::Gaussians& model_;
  studio::Bridge& state_;
  std::atomic<int> round_{0};
  std::atomic<char> shown_{0};
  std::atomic<bool> good_{true};
  std::vector<size_t> names_;
  std::vector<double> bytes_;
};

TEST(GlLeaks, FiftyScenesInOneWindowLeaveNothingBehind) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::Gaussians model = splat::bench::make_scene({5000, 300, 200}).model;
  studio::Bridge state;
  TakingTurns turns(model, state);
  studio::WindowOptions options;
  options.width = 640, options.height = 480;
  options.debug = true;
  options.settings = "{\"renderer\": 1}";
  options.trace = [&](const std::string& line) { turns.trace(line); };
  auto window = studio::Window::open(options, state);
  ASSERT_TRUE(window.ok()) << window.error().message;
  state.reports.put(studio::Abilities{});
  std::thread application([&] { turns.run(); });
  const auto result = (*window)->run();
  application.join();
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_TRUE(turns.good()) << "a scene did not appear";
  EXPECT_EQ(result->opengl_problems, 0);
  ASSERT_EQ(turns.names().size(), 2u);
  EXPECT_GT(turns.names()[0], 10u);
  EXPECT_EQ(turns.names()[1], turns.names()[0]);
  ASSERT_EQ(turns.bytes().size(), 2u);
  EXPECT_LT(turns.bytes()[1] - turns.bytes()[0], kMostGrowthBytes);
}

// Of the scene's drawing, while the context lives on: the driver would hide what is left by ending with the window.
TEST(GlLeaks, ADestroyedViewportLeavesNoObjectBehind) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const auto window = hidden_debug_window();
  ASSERT_TRUE(window.ok()) << window.error().message;
  ASSERT_EQ(live_names(), 0u);
  {
    studio::Bridge state;
    studio::Workspace work(state);
    work.settings.renderer = studio::RendererChoice::kOpenGl;
    studio::Viewport viewport(work);
    ASSERT_TRUE(viewport.build().ok());
    const auto show = [&] {
      work.receive();
      do
        if (viewport.update(300, 200)) viewport.draw();
      while (viewport.busy());
    };
    state.reports.put(opened_dataset());
    state.reports.put(engine_image());
    state.reports.put(studio::Photo{0, grey_picture(64, 48)});
    state.reports.put(studio::Thumbnail{0, "0", grey_picture(160, 120)});
    show();
    state.reports.put(opened_splats(splat::bench::make_scene({5000, 300, 200}).model));
    show();
    EXPECT_TRUE(viewport.shows_splats());
    EXPECT_GT(live_names(), 10u);
  }
  glUseProgram(0);  // one in use outlives its deletion
  EXPECT_EQ(live_names(), 0u);
  EXPECT_EQ((*window)->problems(), 0);
}

TEST(GlLeaks, ADebugContextCountsErrors) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const auto window = hidden_debug_window();
  ASSERT_TRUE(window.ok()) << window.error().message;
  EXPECT_EQ((*window)->problems(), 0);
  glEnable(GL_TEXTURE_BUFFER);  // nothing that can be enabled
  EXPECT_EQ((*window)->problems(), 1);
}

TEST(GlLeaks, FiftyWindowsLeaveNoMemoryBehind) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::Gaussians model = splat::bench::make_scene({5000, 300, 200}).model;
  const double bare = growth_of(open_and_close_a_bare_window), ours = growth_of([&] { open_and_close(model); });
  EXPECT_LT(ours - bare, kMostOwnGrowthBytes) << "ours: " << ours << ", bare windows: " << bare;
}

}  // namespace
