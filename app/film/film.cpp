#include "app/film/film.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <thread>

#include "align/external_tool.h"
#include "app/console/host.h"
#include "app/console/interrupt.h"
#include "app/console/standard_streams.h"
#include "app/film/film_target.h"
#include "app/run/memory_plan.h"
#include "app/run/session.h"
#include "app/run/stage_line.h"
#include "io/paths/path_file.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// All that a picture depends on: a film that was interrupted goes on where it is the same.
json description(const RenderTask& task, const SplatInput& input, const FilmPlan& plan,
                 const splat::RenderSettings& look, bool whole) {
  std::error_code code;
  const FilmChoices& c = task.film;
  json film{{"version", 1},
            {"splats", fs::absolute(input.path, code).string()},
            {"splats_bytes", uint64_t(fs::file_size(input.path, code))},
            {"splats_written", int64_t(fs::last_write_time(input.path, code).time_since_epoch().count())},
            {"path", json::parse(io::path_json(plan.path))},
            {"fps", plan.per_second},
            {"seconds", plan.seconds},
            {"width", plan.width},
            {"height", plan.height},
            {"pictures", plan.pictures},
            {"projection", c.projection},
            {"transparent", c.transparent},
            {"samples", c.samples},
            {"shutter", c.shutter},
            {"aperture", c.aperture},
            {"backend", task.device.backend},
            {"background", look.background},
            {"antialias", look.antialias},
            {"low_pass", look.low_pass}};
  if (c.depth) film["depth_unit"] = plan.depth_unit;
  if (whole) film["crf"] = c.quality, film["first"] = plan.first, film["end"] = plan.end;
  return film;
}

class FilmRun {
 public:
  explicit FilmRun(const RenderTask& task)
      : task_(task), line_(choose_display(task.console.json, task.console.quiet)), output_(task.output) {}

  Outcome run() {
    bool encoded = is_film_name(output_);
    const fs::path ffmpeg = encoded ? align::find_program("ffmpeg") : fs::path();
    std::error_code code;
    if (!encoded && fs::exists(output_, code) && !fs::is_directory(output_, code))
      return bad_input(fmt::format("'{}' is a file; -o needs a folder for the pictures, or FILM.mp4, .webm or .mov",
                                   output_.string()));
    if (encoded && ffmpeg.empty()) {
      encoded = false;
      output_.replace_extension();
      splat::log::warning(fmt::format(
          "ffmpeg, which makes films, is not installed (on Debian or Ubuntu: sudo apt install ffmpeg): the pictures go "
          "to the folder '{}' instead",
          output_.string()));
    }
    const auto input = read_splat_input(task_.splats, task_.device.threads);
    if (!input) return bad_input(input.error());
    for (const std::string& warning : input->file.warnings) splat::log::warning(warning);
    if (Outcome outcome = plan_film(task_, *input, plan_); !outcome) return outcome;
    const splat::RenderSettings look = as_trained(task_.look, task_.low_pass_given, input->file.filter());
    const TargetSettings settings{output_, ffmpeg, description(task_, *input, plan_, look, encoded), task_.force};
    target_ = encoded ? encoded_target(settings, plan_, task_.film) : png_target(settings, plan_, task_.film.depth);
    if (const auto status = target_->check(); !status) return bad_input(status.error());
    const uint64_t pixels = uint64_t(plan_.width) * uint64_t(plan_.height);
    if (const auto status = check_drawing(host_memory(), pixels); !status) return bad_input(status.error());
    splat::BackendChoice chosen;
    if (Outcome outcome = open_backend(task_.device, chosen); !outcome) return outcome;
    chosen.backend->upload(input->file.gaussians);
    FrameDrawer drawer(*chosen.backend, plan_, task_.film, look, task_.device.threads);
    if (Outcome outcome = draw_all(drawer); !outcome) return outcome;
    report(chosen.backend->info().name, input->file.gaussians.size());
    return done();
  }

 private:
  // Draws here and writes on another thread.
  Outcome draw_all(FrameDrawer& drawer) {
    install_interrupt_handlers();
    const auto missing = target_->begin();
    if (!missing) return failed(missing.error());
    const size_t there = size_t(plan_.end - plan_.first) - missing->size();
    splat::log::info(fmt::format("{} pictures of {}x{}, {} of them there already", plan_.end - plan_.first, plan_.width,
                                 plan_.height, there));
    PictureQueue queue;
    splat::Status written;
    std::exception_ptr thrown;
    std::thread writer([&] {
      try {
        written = target_->write(queue);
      } catch (...) {
        thrown = std::current_exception();
      }
      if (!written || thrown) queue.close();
    });
    size_t drawn = 0;
    try {
      drawn = draw(drawer, *missing, queue);
    } catch (...) {
      queue.close();
      writer.join();
      throw;
    }
    drawn_ = drawn;
    drawn == missing->size() ? queue.finish() : queue.close();
    writer.join();
    line_.end();
    if (thrown) std::rethrow_exception(thrown);
    if (!written) return failed(written.error());
    if (drawn < missing->size())
      return {ExitCode::kInterrupted,
              fmt::format("interrupted after {} of {} pictures of '{}'; the same command goes on with it",
                          there + drawn, plan_.end - plan_.first, output_.string())};
    if (const auto status = target_->finish(); !status) return failed(status.error());
    return done();
  }

  size_t draw(FrameDrawer& drawer, const std::vector<int>& missing, PictureQueue& queue) {
    line_.begin("drawing");
    for (size_t i = 0; i < missing.size(); ++i) {
      if (interrupted() || !queue.put(drawer.draw(missing[i]))) return i;
      line_.step(i + 1, missing.size());
      if (i == kTimed && missing.size() > 4 * kTimed)
        splat::log::info(fmt::format("about {} to go", human_duration(line_.seconds_of_present() / double(i + 1) *
                                                                      double(missing.size() - i - 1))));
    }
    return missing.size();
  }

  void report(const std::string& backend, size_t splats) {
    const int pictures = plan_.end - plan_.first;
    if (task_.console.json)
      print_json({{"type", "summary"},
                  {"backend", backend},
                  {"splats", splats},
                  {"pictures", pictures},
                  {"drawn", drawn_},
                  {"fps", plan_.per_second},
                  {"seconds", line_.seconds()},
                  {"output", output_.string()}});
    else
      print("{} pictures, {:.4g} s of film, in {}\n", pictures, pictures / plan_.per_second, output_.string());
  }

  static constexpr size_t kTimed = 5;  // pictures, before a time is said

  const RenderTask& task_;
  StageLine line_;
  fs::path output_;
  FilmPlan plan_;
  std::unique_ptr<FilmTarget> target_;
  size_t drawn_ = 0;
};

}  // namespace

Outcome make_film(const RenderTask& task) { return FilmRun(task).run(); }

}  // namespace app
