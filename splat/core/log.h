// The log: the one singleton. Lines go to stderr (unless quiet) and, once a file is set, to that file with a time
// stamp. stdout is never used: it belongs to results and --json.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace splat::log {

enum class Level { kInfo, kWarning, kError };

void info(std::string_view line);
void warning(std::string_view line);
void error(std::string_view line);

void set_quiet(bool quiet);    // true: info lines no longer reach stderr (warnings and errors do)
void set_silent(bool silent);  // true: no line does; for a library, whose caller has stderr
Status open_file(const std::filesystem::path& path);  // also write every line there (appended)
void close_file();

// Every line also goes to `listener`, from the thread that logs, one at a time; empty: to none. A window's log panel.
void set_listener(std::function<void(Level level, std::string_view line)> listener);

// A progress bar that owns the terminal's last line: called before each line is printed, so that it can clear itself.
void set_line_guard(void (*before_line)());

}  // namespace splat::log
