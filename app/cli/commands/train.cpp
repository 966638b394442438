#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands/commands.h"
#include "app/cli/serve/serving.h"
#include "app/cli/serve/watched_run.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/align/alignment.h"
#include "app/jobs/film/training_film.h"
#include "app/jobs/scene/page_contents.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/run_place.h"
#include "app/jobs/training/training_run.h"
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

Outcome draw_and_advance(TrainingRun& run, TrainingFilm& film) {
  if (Outcome outcome = film.draw(run); !outcome) return outcome;
  return run.advance();
}

// The same run, watched in a browser.
Outcome train_and_serve(TrainingRun& run, Serving& serving, TrainingFilm& film) {
  io::PageContents page;
  page.title = run.options().input.filename().string();
  page.views = page_views(run.dataset());
  page.background = splat::evaluation_background(run.options().train);
  WatchedRun watched(run, serving.board(), page);
  serving.print_address(run.options().console);
  while (!run.trained() && watched.between())
    if (Outcome outcome = draw_and_advance(run, film); !outcome) return watched.ended(outcome.sentence), outcome;
  watched.finishing();
  Outcome outcome = run.finish();
  watched.ended(outcome ? "its files are written" : outcome.sentence);
  return outcome;
}

Outcome train(TrainingRun& run, TrainingFilm& film) {
  while (!run.trained())
    if (Outcome outcome = draw_and_advance(run, film); !outcome) return outcome;
  return run.finish();
}

}  // namespace

Outcome run_train(const Options& given) {
  install_interrupt_handlers();
  Options options = given;
  take_only_video(options.input);
  std::unique_ptr<Serving> serving;
  if (options.serve.asked) {  // a port that is taken is said before anything is read
    auto opened = Serving::open(options.serve, true);
    if (!opened) return bad_input(opened.error());
    serving = std::move(*opened);
  }
  TerminalMonitor monitor(options.console);
  TrainingFilm film(options, monitor);
  if (Outcome outcome = film.check(); !outcome) return outcome;
  if (align::is_unaligned(options.input))
    if (Outcome outcome = align_first(options, monitor); !outcome) return outcome;
  TrainingRun run(options, photos_for(monitor));
  run.watched_by(monitor);
  if (Outcome outcome = run.prepare([&] { return film.plan(run); }); !outcome) return outcome;
  if (Outcome outcome = film.begin(run); !outcome) return outcome;
  Outcome outcome = serving ? train_and_serve(run, *serving, film) : train(run, film);
  if (run.splats_written()) run.say_summary();
  return outcome ? film.finish(run) : outcome;
}

}  // namespace app
