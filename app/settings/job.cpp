// The settings of a job out of JSON, in place of a command line.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/settings/options.h"

namespace app {

using nlohmann::json;
using splat::Error;
using splat::Status;

namespace {

// About a terminal, a browser, or the words of a command line.
constexpr const char* kOfTheProgram[] = {"json", "quiet", "help", "help-all", "version", "serve", "slurm"};

Status check_text(const std::string& key, const std::string& text) {
  if (text.find('\0') == std::string::npos) return {};
  return Error{fmt::format("the value of '{}' has a zero byte in it", key)};
}

Status take_input(const json& value, Options& options) {
  const bool list = value.is_array() && options.verb == kConvert;
  const json given = list ? value : json::array({value});
  for (const json& one : given) {
    if (!one.is_string() || one.get_ref<const std::string&>().empty())
      return Error{fmt::format("'input' is a path{}, not {}", options.verb == kConvert ? " or a list of paths" : "",
                               one.dump(-1, ' ', false, json::error_handler_t::replace))};
    SPLAT_TRY(check_text("input", one.get_ref<const std::string&>()));
    if (options.input.empty()) options.input = one.get<std::string>();
    if (options.verb == kConvert) options.convert.inputs.emplace_back(one.get<std::string>());
  }
  return {};
}

// A flag that is false, and is so anyway, counts as not given: as a word that is not there.
bool says_nothing(const OptionRow& row, const json& value) {
  return value.is_null() || (row.value.empty() && value == false && row.get() == false);
}

Status give_value(const OptionRow& row, const json& value, Options& options) {
  if (says_nothing(row, value)) return {};
  if (row.repeats && value.is_array()) {
    for (const json& one : value) SPLAT_TRY(give_value(row, one, options));
    return {};
  }
  const auto text = typed_text(value);
  if (!text) return Error{fmt::format("--{} {}", row.name, text.error().message)};
  const std::string typed = text->value_or("");
  SPLAT_TRY(check_text(row.name, typed));
  return give(row, typed, options);
}

}  // namespace

Outcome read_job(Verb verb, const json& settings, Options& options) {
  if (!settings.is_object()) return bad_input("settings are a JSON object, {\"iterations\": 7000, ...}");
  options.verb = verb;
  const std::vector<OptionRow> rows = option_table(options);
  std::vector<std::pair<const OptionRow*, const json*>> given;
  for (const auto& [key, value] : settings.items()) {
    if (key == "input") {
      if (const Status status = take_input(value, options); !status) return bad_input(status.error());
      continue;
    }
    const OptionRow* row = find_row(rows, with_dashes(key));
    if (!row || is_command(*row)) return unknown_option("--" + with_dashes(key), rows);
    if (std::find(std::begin(kOfTheProgram), std::end(kOfTheProgram), row->name) != std::end(kOfTheProgram))
      return bad_input(fmt::format("--{} is of the program alone; leave it out", row->name));
    given.emplace_back(row, &value);
  }
  // In the order of the rows, as words are.
  std::stable_sort(given.begin(), given.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [row, value] : given)
    if (const Status status = give_value(*row, *value, options); !status) return bad_input(status.error());
  options.typed = options.given;
  if (options.input.empty()) return bad_input("the settings have no 'input': the path of what the job works on");
  if (!options.config.empty())
    if (const Status status = apply_config_file(options); !status) return bad_input(status.error());
  return settle_options(options);
}

}  // namespace app
