#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/run/alignment.h"
#include "app/run/run_output.h"
#include "app/run/training_run.h"
#include "splat/core/log.h"

namespace app {

namespace {

// Photos and videos become a dataset first; what was typed is otherwise kept.
Outcome align_first(Options& options) {
  auto output = RunOutput::check(options.output);
  if (!output) return bad_input(output.error());
  const std::filesystem::path scene = scene_beside(options.output, output->single_file());
  splat::log::info(
      fmt::format("'{}' has no cameras: finding them first, in '{}'", options.input.string(), scene.string()));
  align::AlignReport report;
  AlignTask task = align_task(options);
  task.scene = scene;
  task.log = (output->single_file() ? scene : options.output) / "log.txt";
  if (Outcome outcome = align_input(task, report); !outcome) return outcome;
  options.input = scene;
  return done();
}

}  // namespace

Outcome run_train(const Options& given) {
  install_interrupt_handlers();
  Options options = given;
  if (align::is_unaligned(options.input))
    if (Outcome outcome = align_first(options); !outcome) return outcome;
  TrainingRun run(options);
  if (Outcome outcome = run.prepare(); !outcome) return outcome;
  if (Outcome outcome = run.train(); !outcome) return outcome;
  Outcome outcome = run.finish();
  if (run.splats_written()) run.print_summary();
  return outcome;
}

}  // namespace app
