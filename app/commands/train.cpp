#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/run/training_run.h"

namespace app {

Outcome run_train(const Options& options) {
  install_interrupt_handlers();
  TrainingRun run(options);
  if (Outcome outcome = run.prepare(); !outcome) return outcome;
  if (Outcome outcome = run.train(); !outcome) return outcome;
  Outcome outcome = run.finish();
  if (run.splats_written()) run.print_summary();
  return outcome;
}

}  // namespace app
