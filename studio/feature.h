// What a feature adds to the window, on the window's thread. It owns what is shown and chosen of it, takes its reports
// from the bridge, and offers sections of panels, dialogs, actions, a layer of the scene and its state for tests. A new
// one is a class of this kind and a row in window/features.cpp; where the application has work for it, a service
// (service.h) and a row in session.cpp. Features know the workspace, and not each other.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "studio/names.h"
#include "viewer/actions/action.h"
#include "viewer/camera/input.h"
#include "viewer/layers/layer.h"

namespace studio {

struct Workspace;
struct ScenePlace;

// One of the sections that a column holds below each other, each under a heading that can be folded.
struct PanelSection {
  int order = 0;               // in its column, rising
  std::string id, title;       // id: of kSections, where it can be detached; empty: it stays in its column
  std::function<void()> draw;  // in the current window
};

enum class Column : uint8_t { kLeft, kRight };

class Feature {
 public:
  explicit Feature(Workspace& shared) : work(shared) {}
  virtual ~Feature() = default;
  Feature(const Feature&) = delete;
  Feature& operator=(const Feature&) = delete;

  // What happens.
  // Another scene comes, and what was made of this one goes; same: its splats stay, now with their dataset.
  virtual void scene_left(bool /*same*/) {}
  virtual void scene_opened() {}    // its cameras are known, and what was left out of its run
  virtual void photos_changed() {}  // which of the photos are held out
  virtual void run_began() {}
  // What was made here is not saved. Before it would be lost, leave() asks; it calls `then` once that is saved, or
  // given up.
  virtual bool unsaved() const { return false; }
  virtual void leave(const std::function<void()>& /*then*/) {}
  virtual bool trains() const { return false; }  // for hours: whoever would end that is asked first
  virtual void each_frame() {}                   // before it is drawn: requests to the application that have become due

  // What there is to see.
  virtual void add_sections(Column, std::vector<PanelSection>&) {}
  virtual const char* has_right_column() const { return nullptr; }  // its title, while that is this feature's alone
  virtual float strip_height() const { return 0; }  // of what lies under the scene, as wide as that; 0: nothing
  virtual void draw_strip() {}                      // in the current window
  virtual void draw_dialogs() {}
  virtual void draw_over_scene(const ScenePlace&) {}
  virtual bool covers_scene() const { return false; }  // by draw_in_place_of_scene(), in a window as large as it
  virtual void draw_in_place_of_scene() {}
  virtual const char* covering_hint() const { return ""; }                 // in the status bar meanwhile
  virtual std::string figures_of_photo(int /*view*/) const { return {}; }  // a line beside its name; empty: none
  virtual Layer* layer() { return nullptr; }

  // What can be done. menu: the rows of that one alone, also of a thing that was clicked on (window/clicked.h); empty:
  // those that no menu lists.
  virtual void add_actions(const std::string& /*menu*/, std::vector<Action>&) {}
  // The mouse over the scene, before tools and navigation have it; true: it is the feature's. scale: px of the scene
  // per unit of the interface.
  virtual bool take_pointer(const InputEvent&, double /*scale*/) { return false; }
  virtual void escape() {}  // Escape was pressed, and no dialog took it

  virtual void add_state(nlohmann::json&) const {}  // for tests, by names of its own

 protected:
  Workspace& work;
};

}  // namespace studio
