// --help, printed from the option table.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/cli/overview.h"
#include "app/settings/options.h"

namespace app {
namespace {

constexpr size_t kTextColumn = 34, kSynopsisWidth = 32, kWidth = 110;

// `text` in lines that end before kWidth; all but the first are indented to kTextColumn.
std::string wrapped(std::string_view text) {
  std::string lines;
  size_t column = kTextColumn;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column + end > kWidth) {
      while (lines.ends_with(' ')) lines.pop_back();
      lines += "\n" + std::string(kTextColumn, ' ');
      column = kTextColumn;
    }
    lines += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) lines += " ", ++column;
  }
  return lines;
}

std::string introduction() {
  std::string text = "hipsplat trains, renders and measures 3D Gaussian splats.\n\n";
  for (const Synopsis& synopsis : kSynopses) {
    std::string words = synopsis.words;
    std::erase(words, '*');
    const std::string before = words.size() > kSynopsisWidth ? "\n" + std::string(kSynopsisWidth + 12, ' ') : " ";
    text += fmt::format("  hipsplat {:<{}}{}{}\n", words, kSynopsisWidth, before, synopsis.what);
  }
  return text +
         "\nSPLATS is a splat file, a checkpoint, the folder of a training run, or of an unpacked SOG. COMMAND --help "
         "lists\nthe options of a command, --help-all everything.\n";
}

std::string exit_codes() {
  std::string text = "\nExit codes:\n";
  for (const auto& [code, what] : kExitStatus) text += fmt::format("  {:<5}{}\n", code, what);
  return text;
}

std::string default_text(const nlohmann::json& value, const OptionRow& row) {
  if (row.value.empty() || value.is_null() || row.help.find("(default") != std::string::npos) return "";
  const bool is_auto = value.is_number_integer() && value.get<int64_t>() == splat::kAuto && is_fine_setting(row);
  const std::string shown = is_auto ? "by length" : value.is_string() ? value.get<std::string>() : value.dump();
  return fmt::format(" [{}]", shown);
}

std::string help_line(const OptionRow& row) {
  std::string left = row.short_name.empty() ? "      " : "  -" + row.short_name + ", ";
  left += shown_name(row) + (row.value.empty() ? "" : " " + row.value);
  left.resize(std::max(left.size() + 2, kTextColumn), ' ');
  return left + wrapped(row.help + default_text(row.get(), row)) + "\n";
}

}  // namespace

std::string help_text(const Options& asked) {
  Options defaults;
  const std::vector<OptionRow> rows = option_table(defaults);
  const unsigned verb = asked.verb == kNoVerb ? kWindow : asked.verb;
  const bool all = asked.help_all && asked.verb == kNoVerb, overview = !asked.help_all && verb == kWindow;
  std::string text;
  if (all || overview) text = introduction();
  std::string_view group;
  for (const OptionRow& row : rows) {
    if (!all && is_command(row) && row.verbs == verb)
      text += fmt::format("hipsplat {} {}\n\n  {}\n", row.name, row.value, row.help);
    if (!all && (is_command(row) || (row.rare && !asked.help_all) || !(row.verbs & verb))) continue;
    if (group != row.group) {
      group = row.group;
      text += fmt::format("\n{}\n", group);
    }
    text += help_line(row);
  }
  return text + exit_codes();
}

}  // namespace app
