// Editing between the window and the application: what a tool asks for, and how the splats stand afterwards. The model
// and its history are the application's (splat/edit); the window keeps the newest state of every row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "splat/edit/box_around.h"
#include "splat/edit/edited_model.h"
#include "splat/edit/ground_plane.h"
#include "splat/edit/selectors.h"
#include "splat/edit/value_histogram.h"
#include "splat/model/box.h"
#include "splat/model/camera.h"
#include "splat/model/transform.h"

namespace viewer {

enum class EditStep {
  kBegin,  // nothing but the answer
  kSelectOnScreen,
  kSelectByColour,
  kSelectByFlood,
  kSelectInSphere,
  kSelectInBox,
  kSelectByValue,
  kSelectProposed,
  kSelectAll,
  kSelectNone,
  kInvert,
  kGrow,
  kShrink,
  kHide,
  kUnhide,
  kLock,
  kUnlock,
  kDelete,
  kDuplicate,
  kSeparate,
  kSelectObject,
  kSelectByBox,
  kDeleteByBox,
  kShowBox,
  kProposeBox,
  kFindGround,
  kRenameObject,
  kShowObject,
  kHideObject,
  kLockObject,
  kUnlockObject,
  kMoveObject,
  kPlaceObject,
  kRefine,
  kAdd,  // of answers alone: a file has been added
  kTransform,
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
  // kSelectByColour: those like what is seen in the mask, in every channel by less than this, [0,1]. kSelectByFlood: as
  // kSelectOnScreen, in the pixels that hang together with the mask's and have its colour.
  float tolerance = 0;
  // kSelectInSphere, kSelectInBox: around what is seen in the mask, as large as this there. The box lies along the axes
  // of the world, and this is half its side.
  double radius_px = 0;
  // kSelectByValue: both ends inside. With every step: what the answer's histogram is of; none: there is none.
  std::optional<splat::edit::RowMeasure> measure;
  splat::View seen_from;  // contributions are those to the picture of this one
  double low = 0, high = 0;
  uint32_t reasons = 0;  // kSelectProposed: bits of those that count, from the score `low` on
  double distance = 0;   // kGrow, kShrink: world units, above 0
  uint32_t object = 0;   // of a step on one of them
  std::string name;      // kRenameObject
  // kRefine: answered by how `object`, moved by `transform`, is to be moved so that its surfaces lie on those of this
  // other one; nothing changes.
  uint32_t onto = 0;
  bool with_scale = false;
  // kSelectByBox, kDeleteByBox: what is in the box, or what is not. kShowBox hides what is not and nothing else.
  // kProposeBox: the rows that the answer's box is to be around, turned like this one.
  splat::Box box;
  bool outside = false;
  splat::edit::BoxRows rows = splat::edit::BoxRows::kAll;
  std::array<double, 3> up{0, -1, 0};  // kFindGround: about where it is
  // kTransform: the selected rows, or all that are neither deleted nor locked. kMoveObject: from where it lies.
  // kPlaceObject: from where its file has it.
  splat::Similarity transform;
  bool everything = false;
  bool wants_extent = false, wants_groups = false;  // with every step
  std::optional<uint32_t> marked;                   // likewise: the object whose rows the answer marks (kMarked)
};

// The extent of centres, world units.
struct Extent {
  std::array<double, 3> centre{}, low{}, high{};  // centre: their mean

  double size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};

// Edits of an earlier window that ended before they were saved.
struct EditsFound {
  using OnlyNewest = void;
  std::filesystem::path splats;  // the file they were made on
  std::string what;              // "12 splats were deleted, 3 added"
};

// Selected splats near each other that a clean-up proposes for the same reason.
struct ProposedGroup {
  size_t reason = 0;  // index of CleanupProposal::reasons
  size_t rows = 0;
  splat::Box box{};  // around them
};

struct SceneObject {
  splat::edit::Object object;
  size_t rows = 0;  // that are not deleted
};

struct Refined {
  splat::Similarity by;  // from where the object lies
  double rms = 0;        // world units, between the surfaces, over the share of it that lies on the other
  double share = 0;      // 0..1
  int iterations = 0;
  uint64_t revision = 0;  // of the rows that it was found for
};

struct EditedScene {
  using OnlyNewest = void;
  EditStep step = EditStep::kBegin;  // that it answers
  std::filesystem::path splats;      // that were opened
  std::vector<uint8_t> states;       // [N] splat::edit::StateBit, of the rows as they are now, and kMarked
  std::optional<uint32_t> marked;    // the object that has it
  size_t selected = 0, hidden = 0, locked = 0, deleted = 0;
  std::string undo, redo;          // names of the steps; empty: none
  bool unsaved = false;            // what a file gets has changed since the splats were opened or saved
  std::string unsaved_what;        // "12 splats were deleted, 3 added"
  std::filesystem::path saved_as;  // all of it, last; empty: not yet
  std::vector<SceneObject> objects;
  splat::Similarity placed{};      // all of it, from where it was opened
  double file_scale = 1;           // units of the opened file, as it is now, for one as it was opened
  std::optional<Refined> refined;  // by kRefine
  std::optional<splat::edit::ValueHistogram> histogram;
  std::optional<splat::Box> box;                   // kProposeBox; none: there is no such row
  std::optional<splat::edit::GroundPlane> ground;  // kFindGround; none: nothing is level enough
  std::optional<Extent> extent;  // of what kTransform would move; none: not asked for, or nothing has a finite centre
  std::vector<ProposedGroup> groups;  // the weightiest first; none: not asked for, or nothing proposed is selected
  uint64_t proposal = 0;              // CleanupProposal::number
  size_t proposed_rows = 0;           // the first ones, that it speaks of
  uint64_t revision = 0;              // EditedModel::revision()
  double usual_distance = 0;          // between neighbours, about, world units; 0: no splat has a size
  double milliseconds = 0;            // that the step took
};

}  // namespace viewer
