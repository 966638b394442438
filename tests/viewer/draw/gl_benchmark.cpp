// The window's figures on this machine's OpenGL, as Markdown for docs/benchmarks.md:
//   gl_benchmark [COUNT ...]        default: 100000 1000000 5000000 splats
// Sorting and drawing of the scenes of --bench at 1280x720 (until the picture is finished), bytes on the OpenGL side by
// SH degree, and the time from the program's start until a file of a million splats is first seen. Medians. Draws on
// the display that DISPLAY names, else on a virtual one; under software OpenGL it takes two or three minutes. Built on
// request: ninja gl_benchmark.
#include <glad/gl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "splat/edit/rows.h"
#include "tests/support/temp_folder.h"
#include "tests/support/virtual_display.h"
#include "viewer/draw/canvas.h"
#include "viewer/draw/depth_order.h"
#include "viewer/draw/splats_gl.h"
#include "viewer/shell/gl_window.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kWidth = 1280, kHeight = 720;  // px
constexpr double kSeconds = 4;               // about as long as each is timed
constexpr size_t kFewestCalls = 3, kMostCalls = 200;
constexpr size_t kFileSplats = 1'000'000;
constexpr int kStarts = 3;            // of the program, by either renderer
constexpr double kLongestStart = 60;  // s
constexpr size_t kDegreeSplats = 100'000;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct Timing {
  double ms = 0;  // of one call, median
  size_t calls = 0;
};

template <class Work>
Timing timing(const Work& work) {
  work();  // caches, shaders, page faults
  std::vector<double> taken;
  const Clock::time_point start = Clock::now();
  while (taken.size() < kFewestCalls || (ms_since(start) < 1e3 * kSeconds && taken.size() < kMostCalls)) {
    const Clock::time_point call = Clock::now();
    work();
    taken.push_back(ms_since(call));
  }
  return {median(taken), taken.size()};
}

bool upload(viewer::SplatsGl& splats, const splat::Gaussians& model) {
  splat::ThreadPool pool;
  if (const auto status = splats.start_upload(std::make_unique<viewer::PackedSplats>(viewer::pack_splats(model, pool)));
      !status) {
    std::printf("(%s)\n", status.error().message.c_str());
    return false;
  }
  while (!splats.continue_upload(size_t(1) << 26)) {
  }
  return true;
}

void time_scene(size_t count) {
  const auto scene = splat::bench::make_scene({count, kWidth, kHeight});
  splat::ThreadPool pool;
  const std::vector<float> centres = viewer::centres_and_radii(scene.model, pool);
  viewer::DepthScratch scratch;
  std::vector<uint32_t> order;
  const Timing sort = timing([&] { viewer::sort_by_depth(centres, scene.view, pool, scratch, order); });
  viewer::SplatsGl splats;
  viewer::Canvas canvas;
  if (!splats.build() || !upload(splats, scene.model)) return;
  const Timing hand_over = timing([&] {
    splats.set_order(order);
    glFinish();
  });
  const Timing frame = timing([&] {
    canvas.begin(kWidth, kHeight, {0, 0, 0});
    splats.draw(scene.view, {});
    canvas.end();
    glFinish();
  });
  std::printf("| %zu | %zu | %.1f (%zu) | %.2f (%zu) | %.0f (%zu) | %.0f |\n", count, order.size(), sort.ms, sort.calls,
              hand_over.ms, hand_over.calls, frame.ms, frame.calls, double(splats.device_bytes()) / double(count));
}

void measure_bytes() {
  std::printf("\n| SH degree | bytes a splat on the OpenGL side | goal |\n|---|---|---|\n");
  const auto scene = splat::bench::make_scene({kDegreeSplats, kWidth, kHeight});
  std::vector<uint32_t> order(kDegreeSplats, 0);
  for (int degree = 0; degree <= splat::kMaxShDegree; ++degree) {
    splat::Gaussians model = scene.model;
    splat::edit::reduce_sh_degree(model, degree);
    viewer::SplatsGl splats;
    if (!splats.build() || !upload(splats, model)) return;
    splats.set_order(order);
    std::printf("| %d | %.0f | %s |\n", degree, double(splats.device_bytes()) / double(kDegreeSplats),
                degree == 0   ? "64"
                : degree == 3 ? "160"
                              : "");
  }
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Start {
  double shown_ms = 0, settled_ms = 0;  // the first splats are seen; the picture is complete and sharp
};

// Starts the program with the file and follows its trace.
std::optional<Start> start_program(const fs::path& file, const fs::path& folder) {
  const fs::path trace = folder / "trace";
  fs::remove(trace);
  const Clock::time_point begin = Clock::now();
  const pid_t process = fork();
  if (process == 0) {
    setenv("HIPSPLAT_WINDOW_TRACE", trace.c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    if (!freopen("/dev/null", "w", stderr)) _exit(126);
    execl(HIPSPLAT_PROGRAM, HIPSPLAT_PROGRAM, file.c_str(), "--size", "1280x800", static_cast<char*>(nullptr));
    _exit(127);
  }
  Start start;
  while (start.settled_ms == 0 && ms_since(begin) < 1e3 * kLongestStart && waitpid(process, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::string text = text_of(trace);
    if (start.shown_ms == 0 && text.find(" shown 1 ") != std::string::npos) start.shown_ms = ms_since(begin);
    if (text.find(" shown 1 settled 1 ") != std::string::npos) start.settled_ms = ms_since(begin);
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  return start.settled_ms > 0 ? std::optional(start) : std::nullopt;
}

void time_starts() {
  const splat::test::TempFolder folder;
  const fs::path file = folder.path() / "scene.ply";
  if (!io::write_splat_file(file, splat::bench::make_scene({kFileSplats, kWidth, kHeight}).model)) return;
  std::printf(
      "\n| program start with a PLY of %zu splats, SH degree 3, in the page cache | first splats seen | complete and "
      "sharp |\n|---|---|---|\n",
      kFileSplats);
  for (const auto& [choice, name] : {std::pair(1, "drawn by OpenGL"), std::pair(2, "drawn by the engine")}) {
    folder.write("hipsplat/window.json", "{\"renderer\": " + std::to_string(choice) + "}");
    std::vector<double> shown, settled;
    for (int i = 0; i < kStarts; ++i)
      if (const auto start = start_program(file, folder.path()))
        shown.push_back(start->shown_ms), settled.push_back(start->settled_ms);
    if (shown.empty())
      std::printf("| %s | not within %.0f s | |\n", name, kLongestStart);
    else
      std::printf("| %s, median of %zu | %.2f s | %.2f s |\n", name, shown.size(), median(shown) / 1e3,
                  median(settled) / 1e3);
  }
}

}  // namespace

int main(int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each line when it is known, also into a file
  std::optional<test::VirtualDisplay> display;
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) display.emplace(1280, 800);
  std::vector<size_t> counts;
  for (int i = 1; i < count; ++i) counts.push_back(size_t(std::atoll(words[i])));
  if (counts.empty()) counts = {100'000, 1'000'000, 5'000'000};
  {
    viewer::GlWindowOptions options;
    options.visible = false;
    auto window = viewer::GlWindow::open(options);
    if (!window) {
      std::fprintf(stderr, "%s\n", window.error().message.c_str());
      return 3;
    }
    std::printf("OpenGL: %s, %u processors; %dx%d px; medians, in brackets how many calls\n\n",
                (*window)->renderer().c_str(), std::thread::hardware_concurrency(), kWidth, kHeight);
    std::printf("| splats | in sight | sort, ms | order to OpenGL, ms | frame, ms | bytes a splat |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const size_t splats : counts) time_scene(splats);
    measure_bytes();
  }
  time_starts();
  return 0;
}
