#include "app/settings/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

namespace app {

using splat::Status;

namespace {

// "--test_every=4" -> "--test-every=4".
std::string normalised(const std::string& argument) {
  if (!argument.starts_with("--")) return argument;
  const size_t end = std::min(argument.find('='), argument.size());
  return with_dashes(argument.substr(0, end)) + argument.substr(end);
}

// Errors of form, found by CLI11: a missing value, a flag with one.
Outcome bad_form(const CLI::ParseError& error, const std::vector<OptionRow>& rows) {
  const std::string what = error.what();
  for (const OptionRow& row : rows)
    if (what.find("--" + row.name + ":") != std::string::npos || what.find("--" + row.name + " ") != std::string::npos)
      return bad_input(row.value.empty() ? fmt::format("{} takes no value", shown_name(row))
                                         : fmt::format("{0} needs a value: {0} {1}", shown_name(row), row.value));
  return bad_input(what);
}

// The option that a word names, "--output=out" or "-o"; null: none.
const OptionRow* row_of_word(const std::string& word, const std::vector<OptionRow>& rows) {
  if (word.starts_with("--")) return find_row(rows, word.substr(2, word.find('=') - 2));
  for (const OptionRow& row : rows)
    if (!row.short_name.empty() && word == "-" + row.short_name) return &row;
  return nullptr;
}

// "info --json FILE": a command before other options takes the first word that is none, so "--json info FILE".
void move_behind_options(std::vector<std::string>& arguments, const std::vector<OptionRow>& rows) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    const OptionRow* row = arguments[i].starts_with("--") ? find_row(rows, arguments[i].substr(2)) : nullptr;
    if (!row || !is_command(*row) || row->value.empty()) continue;
    size_t to = i + 1;
    while (const OptionRow* option = to < arguments.size() ? row_of_word(arguments[to], rows) : nullptr)
      to += option->value.empty() || arguments[to].find('=') != std::string::npos ? 1 : 2;
    if (to < arguments.size() && !arguments[to].starts_with('-'))
      std::rotate(arguments.begin() + ptrdiff_t(i), arguments.begin() + ptrdiff_t(i) + 1,
                  arguments.begin() + ptrdiff_t(to));
    return;
  }
}

// Splits the words with CLI11 and sets the rows; words that are no option come back in `others`.
Outcome parse_words(std::vector<std::string> arguments, const std::vector<OptionRow>& rows, Options& options,
                    std::vector<std::string>& others) {
  CLI::App cli;
  cli.set_help_flag();
  cli.allow_extras();
  std::deque<std::string> values;  // stays in place while it grows
  std::vector<CLI::Option*> parsed;
  for (const OptionRow& row : rows) {
    const std::string names = (row.short_name.empty() ? "" : "-" + row.short_name + ",") + "--" + row.name;
    CLI::Option* option = row.value.empty() ? cli.add_flag(names) : cli.add_option(names, values.emplace_back());
    parsed.push_back(
        option->multi_option_policy(row.repeats ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast));
  }
  move_behind_options(arguments, rows);
  try {
    std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 takes
    cli.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return bad_form(error, rows);
  }
  for (const std::string& word : cli.remaining()) {
    if (word.size() > 1 && word[0] == '-') return unknown_option(word, rows);
    others.push_back(word);
  }
  std::string verb_given;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (parsed[i]->count() == 0) continue;
    const std::string& value = parsed[i]->results().back();  // "info --json FILE"
    if (!rows[i].value.empty() && value.find('=') == std::string::npos && row_of_word(value, rows))
      return bad_input(fmt::format("{0} needs a value, {0} {1}, and '{2}' stands in its place", shown_name(rows[i]),
                                   rows[i].value, value));
    const bool is_verb = is_command(rows[i]);
    if (is_verb && !verb_given.empty())
      return bad_input(fmt::format("{} and {} are two commands; give one", verb_given, rows[i].name));
    if (is_verb) verb_given = rows[i].name;
    const std::vector<std::string> typed = rows[i].repeats ? parsed[i]->results() : std::vector{value};
    for (const std::string& one : typed)
      if (const Status status = give(rows[i], one, options); !status) return bad_input(status.error());
  }
  return done();
}

// No command: the window, with the words that are no options as what it opens.
void settle_window(Options& options, std::vector<std::string>& others) {
  if (!others.empty()) {
    options.input = others[0];
    options.also.assign(others.begin() + 1, others.end());
  }
  others.clear();
  options.verb = kWindow;
}

// hipsplat convert IN... OUT: the last word is the output, unless -o names it.
void settle_files(Options& options, std::vector<std::string>& others) {
  options.convert.inputs = {options.input};
  if (options.output.empty() && !others.empty()) {
    options.output = others.back();
    others.pop_back();
  }
  options.convert.inputs.insert(options.convert.inputs.end(), others.begin(), others.end());
  others.clear();
}

}  // namespace

Outcome parse_options(std::vector<std::string> arguments, Options& options) {
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    argument = normalised(argument);
  }
  options.words = arguments;
  join_serve_with_its_address(arguments);
  const std::vector<OptionRow> rows = option_table(options);
  // A command is also an option, "--train SCENE"; a folder of such a name is opened as ./train.
  const OptionRow* command = arguments.empty() ? nullptr : find_row(rows, arguments[0]);
  if (command && is_command(*command)) {
    arguments[0] = "--" + command->name;
    const auto says = [&](const char* word) {
      return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
    };
    options.help = says("--help") || says("-h");
    options.help_all = says("--help-all");
    if (options.help || options.help_all) {
      options.verb = Verb(command->verbs);
      return done();
    }
  }
  std::vector<std::string> others;
  if (Outcome outcome = parse_words(std::move(arguments), rows, options, others); !outcome) return outcome;
  options.typed = options.given;
  if (options.help || options.help_all || options.version) return done();
  if (options.verb == kNoVerb) settle_window(options, others);
  if (options.verb == kConvert) settle_files(options, others);
  if (options.verb == kBlocks)
    if (const Status status = settle_blocks(options, others); !status) return bad_input(status.error());
  if (!others.empty())
    return bad_input(fmt::format("unexpected word '{}'{}", others[0],
                                 options.serve.asked ? "; --serve takes a port such as 8080, or 0.0.0.0:8080" : ""));
  if (!options.config.empty())
    if (const Status status = apply_config_file(options); !status) return bad_input(status.error());
  return settle_options(options);
}

}  // namespace app
