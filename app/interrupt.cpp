#include "app/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "app/outcome.h"

namespace app {
namespace {

volatile std::sig_atomic_t g_requests = 0;

extern "C" void on_signal(int) {
  if (g_requests > 0) ::_exit(int(ExitCode::kInterrupted));
  g_requests = g_requests + 1;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe behind --json must not end a training run,
  std::signal(SIGXFSZ, SIG_IGN);  // nor a limit on file sizes: the write says so
}

bool interrupted() { return g_requests > 0; }

}  // namespace app
