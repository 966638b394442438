#include "app/jobs/training/train_job.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/jobs/align/alignment.h"
#include "app/jobs/film/training_film.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/run_place.h"
#include "splat/core/log.h"

namespace app {

namespace {

// Photos and videos become a dataset first; what was typed is otherwise kept.
Outcome align_first(Options& options, Monitor& monitor) {
  auto output = RunOutput::check(options.output);
  if (!output) return bad_input(output.error());
  if (const auto status = check_run_place(*output, options.force); !status) return bad_input(status.error());
  const std::filesystem::path scene = scene_beside(options.output, output->single_file());
  splat::log::info(
      fmt::format("'{}' has no cameras: finding them first, in '{}'", options.input.string(), scene.string()));
  align::AlignReport report;
  AlignTask task = align_task(options);
  task.scene = scene;
  task.log = (output->single_file() ? scene : options.output) / "log.txt";
  if (Outcome outcome = align_input(task, monitor, report); !outcome) return outcome;
  options.input = scene;
  return done();
}

Outcome to_the_end(TrainingRun& run, const std::function<Outcome()>& advance) {
  while (!run.trained())
    if (Outcome outcome = advance(); !outcome) return outcome;
  return run.finish();
}

}  // namespace

Outcome train(const Options& given, Monitor& monitor, const RunLoop& loop) {
  Options options = given;
  take_only_video(options.input);
  TrainingFilm film(options, monitor);
  if (Outcome outcome = film.check(); !outcome) return outcome;
  if (align::is_unaligned(options.input))
    if (Outcome outcome = align_first(options, monitor); !outcome) return outcome;
  TrainingRun run(options, photos_for(monitor));
  run.watched_by(monitor);
  if (Outcome outcome = run.prepare([&] { return film.plan(run); }); !outcome) return outcome;
  if (Outcome outcome = film.begin(run); !outcome) return outcome;
  const auto draw_and_advance = [&] {
    const Outcome outcome = film.draw(run);
    return outcome ? run.advance() : outcome;
  };
  Outcome outcome = loop ? loop(run, draw_and_advance) : to_the_end(run, draw_and_advance);
  if (run.splats_written()) run.say_summary();
  return outcome ? film.finish(run) : outcome;
}

}  // namespace app
