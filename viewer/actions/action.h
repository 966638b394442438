// Something that can be done: for the menus, the list of commands (Ctrl+Shift+P), the shortcuts and the
// key sheet, and the menus of a right click.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace viewer {

struct Action {
  std::string name, keys = {};  // "Ctrl+Shift+O"; empty: none
  bool possible = true;
  std::function<void()> run = {};
  // Where a menu has it: which one ("File"), its name there where that is another, and its tick. rule: a line above it.
  const char* menu = nullptr;
  std::string label = {};
  std::optional<bool> ticked = {};
  bool rule = false;
  bool on_scene = false;  // a right click on the scene offers it, too
};

}  // namespace viewer
