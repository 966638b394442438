// What looking on costs training: live_benchmark DATASET SECONDS [RESOLUTION]
// Trains twice from the start, without and with a view of 1280x720 that moves all the time, and prints iterations and
// pictures a second, and the longest call that the window made.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/app_live/live_window.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

struct Figures {
  double iterations_per_second = 0, pictures_per_second = 0, view_share = 0, longest_call_ms = 0;
};

Figures measure(const std::string& dataset, double seconds, int resolution, bool looking) {
  const splat::test::TempFolder folder;
  LiveWindow window(0);
  window.send(viewer::OpenPath{dataset});
  if (!window.wait([&] { return window.dataset.has_value(); })) return {};
  viewer::TrainingChoices choices;
  choices.iterations = 30000;
  choices.resolution = resolution;
  choices.output = folder.path() / "run";
  choices.checkpoint_every = 0;
  window.send(viewer::StartTraining{choices});
  if (!window.wait_for(viewer::RunStatus::kRunning, 60)) return {};
  splat::View view = window.dataset->cameras[0].view;
  view.camera = {1280, 720, 900, 900, 640, 360};
  const auto start = std::chrono::steady_clock::now();
  window.images = 0;
  window.wait(
      [&] {
        view.cam_from_world.translation[0] += 1e-4;
        if (looking) window.look(viewer::RenderRequest{view, {}});
        return false;
      },
      seconds);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {window.training.iteration / took, window.images / took, window.training.view_share, window.longest_call_ms()};
}

}  // namespace
}  // namespace app::test

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "live_benchmark DATASET SECONDS [RESOLUTION]\n");
    return 2;
  }
  const int resolution = count > 3 ? std::atoi(words[3]) : 0;
  for (const bool looking : {false, true}) {
    const auto f = app::test::measure(words[1], std::atof(words[2]), resolution, looking);
    fmt::print("{}: {:.2f} it/s, {:.1f} pictures/s, {:.1f} % of the time for pictures, longest call {:.2f} ms\n",
               looking ? "looking on" : "alone", f.iterations_per_second, f.pictures_per_second, 100 * f.view_share,
               f.longest_call_ms);
  }
}
