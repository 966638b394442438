#include "splat/core/log.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <utility>

#include "splat/core/printable.h"
#include "splat/core/system.h"

namespace splat::log {
namespace {

struct State {
  std::mutex mutex;
  bool quiet = false, silent = false;
  std::FILE* file = nullptr;
  void (*before_line)() = nullptr;
  std::function<void(Level, std::string_view)> listener;
};

State& state() {
  static State instance;
  return instance;
}

// "2026-11-23T18:05:09Z"
std::string utc_now() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const auto day = floor<days>(now);
  const year_month_day date(day);
  const hh_mm_ss time(now - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()),
                unsigned(date.day()), int(time.hours().count()), int(time.minutes().count()),
                int(time.seconds().count()));
  return text;
}

void write(Level level, std::string_view text) {
  const std::string line = printable(text);  // names of files stand in it
  State& s = state();
  std::lock_guard lock(s.mutex);
  const char* prefix = level == Level::kInfo ? "" : level == Level::kWarning ? "warning: " : "error: ";
  if (!s.silent && (level != Level::kInfo || !s.quiet)) {
    if (s.before_line) s.before_line();
    std::fprintf(stderr, "%s%.*s\n", prefix, int(line.size()), line.data());
  }
  if (s.file) {
    std::fprintf(s.file, "%s %s%.*s\n", utc_now().c_str(), prefix, int(line.size()), line.data());
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

void set_silent(bool silent) {
  std::lock_guard lock(state().mutex);
  state().silent = silent;
}

Status open_file(const std::filesystem::path& path) {
  std::error_code code;
  if (const auto there = std::filesystem::status(path, code);
      std::filesystem::is_fifo(there) || std::filesystem::is_socket(there))
    return Error{"cannot write the log file '" + path.string() + "': it is a pipe or a socket"};
  std::FILE* file = std::fopen(path.string().c_str(), "a");
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
