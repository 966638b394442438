#include "splat/edit/row_counts.h"

#include <cmath>
#include <limits>

namespace splat::edit {
namespace {

constexpr size_t kCountedAtOnce = 65536;

// Rows by their state and by whether the file has them and whether they came after it was opened. Rows beside each
// other count in other tables: most have the same state, and each increment of one number would wait for the one
// before.
struct StateTables {
  std::array<std::array<std::array<size_t, kStates>, 4>, 4> rows{};
  std::vector<size_t> of_object;
};

}  // namespace

RowCounts count_rows(const EditedModel& edited, const EditedState* then, ThreadPool& pool) {
  const auto states = edited.states();
  const auto objects = edited.objects();
  const size_t opened = edited.opened_rows(), file = then ? then->states.size() : opened;
  const auto in_file = [&](size_t row) { return row < file && !(then && (then->states[row] & kDeleted)); };
  std::vector<StateTables> of_thread(size_t(pool.threads()));
  for (StateTables& tables : of_thread) tables.of_object.resize(edited.object_count());
  pool.for_chunks(states.size(), kCountedAtOnce, [&](size_t begin, size_t end, int thread) {
    StateTables& mine = of_thread[size_t(thread)];
    for (size_t row = begin; row < end; ++row)
      ++mine.rows[row % 4][(in_file(row) ? 1u : 0u) | (row >= opened ? 2u : 0u)][states[row]];
    for (size_t row = begin; row < end;) {  // rows of an object lie together
      const uint32_t object = objects[row];
      size_t there = 0;
      for (; row < end && objects[row] == object; ++row) there += !(states[row] & kDeleted);
      mine.of_object[object] += there;
    }
  });
  RowCounts counts;
  counts.of_object.resize(edited.object_count());
  for (const StateTables& tables : of_thread) {
    for (size_t object = 0; object < counts.of_object.size(); ++object)
      counts.of_object[object] += tables.of_object[object];
    for (const auto& table : tables.rows) {
      for (size_t key = 0; key < table.size() * kStates; ++key) {
        const size_t rows = table[key / kStates][key % kStates], state = key % kStates;
        const bool there = !(state & kDeleted), kept = key / kStates & 1, later = key / kStates & 2;
        if (state & kSelected) counts.selected += rows;
        if (state & kHidden) counts.hidden += rows;
        if (state & kLocked) counts.locked += rows;
        if (!there) counts.deleted += rows;
        if (kept && !there) counts.lost += rows;
        if (!kept && there) (later ? counts.came : counts.restored) += rows;
      }
    }
  }
  for (size_t row = states.size(); row < file; ++row)  // copies that were saved and undone
    counts.lost += !(then->states[row] & kDeleted);
  return counts;
}

// Summed up in parts of rows, so that the middle is the same on any number of threads.
std::optional<RowsExtent> extent_of(const EditedModel& edited, uint8_t bits, uint8_t value, ThreadPool& pool) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Part {
    RowsExtent sums{{}, {kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    size_t rows = 0;
  };
  const auto states = edited.states();
  const std::vector<float>& means = edited.model().means;
  std::vector<Part> parts((states.size() + kCountedAtOnce - 1) / kCountedAtOnce);
  pool.for_chunks(states.size(), kCountedAtOnce, [&](size_t begin, size_t end, int) {
    Part& part = parts[begin / kCountedAtOnce];
    for (size_t row = begin; row < end; ++row) {
      const float* mean = &means[3 * row];
      if ((states[row] & bits) != value) continue;
      if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) continue;
      ++part.rows;
      for (size_t c = 0; c < 3; ++c) {
        part.sums.centre[c] += double(mean[c]);
        part.sums.low[c] = std::min(part.sums.low[c], double(mean[c]));
        part.sums.high[c] = std::max(part.sums.high[c], double(mean[c]));
      }
    }
  });
  Part all;
  for (const Part& part : parts) {
    all.rows += part.rows;
    for (size_t c = 0; c < 3; ++c) {
      all.sums.centre[c] += part.sums.centre[c];
      all.sums.low[c] = std::min(all.sums.low[c], part.sums.low[c]);
      all.sums.high[c] = std::max(all.sums.high[c], part.sums.high[c]);
    }
  }
  if (all.rows == 0) return std::nullopt;
  for (double& sum : all.sums.centre) sum /= double(all.rows);
  return all.sums;
}

}  // namespace splat::edit
