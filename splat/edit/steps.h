// What can be done to an edited model, each step a type with its own data: what a tool or a key sends, or a program
// calls. apply() carries a step out, as one step of the model's history, or none where nothing changes. Steps that go
// by what is seen, or by a proposal, ask a Sight. A new one is its type with apply(), and its name in EditStep.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/edit/edited_model.h"
#include "splat/edit/selectors.h"
#include "splat/model/box.h"

namespace splat::edit {

// ---- of the model alone
template <auto operation>
struct Plain {
  void apply(EditedModel& edited, ThreadPool&) const { (edited.*operation)(); }
};
using SelectAll = Plain<&EditedModel::select_all>;
using SelectNone = Plain<&EditedModel::select_none>;
using InvertSelection = Plain<&EditedModel::invert_selection>;
using HideSelected = Plain<&EditedModel::hide_selected>;
using UnhideAll = Plain<&EditedModel::unhide_all>;
using LockSelected = Plain<&EditedModel::lock_selected>;
using UnlockAll = Plain<&EditedModel::unlock_all>;
using DeleteSelected = Plain<&EditedModel::delete_selected>;
using DuplicateSelected = Plain<&EditedModel::duplicate_selected>;
using SeparateSelected = Plain<&EditedModel::separate_selected>;
using Undo = Plain<&EditedModel::undo>;
using Redo = Plain<&EditedModel::redo>;

template <auto operation>
struct ByDistance {
  double distance = 0;  // world units; 0 and below: nothing is done
  void apply(EditedModel& edited, ThreadPool&) const {
    if (distance > 0) (edited.*operation)(distance);
  }
};
using GrowSelection = ByDistance<&EditedModel::grow_selection>;
using ShrinkSelection = ByDistance<&EditedModel::shrink_selection>;

template <auto operation>
struct MoveBy {
  Similarity by;
  void apply(EditedModel& edited, ThreadPool&) const { (edited.*operation)(by); }
};
using MoveSelected = MoveBy<&EditedModel::move_selected>;
using MoveAll = MoveBy<&EditedModel::move_all>;

template <auto operation, class Value>
struct OnObject {
  uint32_t object = 0;  // one that does not exist: nothing is done
  Value value{};
  void apply(EditedModel& edited, ThreadPool&) const {
    if (object < edited.object_count()) (edited.*operation)(object, value);
  }
};
using RenameObject = OnObject<&EditedModel::rename_object, std::string>;
using ShowObject = OnObject<&EditedModel::show_object, bool>;
using LockObject = OnObject<&EditedModel::lock_object, bool>;
using MoveObject = OnObject<&EditedModel::move_object, Similarity>;    // from where it lies
using PlaceObject = OnObject<&EditedModel::place_object, Similarity>;  // from where its file has it

struct SelectObject {
  uint32_t object = 0;
  SelectMode mode = SelectMode::kSet;
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

// Undoes or redoes until this many steps are done, counted from the first (History::done()); as near as there are
// steps.
struct GoToStep {
  size_t steps = 0;
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

struct SelectByValue {
  RowMeasure measure;  // of contributions: SelectByContribution
  double low = 0, high = 0;
  SelectMode mode = SelectMode::kSet;
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

struct SelectByBox {
  Box box{};
  bool outside = false;
  SelectMode mode = SelectMode::kSet;
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

struct DeleteByBox {
  Box box{};
  bool outside = false;
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

struct ShowBox {  // hides what is not in it and nothing else
  Box box{};
  void apply(EditedModel& edited, ThreadPool& pool) const;
};

// ---- by what is seen
// How the model looks, and what is proposed to be taken out of it; whoever carries steps out knows. Errors: there is
// nothing to see by.
class Sight {
 public:
  struct Weights {
    std::span<const float> max, sum;  // [N] blending weights of the rows, over the pixels
  };
  // Until the next call. mask [H,W]: pixels that are not 0 count; empty: all.
  virtual Result<Weights> weights(const View& view, std::span<const uint8_t> mask) = 0;
  virtual Result<ImageF> picture(const View& view) = 0;
  // Rows with at least this score, for one of these reasons: bits of their numbers.
  virtual RowMask proposed(float least, uint32_t reasons) = 0;
  virtual void nothing_is_there() = 0;  // said by a step that goes by a place, where no row shows

 protected:
  ~Sight() = default;
};

struct Drawn {  // with a tool, over the picture of a view
  View view{};
  ScreenMask mask{};  // as large
  SelectMode mode = SelectMode::kSet;
};

struct SelectOnScreen : Drawn {
  bool visible = false;  // those seen in the mask; else all whose centres lie behind it
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectByFlood : Drawn {  // the same in the pixels that hang together with the first of the mask
  bool visible = false;
  float tolerance = 0;  // and differ by at most this in every channel, [0,1]
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectByColour : Drawn {  // those like what is seen in the mask
  float tolerance = 0;           // as for flooding
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectInSphere : Drawn {  // around what is seen in the mask
  double radius_px = 0;          // there
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectInBox : Drawn {  // along the axes of the world
  double radius_px = 0;       // half its side, likewise
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectByContribution {
  View view{};
  double low = 0, high = 0;  // greatest blending weight in its picture, both inside
  SelectMode mode = SelectMode::kSet;
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

struct SelectProposed {
  float least = 0;
  uint32_t reasons = 0;
  Status apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const;
};

// ---- any of them
using EditStep =
    std::variant<SelectAll, SelectNone, InvertSelection, HideSelected, UnhideAll, LockSelected, UnlockAll,
                 DeleteSelected, DuplicateSelected, SeparateSelected, Undo, Redo, GoToStep, GrowSelection,
                 ShrinkSelection, MoveSelected, MoveAll, RenameObject, ShowObject, LockObject, MoveObject, PlaceObject,
                 SelectObject, SelectByValue, SelectByBox, DeleteByBox, ShowBox, SelectOnScreen, SelectByFlood,
                 SelectByColour, SelectInSphere, SelectInBox, SelectByContribution, SelectProposed>;

// An error, from the Sight: nothing has changed.
Status apply(const EditStep& step, EditedModel& edited, ThreadPool& pool, Sight& sight);

template <class... Steps>
bool is_one_of(const EditStep& step) {
  return (std::holds_alternative<Steps>(step) || ...);
}

}  // namespace splat::edit
