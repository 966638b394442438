#include "app/jobs/film/film.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <utility>

#include "app/jobs/film/film_place.h"
#include "app/jobs/film/film_script.h"
#include "app/jobs/film/film_writer.h"
#include "app/jobs/host/host.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/session.h"
#include "app/jobs/stage_times.h"
#include "app/jobs/work_memory.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"
#include "splat/model/near_scale.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// All that a picture depends on: a film that was interrupted goes on where it is the same.
json description(const RenderTask& task, const SplatInput& input, const FilmPlan& plan,
                 const splat::RenderSettings& look, bool whole) {
  std::error_code code;
  json film = film_description(task, plan, look);
  film["splats"] = fs::absolute(input.path, code).string();
  film["splats_bytes"] = uint64_t(fs::file_size(input.path, code));
  film["splats_written"] = int64_t(fs::last_write_time(input.path, code).time_since_epoch().count());
  if (whole) film["crf"] = task.film.quality, film["first"] = plan.first, film["end"] = plan.end;
  return film;
}

class FilmRun {
 public:
  FilmRun(const RenderTask& task, Monitor& monitor, FilmLoan* loan)
      : task_(task), monitor_(monitor), loan_(loan), output_(task.output) {}

  Outcome run() {
    auto place = film_place(output_);
    if (!place) return bad_input(place.error());
    output_ = place->output;
    const bool encoded = place->encoded();
    if (loan_) loan_->output = output_;
    auto input = read_splat_input(task_.splats, task_.device.threads);
    if (!input) return bad_input(input.error());
    for (const std::string& warning : input->file.warnings) splat::log::warning(warning);
    if (Outcome outcome = plan_film(task_, *input, plan_); !outcome) return outcome;
    const splat::RenderSettings look = as_trained(task_.look, task_.low_pass_given, input->file.filter());
    const TargetSettings settings{output_,     place->ffmpeg, description(task_, *input, plan_, look, encoded),
                                  task_.force, false,         [this] { return stopped(); }};
    target_ = encoded ? encoded_target(settings, plan_, task_.film) : png_target(settings, plan_, task_.film);
    if (const auto status = target_->check(); !status) return bad_input(status.error());
    if (!encoded && task_.film.projection == "stereo")
      splat::log::info("PNG has no mark of two eyes: whoever shows the pictures has to know, left eye left");
    const uint64_t pixels = uint64_t(plan_.width) * uint64_t(plan_.height);
    if (const auto status = check_drawing(host_memory(), pixels); !status) return bad_input(status.error());
    if (task_.film.slurm > 0) return write_script(input->file.gaussians.size());
    splat::BackendChoice chosen;
    if (Outcome outcome = choose_backend(input->file.gaussians.size(), pixels, chosen); !outcome) return outcome;
    const uint64_t model = loan_ ? 0 : bytes_to_draw(chosen.backend->info(), input->file.gaussians, 0);
    if (const auto status = check_memory(model, pixels, encoded); !status) return bad_input(status.error());
    const double times = splat::near_scale(input->file.gaussians);
    input->file.gaussians = splat::enlarged(std::move(input->file.gaussians), times);
    chosen.backend->upload(input->file.gaussians);
    const FilmPlan drawn_plan = enlarged(plan_, times);
    FilmSettings drawn_choices = task_.film;
    drawn_choices.aperture *= times;
    FrameDrawer drawer(*chosen.backend, drawn_plan, drawn_choices, look, task_.device.threads,
                       [this] { return stopped(); });
    if (Outcome outcome = draw_all(drawer); !outcome) return outcome;
    report(chosen.backend->info().name, input->file.gaussians.size());
    return done();
  }

 private:
  Outcome choose_backend(uint64_t splats, uint64_t pixels, splat::BackendChoice& chosen) {
    if (!loan_) return open_backend(task_.device, chosen);
    auto lent = loan_->lend(splats, pixels);
    if (!lent) return {ExitCode::kNoBackend, lent.error().message};
    chosen.backend = std::move(*lent);
    return done();
  }

  // Room for the model where it is drawn, for the pictures that wait, and for ffmpeg beside them.
  splat::Status check_memory(uint64_t model, uint64_t pixels, bool encoded) const {
    const uint64_t encoder = encoded ? encoder_bytes(output_, pixels) : 0;
    const uint64_t all = model + pixels * kBytesPerFilmPixel + encoder;
    const uint64_t available = host_memory().available_bytes;
    if (all <= available) return {};
    return splat::Error{fmt::format(
        "a film of {}x{} needs about {} of memory ({} of it ffmpeg's), and {} are available: make it smaller (--size), "
        "or give a folder for its pictures",
        plan_.width, plan_.height, human_bytes(all), human_bytes(encoder), human_bytes(available))};
  }

  bool stopped() { return monitor_.cancelled(); }

  // Draws here and writes on another thread.
  Outcome draw_all(FrameDrawer& drawer) {
    const auto missing = target_->begin();
    if (!missing) return failed(missing.error());
    const size_t count = missing->size();
    splat::log::info(fmt::format("{} of {}x{}, {} of them to draw{}",
                                 splat::counted(plan_.end - plan_.first, "picture"), plan_.width, plan_.height, count,
                                 is_task() ? " in this task" : ""));
    FilmWriter writer(*target_, [this] { return stopped(); });
    drawn_ = draw(drawer, *missing, writer);
    const splat::Status written = writer.end(drawn_ == count);
    monitor_.end();
    if (!written) return failed(written.error());
    if (drawn_ < count || writer.cut_short()) return interrupted_after(count);
    if (is_task()) return done();
    if (const auto status = target_->finish(); !status)
      return stopped() ? interrupted_after(count) : failed(status.error());
    return done();
  }

  Outcome interrupted_after(size_t count) const {
    return {ExitCode::kInterrupted,
            fmt::format("interrupted after {} of {} missing pictures of '{}'; the same command goes on with it", drawn_,
                        count, output_.string())};
  }

  // How many.
  size_t draw(FrameDrawer& drawer, const std::vector<int>& missing, FilmWriter& writer) {
    monitor_.stage("drawing");
    size_t i = 0;
    try {
      for (; i < missing.size(); ++i) {
        if (stopped() || !writer.put(drawer.draw(missing[i]))) return i;
        monitor_.step(i + 1, missing.size());
        if (i == kTimed && missing.size() > 4 * kTimed)
          splat::log::info(fmt::format("about {} to go", human_duration(monitor_.seconds_of_present() / double(i + 1) *
                                                                        double(missing.size() - i - 1))));
      }
    } catch (const splat::Stopped&) {
    }
    return i;
  }

  // Instead of the film. Where there is anything to be said against it, that was said before.
  Outcome write_script(size_t splats) {
    const int parts = is_film_name(output_) ? pieces_of(plan_) : plan_.end - plan_.first;
    fs::path file = output_;
    file += ".slurm.sh";
    if (const auto status = check_replaceable(file, FileKind::kScript, {.force = task_.force}); !status)
      return bad_input(status.error());
    if (const auto status = write_film_script(file, task_, std::min(task_.film.slurm, parts), splats, plan_); !status)
      return failed(status.error());
    monitor_.result({{"type", "summary"}, {"script", file.string()}}, splat::printable(file.string()) + "\n");
    return done();
  }
  bool is_task() const { return task_.film.tasks > 0; }

  void report(const std::string& backend, size_t splats) {
    const int pictures = plan_.end - plan_.first;
    const std::string output = splat::printable(output_.string());
    monitor_.result({{"type", "summary"},
                     {"backend", backend},
                     {"splats", splats},
                     {"pictures", pictures},
                     {"drawn", drawn_},
                     {"fps", plan_.per_second},
                     {"seconds", monitor_.seconds()},
                     {"output", output_.string()}},
                    is_task() ? fmt::format("{} for {}\n", splat::counted(drawn_, "picture"), output)
                              : fmt::format("{}, {:.4g} s of film, in {}\n", splat::counted(pictures, "picture"),
                                            pictures / plan_.per_second, output));
  }

  static constexpr size_t kTimed = 5;  // pictures, before a time is said

  const RenderTask& task_;
  StageTimes monitor_;
  FilmLoan* loan_;  // null: none
  fs::path output_;
  FilmPlan plan_;
  std::unique_ptr<FilmTarget> target_;
  size_t drawn_ = 0;
};

}  // namespace

Outcome make_film(const RenderTask& task, Monitor& monitor, FilmLoan* loan) {
  return FilmRun(task, monitor, loan).run();
}

}  // namespace app
