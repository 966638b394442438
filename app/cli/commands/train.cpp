#include <memory>
#include <utility>

#include "app/cli/commands/commands.h"
#include "app/cli/serve/serving.h"
#include "app/cli/serve/watched_run.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/align/alignment.h"
#include "app/jobs/scene/page_contents.h"
#include "app/jobs/training/train_job.h"

namespace app {

namespace {

// The run, watched in a browser.
Outcome train_and_serve(TrainingRun& run, Serving& serving, const std::function<Outcome()>& advance) {
  io::PageContents page;
  page.title = run.options().input.filename().string();
  page.views = page_views(run.dataset());
  page.background = splat::evaluation_background(run.options().train);
  WatchedRun watched(run, serving.board(), page);
  serving.print_address(run.options().console);
  while (!run.trained() && watched.between())
    if (Outcome outcome = advance(); !outcome) return watched.ended(outcome.sentence), outcome;
  watched.finishing();
  Outcome outcome = run.finish();
  watched.ended(outcome ? "its files are written" : outcome.sentence);
  return outcome;
}

}  // namespace

Outcome run_train(const Options& given) {
  install_interrupt_handlers();
  TerminalMonitor monitor(given.console);
  if (!given.serve.asked) return train(given, monitor);
  Options options = given;
  take_only_video(options.input);
  auto serving = Serving::open(options.serve, true);  // a port that is taken is said before anything is read
  if (!serving) return bad_input(serving.error());
  return train(options, monitor, [&](TrainingRun& run, const std::function<Outcome()>& advance) {
    return train_and_serve(run, **serving, advance);
  });
}

}  // namespace app
