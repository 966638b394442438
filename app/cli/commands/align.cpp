#include "app/jobs/align/align_job.h"

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/terminal_monitor.h"

namespace app {

Outcome run_align(const AlignTask& task, const ConsoleOptions& console) {
  install_interrupt_handlers();
  TerminalMonitor monitor(console);
  return align_photos(task, monitor);
}

}  // namespace app
