// Reading text formats: lines with numbers, fields, strict numbers, and names made fit for an error sentence.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace io {

// 'text' in quotes, control characters shown as ?, cut after 120 bytes: what a file holds must not garble the terminal.
std::string in_quotes(std::string_view text);

// The first ten of `names`, comma-separated: "a.jpg, b.jpg and 3 more".
std::string first_names(const std::vector<std::string>& names);

// Whether a file names one beside it or below its folder, and nothing else.
bool stays_below(const std::string& relative);

bool is_space(char c);  // of the C locale, whatever the user's is
std::string_view trimmed(std::string_view text);

// `text` without the byte order mark that some editors put first; an error for UTF-16, which editors of Windows call
// "Unicode".
splat::Result<std::string_view> as_utf8(std::string_view text, const std::string& name);

// The whole of `text` as a number; false when it is anything else. Doubles may be "nan" or "inf", in the spellings of
// Windows, too ("-nan(ind)", "1.#QNAN"): callers check.
bool parse_number(std::string_view text, double& value);
std::string shortest_text(float value);  // "0.1": the fewest digits that are read back as it
template <class Integer>
bool parse_number(std::string_view text, Integer& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

// Whitespace-separated fields of one line.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  std::string_view next();                                  // empty: no more
  std::string_view rest() const { return trimmed(rest_); }  // what next() has not taken
  template <class Number>
  bool next(Number& value) {
    return parse_number(next(), value);
  }

 private:
  std::string_view rest_;
};

// Lines of a text held in memory, without their ends (\n or \r\n).
class LineReader {
 public:
  LineReader(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}
  bool next();  // false: no line is left; line() is then empty
  std::string_view line() const { return line_; }
  size_t number() const { return number_; }              // of line(), from 1
  bool ended_open() const { return ended_open_; }        // the last line had no line end
  splat::Error error(const std::string& problem) const;  // "'NAME', line N: problem"

 private:
  std::string_view rest_, line_;
  std::string name_;
  size_t number_ = 0;
  bool ended_open_ = false;
};

}  // namespace io
