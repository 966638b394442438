#include "studio/documents/training_choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "app/settings/box.h"
#include "studio/documents/opening.h"

namespace studio {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

// Options that TrainingChoices has fields for.
constexpr std::string_view kOwnControls[] = {
    "iterations", "resolution", "max-splats", "sh-degree",        "seed",   "background", "eval",   "test-every",
    "antialias",  "backend",    "device",     "checkpoint-every", "output", "resume",     "region", "region-alone"};

// What the command alone makes of a run: films, pages. The window shows the run itself.
constexpr std::string_view kOfTheCommand[] = {"path", "film", "fps", "seconds", "crf", "size", "serve", "set"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Not what finds the cameras of photos, which has a dialog of its own, and not what goes with every command.
bool is_of_a_run(const OptionRow& row) {
  constexpr unsigned kFindsCameras = kAlign | kTrain;
  return (row.verbs & kTrain) != 0 && !is_command(row) && row.verbs != kFindsCameras && row.verbs != kAnyVerb;
}

std::string colour_text(const std::array<float, 3>& colour) {
  return fmt::format("{},{},{}", colour[0], colour[1], colour[2]);
}

// With the options that differ from the command line's defaults.
std::vector<std::string> words_of(const fs::path& dataset, const TrainingChoices& c) {
  const Options defaults;
  std::vector<std::string> words{"--train", dataset.string(), "-o",
                                 (c.output.empty() ? suggested_output(dataset) : c.output).string()};
  const auto add = [&words](const std::string& name, const std::string& value) {
    words.push_back("--" + name);
    words.push_back(value);
  };
  if (c.iterations > 0) add("iterations", std::to_string(c.iterations));
  if (c.backend != defaults.device.backend) add("backend", c.backend);
  if (c.device != defaults.device.index) add("device", std::to_string(c.device));
  if (c.checkpoint_every != defaults.save.checkpoint_every) add("checkpoint-every", std::to_string(c.checkpoint_every));
  if (c.leave_out && !(c.leave_out->empty() && c.resume.empty()))
    add("leave-out", fmt::format("{}", fmt::join(*c.leave_out, ",")));
  if (!c.resume.empty()) {
    add("resume", c.resume.string());
    return words;
  }
  if (c.region) add("region", text_of(*c.region));
  if (c.resolution > 0) add("resolution", std::to_string(c.resolution));
  if (c.max_splats > 0) add("max-splats", std::to_string(c.max_splats));
  if (c.sh_degree != defaults.train.sh_degree) add("sh-degree", std::to_string(c.sh_degree));
  if (c.seed != defaults.train.seed) add("seed", std::to_string(c.seed));
  if (c.random_background)
    add("background", "random");
  else if (c.background != defaults.train.background_colour)
    add("background", colour_text(c.background));
  if (c.hold_out) words.emplace_back("--eval");
  if (c.hold_out && c.test_every != defaults.dataset.test_every) add("test-every", std::to_string(c.test_every));
  if (c.antialias) words.emplace_back("--antialias");
  for (const auto& [name, value] : c.fine) value.empty() ? words.push_back("--" + name) : add(name, value);
  return words;
}

// As a shell reads it back: in single quotes where anything in it could mean something.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace

namespace {

Result<Options> parsed(std::vector<std::string> words) {
  words.emplace_back("--quiet");
  Options options;
  if (const Outcome outcome = parse_options(std::move(words), options); !outcome) return Error{outcome.sentence};
  return options;
}

}  // namespace

Result<Options> options_of(const fs::path& dataset, const TrainingChoices& choices) {
  return parsed(words_of(dataset, choices));
}

Result<Options> plan_options_of(const fs::path& dataset, const TrainingChoices& choices,
                                const std::string& block_memory) {
  std::vector<std::string> words = words_of(dataset, choices);
  words.front() = "plan";
  words.insert(words.begin(), "--blocks");
  if (!block_memory.empty()) words.insert(words.end(), {"--block-memory", block_memory});
  return parsed(std::move(words));
}

std::string command_line_of(const fs::path& dataset, const TrainingChoices& choices) {
  return shell_line(words_of(dataset, choices));
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line = "hipsplat";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

namespace {

// Why a run cannot have this value of a setting, whatever the others; empty: it can.
std::string problem_of(const std::string& name, const std::string& value) {
  Options options;
  for (const OptionRow& row : option_table(options)) {
    if (row.name != name) continue;
    Status status = row.set(row.value.empty() ? "true" : value);
    if (status) status = splat::check_config(options.train);
    return status ? "" : status.error().message;
  }
  return {};
}

}  // namespace

std::vector<SettingRow> setting_rows() {
  Options defaults;
  std::vector<SettingRow> rows;
  for (const OptionRow& row : option_table(defaults)) {
    if (!is_of_a_run(row) || is_one_of(row.name, kOwnControls) || is_one_of(row.name, kOfTheCommand)) continue;
    const nlohmann::json value = row.get ? row.get() : nlohmann::json();
    const std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
    SettingRow one;
    one.name = row.name, one.placeholder = row.value, one.help = row.help, one.choices = row.choices;
    one.default_value = value == splat::kAuto ? "automatic" : text;
    one.unit = row.unit, one.fine = is_fine_setting(row);
    one.problem = [name = row.name](const std::string& typed) { return problem_of(name, typed); };
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace studio
