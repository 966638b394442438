// --help, printed from the option table.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/settings/options.h"

namespace app {
namespace {

constexpr size_t kTextColumn = 34, kWidth = 110;

const char* const kIntroduction =
    "hipsplat trains, renders and measures 3D Gaussian splats.\n"
    "\n"
    "  hipsplat [SPLATS|DATASET]                the window: view splats, or train on a dataset and watch\n"
    "  hipsplat SPLATS SPLATS...                the window with several splat files in one scene\n"
    "  hipsplat SPLATS --serve                  a browser in its place, here or through ssh\n"
    "  hipsplat train DATASET -o OUT            COLMAP or transforms.json folder in, splat file or folder out\n"
    "  hipsplat train PHOTOS|VIDEO -o OUT       without cameras: finds them first, with COLMAP\n"
    "  hipsplat align PHOTOS|VIDEO -o SCENE     finds the cameras alone\n"
    "  hipsplat evaluate SPLATS --data DATASET  PSNR, SSIM and FLIP on the held-out views\n"
    "  hipsplat render SPLATS --cameras DATASET|cameras.json -o DIR\n"
    "  hipsplat render SPLATS --path orbit|FILE -o FILM.mp4   a film along a path\n"
    "  hipsplat convert IN... OUT               between splat formats, with filters and transforms\n"
    "  hipsplat mesh SPLATS -o FILE             a triangle mesh, textured by the photos of --data\n"
    "  hipsplat info SPLATS|DATASET             what it contains, and what is wrong with it\n"
    "  hipsplat thumbnail SPLATS -o PNG         a small picture, as file managers show it\n"
    "  hipsplat blocks ACTION ...               a scene too large for one run, in blocks\n"
    "  hipsplat doctor                          which backends and devices work on this machine\n"
    "  hipsplat bench                           how fast this machine trains, stage by stage\n"
    "\n"
    "SPLATS is a splat file, a checkpoint, the folder of a training run, or of an unpacked SOG. COMMAND --help lists\n"
    "the options of a command, --help-all everything. --train DATASET is the same as train DATASET.\n";

const char* const kExitCodes =
    "\nExit codes: 0 done; 1 failed while running; 2 wrong usage or unusable input; 3 the requested backend, or a "
    "window, is not usable here;\n"
    "130 interrupted, after a checkpoint was written.\n";

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

std::string default_text(const nlohmann::json& value, const OptionRow& row) {
  if (row.value.empty() || value.is_null() || row.help.find("(default") != std::string::npos) return "";
  const bool is_auto = value.is_number_integer() && value.get<int64_t>() == splat::kAuto && is_fine_setting(row);
  const std::string shown = is_auto ? "by length" : value.is_string() ? value.get<std::string>() : value.dump();
  return fmt::format(" [{}]", shown);
}

std::string help_line(const OptionRow& row) {
  std::string left = row.short_name.empty() ? "      " : "  -" + row.short_name + ", ";
  left += "--" + row.name + (row.value.empty() ? "" : " " + row.value);
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
  if (all || overview) text = kIntroduction;
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
  return text + kExitCodes;
}

}  // namespace app
