// A model while it is edited: beside its rows their states, the objects that they belong to, where these and parts of
// them were moved to, and one history for everything. Rows of several files lie in one model, so that they are drawn in
// one order of depth; it has the highest SH degree of them.
// Rows never go before saving, so that undoing is exact: deletion is a bit, a moved row is computed anew from the
// values it was opened with. Every operation works on the selection, is one step of the history, and leaves locked rows
// alone; one that changes nothing is no step. Cost: one pass over the states (1 byte a row), moved and copied rows
// besides. No files, no windows. Not thread-safe; the pool only shares out work, results do not depend on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/changed_runs.h"
#include "splat/edit/edited_state.h"
#include "splat/edit/history.h"
#include "splat/edit/object.h"
#include "splat/edit/row_sources.h"
#include "splat/model/gaussians.h"
#include "splat/model/transform.h"

namespace splat::edit {

// Bits of a row's state. The last two are those of its object.
enum StateBit : uint8_t {
  kSelected = 1,
  kHidden = 2,
  kDeleted = 4,
  kLocked = 8,
  kObjectHidden = 16,
  kObjectLocked = 32,
};
inline constexpr size_t kStates = 64;  // that a row can have: the bits from here on are never set
inline constexpr uint8_t kNotShown = kHidden | kDeleted | kObjectHidden;
inline constexpr uint8_t kFixed = kLocked | kObjectLocked;   // cannot be moved
inline constexpr uint8_t kUntouchable = kNotShown | kFixed;  // cannot be selected
inline constexpr uint8_t kOfObject = kObjectHidden | kObjectLocked;

enum class SelectMode { kSet, kAdd, kRemove, kIntersect };

class EditedModel {
 public:
  static constexpr size_t kHistoryBytes = size_t(256) << 20;

  explicit EditedModel(Gaussians model, size_t max_history_bytes = kHistoryBytes, int threads = 0);

  const Gaussians& model() const { return model_; }               // as it is to be drawn, deleted rows included
  std::span<const uint8_t> states() const { return states_; }     // [N] StateBit
  std::span<const uint32_t> objects() const { return objects_; }  // [N] 0: the object that was opened
  size_t opened_rows() const { return sources_.opened_rows(); }   // the first ones: those that were opened
  size_t count(uint8_t bits) const;                               // rows with all of these bits
  uint32_t object_count() const { return uint32_t(list_.size()); }
  const std::vector<Object>& list() const { return list_; }  // by number
  uint64_t revision() const { return revision_; }            // counts up where rows have moved, come or gone
  // Where the scene lies as a whole, from where it was opened: what was done to all of it in one step. A part that went
  // alone is not in it.
  const Similarity& placed() const { return placed_; }
  bool changed() const;  // would saved() be other than what was opened?
  // Rows there were then that lie elsewhere now, or are copies of others. then: state(); null: as opened.
  size_t moved_rows(const EditedState* then = nullptr) const;

  // Rows that came or were moved since the last forget_changes(): ChangedRuns::merged(). Rows that went are those from
  // model().size() on.
  std::vector<RowRun> changed_rows() const { return changed_.merged(uint32_t(model_.size())); }
  void forget_changes() { changed_.clear(); }

  // ---- selection. mask [N]: rows with a value other than 0. Each returns the rows whose state changed.
  size_t select(std::span<const uint8_t> mask, SelectMode mode);
  size_t select_all();
  size_t select_none();
  size_t invert_selection();
  // Rows within this distance (world units) of a selected one join; or those that near an unselected one leave.
  size_t grow_selection(double distance);
  size_t shrink_selection(double distance);

  // ---- what becomes of the selected rows. Hidden, locked and deleted rows are selected no more.
  size_t hide_selected();
  size_t unhide_all();
  size_t lock_selected();
  size_t unlock_all();
  size_t delete_selected();
  size_t delete_rows(std::span<const uint8_t> mask);  // [N] that are in it, selected or not
  size_t show_only(std::span<const uint8_t> mask);    // [N] all others are hidden, those in it are not
  size_t restore_deleted();
  size_t move_selected(const Similarity& by);  // view-dependent colours turn along
  size_t move_all(const Similarity& by);       // that are neither deleted nor locked
  size_t duplicate_selected();                 // the copies come last and are selected instead
  size_t separate_selected();                  // into an object of their own

  // ---- objects. What is said of one that is so already is no step. Likewise the rows changed.
  // The rows of another file come last, as an object; of any SH degree. Held a second time as long as they can be had.
  size_t add(Gaussians rows, AddedFile file, std::string name);
  bool rename_object(uint32_t object, std::string name);  // true: it was called otherwise
  size_t show_object(uint32_t object, bool visible);
  size_t lock_object(uint32_t object, bool locked);
  // Its rows that are neither deleted nor locked; nothing where the object is. Exactly `to` for those that lie where it
  // was said to lie.
  size_t move_object(uint32_t object, const Similarity& by);
  size_t place_object(uint32_t object, const Similarity& to);

  // ---- all of it, to be kept somewhere
  EditedState state() const;
  // Restores a saved state as one step of the history. Requires a model whose rows were neither added to nor moved, and
  // a state that is_consistent() and has as many rows of the file as the model. added: the rows of kept.added.
  size_t restore(const EditedState& kept, std::vector<Gaussians> added = {});

  // ---- history
  const Step* undo();  // the step that was undone; null: there was none
  const Step* redo();
  const History& history() const { return history_; }

  Gaussians rows_moved(std::span<const uint32_t> rows, const Similarity& by) const;  // as they would be, in this order

  // What a file gets: all rows that are not deleted, in their order; or those of one object. Of the highest SH degree
  // that a file had which they are from.
  Gaussians saved(std::optional<uint32_t> object = {}) const;
  std::vector<uint8_t> saved_rows(std::optional<uint32_t> object = {}) const;  // [N] 1: a file gets that row
  int saved_degree(std::span<const uint8_t> keep) const { return sources_.sh_degree_of(keep, model_); }  // of those

 private:
  template <class NewState>
  size_t change_states(std::string_view name, const NewState& new_state, std::vector<ObjectChange> changes = {});
  size_t change_object(std::string_view name, uint32_t object, Object after, uint8_t bit, bool on);
  size_t finish(Step step, size_t rows);
  void begin(Step& step);  // forgets what could be redone: from now on it is taken
  template <class Meant, class Moved>
  size_t move_rows(std::string_view name, const Similarity& by, const Meant& meant, const Moved& moved,
                   std::optional<uint32_t> whole = {});
  void apply(const Step& step, bool forward);
  void apply_placements(const std::vector<IndexRun>& runs, bool forward);
  void apply_to_list(const Step& step, bool forward);
  void append_copies(const std::vector<RowRun>& rows);
  void append_sources(const std::vector<RowRun>& sources);
  void remove_last(const std::vector<RowRun>& runs);  // as many
  void place(std::span<const uint32_t> rows, uint32_t placement);
  void set_sh_degree(int degree);

  mutable ThreadPool pool_;
  Gaussians model_;
  RowSources sources_;
  std::vector<uint8_t> states_;       // [N]
  std::vector<uint32_t> objects_;     // [N]
  std::vector<uint32_t> placements_;  // [N] of moves_; 0: where it was opened
  std::vector<Similarity> moves_;     // from where its file has it; the first is the identity
  ChangedRuns changed_;               // since forget_changes()
  std::vector<Object> list_;
  Similarity placed_;
  uint64_t revision_ = 0;
  History history_;
};

}  // namespace splat::edit
