#include "splat/edit/new_steps.h"

#include <algorithm>
#include <string>

#include "splat/edit/edited_model.h"

namespace splat::edit {
namespace {

constexpr uint8_t bits_of(const Object& object) {
  return uint8_t((object.visible ? 0 : kObjectHidden) | (object.locked ? kObjectLocked : 0));
}

// Those of a state that does not say: of an earlier version.
std::vector<Object> list_of(const EditedState& state) {
  if (!state.list.empty()) return state.list;
  uint32_t last = 0;
  for (const uint32_t object : state.objects) last = std::max(last, object);
  std::vector<Object> list(size_t(last) + 1);
  for (size_t i = 1; i < list.size(); ++i) list[i].name = "part " + std::to_string(i);
  return list;
}

}  // namespace

PlannedStep duplication(std::span<const uint8_t> states) {
  PlannedStep plan;
  plan.step.name = "duplicate";
  uint32_t copy = uint32_t(states.size());
  for (size_t row = 0; row < states.size(); ++row) {
    if (!(states[row] & kSelected)) continue;
    append_row(plan.step.copied, uint32_t(row));
    append_row(plan.step.states, uint32_t(row), kSelected);
  }
  for (const RowRun& run : plan.step.copied)
    for (uint32_t row = run.begin; row < run.end; ++row) append_row(plan.step.states, copy++, kSelected);
  plan.rows = copy - states.size();
  return plan;
}

PlannedStep separation(std::span<const uint8_t> states, std::span<const uint32_t> objects,
                       const std::vector<Object>& list) {
  PlannedStep plan;
  plan.step.name = "separate";
  Object part{"part " + std::to_string(list.size())};
  for (size_t row = 0; row < states.size(); ++row) {
    if (!(states[row] & kSelected)) continue;
    const Similarity& placed = list[objects[row]].placed;
    if (plan.rows++ == 0)
      part.placed = placed;
    else if (!(part.placed == placed))  // of several objects
      part.placed = {};
    append_row(plan.step.objects, uint32_t(row), objects[row], uint32_t(list.size()));
  }
  if (plan.rows > 0) plan.step.appended.push_back(std::move(part));
  return plan;
}

size_t plan_restoring(const EditedState& now, const EditedState& kept, uint32_t first_move, Step& step) {
  for (const uint32_t from : kept.copies) append_row(step.sources, from);
  const std::vector<Object> list = list_of(kept), before = list_of(now);
  for (uint32_t object = 0; object < list.size(); ++object) {
    if (object >= before.size())
      step.appended.push_back(list[object]);
    else if (!(list[object] == before[object]))
      step.changes.push_back({object, before[object], list[object]});
  }
  size_t rows = 0;
  for (uint32_t row = 0; row < kept.states.size(); ++row) {
    const bool is_new = row >= now.states.size();
    const uint32_t placed = is_new ? 0 : now.placement(row), object = is_new ? 0 : now.object(row);
    const uint32_t placement = kept.placement(row) ? first_move + kept.placement(row) - 1 : 0;
    const uint8_t state = uint8_t((kept.states[row] & ~kOfObject) | bits_of(list[kept.object(row)]));
    const uint8_t flipped = (is_new ? uint8_t(0) : now.states[row]) ^ state;
    if (flipped) append_row(step.states, row, flipped);
    if (placement != placed) append_row(step.placements, row, placed, placement);
    if (kept.object(row) != object) append_row(step.objects, row, object, kept.object(row));
    rows += flipped || is_new || placement != placed || kept.object(row) != object;
  }
  step.of_all = kept.placed;
  return rows;
}

}  // namespace splat::edit
