// A tool of the edit mode, as Rectangle, Crop box or Measure: how it is offered, what it does with the pointer and
// keys, and what it shows. This one, which does nothing, leaves the pointer to the camera. A new tool is a class of
// this kind and a row in tools.cpp; whoever asks of it asks the tool that is chosen, and never which one that is.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "studio/edit/edit_request.h"
#include "viewer/actions/action.h"
#include "viewer/camera/geometry.h"
#include "viewer/camera/input.h"
#include "viewer/live/shown_move.h"

namespace studio {

struct PickedPoint;
struct ScenePlace;
struct Workspace;

// How something that can be done is offered by buttons, keys and the list of actions.
struct Offer {
  const char *label, *tip, *name, *keys;  // keys: as keys_of() has them, several as "I or Ctrl+I"

  std::string first_keys() const;
  std::string button() const;   // the label, with its key where that is a single one: "Invert I"
  std::string tooltip() const;  // the tip with all keys
  bool has(const std::string& pressed) const;
};

std::string without_shift(const std::string& keys);
// The first that has these keys and is possible; Shift counts where one of them has it. False: there is none.
bool run_offered(const std::vector<Action>& actions, const std::string& keys);

// What it takes of the left button, and of the pointer that keys move: from a press to a release, or clicks.
enum class Presses : uint8_t { kNone, kClicks, kDrags };

class Tool {
 public:
  Tool(const Offer& offered, const char* letter, Presses taken = Presses::kNone)
      : offer(offered), icon(letter), presses(taken) {}
  virtual ~Tool() = default;

  Offer offer;  // the label is its name, also in messages and in the state for tests
  const char* icon;
  Presses presses;

  // What happens.
  virtual void chosen(Workspace&, bool /*again*/) {}   // by its button or key; again: it was chosen before
  virtual void cancel() {}                             // what is begun: another tool is chosen, or the edit mode ends
  virtual void forget() {}                             // another scene is open
  virtual void rows_changed(uint64_t /*revision*/) {}  // the window has the rows of the model at this revision
  virtual void answered(const EditedScene&) {}
  virtual void picked(Workspace&, const PickedPoint&) {}  // that it asked for

  // A press, move or release over the scene; true: it is the tool's. A shape that is complete is sent as a step.
  // scale: px of the scene per unit of the interface.
  virtual bool take_pointer(Workspace&, const InputEvent&, double /*scale*/) { return false; }
  virtual bool drawing() const { return false; }  // a shape has been begun
  // As keys_of() has them, before all others; here: those of its actions.
  virtual bool take_keys(Workspace& work, const std::string& keys);
  virtual void add_actions(Workspace&, std::vector<Action>&) {}  // for the list of commands; keys while it is chosen
  virtual void add_wants(EditWants&) const {}                    // to every request while it is chosen

  // What there is to see.
  virtual void draw_strip(Workspace& work);                       // in the current line: its options; here: its tip
  virtual float panel_rows(const Workspace&) const { return 0; }  // 0: it has no panel
  virtual void draw_panel(Workspace&) {}                          // in the current window
  virtual void draw_over_scene(Workspace&, const ScenePlace&) {}
  virtual ShownMove shown() const { return {}; }  // the move that it previews, until it is applied or cancelled
  virtual void add_state(const Workspace&, nlohmann::json&) const {}  // for tests, by names of its own
};

std::vector<std::unique_ptr<Tool>> all_tools();                   // tools.cpp: in the order of the bar
void choose_tool(Workspace& work, Tool& tool);                    // what its button and key do
bool is_press(const InputEvent& event);                           // of the left button, which with Alt is the camera's
void strip_text(const Workspace& work, const std::string& text);  // faint, in the rest of the tool's strip

}  // namespace studio
