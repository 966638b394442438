#include "io/json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "io/names.h"
#include "io/text.h"

namespace io {

using nlohmann::json;

namespace {

constexpr int kDeepest = 64;  // levels; our formats have 5. Deeper text only wastes memory
struct TooDeep {};

// nlohmann's text without its prefix "[json.exception.parse_error.101] parse error at line 1, column 2: ".
std::string reason_of(const json::exception& exception) {
  std::string text = exception.what();
  const size_t bracket = text.find("] ");
  if (bracket != std::string::npos) text.erase(0, bracket + 2);
  const size_t colon = text.find(": ");
  if (text.rfind("parse error", 0) == 0 && colon != std::string::npos) text.erase(0, colon + 2);
  const std::string clean = in_quotes(text);
  return clean.substr(1, clean.size() - 2);
}

// Behind the comment or the text in quotes that begins at `at`; `at` itself where none does.
size_t behind_quoted(std::string_view text, size_t at) {
  const auto behind = [&](std::string_view end, size_t from) {
    const size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return behind("\n", at);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  if (!rest.starts_with('"')) return at;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    i += text[i] == '\\';
  }
  return text.size();
}

bool is_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '+' || c == '-' || c == '.';
}

// "1e999": a number beyond what a double holds.
bool overflows(std::string_view word) {
  const bool may = word.find_first_of("eE") != std::string_view::npos ||
                   word.size() > size_t(std::numeric_limits<double>::max_exponent10);
  double value = 0;
  return may && word.find_first_of("0123456789") <= 1 && parse_number(word, value) && std::isinf(value);
}

// The first such word from `from` on; empty: none.
std::string_view next_non_finite(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size();) {
    if (const size_t behind = behind_quoted(text, at); behind > at) {
      at = behind;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_in_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    for (const char* known : {"NaN", "-NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-Inf"})
      if (word == known) return word;
    if (overflows(word)) return word;
    at = std::max(end, at + 1);
  }
  return {};
}

std::string with_words_quoted(std::string_view text) {
  std::string quoted;
  size_t done = 0;
  for (std::string_view word = next_non_finite(text, 0); !word.empty(); word = next_non_finite(text, done)) {
    const size_t begin = size_t(word.data() - text.data());
    quoted.append(text.substr(done, begin - done)).append("\"").append(word).append("\"");
    done = begin + word.size();
  }
  return quoted.append(text.substr(done));
}

std::string line_of(std::string_view text, size_t byte) {
  const auto end = text.begin() + ptrdiff_t(std::min(byte, text.size()));
  return ", line " + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

Error no_number(const std::string& name, std::string_view text, std::string_view word) {
  const std::string shown(word.substr(0, 40));
  return Error{"'" + name + "'" + line_of(text, size_t(word.data() - text.data())) + ": " + shown +
               " stands where a number belongs, and is none"};
}

}  // namespace

Result<json> parse_json(std::string_view text, const std::string& name, NonFinite non_finite) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  std::string quoted;
  if (non_finite == NonFinite::kText) text = quoted = with_words_quoted(text);
  if (trimmed(text).empty()) return Error{"'" + name + "' is empty"};
  const auto guard = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw TooDeep{};
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), guard, true, true);
  } catch (const json::parse_error& error) {
    const std::string_view word = next_non_finite(text, 0);
    const size_t begin = word.empty() ? text.size() : size_t(word.data() - text.data());
    if (!word.empty() && begin < error.byte && error.byte <= begin + word.size() + 1)
      return no_number(name, text, word);
    return Error{"'" + name + "'" + line_of(text, error.byte) + ": not valid JSON: " + reason_of(error)};
  } catch (const json::out_of_range& error) {
    const std::string_view word = next_non_finite(text, 0);
    if (word.empty()) return Error{"'" + name + "' is not usable JSON: " + reason_of(error)};
    return no_number(name, text, word);
  } catch (const json::exception& error) {
    return Error{"'" + name + "' is not usable JSON: " + reason_of(error)};
  } catch (const TooDeep&) {
    return Error{"'" + name + "' nests deeper than " + std::to_string(kDeepest) +
                 " levels: this is not a file of this kind"};
  }
}

}  // namespace io
