// Works out what a step of editing changes, from the states, objects and placements there are, before it is taken:
// EditedModel takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/edited_state.h"
#include "splat/edit/history.h"

namespace splat::edit {

// What becomes of the states [N]: sets `step.states`, and returns how many rows change. new_state(row, state) is called
// on any thread of the pool.
template <class NewState>
size_t plan_states(std::span<const uint8_t> states, ThreadPool& pool, const NewState& new_state, Step& step) {
  constexpr size_t kAtOnce = 65536;
  struct Part {
    std::vector<StateRun> runs;
    size_t rows = 0;
  };
  std::vector<Part> parts((states.size() + kAtOnce - 1) / kAtOnce);
  pool.for_chunks(states.size(), kAtOnce, [&](size_t begin, size_t end, int) {
    Part& part = parts[begin / kAtOnce];
    for (size_t row = begin; row < end; ++row) {
      const uint8_t flipped = states[row] ^ new_state(row, states[row]);
      if (!flipped) continue;
      append_row(part.runs, uint32_t(row), flipped);
      ++part.rows;
    }
  });
  size_t rows = 0, runs = 0;
  for (const Part& part : parts) rows += part.rows, runs += part.runs.size();
  step.states.reserve(runs);
  for (const Part& part : parts) append_runs(step.states, part.runs);
  return rows;
}

// Each with how many rows change.
struct PlannedStep {
  Step step;
  size_t rows = 0;
};
// Copies of the selected rows come last and are selected instead.
PlannedStep duplication(std::span<const uint8_t> states);  // [N]
// The selected rows become an object, the next of the list.
PlannedStep separation(std::span<const uint8_t> states, std::span<const uint32_t> objects,  // [N]
                       const std::vector<Object>& list);

// Adds to `step` what makes `kept` of `now`, where no row has come yet: rows, states, placements and objects.
// first_move: the number that the first move of `kept` but the identity gets. Returns how many rows change.
size_t plan_restoring(const EditedState& now, const EditedState& kept, uint32_t first_move, Step& step);

}  // namespace splat::edit
