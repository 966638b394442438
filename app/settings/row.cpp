#include "app/settings/row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/settings/suggest.h"

namespace app {

using splat::Error;
using splat::Status;

namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string dashes(const OptionRow& row) { return "--" + row.name; }

// "at least 1", "between 0 and 3"
template <class T>
std::string range_words(T minimum, T maximum) {
  return maximum >= T(std::numeric_limits<int>::max()) ? fmt::format("of at least {}", minimum)
                                                       : fmt::format("between {} and {}", minimum, maximum);
}

template <class T>
splat::Result<T> integer_between(const OptionRow& row, std::string_view text, T minimum, T maximum) {
  const std::optional<T> value = parse_whole<T>(text);
  if (value && *value >= minimum && *value <= maximum) return *value;
  return Error{fmt::format("{} needs a whole number {}, not '{}'", dashes(row), range_words(minimum, maximum), text)};
}

template <class T>
OptionRow any_integer_row(OptionRow row, T* target, T minimum, T maximum) {
  row.set = [=](const std::string& text) -> Status {
    SPLAT_ASSIGN_OR_RETURN(*target, integer_between(row, text, minimum, maximum));
    return {};
  };
  row.get = [=] { return nlohmann::json(*target); };
  return row;
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text) { return parse_whole<int64_t>(text); }

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

const OptionRow* find_row(const std::vector<OptionRow>& rows, const std::string& name) {
  for (const OptionRow& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

OptionRow labelled(OptionRow row, std::string label, std::vector<std::string> choice_labels) {
  row.label = std::move(label), row.choice_labels = std::move(choice_labels);
  return row;
}

OptionRow labelled(OptionRow row, std::string label, NumberField field) {
  row.label = std::move(label), row.field = field;
  return row;
}

std::string label_of(const OptionRow& row) {
  std::string label = row.label.empty() ? row.name : row.label;
  if (row.label.empty()) std::replace(label.begin(), label.end(), '-', ' ');
  if (!label.empty()) label[0] = char(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

OptionRow flag_row(OptionRow row, bool* target) {
  row.value.clear();
  row.set = [=](const std::string& text) -> Status {
    if (text != "true" && text != "false")
      return Error{fmt::format("{} is either true or false, not '{}'", dashes(row), text)};
    *target = text == "true";
    return {};
  };
  row.get = [=] { return nlohmann::json(*target); };
  return row;
}

OptionRow integer_row(OptionRow row, int* target, int minimum, int maximum) {
  return any_integer_row(std::move(row), target, minimum, maximum);
}

OptionRow integer_row(OptionRow row, uint64_t* target, uint64_t minimum, uint64_t maximum) {
  return any_integer_row(std::move(row), target, minimum, maximum);
}

splat::Error no_choice(const OptionRow& row, const std::string& text) {
  const auto last = row.choices.end() - 1;
  const std::string near = nearest_word(text, row.choices);
  return Error{fmt::format("{} is {} or {}, not '{}'{}", dashes(row), fmt::join(row.choices.begin(), last, ", "), *last,
                           text, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near))};
}

OptionRow choice_row(OptionRow row, std::string* target, const std::vector<std::string>& choices) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& choice : choices) values.emplace_back(choice, choice);
  return enum_row(std::move(row), target, values);
}

OptionRow path_row(OptionRow row, std::filesystem::path* target) {
  row.is_path = true;
  row.set = [=](const std::string& text) -> Status {
    if (text.empty()) return Error{dashes(row) + " needs a path, not an empty word"};
    *target = text;
    return {};
  };
  row.get = [=] { return target->empty() ? nlohmann::json() : nlohmann::json(target->string()); };
  return row;
}

OptionRow names_row(OptionRow row, std::vector<std::string>* target) {
  row.set = [=](const std::string& text) -> Status {
    *target = split_list(text);
    if (target->empty()) return Error{dashes(row) + " needs names separated by commas, and got none"};
    return {};
  };
  row.get = [=] { return target->empty() ? nlohmann::json() : nlohmann::json(*target); };
  return row;
}

OptionRow integers_row(OptionRow row, std::vector<int>* target, int minimum, int maximum) {
  row.set = [=](const std::string& text) -> Status {
    target->clear();
    for (const std::string& part : split_list(text)) {
      SPLAT_ASSIGN_OR_RETURN(const int value, integer_between(row, part, minimum, maximum));
      target->push_back(value);
    }
    if (target->empty()) return Error{dashes(row) + " needs whole numbers separated by commas, and got none"};
    return {};
  };
  row.get = [=] { return target->empty() ? nlohmann::json() : nlohmann::json(*target); };
  return row;
}

splat::Result<std::optional<std::string>> typed_text(const nlohmann::json& value) {
  if (value.is_null()) return std::optional<std::string>();
  if (value.is_string()) return std::optional(value.get<std::string>());
  if (value.is_boolean() || value.is_number()) return std::optional(value.dump());
  if (!value.is_array()) return Error{"needs a value, not an object"};
  std::string joined;
  for (const nlohmann::json& element : value) {
    SPLAT_ASSIGN_OR_RETURN(const auto text, typed_text(element));
    joined += (joined.empty() ? "" : ",") + text.value_or("");
  }
  return std::optional(joined);
}

std::vector<std::string> typed_words(const std::vector<OptionRow>& rows, const std::vector<OptionRow>& usual) {
  std::vector<std::string> words;
  for (size_t i = 0; i < rows.size(); ++i) {
    const nlohmann::json value = rows[i].get();
    if (value.is_null() || value == usual[i].get()) continue;
    words.push_back("--" + rows[i].name);
    const auto text = typed_text(value);
    if (!rows[i].value.empty() && text) words.push_back(text->value_or(""));
  }
  return words;
}

}  // namespace app
