#include "app/jobs/film/training_film.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <new>

#include "app/jobs/film/film_folder.h"
#include "app/jobs/film/kept_pictures.h"
#include "app/jobs/host/host.h"
#include "app/jobs/host/last_resort.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/training/disk_plan.h"
#include "io/files_below.h"
#include "io/image_file.h"
#include "splat/core/counted.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

// Time to draw a picture and write it as PNG, over that of a training iteration with as many pixels; on the CPU
// (docs/notebook/speed.md).
constexpr double kFrameCostPerIteration = 0.75;

// Bytes of a pixel in PNG: of plain scenes, and of leaves and grass.
constexpr double kLeastPngBytes = 0.1;
constexpr uint64_t kMostPngBytes = 2;

// The splats there are now as a file, a checkpoint with two moments of each number, and the small files.
uint64_t bytes_to_write(const TrainingRun& run) {
  constexpr uint64_t kSmall = 3'000'000;
  const uint64_t numbers = uint64_t(splat::parameters_per_splat(run.options().train.sh_degree)) + 3;
  return kSmall + run.trainer().splats() * 4 * numbers * sizeof(float);
}

// True where the disk of one of them is not known.
bool same_disk(const fs::path& a, const fs::path& b) {
  const auto device_of = [](fs::path path) -> uint64_t {
    struct stat found {};
    while (::stat(path.empty() ? "." : path.c_str(), &found) != 0 && !path.empty()) path = path.parent_path();
    return found.st_dev;
  };
  return device_of(a) == device_of(b);
}

}  // namespace

double drawing_share(const FilmPlan& film, uint64_t photo_pixels, int iterations) {
  const double pixels = double(film.pictures) * film.width * film.height;
  return kFrameCostPerIteration * pixels / (double(std::max<uint64_t>(photo_pixels, 1)) * std::max(iterations, 1));
}

TrainingFilm::TrainingFilm(const Options& options, Monitor& monitor)
    : monitor_(monitor), task_(render_task(options)), options_(options), fresh_(options.resume.empty()) {
  task_.output = options.film.of_training;
  if (task_.film.path.empty()) task_.film.path = "orbit";
}

TrainingFilm::~TrainingFilm() {
  if (writer_) writer_->drain();
}

Outcome TrainingFilm::check() {
  if (task_.output.empty()) return done();
  const bool by_views = is_ready_made(task_.film.path);
  if (by_views)
    path_.path = path_by_views({task_.film.path, task_.film.seconds, {}, {}}, {splat::view_of({}, 16, 16)});  // as long
  else if (Outcome outcome = choose_path({task_.film.path, 0, {}, {}}, {}, path_); !outcome)
    return outcome;
  auto place = film_place(task_.output);
  if (!place) return bad_input(place.error());
  place_ = std::move(*place);
  folder_ = place_.output;
  if (const auto status = task_.force ? splat::Status() : check_training_film(place_, options_); !status)
    return bad_input(status.error());
  if (Outcome outcome = plan_film(task_, path_, splat::Extent{}, plan_); !outcome) return outcome;
  if (!place_.encoded()) return done();
  folder_ += ".pictures";
  const auto status = encoded_target({place_.output, place_.ffmpeg, {}, task_.force}, plan_, task_.film)->check();
  return status ? done() : bad_input(status.error());
}

Outcome TrainingFilm::plan(TrainingRun& run) {
  if (task_.output.empty()) return done();
  if (is_ready_made(task_.film.path)) {
    std::vector<splat::View> views;
    for (const splat::DatasetView& view : run.dataset().views) views.push_back(view.view());
    path_.path = path_by_views({task_.film.path, task_.film.seconds, {}, {}}, views);
    if (Outcome outcome = plan_film(task_, path_, splat::Extent{}, plan_); !outcome) return outcome;
  }
  const uint64_t pixels = uint64_t(plan_.width) * uint64_t(plan_.height);
  if (const auto status = check_drawing(host_memory(), pixels); !status) return bad_input(status.error());
  run.drawn(pixels * kBytesPerFilmPixel / kBytesPerDrawnPixel);
  film_ = film_description(task_, plan_, splat::evaluation_settings(run.options().train));
  std::error_code code;
  film_["splats"] = fs::absolute(run.options().output, code).string();
  film_["iterations"] = run.options().train.iterations;
  return check_need(run);
}

bool TrainingFilm::goes_on() const { return !fresh_ && film_note(folder_, film_) == FilmNote::kSame; }

Outcome TrainingFilm::begin(TrainingRun& run) {
  if (task_.output.empty()) return done();
  pictures_ = png_target({folder_, {}, film_, task_.force, fresh_}, plan_, task_.film);
  if (const auto status = pictures_->check(); !status) return bad_input(status.error());
  if (const auto status = begin_pictures(run); !status) return bad_input(status.error());
  announce(run);
  drawer_.emplace(*run.backend().backend, plan_, task_.film, splat::evaluation_settings(run.options().train),
                  task_.device.threads, stopped());
  writer_.emplace(*pictures_, stopped());
  return done();
}

// Counts the pictures that a resumed run has drawn already.
splat::Status TrainingFilm::begin_pictures(const TrainingRun& run) {
  const ResumedFilm resumed{folder_,
                            film_,
                            plan_.width,
                            plan_.height,
                            plan_.pictures,
                            run.options().train.iterations,
                            run.trainer().iteration()};
  const bool continued = goes_on();
  const int others = continued ? keep_pictures(resumed) : 0;
  if (others > 0)
    log::warning(fmt::format("{} of the film stay as they are, of a run of another length: their iterations are gone",
                             splat::counted(size_t(others), "picture")));
  if (continued) SPLAT_TRY(write_film_note(folder_, film_));
  SPLAT_ASSIGN_OR_RETURN(missing_, pictures_->begin());
  if (fresh_ || continued || !place_.encoded()) return {};
  const int taken = take_pictures_back(resumed, place_, stopped());
  if (taken == 0) return {};
  log::info(fmt::format("{} of iterations before {} are taken from '{}'", splat::counted(size_t(taken), "picture"),
                        resumed.now, place_.output.string()));
  SPLAT_ASSIGN_OR_RETURN(missing_, pictures_->begin());
  return {};
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
      std::count_if(missing_.begin(), missing_.end(), [&](int picture) { return due_at(picture, run) < now; });
  if (late > 0)
    log::warning(fmt::format(
        "{} pictures of the film are of iterations before {} and were not kept: they show that one", late, now));
}

int TrainingFilm::due_at(int picture, const TrainingRun& run) const {
  return iteration_of(picture, plan_.pictures, run.options().train.iterations);
}

Outcome TrainingFilm::draw(TrainingRun& run) {
  while (writer_ && next_ < missing_.size() && missing_[next_] + 1 < plan_.pictures && !monitor_.cancelled() &&
         due_at(missing_[next_], run) <= run.trainer().iteration())
    if (Outcome outcome = draw_next(run); !outcome) return outcome;
  return done();
}

void TrainingFilm::give_up(const splat::Error& why) {
  status_ = why;
  writer_.reset();
  log::warning(why.message + ": the film ends here, training goes on");
}

// What the pictures that are missing take of the disk, beside the run's own files, and who encodes them of memory.
Outcome TrainingFilm::check_need(const TrainingRun& run) const {
  const bool continued = goes_on();
  uint64_t missing = 0;
  std::error_code code;
  for (int i = 0; i < plan_.pictures; ++i) missing += !continued || !fs::exists(picture_file(folder_, i), code);
  const uint64_t pixels = uint64_t(plan_.width) * uint64_t(plan_.height), all = missing * pixels;
  const uint64_t least = uint64_t(kLeastPngBytes * double(all)), most = kMostPngBytes * all;
  const uint64_t run_bytes = same_disk(folder_, run.options().output) ? bytes_to_write(run) : 0;
  const uint64_t free = free_disk_bytes(folder_);
  log::info(fmt::format("film: {} to {} of disk for its pictures, {} of memory{}", human_bytes(least),
                        human_bytes(most), human_bytes(pixels * kBytesPerFilmPixel),
                        place_.encoded() ? fmt::format(", and about {} of ffmpeg's at the end",
                                                       human_bytes(encoder_bytes(place_.output, pixels)))
                                         : ""));
  if (free < least + run_bytes)
    return bad_input(
        fmt::format("the pictures of the film need at least {} of disk beside the {} of the run itself, and "
                    "'{}' has {} free: free some space, or make the film smaller (--size, --seconds)",
                    human_bytes(least), human_bytes(run_bytes), folder_.string(), human_bytes(free)));
  if (free < most + run_bytes)
    log::warning(
        fmt::format("the disk of '{}' has {} free, which may be too little for the film: where it is, the film "
                    "ends early, and the run goes on",
                    folder_.string(), human_bytes(free)));
  return done();
}

// Splats and checkpoint, twice as large as now, come before pictures.
splat::Status TrainingFilm::check_room(const TrainingRun& run) const {
  if (!same_disk(folder_, run.options().output)) return {};
  const uint64_t free = free_disk_bytes(folder_), kept = 2 * bytes_to_write(run);
  if (free >= kept + kMostPngBytes * uint64_t(plan_.width) * uint64_t(plan_.height)) return {};
  return splat::Error{fmt::format("the disk of '{}' has {} free, which the splats and the checkpoint need",
                                  folder_.string(), human_bytes(free))};
}

// A film that cannot be written ends; training does not.
Outcome TrainingFilm::draw_next(TrainingRun& run) try {
  const auto start = std::chrono::steady_clock::now();
  if (const auto room = check_room(run); !room)
    give_up(room.error());
  else if (writer_->put(drawer_->draw(missing_[next_])))
    ++next_;
  else if (const splat::Status written = writer_->end(false); !written)
    give_up(written.error());
  spent_ += std::chrono::steady_clock::now() - start;
  return done();
} catch (const splat::Stopped&) {  // the run itself says what that means
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
  while (writer_ && next_ < missing_.size() && !monitor_.cancelled())
    if (Outcome outcome = draw_next(run); !outcome) return outcome;
  const bool whole = next_ == missing_.size();
  if (writer_ && whole) status_ = writer_->end(true);
  if (writer_ && (!whole || writer_->cut_short()))
    return {ExitCode::kInterrupted,
            fmt::format("interrupted when {} of {} pictures of '{}' were drawn; the run itself is written",
                        size_t(plan_.pictures) - (missing_.size() - next_), plan_.pictures, place_.output.string())};
  writer_.reset();
  if (!status_) return failed(status_.error());
  log::info(fmt::format("drawing the pictures of the film took {}", human_duration(spent_.count())));
  if (place_.encoded())
    if (Outcome outcome = encode(); !outcome) return outcome;
  monitor_.result({{"type", "film"},
                   {"pictures", plan_.pictures},
                   {"fps", plan_.per_second},
                   {"seconds", spent_.count()},
                   {"output", place_.output.string()}},
                  fmt::format("film      {} ({} pictures, {:.4g} s)\n", splat::printable(place_.output.string()),
                              plan_.pictures, plan_.pictures / plan_.per_second));
  return done();
}

Outcome TrainingFilm::interrupted_encoding() const {
  return {ExitCode::kInterrupted, fmt::format("interrupted before '{}' was encoded; its pictures are in '{}'",
                                              place_.output.string(), folder_.string())};
}

Outcome TrainingFilm::encode() {
  TargetSettings settings{place_.output,
                          place_.ffmpeg,
                          {},
                          task_.force,
                          false,
                          stopped(),
                          film_comment(film_, film_["iterations"].get<int>())};
  // Pieces of a film that was encoded before are of other pictures.
  settings.film = {{"splats", folder_.string()},
                   {"began", std::chrono::system_clock::now().time_since_epoch().count()}};
  const auto target = encoded_target(settings, plan_, task_.film);
  if (const auto status = target->check(); !status) return failed(status.error());
  if (const auto begun = target->begin(); !begun) return failed(begun.error());
  FilmWriter writer(*target, stopped());
  bool whole = true;
  for (int i = 0; i < plan_.pictures && whole; ++i) {
    auto image = io::read_image(picture_file(folder_, i));
    if (!image) return failed(image.error());
    whole = !monitor_.cancelled() && writer.put({i, std::move(*image), {}});
  }
  if (const auto status = writer.end(whole); !status) return failed(status.error());
  if (!whole || writer.cut_short() || monitor_.cancelled()) return interrupted_encoding();
  if (const auto status = target->finish(); !status)
    return monitor_.cancelled() ? interrupted_encoding() : failed(status.error());
  std::error_code code;
  for (int i = 0; i < plan_.pictures; ++i) fs::remove(picture_file(folder_, i), code);
  fs::remove(folder_ / "film.json", code);
  fs::remove(folder_, code);  // only where nothing of others is in it
  return done();
}

}  // namespace app
