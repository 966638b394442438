// Editing between the window and the application: what a tool asks for, and how the splats stand afterwards. The model
// and its history are the application's (splat/edit); the window keeps the newest state of every row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "splat/edit/edited_model.h"
#include "splat/edit/selectors.h"
#include "splat/model/camera.h"

namespace viewer {

enum class EditStep {
  kBegin,  // nothing but the answer
  kSelectOnScreen,
  kSelectAll,
  kSelectNone,
  kInvert,
  kDelete,
  kUndo,
  kRedo,
};

struct EditRequest {  // answered by an EditedScene
  EditStep step = EditStep::kBegin;
  splat::edit::SelectMode mode = splat::edit::SelectMode::kSet;
  // kSelectOnScreen: those seen in the mask, else all whose centres lie behind it.
  splat::View view;  // as large as the mask
  splat::edit::ScreenMask mask;
  bool visible = false, antialias = false;
};

struct EditedScene {
  std::vector<uint8_t> states;  // [N] splat::edit::StateBit, of the rows of the opened splats
  size_t selected = 0, deleted = 0;
  std::string undo, redo;   // names of the steps; empty: none
  bool unsaved = false;     // rows were deleted or brought back since the splats were opened or saved
  double milliseconds = 0;  // that the step took
};

}  // namespace viewer
