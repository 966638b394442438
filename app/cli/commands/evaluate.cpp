#include "app/jobs/evaluate/evaluation.h"

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/terminal_monitor.h"

namespace app {

Outcome run_evaluate(const EvaluateTask& task) {
  TerminalMonitor monitor(task.console, false);
  return evaluate(task, monitor);
}

}  // namespace app
