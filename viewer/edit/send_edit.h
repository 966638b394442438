// What all tools of the edit mode share: requests to the application, and keys.
#pragma once

#include <optional>

#include "viewer/actions/action.h"
#include "viewer/workspace.h"

namespace viewer {

void send_edit(Workspace& work, EditRequest request);  // with what every request asks for
// What requests are to bring a histogram of; none: it is folded.
std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work);

struct EditKey {
  char letter = 0;  // upper case; 0: none
  bool del = false, backspace = false, enter = false, escape = false, plus = false, minus = false;
  int bracket = 0;  // -1 '[', 1 ']'
  Modifiers modifiers;
};

}  // namespace viewer
