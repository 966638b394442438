#include "app/cli/terminal/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "app/jobs/training/run_record.h"
#include "splat/core/log.h"

namespace app {
namespace {

std::atomic<bool> g_line_visible{false};

void erase_status_line() {
  if (g_line_visible.exchange(false)) std::fputs("\r\x1b[K", stderr);
}

}  // namespace

DisplayMode choose_display(bool json, bool quiet) {
  if (json) return DisplayMode::kJson;
  if (quiet) return DisplayMode::kNone;
  return isatty(STDERR_FILENO) ? DisplayMode::kBar : DisplayMode::kLines;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string with_bar(const std::string& text, double share, int columns) {
  if (share < 0) return text;
  const int room = std::min(columns - 1 - int(text.size()) - 3, 30);
  if (room < 8) return text.substr(0, size_t(std::max(columns - 1, 0)));
  const int filled = int(room * share);
  std::string bar = "[";
  for (int i = 0; i < room; ++i) bar += i < filled ? '#' : '.';
  return bar + "] " + text;
}

StatusLine::StatusLine(DisplayMode mode) : terminal_(mode == DisplayMode::kBar) {
  if (terminal_) splat::log::set_line_guard(erase_status_line);
}

StatusLine::~StatusLine() {
  if (!terminal_) return;
  clear();
  splat::log::set_line_guard(nullptr);
}

void StatusLine::show(const std::string& text) {
  if (!terminal_) return;
  std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
  std::fflush(stderr);
  g_line_visible = true;
}

void StatusLine::clear() { erase_status_line(); }

void print_json(const nlohmann::json& object) {
  const std::string line = json_line(object) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace app
