// What a checkpoint holds of a run, in parts: rows of the model with their moments and statistics, which pass from and
// to the backend in blocks, the data that it was made with, and the history. Trainer puts them together.
#pragma once

#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/state.h"
#include "splat/model/dataset.h"
#include "splat/train/progress.h"

namespace splat {

// The rows of a backend, a block at a time. The backend must outlive it and stay as it is.
class BackendRows final : public RowSource {
 public:
  BackendRows(Backend& backend, int sh_degree);
  uint64_t rows() const override { return backend_.size(); }
  std::span<const Array> arrays() const override { return arrays_; }
  std::span<const std::span<const std::byte>> read(uint64_t first, uint64_t count) override;

 private:
  Backend& backend_;
  std::vector<Array> arrays_;
  Gaussians model_;
  AdamMoments moments_;
  DensifyStatistics statistics_;
  std::vector<std::span<const std::byte>> block_;
};

struct StoredSize {
  uint64_t splats = 0;
  int sh_degree = 0;
};
// How many splats the state holds; an error unless every array has as many rows.
Result<StoredSize> stored_size(const StateReader& state);
// Appends all rows to a backend that has none yet, with their moments and statistics, as of the iteration.
Status load_rows(const StateReader& state, const StoredSize& size, int iteration, Backend& backend);
// The rates up to the iteration, by which rows make up for steps; none where the checkpoint is of an older version.
void save_rates(const AdamHistory& history, int iteration, Archive& archive);
Result<AdamHistory> load_rates(const Archive& archive, int iteration);

// A hash of the data, which tells whether training may go on with what is read now, and a line of each view, which
// tells in which of them the two differ.
void save_dataset_record(const Dataset& dataset, Archive& archive);
// An error, which names the photos, where the state was saved with other data.
Status check_dataset_record(const Dataset& dataset, const StateReader& state);

void save_history(const std::vector<HistoryEntry>& history, Archive& archive);
Result<std::vector<HistoryEntry>> load_history(const Archive& archive);

}  // namespace splat
