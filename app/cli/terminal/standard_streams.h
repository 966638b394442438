// stdin, stdout and stderr in the states that scripts leave them in: closed, full, or a pipe without a reader.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "splat/core/printable.h"

namespace app {

// Opens closed ones on /dev/null; otherwise the next file that is opened would get their number and receive what is
// printed. Called first in main().
void open_standard_streams();

// Prints lines to stdout, without control characters. Does not throw because of the stream, unlike fmt::print: a full
// disk or a closed pipe is no reason to stop working. flush_results() reports the failure.
void print_text(const std::string& text);
void print_lines(const std::string& text);  // each for itself: a name that is cut ends with its line

// A text among the results is part of a line: names may hold line breaks, which would look like results of their own.
template <class T>
decltype(auto) in_one_line(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return splat::printable(value);
  else
    return (value);
}

// Formats a result and prints it likewise.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  const auto printed = [&](const auto&... values) {
    print_text(fmt::vformat(fmt::string_view(format), fmt::make_format_args(values...)));
  };
  printed(in_one_line(args)...);
}

// Flushes stdout; false when results were lost, by a full disk for example. A pipe closed by its reader is no loss.
bool flush_results();

}  // namespace app
