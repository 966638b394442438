// How a command shows that it works: a line that is rewritten on a terminal, a line now and then elsewhere, objects on
// stdout with --json. Lines go to stderr; stdout carries results only.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace app {

enum class DisplayMode { kBar, kLines, kJson, kNone };

// What fits --json, --quiet and whether stderr is a terminal.
DisplayMode choose_display(bool json, bool quiet);

// One line that is rewritten in place on a terminal, and not shown at all elsewhere. May be called from any thread, one
// at a time.
class StatusLine {
 public:
  explicit StatusLine(DisplayMode mode);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
};

// "[####......] TEXT" as one line without newline, of a share in [0,1]; no bar where the share is below 0 or there is
// no room for one. columns: the width that may be used.
std::string with_bar(const std::string& text, double share, int columns);
int terminal_columns();

// One JSON object as a line on stdout, flushed.
void print_json(const nlohmann::json& object);

}  // namespace app
