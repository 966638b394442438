// What a right click was on, and the menu of what can be done with it. Its rows are actions like all others: those of
// the scene are rows of the one table (Action::on_scene), those of a thing the rows of a menu with the thing's name,
// which features add to as well (Feature::add_actions), for the thing that Dialogs::clicked says.
#pragma once

#include <cstdint>
#include <string>

#include "studio/names.h"

namespace studio {

struct Workspace;

enum class Thing : uint8_t { kScene, kPhoto, kObject, kRecent, kRun };

struct Clicked {
  Thing thing = Thing::kScene;
  int number = -1;     // of the photo or object
  std::string name{};  // above the menu
  std::string path{};  // of the recent scene, or of the folder of the run
};

const char* menu_of(Thing thing);                // "Photo"
void ask_menu(Workspace& work, Clicked on);      // where the mouse is
void menu_of_item(Workspace& work, Clicked on);  // where the last item was clicked on, or Shift+F10 pressed on it
Clicked photo_clicked(const Workspace& work, int view);
void draw_clicked_menu(Workspace& work);

}  // namespace studio
