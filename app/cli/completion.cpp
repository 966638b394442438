#include <fmt/format.h>

#include "app/cli/generated_texts.h"
#include "app/settings/options.h"

namespace app {
namespace {

std::vector<std::string> words_of(const OptionRow& row) {
  std::vector<std::string> words{"--" + row.name};
  if (!row.short_name.empty()) words.push_back("-" + row.short_name);
  return words;
}

// `text` with `sign` before each of `special`.
std::string escaped(const std::string& text, const std::string& special, char sign) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += sign;
    result += c;
  }
  return result;
}

// Up to the first end of a part: descriptions stand in one line beside the option.
std::string short_help(const OptionRow& row) {
  constexpr size_t kLongest = 72;
  std::string text = row.help.substr(0, row.help.find_first_of(";("));
  while (text.ends_with(' ')) text.pop_back();
  if (text.size() <= kLongest) return text;
  return text.substr(0, text.rfind(' ', kLongest)) + " ...";
}

// "train align render ...": the first word may be one of them, or a file.
std::string commands_of(const std::vector<OptionRow>& rows) {
  std::string commands;
  for (const OptionRow& row : rows)
    if (is_command(row)) commands += (commands.empty() ? "" : " ") + row.name;
  return commands;
}

std::string bash_script(const std::vector<OptionRow>& rows) {
  std::string all, cases, others;
  for (const OptionRow& row : rows) {
    const std::string words = fmt::format("{}", fmt::join(words_of(row), "|"));
    all += (all.empty() ? "" : " ") + fmt::format("{}", fmt::join(words_of(row), " "));
    if (!row.choices.empty())
      cases += fmt::format("    {})\n      COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n      return\n      ;;\n",
                           words, fmt::join(row.choices, " "));
    else if (!row.value.empty() && !row.is_path)
      others += (others.empty() ? "" : "|") + words;
  }
  return "# Completion of hipsplat for bash, made from its option table.\n"
         "_hipsplat() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  COMPREPLY=()\n"
         "  case $before in\n" +
         cases + "    " + others +
         ")\n      compopt +o default 2>/dev/null  # a number or a name: files would be wrong\n      return\n      ;;\n"
         "  esac\n"
         "  if [[ $COMP_CWORD == 1 && $word != -* ]]; then COMPREPLY=($(compgen -W '" +
         commands_of(rows) + "' -- \"$word\")); fi\n" + "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" + all +
         "' -- \"$word\")); fi\n"
         "}\n"
         "complete -o default -o bashdefault -F _hipsplat hipsplat\n";
}

std::string zsh_script(const std::vector<OptionRow>& rows) {
  std::string text =
      "#compdef hipsplat\n# Completion of hipsplat for zsh, made from its option table.\n_arguments -s \\\n";
  for (const OptionRow& row : rows) {
    const std::vector<std::string> words = words_of(row);
    const std::string help = escaped(escaped(short_help(row), "\\[]:", '\\'), "'", '\'');
    const std::string value = row.value.empty() ? ""
                              : !row.choices.empty()
                                  ? fmt::format(":{}:({})", escaped(row.value, ":", '\\'), fmt::join(row.choices, " "))
                              : row.is_path ? fmt::format(":{}:_files", escaped(row.value, ":", '\\'))
                                            : fmt::format(":{}: ", escaped(row.value, ":", '\\'));
    for (const std::string& word : words)
      text += fmt::format("  '({}){}[{}]{}' \\\n", fmt::join(words, " "), word, help, value);
  }
  return text + "  '1::command or file:{compadd -- " + commands_of(rows) + "; _files}' \\\n  '*:file:_files'\n";
}

std::string fish_script(const std::vector<OptionRow>& rows) {
  std::string text =
      "# Completion of hipsplat for fish, made from its option table.\ncomplete -c hipsplat -n "
      "__fish_use_subcommand -a '" +
      commands_of(rows) + "'\n";
  for (const OptionRow& row : rows) {
    text += "complete -c hipsplat -l " + row.name;
    if (!row.short_name.empty()) text += " -s " + row.short_name;
    if (!row.choices.empty())
      text += fmt::format(" -x -a '{}'", fmt::join(row.choices, " "));
    else if (!row.value.empty())
      text += row.is_path ? " -r -F" : " -x";
    text += " -d '" + escaped(short_help(row), "\\'", '\\') + "'\n";
  }
  return text;
}

}  // namespace

std::optional<std::string> completion_script(const std::string& shell) {
  Options defaults;
  const std::vector<OptionRow> rows = option_table(defaults);
  if (shell == "bash") return bash_script(rows);
  if (shell == "zsh") return zsh_script(rows);
  if (shell == "fish") return fish_script(rows);
  return std::nullopt;
}

std::optional<std::string> generated_text(const std::vector<std::string>& arguments, const std::string& version) {
  if (arguments.size() != 2) return std::nullopt;
  if (arguments[0] == "--print-completion") return completion_script(arguments[1]);
  if (arguments[0] == "--print-manual") return manual_page(version, arguments[1]);
  return std::nullopt;
}

}  // namespace app
