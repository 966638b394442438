// What looking on costs training, as Markdown for docs/benchmarks.md:
//   live_benchmark DATASET [ITERATIONS] [ROUNDS]        default: 400 iterations, 3 rounds
// In each round the same run (preset "Fast": photos up to 640 px) is trained alone, then with a live view of 1280x720
// that moves all the time, then by the program with its window open on the display that DISPLAY names, else on a
// virtual one, where software OpenGL draws the window on the processor that trains. Runs with one seed do the same
// arithmetic, so that their times compare. Processor time is the whole process's (alone and live view: without the
// thread that stands for the window), so it holds what the pictures took as well; work that goes by the clock takes a
// larger part of an iteration where other programs slow the run down. Thumbnails are waited for, and iterations begin
// to count after the first 50.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "studio/names.h"
#include "tests/studio/live_window.h"
#include "tests/support/temp_folder.h"
#ifdef HIPSPLAT_WINDOW
#include "tests/studio/window/window_run.h"
#endif

namespace studio::test {
namespace {

constexpr int kWarmUp = 50;       // iterations
constexpr double kLongest = 300;  // s, of a run
using Clock = std::chrono::steady_clock;

struct Figures {
  double iterations_per_second = 0, cpu_ms = 0;  // cpu_ms: of an iteration
  double pictures_per_second = 0, view_share = 0, longest_call_ms = 0;
};

double cpu_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// From the first look at the warm run to the last.
class Span {
 public:
  void begin(int iteration, double cpu) { first_ = iteration, cpu_ = cpu, start_ = Clock::now(); }
  bool begun() const { return first_ >= 0; }
  Figures end(int iteration, double cpu) const {
    const double seconds = this->seconds(), iterations = std::max(iteration - first_, 1);
    return {iterations / seconds, 1e3 * (cpu - cpu_) / iterations, 0, 0, 0};
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  int first_ = -1;
  double cpu_ = 0;
  Clock::time_point start_;
};

std::optional<Figures> session_run(const std::string& dataset, int iterations, bool looking) {
  const splat::test::TempFolder folder;
  LiveWindow window(0);
  window.send(studio::OpenPath{dataset});
  const auto opened = [&] { return window.dataset && window.thumbnails.size() == window.dataset->cameras.size(); };
  if (!window.wait(opened, kLongest)) return std::nullopt;
  studio::TrainingChoices choices;  // those of the preset "Fast"
  choices.train.iterations = 2000, choices.dataset.resolution = 640, choices.train.sh_degree = 2;
  choices.output = folder.path() / "run";
  window.send(studio::StartTraining{choices});
  if (!window.wait_for(studio::RunStatus::kRunning, kLongest)) return std::nullopt;
  splat::View view = window.dataset->cameras[0].view;
  view.camera = {1280, 720, 900, 900, 640, 360};
  const auto cpu = [] { return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_seconds(CLOCK_THREAD_CPUTIME_ID); };
  Span span;
  const bool done = window.wait(
      [&] {
        view.cam_from_world.translation[0] += 1e-4;
        if (looking) window.look(viewer::RenderRequest{view, {}});
        if (!span.begun() && window.training.iteration >= kWarmUp) {
          span.begin(window.training.iteration, cpu());
          window.images = 0;
        }
        return window.training.iteration >= iterations;
      },
      kLongest);
  if (!done) return std::nullopt;
  Figures figures = span.end(window.training.iteration, cpu());
  figures.pictures_per_second = window.images / span.seconds();
  figures.view_share = window.training.view_share;
  figures.longest_call_ms = window.longest_call_ms();
  return figures;
}

#ifdef HIPSPLAT_WINDOW
std::optional<Figures> window_run(const std::string& dataset, int iterations) {
  const splat::test::TempFolder folder;
  const std::filesystem::path copy = folder.path() / "data";  // results go beside it
  std::filesystem::copy(dataset, copy, std::filesystem::copy_options::recursive);
  ::test::WindowRun run({copy.string()});
  if (!run.can_run()) return std::nullopt;
  const auto opened = [&](const auto& s) {
    return s.photos > 0 && run.trace_text().find(fmt::format("\"thumbnails\":{},", s.photos)) != std::string::npos;
  };
  if (!run.wait(opened, kLongest)) return std::nullopt;
  run.click("Fast");
  run.input("key ctrl+t");
  Span span;
  const auto reached = [&](int wanted) {
    return run.wait([&](const auto& s) { return s.iteration >= wanted; }, kLongest);
  };
  if (!reached(kWarmUp)) return std::nullopt;
  span.begin(run.state()->iteration, ::test::process_cpu_seconds(run.process()));
  if (!reached(iterations)) return std::nullopt;
  return span.end(run.state()->iteration, ::test::process_cpu_seconds(run.process()));
}
#else
std::optional<Figures> window_run(const std::string&, int) { return std::nullopt; }
#endif

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Every kind's runs, one after another in each round.
struct Kind {
  const char* name;
  std::vector<Figures> runs;

  double median_of(double Figures::*figure) const {
    std::vector<double> values;
    for (const Figures& run : runs) values.push_back(run.*figure);
    return median(std::move(values));
  }
  // Round by round, the median and both ends: what else the machine does changes less within a round.
  template <class Change>
  std::string against(const Kind& alone, const Change& change) const {
    std::vector<double> values;
    for (size_t round = 0; round < runs.size(); ++round) values.push_back(change(runs[round], alone.runs[round]));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{:+.1f} ({:+.1f} to {:+.1f})", median(values), *low, *high);
  }
};

void print_run(const char* name, const Figures& f) {
  fmt::print("| {} | {:.2f} | {:.1f} | {:.1f} | {:.1f} % | {:.2f} |\n", name, f.iterations_per_second, f.cpu_ms,
             f.pictures_per_second, 100 * f.view_share, f.longest_call_ms);
}

int compare(const std::string& dataset, int iterations, int rounds) {
  fmt::print("| run | it/s | processor ms an iteration | pictures/s | share for pictures | longest call, ms |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  Kind kinds[] = {{"alone", {}}, {"live view", {}}, {"window", {}}};
  for (int round = 0; round < rounds; ++round)
    for (int kind = 0; kind < 3; ++kind) {
      const auto figures = kind < 2 ? session_run(dataset, iterations, kind == 1) : window_run(dataset, iterations);
      if (!figures) {
        if (kind == 2) continue;  // no display
        fmt::print(stderr, "'{}' could not be trained\n", dataset);
        return 1;
      }
      kinds[kind].runs.push_back(*figures);
      print_run(kinds[kind].name, *figures);
    }
  fmt::print(
      "\n| medians of {} | it/s | against alone, % | processor ms an iteration | against alone, % |"
      " processor beyond alone, ms a second |\n",
      rounds);
  fmt::print("|---|---|---|---|---|---|\n");
  const auto speed = &Figures::iterations_per_second, cpu = &Figures::cpu_ms;
  for (const Kind& kind : kinds) {
    if (kind.runs.size() != size_t(rounds)) continue;
    const auto percent = [&](double Figures::*figure) {
      return kind.against(kinds[0],
                          [&](const Figures& a, const Figures& b) { return 100 * (a.*figure / (b.*figure) - 1); });
    };
    const auto beyond = [&](const Figures& a, const Figures& b) {
      return (a.cpu_ms - b.cpu_ms) * a.iterations_per_second;
    };
    fmt::print("| {} | {:.2f} | {} | {:.1f} | {} | {} |\n", kind.name, kind.median_of(speed), percent(speed),
               kind.median_of(cpu), percent(cpu), kind.against(kinds[0], beyond));
  }
  return 0;
}

}  // namespace
}  // namespace studio::test

int main(int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each line when it is known, also into a file
  if (count < 2) {
    fmt::print(stderr, "live_benchmark DATASET [ITERATIONS] [ROUNDS]\n");
    return 2;
  }
  const int iterations = count > 2 ? std::atoi(words[2]) : 400, rounds = count > 3 ? std::atoi(words[3]) : 3;
  if (iterations <= studio::test::kWarmUp || rounds < 1) {
    fmt::print(stderr, "more than {} iterations and at least one round, please\n", studio::test::kWarmUp);
    return 2;
  }
  return studio::test::compare(words[1], iterations, rounds);
}
