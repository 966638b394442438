// stdin, stdout and stderr as scripts leave them: closed, full, or a pipe that nobody reads any more.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace app {

// Opens those that are closed on /dev/null; otherwise the next file opened would take their place and receive what is
// printed. First thing in main().
void open_standard_streams();

// Formats a result and prints it to stdout. What cannot be written there is found by flush_results(), once: unlike
// fmt::print it does not throw, since neither a full disk nor a reader that left is a reason to stop working.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Writes out stdout; false when results were lost there, a full disk say. A pipe closed by its reader loses nothing
// that anybody wanted.
bool flush_results();

}  // namespace app
