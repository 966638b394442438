#include "io/text.h"
#include "io/names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace io {

std::string in_quotes(std::string_view text) {
  constexpr size_t kLongest = 120;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) result += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  if (text.size() > kLongest) result += "...";
  return result + "'";
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr size_t kShown = 10;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

bool stays_below(const std::string& relative) {
  const std::filesystem::path path = relative;
  const auto odd = [](unsigned char c) { return c < ' ' || c == ':'; };
  if (path.empty() || path.is_absolute() || std::any_of(relative.begin(), relative.end(), odd)) return false;
  return std::none_of(path.begin(), path.end(),
                      [](const std::filesystem::path& part) { return part == ".." || part == "." || part.empty(); });
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

splat::Result<std::string_view> as_utf8(std::string_view text, const std::string& name) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) return text.substr(kMark.size());
  const std::string_view first = text.substr(0, 2);
  const bool marked = first == "\xff\xfe" || first == "\xfe\xff";
  const bool half_zero = first.size() == 2 && (first[0] == 0) != (first[1] == 0);  // a letter without a mark before it
  if (marked || half_zero) return Error{"'" + name + "' is UTF-16 text: save it as UTF-8 (or plain ASCII)"};
  return text;
}

std::string shortest_text(float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

bool parse_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.starts_with("1.#") || text.starts_with("-1.#")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return false;
  // from_chars refuses what over- or underflows; strtod gives infinity or the nearest tiny number.
  if (code == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  return code != std::errc::invalid_argument;
}

std::string_view Fields::next() {
  size_t begin = 0;
  while (begin < rest_.size() && is_space(rest_[begin])) ++begin;
  size_t end = begin;
  while (end < rest_.size() && !is_space(rest_[end])) ++end;
  const std::string_view field = rest_.substr(begin, end - begin);
  rest_.remove_prefix(end);
  return field;
}

bool LineReader::next() {
  line_ = {};
  if (rest_.empty()) return false;
  const size_t end = rest_.find('\n');
  ended_open_ = end == std::string_view::npos;
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(ended_open_ ? rest_.size() : end + 1);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  ++number_;
  return true;
}

Error LineReader::error(const std::string& problem) const {
  return Error{"'" + name_ + "', line " + std::to_string(number_) + ": " + problem};
}

}  // namespace io
