// A dialog with every setting of a run that has no control of its own in the training panel: by its name in words, with
// a search, a control for its kind of value, and what is wrong with it.
#pragma once

#include <map>
#include <string>

#include "studio/window/workspace.h"

namespace studio {

class AllSettings {
 public:
  explicit AllSettings(Workspace& work) : work_(work) {}
  void show() { shown_ = true; }
  void draw();  // while it is shown

 private:
  void check();
  void draw_list();

  Workspace& work_;
  bool shown_ = false, chooses_ = false;         // chooses_: a file dialog was open in the last frame
  std::string searched_;                         // typed
  std::map<std::string, std::string> checked_;   // settings that differ from their defaults
  std::map<std::string, std::string> problems_;  // what is wrong with those, by name
};

}  // namespace studio
