#include "app/console/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "app/console/outcome.h"
#include "io/atomic_file.h"

namespace app {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  const bool again = g_interrupted.exchange(true);
  if (!again || signal == SIGHUP) return;  // a closed terminal sends SIGHUP more than once
  io::remove_partial_files();
  ::_exit(int(ExitCode::kInterrupted));
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);  // ignored: nohup
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe behind --json must not end a training run,
  std::signal(SIGXFSZ, SIG_IGN);  // nor a limit on file sizes: the write says so
}

bool interrupted() { return g_interrupted; }

}  // namespace app
