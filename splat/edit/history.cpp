#include "splat/edit/history.h"

#include <utility>

namespace splat::edit {

size_t Step::bytes() const {
  size_t names = 0;
  for (const ObjectChange& change : changes) names += change.before.name.size() + change.after.name.size();
  for (const Object& object : appended) names += object.name.size();
  return sizeof(Step) + states.size() * sizeof(StateRun) + (placements.size() + objects.size()) * sizeof(IndexRun) +
         changes.size() * sizeof(ObjectChange) + appended.size() * sizeof(Object) + names +
         (sources.size() + copied.size()) * sizeof(RowRun);
}

void History::drop_redo() {
  while (steps_.size() > done_) {
    bytes_ -= steps_.back().bytes();
    steps_.pop_back();
  }
}

void History::push(Step step) {
  drop_redo();
  bytes_ += step.bytes();
  steps_.push_back(std::move(step));
  while (steps_.size() > 1 && bytes_ > max_bytes_) {
    bytes_ -= steps_.front().bytes();
    steps_.pop_front();
    ++forgotten_;
  }
  done_ = steps_.size();
}

const Step* History::undo() { return done_ > 0 ? &steps_[--done_] : nullptr; }
const Step* History::redo() { return done_ < steps_.size() ? &steps_[done_++] : nullptr; }

void append_row(std::vector<RowRun>& runs, uint32_t row) {
  if (!runs.empty() && runs.back().end == row)
    ++runs.back().end;
  else
    runs.push_back({row, row + 1});
}
void append_row(std::vector<StateRun>& runs, uint32_t row, uint8_t flipped) {
  if (!runs.empty() && runs.back().end == row && runs.back().flipped == flipped)
    ++runs.back().end;
  else
    runs.push_back({row, row + 1, flipped});
}
void append_row(std::vector<IndexRun>& runs, uint32_t row, uint32_t before, uint32_t after) {
  if (!runs.empty() && runs.back().end == row && runs.back().before == before && runs.back().after == after)
    ++runs.back().end;
  else
    runs.push_back({row, row + 1, before, after});
}
void append_runs(std::vector<StateRun>& runs, const std::vector<StateRun>& more) {
  auto first = more.begin();
  if (!runs.empty() && first != more.end() && runs.back().end == first->begin && runs.back().flipped == first->flipped)
    runs.back().end = (first++)->end;
  runs.insert(runs.end(), first, more.end());
}

}  // namespace splat::edit
