// How the window opens and turns scenes of many splats where there is no graphics card, as Markdown for
// docs/benchmarks.md:
//   large_scene_benchmark [SPLATS...]        default: 3000000 10000000; needs Xvfb, xdotool, and 250 bytes a splat in
//   TMPDIR
// For each number a PLY of that many splats (the scene of --bench, SH degree 3) is written, so that it lies in the page
// cache, and opened by the program in a window whose scene has 1280x720 px. "First picture" and "sharp" run from the
// start of the program to the splats' first picture on the screen and to the first at full size. Then the scene is
// dragged around for kSeconds; "sharp at rest" is from the last movement to the picture at full size. Processor time is
// the whole process's, over the same stretch.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kSceneWidth = 1280, kSceneHeight = 720;  // px
constexpr int kBars = 58;                      // px, of menu and status bar: the scene is no smaller than asked for
constexpr double kSeconds = 5, kStep = 0.016;  // of dragging, between two movements
constexpr double kLongest = 300;               // s, to wait for anything

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// As the trace has it.
struct Picture {
  int divisor = 0;
  double ms = 0, at = 0, after = 0;  // that drawing it took; s of the steady clock, and of the processor
};

std::vector<Picture> pictures_of(const WindowRun& run) {
  std::istringstream lines(run.trace_text());
  std::vector<Picture> pictures;
  Picture p;
  for (std::string line; std::getline(lines, line);)
    if (std::sscanf(line.c_str(), "picture 1/%d drawn in %lf ms, on the screen at %lf after %lf", &p.divisor, &p.ms,
                    &p.at, &p.after) == 4)
      pictures.push_back(p);
  return pictures;
}

double most_megabytes(int process) {  // resident, at any time so far
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (double kb = 0; std::sscanf(line.c_str(), "VmHWM: %lf", &kb) == 1) return kb / 1000;
  return 0;
}

// Around and around within the scene, without a pause.
void drag_around(WindowRun& run) {
  const auto s = *run.state();
  const double x = s.x + 0.5 * s.width, y = s.y + 0.5 * s.height, reach = 0.25 * s.height;
  std::ostringstream words;
  words << "mousemove " << int(x + reach) << " " << int(y) << " sleep 0.1 mousedown 1";
  const int steps = int(kSeconds / kStep);
  for (int i = 1; i <= steps; ++i) {
    const double angle = 2 * M_PI * i / 120;
    words << " mousemove " << int(x + reach * std::cos(angle)) << " " << int(y + reach * std::sin(angle)) << " sleep "
          << kStep;
  }
  run.input(words.str());
}

bool measure(size_t splats, const fs::path& file) {
  const double start = now();
  WindowRun run({file.string()}, {}, R"({"left_open": false, "right_open": false, "renderer": 2})",
                {kSceneWidth, kSceneHeight + kBars});
  if (!run.can_run()) {
    fmt::print(stderr, "there is no Xvfb or no xdotool here\n");
    return false;
  }
  const auto settled = [](const auto& s) { return s.settled; };
  if (!run.wait(settled, kLongest)) return false;
  const std::vector<Picture> opening = pictures_of(run);
  const auto sharp = std::find_if(opening.begin(), opening.end(), [](const Picture& p) { return p.divisor == 1; });
  if (sharp == opening.end()) return false;
  const auto state = *run.state();

  const double drag_start = now();
  drag_around(run);
  const double drag_end = now();
  run.input("mouseup 1");
  if (!run.wait(settled, kLongest)) return false;

  std::vector<Picture> moving;
  double rest = 0, ms = 0;
  int coarsest = 0;
  for (const Picture& p : pictures_of(run)) {
    if (p.at > drag_start + 1 && p.at <= drag_end) moving.push_back(p);
    if (p.at > drag_end && p.divisor == 1 && rest == 0) rest = p.at - drag_end;
  }
  if (moving.size() < 2) return false;
  for (const Picture& p : moving) coarsest = std::max(coarsest, p.divisor), ms += p.ms;
  const double count = double(moving.size());
  fmt::print("| {} | {}x{} | {:.2f} | {:.2f} | {:.2f} | {:.1f} | 1/{} | {:.0f} | {:.0f} | {:.2f} | {:.0f} |\n", splats,
             state.width, state.height, opening.front().at - start, opening.front().after, sharp->at - start,
             count / (drag_end - drag_start - 1), coarsest, ms / count,
             1e3 * (moving.back().after - moving.front().after) / (count - 1), rest, most_megabytes(run.process()));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each line when it is known, also into a file
  std::vector<size_t> numbers;
  for (int i = 1; i < argc; ++i) numbers.push_back(size_t(std::strtoull(argv[i], nullptr, 10)));
  if (numbers.empty()) numbers = {3'000'000, 10'000'000};
  if (std::count(numbers.begin(), numbers.end(), size_t(0)) > 0) {
    fmt::print(stderr, "large_scene_benchmark [SPLATS...]\n");
    return 2;
  }
  fmt::print(
      "| splats | scene, px | first picture, s | processor until then, s | sharp, s | pictures/s | coarsest | drawing, "
      "ms | "
      "processor ms a picture | sharp at rest, s | memory at most, MB "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const size_t splats : numbers) {
    const splat::test::TempFolder folder;
    const fs::path file = folder.path() / "scene.ply";
    const auto written =
        io::write_splat_file(file, splat::bench::make_scene({splats, kSceneWidth, kSceneHeight}).model);
    if (!written || !measure(splats, file)) return 1;
  }
  return 0;
}
