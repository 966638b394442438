#include "align/colmap/colmap.h"
#include "splat/core/system.h"

#include <algorithm>
#include <cstdlib>

namespace align {

using splat::Error, splat::Result;

namespace {

constexpr const char* kPackage = "colmap";

std::vector<std::string> output_of(const std::filesystem::path& program, std::vector<std::string> arguments) {
  std::vector<std::string> lines;
  ToolCommand command;
  command.program = program;
  command.arguments = std::move(arguments);
  command.environment = {"QT_QPA_PLATFORM=offscreen"};
  command.on_line = [&](std::string_view line, bool continued) {
    if (continued && !lines.empty())
      lines.back() += line;
    else
      lines.emplace_back(line);
  };
  run_tool(command);
  return lines;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "COLMAP 3.8 -- Structure-from-Motion and Multi-View Stereo", perhaps behind a log's prefix.
std::string version_in(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const size_t at = line.find("COLMAP ");
    if (at == std::string::npos || at + 7 >= line.size() || !is_digit(line[at + 7])) continue;
    size_t end = at + 7;
    while (end < line.size() && (is_digit(line[end]) || line[end] == '.')) ++end;
    return line.substr(at + 7, end - at - 7);
  }
  return {};
}

// "--Mapper.min_num_matches arg (=15)"
void add_options(const std::string& line, std::set<std::string>& options) {
  for (size_t at = line.find("--"); at != std::string::npos; at = line.find("--", at + 2)) {
    size_t end = at + 2;
    const auto part_of_name = [](char c) {
      return is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    while (end < line.size() && part_of_name(line[end])) ++end;
    if (end > at + 2) options.insert(line.substr(at + 2, end - at - 2));
  }
}

}  // namespace

Result<Colmap> Colmap::find() {
  Colmap colmap;
  const char* variable = splat::environment("HIPSPLAT_COLMAP");
  const std::string name = variable && *variable ? variable : kPackage;
  colmap.program_ = find_program(name);
  if (colmap.program_.empty())
    return Error{"the program '" + name + "', which finds the cameras of photos, is not installed" +
                 (variable ? " (HIPSPLAT_COLMAP)" : "; on Debian or Ubuntu: sudo apt install colmap")};
  colmap.version_ = version_in(output_of(colmap.program_, {"help"}));
  if (colmap.version_.empty())
    return Error{"'" + colmap.program_.string() + "' does not say its version as COLMAP does: try 'colmap help'"};
  colmap.major_ = std::atoi(colmap.version_.c_str());
  return colmap;
}

std::string Colmap::advice() const {
  for (const char* slow : {"4.0", "4.1.0"})
    if (version_ == slow || version_.starts_with(std::string(slow) + "."))
      return "COLMAP " + version_ + " matches several times slower than 4.1.1 and later; hipsplat's own matcher is " +
             "not affected";
  if (major_ == 3 && std::atoi(version_.substr(2).c_str()) < 7)
    return "COLMAP " + version_ + " is older than any that hipsplat is tested with (3.8 to 4.1)";
  return {};
}

const std::set<std::string>& Colmap::options_of(const std::string& command) {
  const auto [entry, is_new] = options_.try_emplace(command);
  if (is_new)
    for (const std::string& line : output_of(program_, {command, "-h"})) add_options(line, entry->second);
  return entry->second;
}

ColmapArguments& ColmapArguments::add(std::initializer_list<const char*> spellings, const std::string& value) {
  for (const char* spelling : spellings)
    if (known_.contains(spelling)) {
      arguments_.push_back(std::string("--") + spelling);
      arguments_.push_back(value);
      break;
    }
  return *this;
}

}  // namespace align
