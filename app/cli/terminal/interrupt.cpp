#include "app/cli/terminal/interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "app/jobs/outcome.h"
#include "io/atomic_file.h"

namespace app {
namespace {

constexpr int kPatience = 700'000;  // microseconds

std::atomic<bool> g_interrupted{false}, g_on_terminal{false};
std::atomic<const char*> g_ended_soon{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody reads it
}

extern "C" void on_no_patience(int) {
  io::remove_partial_files();
  if (g_on_terminal) say("\r\x1b[K");  // what shows progress
  say("warning: ");
  say(g_ended_soon.load());
  say("\n");
  ::_exit(int(ExitCode::kInterrupted));
}

extern "C" void on_signal(int signal) {
  const bool again = g_interrupted.exchange(true);
  if (!again && g_ended_soon) {
    const itimerval once{{0, 0}, {0, kPatience}};
    ::setitimer(ITIMER_REAL, &once, nullptr);
  }
  if (!again || signal == SIGHUP) return;  // a closed terminal sends SIGHUP more than once
  io::remove_partial_files();
  ::_exit(int(ExitCode::kInterrupted));
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void install_interrupt_handlers(const char* ended_soon) {
  g_ended_soon = ended_soon;
  g_on_terminal = ::isatty(STDERR_FILENO) == 1;
  struct sigaction late {};
  late.sa_handler = on_no_patience;
  sigemptyset(&late.sa_mask);
  sigaction(SIGALRM, &late, nullptr);
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
