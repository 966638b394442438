#include "app/film/training_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "app/console/host.h"
#include "app/console/interrupt.h"
#include "app/console/last_resort.h"
#include "app/console/standard_streams.h"
#include "app/film/film_folder.h"
#include "app/run/memory_plan.h"
#include "app/run/replaced_file.h"
#include "io/image_file.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

// Times as long as an iteration for as many pixels, drawn and written as PNG, on the CPU (docs/notebook/speed.md).
constexpr double kDrawing = 0.75;

}  // namespace

double drawing_share(const FilmPlan& film, uint64_t photo_pixels, int iterations) {
  const double pixels = double(film.pictures) * film.width * film.height;
  return kDrawing * pixels / (double(std::max<uint64_t>(photo_pixels, 1)) * std::max(iterations, 1));
}

TrainingFilm::TrainingFilm(const Options& options)
    : task_(render_task(options)), options_(options), fresh_(options.resume.empty()) {
  task_.output = options.film.of_training;
  if (task_.film.path.empty()) task_.film.path = "orbit";
}

TrainingFilm::~TrainingFilm() {
  if (writer_) writer_->drain();
}

Outcome TrainingFilm::check() {
  if (task_.output.empty()) return done();
  if (!is_ready_made(task_.film.path))
    if (Outcome outcome = choose_path({task_.film.path, 0, {}, {}}, {}, path_); !outcome) return outcome;
  auto place = film_place(task_.output);
  if (!place) return bad_input(place.error());
  place_ = std::move(*place);
  folder_ = place_.output;
  if (const auto status = task_.force ? splat::Status() : check_training_film(place_, options_); !status)
    return bad_input(status.error());
  if (!place_.encoded()) return done();
  folder_ += ".pictures";
  const auto status = check_replaceable(place_.output, FileKind::kFilm, {.force = task_.force});
  return status ? done() : bad_input(status.error());
}

Outcome TrainingFilm::begin(TrainingRun& run) {
  if (task_.output.empty()) return done();
  if (is_ready_made(task_.film.path)) {
    std::vector<splat::View> views;
    for (const splat::DatasetView& view : run.dataset().views) views.push_back(view.view());
    path_.path = path_by_views({task_.film.path, task_.film.seconds, {}, {}}, views);
  }
  if (Outcome outcome = plan_film(task_, path_, splat::Extent{}, plan_); !outcome) return outcome;
  const uint64_t pixels = uint64_t(plan_.width) * uint64_t(plan_.height);
  if (const auto status = check_drawing(host_memory(), pixels); !status) return bad_input(status.error());
  run.drawn(pixels);
  const splat::RenderSettings look = splat::evaluation_settings(run.options().train);
  TargetSettings settings{folder_, {}, film_description(task_, plan_, look), task_.force, fresh_};
  std::error_code code;
  settings.film["splats"] = fs::absolute(run.options().output, code).string();
  pictures_ = png_target(settings, plan_, task_.film);
  if (const auto status = pictures_->check(); !status) return bad_input(status.error());
  auto missing = pictures_->begin();
  if (!missing) return bad_input(missing.error());
  missing_ = std::move(*missing);
  announce(run);
  drawer_.emplace(*run.backend().backend, plan_, task_.film, look, task_.device.threads);
  writer_.emplace(*pictures_);
  return done();
}

void TrainingFilm::announce(const TrainingRun& run) const {
  const int iterations = run.options().train.iterations, now = run.trainer().iteration();
  const double share = drawing_share(plan_, most_pixels(run.dataset()), iterations);
  log::info(
      fmt::format("film: {} pictures of {}x{}, {} of them there already; all take about as long to draw as {:.0f} "
                  "iterations, {:.1f} % of the run",
                  plan_.pictures, plan_.width, plan_.height, size_t(plan_.pictures) - missing_.size(),
                  share * iterations, 100 * share));
  const auto late =
      std::count_if(missing_.begin(), missing_.end(), [&](int picture) { return iteration_of(picture, run) < now; });
  if (late > 0)
    log::warning(fmt::format(
        "{} pictures of the film are of iterations before {} and were not kept: they show that one", late, now));
}

// After which of them it is drawn: the first that is as far in the run as the picture is in the film.
int TrainingFilm::iteration_of(int picture, const TrainingRun& run) const {
  const int64_t last = std::max(plan_.pictures - 1, 1), iterations = run.options().train.iterations;
  return int((picture * iterations + last - 1) / last);
}

Outcome TrainingFilm::draw(TrainingRun& run) {
  while (writer_ && next_ < missing_.size() && missing_[next_] + 1 < plan_.pictures && !interrupted() &&
         iteration_of(missing_[next_], run) <= run.trainer().iteration())
    if (Outcome outcome = draw_next(run); !outcome) return outcome;
  return done();
}

// A film that cannot be written ends; training does not.
Outcome TrainingFilm::draw_next(TrainingRun& run) try {
  const auto start = std::chrono::steady_clock::now();
  if (writer_->put(drawer_->draw(missing_[next_]))) {
    ++next_;
  } else {
    status_ = writer_->end(false);
    writer_.reset();
    log::warning(status_.error().message + ": the film ends here, training goes on");
  }
  spent_ += std::chrono::steady_clock::now() - start;
  return done();
} catch (const splat::DeviceError& error) {
  return run.failed_keeping_state(error.what());
} catch (const std::bad_alloc&) {
  return run.failed_keeping_state(out_of_memory());
}

Outcome TrainingFilm::finish(TrainingRun& run) {
  if (task_.output.empty()) return done();
  // What lies around a region is no part of the result.
  if (writer_ && !run.options().train.region.empty()) run.backend().backend->upload(run.trainer().model());
  while (writer_ && next_ < missing_.size() && !interrupted())
    if (Outcome outcome = draw_next(run); !outcome) return outcome;
  if (writer_ && next_ < missing_.size())
    return {ExitCode::kInterrupted,
            fmt::format("interrupted when {} of {} pictures of '{}' were drawn; the run itself is written",
                        size_t(plan_.pictures) - (missing_.size() - next_), plan_.pictures, place_.output.string())};
  if (writer_) status_ = writer_->end(true);
  writer_.reset();
  if (!status_) return failed(status_.error());
  log::info(fmt::format("drawing the pictures of the film took {}", human_duration(spent_.count())));
  if (place_.encoded())
    if (Outcome outcome = encode(); !outcome) return outcome;
  if (task_.console.json)
    print_json({{"type", "film"},
                {"pictures", plan_.pictures},
                {"fps", plan_.per_second},
                {"seconds", spent_.count()},
                {"output", place_.output.string()}});
  else
    print("film      {} ({} pictures, {:.4g} s)\n", place_.output.string(), plan_.pictures,
          plan_.pictures / plan_.per_second);
  return done();
}

Outcome TrainingFilm::encode() {
  TargetSettings settings{place_.output, place_.ffmpeg, {}, task_.force};
  // Pieces of a film that was encoded before are of other pictures.
  settings.film = {{"splats", folder_.string()},
                   {"began", std::chrono::system_clock::now().time_since_epoch().count()}};
  const auto target = encoded_target(settings, plan_, task_.film);
  if (const auto status = target->check(); !status) return failed(status.error());
  if (const auto begun = target->begin(); !begun) return failed(begun.error());
  FilmWriter writer(*target);
  bool whole = true;
  for (int i = 0; i < plan_.pictures && whole; ++i) {
    auto image = io::read_image(picture_file(folder_, i));
    if (!image) return failed(image.error());
    whole = !interrupted() && writer.put({i, std::move(*image), {}});
  }
  if (const auto status = writer.end(whole); !status) return failed(status.error());
  if (!whole)
    return {ExitCode::kInterrupted, fmt::format("interrupted before '{}' was encoded; its pictures are in '{}'",
                                                place_.output.string(), folder_.string())};
  if (const auto status = target->finish(); !status) return failed(status.error());
  std::error_code code;
  for (int i = 0; i < plan_.pictures; ++i) fs::remove(picture_file(folder_, i), code);
  fs::remove(folder_ / "film.json", code);
  fs::remove(folder_, code);  // only where nothing of others is in it
  return done();
}

}  // namespace app
