// Editing between the window and the application: what a tool asks for, and how the splats stand afterwards. The model
// and its history are the application's (splat/edit); the window keeps the newest state of every row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "splat/edit/box_around.h"
#include "splat/edit/ground_plane.h"
#include "splat/edit/row_counts.h"
#include "splat/edit/steps.h"
#include "splat/edit/value_histogram.h"
#include "splat/model/box.h"
#include "splat/model/screen_filter.h"
#include "splat/model/transform.h"
#include "studio/names.h"

namespace studio {

using splat::edit::EditStep;
using splat::edit::is_one_of;

// How `object`, moved by `from`, is to be moved so that its surfaces lie on those of `onto`.
struct RefineObject {
  uint32_t object = 0, onto = 0;
  splat::Similarity from;
  bool with_scale = false;
};

struct BoxAround {
  splat::edit::BoxRows rows = splat::edit::BoxRows::kAll;
  splat::math::Quat<double> rotation{1, 0, 0, 0};  // of the box
};

// Questions that go with a request and come back with its answer.
struct EditWants {
  std::optional<splat::edit::RowMeasure> histogram;  // what it is of
  splat::View seen_from;                             // contributions are those to the picture of this one
  bool extent = false, groups = false;
  std::optional<uint32_t> marked;  // the object whose rows the answer marks (kMarked)
  std::optional<BoxAround> box;
  std::optional<std::array<double, 3>> ground;  // about where up is
  std::optional<RefineObject> refined;
};

struct EditRequest {               // answered by an EditedScene
  std::optional<EditStep> step{};  // none: nothing but the answer
  EditWants wants{};
  splat::ScreenFilter filter{};  // of the pictures that it goes by
};

// Edits of an earlier window that ended before they were saved.
struct EditsFound {
  using OnlyNewest = void;
  std::filesystem::path splats;  // the file they were made on
  std::string what;              // "12 splats were deleted, 3 added"
};

// Selected splats near each other that a clean-up proposes for the same reason.
struct ProposedGroup {
  size_t reason = 0;  // splat::clean::Reason
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
  double start_rms = 0;  // that of the same share at RefineObject::from
  double share = 0;      // 0..1
  int iterations = 0;
  uint64_t revision = 0;  // of the rows that it was found for
};

inline constexpr size_t kListedSteps = 200;

struct EditStepDone {
  std::string name;  // "delete"
  size_t rows = 0;   // that it changed
};

struct EditedScene {
  using OnlyNewest = void;
  EditWants wants;               // that it answers
  bool stepped = false;          // to a step
  bool transformed = false;      // which moved what was shown to move
  bool added = false;            // a file has come
  bool missed = false;           // the step went by a place where nothing is
  std::filesystem::path splats;  // that were opened
  std::vector<uint8_t> states;   // [N] splat::edit::StateBit, of the rows as they are now, and kMarked
  size_t selected = 0, hidden = 0, locked = 0, deleted = 0;
  std::string undo, redo;  // names of the steps; empty: none
  // The newest steps, at most kListedSteps, oldest first; how many came before these; how many of all are done now.
  std::vector<EditStepDone> steps;
  size_t steps_before = 0, steps_done = 0;
  bool unsaved = false;            // what a file gets has changed since the splats were opened or saved
  std::string unsaved_what;        // "12 splats were deleted, 3 added"
  std::filesystem::path saved_as;  // all of it, last; empty: not yet
  std::vector<SceneObject> objects;
  splat::Similarity placed{};  // all of it, from where it was opened
  double file_scale = 1;       // units of the opened file, as it is now, for one as it was opened
  uint64_t proposal = 0;       // CleanupProposal::number
  size_t proposed_rows = 0;    // the first ones, that it speaks of
  uint64_t revision = 0;       // EditedModel::revision()
  double usual_distance = 0;   // between neighbours, about, world units; 0: no splat has a size
  double milliseconds = 0;     // that the step took

  // Where they were wanted.
  std::optional<splat::edit::ValueHistogram> histogram;
  std::optional<splat::edit::RowsExtent> extent;   // of what a transform would move; none: nothing has a finite centre
  std::vector<ProposedGroup> groups;               // the weightiest first; none: nothing proposed is selected
  std::optional<splat::Box> box;                   // none: there is no such row
  std::optional<splat::edit::GroundPlane> ground;  // none: nothing is level enough
  std::optional<Refined> refined;                  // none: they do not fit

  void follow(EditedScene&& older) {  // which nobody has seen: what it says once is said with this one
    if (older.splats != splats) return;
    stepped |= older.stepped, transformed |= older.transformed, added |= older.added, missed |= older.missed;
    if (!wants.box) wants.box = older.wants.box, box = older.box;
    if (!wants.ground) wants.ground = older.wants.ground, ground = older.ground;
    if (!wants.refined) wants.refined = older.wants.refined, refined = older.refined;
    if (!wants.histogram) wants.histogram = older.wants.histogram, histogram = std::move(older.histogram);
    if (!wants.extent) wants.extent = older.wants.extent, extent = older.extent;
  }
};

}  // namespace studio
