#include "studio/window/error_lines.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// With which a part begins that says what to do.
constexpr std::string_view kAdvice[] = {
    "add",    "ask",    "check", "choose",  "close",   "copy",   "create",  "delete", "did you mean", "first",
    "free",   "give",   "go on", "install", "lower",   "make",   "move",    "name",   "open",         "put",
    "remove", "rename", "save",  "set",     "start",   "take",   "train",   "try",    "turn",         "undo",
    "update", "use",    "wait",  "write",   "convert", "unpack", "download"};

bool advises(std::string_view part) {
  return std::any_of(std::begin(kAdvice), std::end(kAdvice), [&](std::string_view verb) {
    if (!part.starts_with(verb)) return false;
    return part.size() == verb.size() || part[verb.size()] == ' ';
  });
}

// At ": " and "; " outside of quotes. An apostrophe inside a word is none.
std::vector<std::string> parts_of(const std::string& sentence) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  const auto letter = [&](size_t at) { return at < sentence.size() && std::isalnum((unsigned char)sentence[at]); };
  for (size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    if (c == '\'') quoted = quoted ? letter(i + 1) : !(i > 0 && letter(i - 1));
    if (!quoted && (c == ':' || c == ';') && i + 1 < sentence.size() && sentence[i + 1] == ' ') {
      parts.emplace_back();
      ++i;
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// "'a.ply'", or "'a.ply', byte 7": where something is wrong, and no word of what.
bool is_place(const std::string& part) {
  const size_t end = part.rfind('\'');
  return part.starts_with('\'') && end > 0 && (end + 1 == part.size() || part.compare(end + 1, 2, ", ") == 0);
}

void join(std::string& line, const std::string& part) { line += (line.empty() ? "" : ": ") + part; }

}  // namespace

ErrorLines lines_of_error(const std::string& sentence) {
  const std::vector<std::string> parts = parts_of(sentence);
  ErrorLines lines{parts.front(), "", ""};
  if (is_place(lines.what)) lines.what = "there is a problem in " + lines.what;
  for (size_t i = 1; i < parts.size(); ++i) join(advises(parts[i]) ? lines.now : lines.why, parts[i]);
  if (lines.now.empty() && lines.why.find("truncated or corrupt") != std::string::npos)
    lines.now = "copy or download the file again";
  return {as_sentence(lines.what), as_sentence(lines.why), as_sentence(lines.now)};
}

}  // namespace studio
