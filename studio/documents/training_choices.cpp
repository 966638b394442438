#include "studio/documents/training_choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

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

// Words of their own in a command.
constexpr std::string_view kPlaces[] = {"output", "leave-out"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Not what finds the cameras of photos, which has a dialog of its own, and not what goes with every command.
bool is_of_a_run(const OptionRow& row) {
  constexpr unsigned kFindsCameras = kAlign | kTrain;
  return (row.verbs & kTrain) != 0 && !is_command(row) && row.verbs != kFindsCameras && row.verbs != kAnyVerb;
}

bool may_be_chosen(const OptionRow& row) { return is_of_a_run(row) && !is_one_of(row.name, kOfTheCommand); }

const std::vector<OptionRow>& usual_rows() {  // of the defaults
  static Options defaults;
  static const std::vector<OptionRow> rows = option_table(defaults);
  return rows;
}

// Not settled yet; an error is of what was typed into the list of all settings.
Result<Options> chosen(const fs::path& dataset, const TrainingChoices& c) {
  Options o;
  o.verb = kTrain;
  o.input = dataset;
  o.output = c.output.empty() ? suggested_output(dataset) : c.output;
  o.console.quiet = true;
  if (c.resume.empty()) {
    static_cast<RunSettings&>(o) = c;
  } else {  // the checkpoint has the rest
    o.resume = c.resume, o.device = c.device, o.save = c.save;
    o.train.iterations = c.train.iterations;
  }
  if (!o.dataset.eval) o.dataset.test_every = io::DatasetOptions().test_every;
  if (o.train.region.empty()) o.train.region_alone = false;  // the box has gone with its scene
  if (o.train.iterations <= 0) o.train.iterations = splat::TrainConfig().iterations;
  const std::vector<OptionRow> rows = option_table(o), &usual = usual_rows();
  for (size_t i = 0; i < rows.size(); ++i)
    if (may_be_chosen(rows[i]) && rows[i].get() != usual[i].get()) o.given.insert(rows[i].name);
  if (c.train.iterations > 0) o.given.insert("iterations");
  for (const auto& typed : c.resume.empty() ? c.fine : decltype(c.fine)()) {
    const OptionRow* row = find_row(rows, typed.first);
    if (!row) return Error{fmt::format("there is no setting '{}'", typed.first)};
    SPLAT_TRY(give(*row, row->value.empty() ? "true" : typed.second, o));
  }
  if (c.left_out && !(c.left_out->empty() && c.resume.empty())) {
    o.dataset.leave_out = *c.left_out;
    o.given.insert("leave-out");
  }
  o.typed = o.given;
  return o;
}

Result<Options> settled(Result<Options> options) {
  if (!options) return options;
  if (const Outcome outcome = settle_options(*options); !outcome) return Error{outcome.sentence};
  return options;
}

// With the options that differ from the command line's defaults.
std::vector<std::string> words_of(const fs::path& dataset, const TrainingChoices& c) {
  auto options = chosen(dataset, c);
  TrainingChoices valid = c;
  if (!options) valid.fine.clear(), options = chosen(dataset, valid);
  std::vector<OptionRow> rows = option_table(*options), usual = usual_rows();
  for (auto* table : {&rows, &usual})
    std::erase_if(*table, [](const OptionRow& row) { return !may_be_chosen(row) || is_one_of(row.name, kPlaces); });
  std::vector<std::string> words{"train", dataset.string(), "-o", options->output.string()};
  for (std::string& word : typed_words(rows, usual)) words.push_back(std::move(word));
  if (options->was_given("leave-out"))
    words.insert(words.end(), {"--leave-out", fmt::format("{}", fmt::join(options->dataset.leave_out, ","))});
  if (valid.fine != c.fine)
    for (const auto& [name, value] : c.fine) {
      words.push_back("--" + name);
      if (!value.empty()) words.push_back(value);
    }
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

TrainingChoices::TrainingChoices() {
  train.iterations = 7000;
  dataset.eval = true;
}

Result<Options> options_of(const fs::path& dataset, const TrainingChoices& choices) {
  return settled(chosen(dataset, choices));
}

Result<Options> plan_options_of(const fs::path& dataset, const TrainingChoices& choices, const BlocksSettings& blocks) {
  SPLAT_ASSIGN_OR_RETURN(Options options, chosen(dataset, choices));
  options.verb = kBlocks;
  static_cast<BlocksSettings&>(options.blocks) = blocks;
  return settled(std::move(options));
}

std::string command_line_of(const fs::path& dataset, const TrainingChoices& choices) {
  return shell_line(words_of(dataset, choices));
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line = "hipsplat";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

const std::vector<OptionRow>& training_settings() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> of_a_run = usual_rows();
    std::erase_if(of_a_run,
                  [](const OptionRow& row) { return !may_be_chosen(row) || is_one_of(row.name, kOwnControls); });
    return of_a_run;
  }();
  return rows;
}

std::string setting_label(const std::string& name) {
  const OptionRow* row = find_row(usual_rows(), name);
  return row ? label_of(*row) : name;
}

std::string problem_of(const std::string& name, const std::string& value) {
  Options options;
  const std::vector<OptionRow> rows = option_table(options);
  const OptionRow* row = find_row(rows, name);
  if (!row) return {};
  Status status = row->set(row->value.empty() ? "true" : value);
  if (status) status = splat::check_config(options.train);
  return status ? "" : status.error().message;
}

}  // namespace studio
