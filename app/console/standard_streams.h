// stdin, stdout and stderr in the states that scripts leave them in: closed, full, or a pipe without a reader.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "splat/core/printable.h"

namespace app {

// Opens closed ones on /dev/null; otherwise the next file that is opened would get their number and receive what is
// printed. Called first in main().
void open_standard_streams();

// Formats a result and prints it to stdout, without the control characters that names may hold. Does not throw because
// of the stream, unlike fmt::print: a full disk or a closed pipe is no reason to stop working. flush_results() reports
// the failure.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = splat::printable(fmt::format(format, std::forward<Args>(args)...), true);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Flushes stdout; false when results were lost, by a full disk for example. A pipe closed by its reader is no loss.
bool flush_results();

}  // namespace app
