#include "studio/film/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "app/jobs/film/film.h"
#include "app/jobs/film/film_plan.h"
#include "app/jobs/film/frame_drawer.h"
#include "app/jobs/host/host.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "io/paths/path_file.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/model/near_scale.h"
#include "studio/documents/training_choices.h"
#include "studio/film/film_task.h"
#include "studio/job_monitor.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kLargePreview = 640 * 360, kSmallPreview = 160 * 90;  // px
constexpr int kMostSamples = 4;                                        // of a preview
constexpr const char* kIfClosed = "The film is not done. Made again, it goes on where it was.";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Beside the film. Another file of that name stays, and so does another path, but where it is that of a film which is
// replaced or goes on.
splat::Status keep_path(const fs::path& film, const splat::CameraPath& path) {
  const fs::path file = path_file_of(film);
  std::error_code code;
  if (fs::exists(file, code)) {
    const auto there = io::read_path_file(file);
    if (!there)
      return splat::Error{
          fmt::format("'{}' is there already and is no camera path: choose another name for the film", file.string())};
    const bool of_the_film = fs::exists(film, code) || fs::exists(film.string() + ".parts", code);
    if (!of_the_film && io::path_json(there->path) != io::path_json(path))
      return splat::Error{fmt::format(
          "'{}' is there already, and is another camera path: choose another name for the film", file.string())};
  }
  return io::write_path_file(file, path);
}

// The same shape with about this number of pixels; 360-degree pictures stay twice as wide as high.
void shrink(RenderTask& task, double pixels) {
  const double by = std::sqrt(pixels / (double(task.film.width) * task.film.height));
  if (by >= 1) return;
  task.film.height = std::max(16, int(std::lround(by * task.film.height / 2)) * 2);
  task.film.width = std::max(16, int(std::lround(by * task.film.width / 2)) * 2);
  if (task.film.projection == "360") task.film.width = 2 * task.film.height;
}

struct Drawn {
  FilmPicture picture;
  double seconds = 0, pixels = 0;
  int pictures = 0;  // of the film
};

// The backend has the splats, enlarged by near_scale().
splat::Result<Drawn> draw(const RenderTask& task, const io::PathFile& path, double at, const splat::Gaussians& splats,
                          splat::Backend& backend, const splat::RenderSettings& look) {
  FilmPlan plan;
  const splat::Extent extent = splat::robust_extent(splats).value_or(splat::Extent{});
  if (const Outcome outcome = plan_film(task, path, extent, plan); !outcome) return splat::Error{outcome.sentence};
  const double times = splat::near_scale(splats);
  plan = enlarged(plan, times);
  FilmSettings film = task.film;
  film.aperture *= times;
  FrameDrawer drawer(backend, plan, film, look, task.device.threads);
  const int index = std::clamp(int(std::lround(at * plan.per_second)), 0, plan.pictures - 1);
  const auto start = Clock::now();
  Drawn drawn;
  drawn.picture = drawer.draw(index);
  drawn.seconds = seconds_since(start);
  drawn.pixels = double(plan.width) * plan.height;
  drawn.pictures = plan.pictures;
  return drawn;
}

}  // namespace

FilmService::FilmService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<ReadPath>([this](ReadPath&& wanted) { read(std::move(wanted)); });
  requests.on<SavePath>([this](SavePath&& wanted) { save(std::move(wanted)); });
  requests.on<MakeFilm>([this](MakeFilm&& wanted) { make(std::move(wanted)); });
  requests.on<WantFilmPreview>([this](WantFilmPreview&& wanted) { preview(std::move(wanted)); });
}

void FilmService::scene_changed(bool) { ++previews_; }

// ---- files of paths

void FilmService::read(ReadPath&& wanted) {
  context_.openings.add([this, file = std::move(wanted.file)] {
    auto path = io::read_path_file(file);
    if (!path) return log::error(path.error().message);
    for (const std::string& note : path->notes) log::info(note);
    context_.report(PathRead{file, std::move(path->path), path->per_second, path->width, path->height});
  });
}

void FilmService::save(SavePath&& wanted) {
  context_.writings.add([this, wanted = std::move(wanted)] {
    const FilmSettings& p = wanted.pictures;
    const auto status = wanted.nerfstudio
                            ? io::write_nerfstudio_path(wanted.file, wanted.path, {p.per_second, p.width, p.height})
                            : io::write_path_file(wanted.file, wanted.path);
    if (!status) return context_.fail(status.error().message, wanted.file, "Save the camera path");
    context_.say_done(fmt::format("camera path of {} written to '{}'", splat::counted(wanted.path.keys.size(), "key"),
                                  wanted.file.string()));
  });
}

// ---- films

void FilmService::make(MakeFilm&& wanted) {
  context_.jobs.cancel();
  ++previews_;
  Job& job = context_.jobs.begin_reporting("film");
  job.progress.put({"film: reading the splats", -1, true, kIfClosed});
  context_.makings.add([this, &job, film = std::move(wanted.film)] { make_of(film, job); });
}

void FilmService::make_of(const FilmRequest& film, Job& job) {
  const MarkDone mark_done(job);
  if (job.watch.cancelled) return;
  const auto refuse = [&](const std::string& sentence) { context_.fail(sentence, film.output, "Make a film"); };
  if (const auto kept = keep_path(film.output, film.path); !kept) return refuse(kept.error().message);
  const auto task = film_task(film, context_.options);
  if (!task) return refuse(task.error().message);
  Devices::Loan loan;
  const auto lend = [&](uint64_t splats, uint64_t pixels) -> splat::Result<std::unique_ptr<splat::Backend>> {
    auto lent = context_.devices.lend({splats, pixels});
    if (!lent) return lent.error();
    loan.memory = std::move(lent->memory);
    return std::move(lent->backend);
  };
  const auto start = Clock::now();
  JobMonitor monitor(job, kIfClosed, "pictures");
  FilmLoan loan_of{lend};
  const Outcome outcome = make_film(*task, monitor, &loan_of);
  FilmEnded ended{loan_of.output, outcome.ok(), outcome.sentence, shell_line(film_words(film, context_.options))};
  if (outcome.ok())
    ended.sentence = fmt::format("'{}' is done, in {}", loan_of.output.string(), human_duration(seconds_since(start)));
  else if (outcome.code != ExitCode::kInterrupted)
    return refuse(outcome.sentence);
  log::info(ended.sentence);
  log::info(ended.command);
  context_.report(std::move(ended));
}

// ---- a picture beforehand

void FilmService::preview(WantFilmPreview&& wanted) {
  const uint64_t mine = ++previews_;
  if (context_.model.trains()) return;
  const auto make = [this, mine, wanted = std::move(wanted)](splat::Gaussians splats,
                                                             const splat::ScreenFilter& filter) {
    if (previews_ != mine) return;
    context_.makings.add([this, mine, wanted, filter, splats = std::move(splats)] {
      if (previews_ != mine) return;
      FilmPreview made = preview_of(wanted, splats, filter);
      if (previews_ == mine) context_.report(std::move(made));
    });
  };
  if (LiveTraining* run = context_.model.run())  // it has come to its end, and has the splats that are seen
    return run->ask(
        [make](TrainingRun& now) { make(now.trainer().model(), splat::screen_filter(now.options().train)); });
  const auto filter = context_.documents.with([](const OpenScene& scene) { return scene.as_trained.filter; });
  context_.model.opened().run([make, filter](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    make(edited ? edited->saved() : model, filter);
  });
}

// The pace of the film follows from that of two pictures: a part of it goes with the pixels.
FilmPreview FilmService::preview_of(const WantFilmPreview& wanted, const splat::Gaussians& splats,
                                    const splat::ScreenFilter& filter) {
  FilmPreview made;
  made.film = wanted.film;
  const auto failed = [&](const std::string& why) { return made.problem = why, std::move(made); };
  FilmRequest film = wanted.film;
  if (film.output.empty()) film.output = "preview";  // a folder: what its pictures are, not how they are encoded
  auto task = film_task(film, context_.options);
  if (!task) return failed(task.error().message);
  io::PathFile path;
  path.path = film.path;
  const double whole = double(task->film.width) * task->film.height;
  const FilmSettings& c = task->film;
  const int samples = c.samples > 0 ? c.samples : c.shutter > 0 || c.aperture > 0 ? 16 : 1;
  task->film.samples = std::min(samples, kMostSamples), task->film.depth = false;
  auto loan = context_.devices.lend({splats.size(), uint64_t(std::min(whole, kLargePreview))});
  if (!loan) return failed(loan.error().message);
  const double times = splat::near_scale(splats);
  loan->backend->upload(times == 1 ? splats : splat::enlarged(splats, times));
  const splat::RenderSettings look = as_trained(task->look, task->low_pass_given, filter);
  std::array<Drawn, 2> drawn;
  for (const bool large : {false, false, true}) {  // the first to warm up
    RenderTask smaller = *task;
    shrink(smaller, large ? kLargePreview : kSmallPreview);
    auto one = draw(smaller, path, wanted.seconds, splats, *loan->backend, look);
    if (!one) return failed(one.error().message);
    drawn[large] = std::move(*one);
  }
  const auto& [small, large] = drawn;
  const double more = std::max(0.0, large.pixels - small.pixels);
  const double a_pixel = more > 0 ? std::max(0.0, large.seconds - small.seconds) / more : 0;
  const double a_picture = large.seconds + a_pixel * (whole - large.pixels);
  made.seconds = a_picture * large.pictures * samples / task->film.samples;
  made.picture_bytes = uint64_t(double(io::encode_png(large.picture.image).size()) * whole / large.pixels);
  made.picture = large.picture.image;
  return made;
}

}  // namespace studio
