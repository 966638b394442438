// What all tools of the edit mode share: requests to the application, and how what can be done is offered by buttons,
// keys and the list of actions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "studio/window/workspace.h"
#include "viewer/actions/action.h"

namespace studio {

void send_edit(Workspace& work, EditRequest request);  // with what every request asks for
// What requests are to bring a histogram of; none: it is folded.
std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work);

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

}  // namespace studio
