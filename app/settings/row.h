// One row of the option table: a command-line option with its help, value and uses. The parser, --help, --config files,
// config.json and the suggestions for mistyped names follow from the rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "splat/core/result.h"

namespace app {

enum Verb : unsigned {
  kNoVerb = 0,
  kTrain = 1,
  kRender = 2,
  kEvaluate = 4,
  kInfo = 8,
  kDoctor = 16,
  kBench = 32,
  kConvert = 64,
  kAlign = 128,
  kWindow = 256,  // no command given
  kMesh = 512,
  kThumbnail = 1024,
  kBlocks = 2048,
  kAnyVerb = 4095,
};

// How the window asks for a number: by a slider from low to high, else in a field with steps of this size; none of
// them: a whole number, 0 of which reads "automatic".
struct NumberField {
  double low = 0, high = 0, step = 0;
  double usual = 0;  // where a right click puts a slider
};

struct OptionRow {
  const char* group;       // heading in --help
  std::string short_name;  // "i", or empty
  std::string name;        // "iterations"
  std::string value;       // placeholder of the value in --help, "N"; empty: a flag without value
  std::string help;
  unsigned verbs;         // which verbs it applies to
  bool in_config = true;  // may stand in a --config file, and is written to config.json

  std::vector<std::string> choices{};  // of the value, where there are only these (or these are usual: set() decides)
  bool is_path = false;                // the value is a file or folder
  bool repeats = false;                // may be given several times, and is set with each value; else the last counts
  bool rare = false;                   // --help-all alone lists it
  std::string unit{};                  // of a number, beside its field in the window; empty: none, or help says more
  std::string label{};                 // beside its field in the window: "Faces"
  std::vector<std::string> choice_labels{};  // of the choices, in the window; empty: their names
  std::string usual{};                       // of the choices, the one that stands for no value; empty: the first
  std::string hint{};                        // of a text: what its field reads while there is none, and `usual` is set
  NumberField field{};

  std::function<splat::Status(const std::string&)> set{};  // flags get "true" or "false"
  std::function<nlohmann::json()> get{};                   // the present value; null: no value
};

// "--strategy is adc, mcmc or budget, not 'budgit' (did you mean 'budget'?)"
splat::Error no_choice(const OptionRow& row, const std::string& text);

// ---- rows of common types: setter (with an error sentence) and getter are filled in.
template <class T>
OptionRow enum_row(OptionRow row, T* target, const std::vector<std::pair<std::string, T>>& values) {
  for (const auto& [name, value] : values) row.choices.push_back(name);
  row.set = [=](const std::string& text) -> splat::Status {
    for (const auto& [name, value] : values)
      if (text == name) return *target = value, splat::Status();
    return no_choice(row, text);
  };
  row.get = [=] {
    for (const auto& [name, value] : values)
      if (value == *target) return nlohmann::json(name);
    return nlohmann::json();
  };
  return row;
}
template <class Mode>
OptionRow auto_row(OptionRow row, Mode* target) {
  return enum_row<Mode>(std::move(row), target, {{"auto", Mode::kAuto}, {"on", Mode::kOn}, {"off", Mode::kOff}});
}
OptionRow flag_row(OptionRow row, bool* target);
OptionRow integer_row(OptionRow row, int* target, int minimum, int maximum);
OptionRow integer_row(OptionRow row, uint64_t* target, uint64_t minimum, uint64_t maximum);
OptionRow choice_row(OptionRow row, std::string* target, const std::vector<std::string>& choices);
OptionRow path_row(OptionRow row, std::filesystem::path* target);
OptionRow names_row(OptionRow row, std::vector<std::string>* target);                       // a.jpg,b.jpg
OptionRow integers_row(OptionRow row, std::vector<int>* target, int minimum, int maximum);  // 7000,30000

// The same row, with what the window calls it, and its choices.
OptionRow labelled(OptionRow row, std::string label, std::vector<std::string> choice_labels = {});
OptionRow labelled(OptionRow row, std::string label, NumberField field);
std::string label_of(const OptionRow& row);  // "Test every" where it has none

const OptionRow* find_row(const std::vector<OptionRow>& rows, const std::string& name);  // null: none
std::string with_dashes(std::string name);       // "test_every" -> "test-every", as on the command line
std::string with_underscores(std::string name);  // and as in a file of settings

// A value as it is typed on the command line; none for null.
splat::Result<std::optional<std::string>> typed_text(const nlohmann::json& value);
// The words that give the rows their values, but for those that have them in `usual`, the same rows of another record.
std::vector<std::string> typed_words(const std::vector<OptionRow>& rows, const std::vector<OptionRow>& usual);

// ---- for rows of other types
std::optional<int64_t> parse_integer(std::string_view text);  // the whole text or nothing
std::optional<double> parse_number(std::string_view text);    // finite, the whole text or nothing
std::vector<std::string> split_list(std::string_view text);   // at commas, without surrounding blanks and empty parts

}  // namespace app
