#include <fmt/format.h>

#include "app/cli/generated_texts.h"
#include "app/cli/overview.h"
#include "app/settings/options.h"

namespace app {
namespace {

struct Entry {
  const char* name;
  const char* text;
};
constexpr Entry kVariables[] = {
    {"HIPSPLAT_PLUGINS", "the folder with the plugins for GPUs, in place of the usual ones"},
    {"HIPSPLAT_SIMD", "sse4, avx2 or avx512: the instruction set of the CPU backend, where the machine has it"},
    {"HIPSPLAT_COLMAP", "the COLMAP program that finds cameras, in place of colmap on the PATH"},
    {"XDG_CONFIG_HOME", "where the window keeps its settings, in hipsplat/; by default ~/.config"}};
constexpr Entry kExamples[] = {
    {"hipsplat train photos -o out --eval", "From a folder of photos to splats, every 8th photo held out."},
    {"hipsplat info my_scene", "What a dataset holds and how much memory it takes, before you wait for anything."},
    {"hipsplat convert scan.ply scan.spz", "Between formats; the extension names the format."},
    {"hipsplat doctor", "Why a GPU is not used, and what to install."}};

// As roff takes it: no backslash, hyphen, or dot or quote at a line's beginning, that means something else.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string with_italics(std::string_view text) {
  std::string result;
  bool italic = false;
  for (size_t at = 0; at <= text.size();) {
    const size_t star = std::min(text.find('*', at), text.size());
    result += roff(text.substr(at, star - at));
    at = star + 1;
    if (star == text.size()) break;
    italic = !italic;
    result += italic ? "\\fI" : "\\fP";
  }
  return result;
}

template <class Entry, size_t count>
std::string list_of(const Entry (&entries)[count]) {
  std::string text;
  for (const auto& [name, what] : entries) text += fmt::format(".TP\n\\fB{}\\fP\n{}\n", roff(name), roff(what));
  return text;
}

// Without what is true on this machine alone: "0: all (2 here)".
std::string general_help(std::string text) {
  const size_t end = text.find(" here)"), begin = text.rfind(" (", end);
  if (end != std::string::npos && begin != std::string::npos) text.erase(begin, end + 6 - begin);
  return text;
}

std::string option_entry(const OptionRow& row) {
  std::string head = row.short_name.empty() ? "" : fmt::format("\\fB\\-{}\\fP, ", row.short_name);
  head += fmt::format("\\fB{}\\fP", roff(shown_name(row)));
  if (!row.value.empty()) head += fmt::format(" \\fI{}\\fP", roff(row.value));
  return fmt::format(".TP\n{}\n{}\n", head, roff(general_help(row.help)));
}

std::string options_part() {
  Options defaults;
  std::string text, group;
  for (const OptionRow& row : option_table(defaults)) {
    if (group != row.group) text += fmt::format(".SS {}\n", roff(group = row.group));
    text += option_entry(row);
  }
  return text;
}

}  // namespace

std::string manual_page(const std::string& version, const std::string& date) {
  std::string text = fmt::format(
      ".\\\" Made from the option table of hipsplat.\n.TH HIPSPLAT 1 {} \"hipsplat {}\" \"User Commands\"\n"
      ".SH NAME\nhipsplat \\- train, view and convert 3D Gaussian splats\n.SH SYNOPSIS\n",
      date, version);
  for (const Synopsis& synopsis : kSynopses) {
    if (&synopsis != kSynopses) text += ".br\n";
    text += fmt::format("\\fBhipsplat\\fP {}\n", with_italics(synopsis.words));
  }
  text += ".SH DESCRIPTION\n" +
          roff(
              "hipsplat turns photos into 3D Gaussian splats, shows them in a window and converts between the common "
              "splat formats. It trains on GPUs of AMD and NVIDIA through plugins, and on the processor alone.") +
          "\n";
  for (const Synopsis& synopsis : kSynopses)
    text += fmt::format(".TP\n\\fBhipsplat\\fP {}\n{}\n", with_italics(synopsis.words), roff(synopsis.what));
  text += ".PP\n" + roff("SPLATS is a splat file, a checkpoint, the folder of a training run, or of an unpacked SOG.") +
          "\n";
  text += ".SH OPTIONS\n" + options_part();
  text += ".SH EXIT STATUS\n" + list_of(kExitStatus);
  text += ".SH ENVIRONMENT\n" + list_of(kVariables);
  text += ".SH EXAMPLES\n" + list_of(kExamples);
  return text + ".SH SEE ALSO\n\\fBcolmap\\fP(1), \\fBffmpeg\\fP(1)\n";
}

}  // namespace app
