#include "splat/core/log.h"

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <utility>

#include "splat/core/printable.h"
#include "splat/core/system.h"

namespace splat::log {
namespace {

struct State {
  std::mutex mutex;
  bool quiet = false;
  std::FILE* file = nullptr;
  void (*before_line)() = nullptr;
  std::function<void(Level, std::string_view)> listener;
};

State& state() {
  static State instance;
  return instance;
}

void write(Level level, std::string_view text) {
  const std::string line = printable(text);  // names of files stand in it
  State& s = state();
  std::lock_guard lock(s.mutex);
  const char* prefix = level == Level::kInfo ? "" : level == Level::kWarning ? "warning: " : "error: ";
  if (level != Level::kInfo || !s.quiet) {
    if (s.before_line) s.before_line();
    std::fprintf(stderr, "%s%.*s\n", prefix, int(line.size()), line.data());
  }
  if (s.file) {
    std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    std::fprintf(s.file, "%s %s%.*s\n", stamp, prefix, int(line.size()), line.data());
    std::fflush(s.file);
  }
  if (s.listener) s.listener(level, line);
}

}  // namespace

void info(std::string_view line) { write(Level::kInfo, line); }
void warning(std::string_view line) { write(Level::kWarning, line); }
void error(std::string_view line) { write(Level::kError, line); }

void set_quiet(bool quiet) {
  std::lock_guard lock(state().mutex);
  state().quiet = quiet;
}

Status open_file(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (!file) return Error{"cannot write the log file '" + path.string() + "': " + error_text(errno)};
  close_file();
  std::lock_guard lock(state().mutex);
  state().file = file;
  return {};
}

void close_file() {
  std::lock_guard lock(state().mutex);
  if (state().file) std::fclose(state().file);
  state().file = nullptr;
}

void set_listener(std::function<void(Level, std::string_view)> listener) {
  std::lock_guard lock(state().mutex);
  state().listener = std::move(listener);
}

void set_line_guard(void (*before_line)()) {
  std::lock_guard lock(state().mutex);
  state().before_line = before_line;
}

}  // namespace splat::log
