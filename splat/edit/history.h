// The steps that editing took, to go back and forth in: what changed, as runs of rows. Bounded in memory: the oldest
// steps are forgotten first, and counted. Knows nothing of models; edited_model.h applies the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "splat/edit/object.h"

namespace splat::edit {

struct RowRun {
  uint32_t begin, end;
};
// Bits of the states that a step turned over: applied twice it is undone.
struct StateRun {
  uint32_t begin, end;
  uint8_t flipped;
};
// A number by row that a step replaced.
struct IndexRun {
  uint32_t begin, end, before, after;
};

struct ObjectChange {
  uint32_t object;
  Object before, after;
};

// How many there were of each before a step, which it goes back to.
struct Known {
  size_t placements = 0, files = 0;
  int sh_degree = 0;
  Similarity placed{};  // EditedModel::placed()
};

struct Step {
  std::string_view name;  // "delete"; static storage
  size_t rows = 0;        // that it changed
  std::vector<StateRun> states;
  std::vector<IndexRun> placements, objects;
  std::vector<ObjectChange> changes;  // of what is known of objects
  std::vector<Object> appended;       // objects that came
  // Before all else: rows of files that were appended, and rows whose copies were.
  std::vector<RowRun> sources, copied;
  int sh_degree = 0;           // of the model from then on, where it is higher than before
  Similarity of_all{};         // how all of it moved; the identity where a row stayed behind
  std::optional<Known> known;  // set by whoever takes the step

  bool empty() const {
    return states.empty() && placements.empty() && objects.empty() && changes.empty() && appended.empty() &&
           sources.empty() && copied.empty();
  }
  size_t bytes() const;
};

class History {
 public:
  explicit History(size_t max_bytes) : max_bytes_(max_bytes) {}

  void drop_redo();  // forgets the steps that were undone
  // Comes in place of them; the oldest steps go where memory is short, the newest always stays.
  void push(Step step);
  const Step* undo();  // null: nothing to undo
  const Step* redo();

  const Step* next_undo() const { return done_ > 0 ? &steps_[done_ - 1] : nullptr; }
  const Step* next_redo() const { return done_ < steps_.size() ? &steps_[done_] : nullptr; }
  const std::deque<Step>& steps() const { return steps_; }  // oldest first, with those that were undone
  size_t done() const { return forgotten_ + done_; }        // all that were taken and not undone
  size_t forgotten() const { return forgotten_; }           // steps that went for want of memory
  size_t bytes() const { return bytes_; }

 private:
  std::deque<Step> steps_;
  size_t done_ = 0;  // steps [done_, size) can be redone
  size_t bytes_ = 0, max_bytes_, forgotten_ = 0;
};

// Appends a row to runs: it joins the last one where it follows it with the same values.
void append_row(std::vector<RowRun>& runs, uint32_t row);
void append_row(std::vector<StateRun>& runs, uint32_t row, uint8_t flipped);
void append_row(std::vector<IndexRun>& runs, uint32_t row, uint32_t before, uint32_t after);
void append_runs(std::vector<StateRun>& runs, const std::vector<StateRun>& more);  // of rows behind them

}  // namespace splat::edit
