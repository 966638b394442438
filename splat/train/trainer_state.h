// What a checkpoint holds of a run, in parts: rows of the model with their moments and statistics, which pass from and
// to the backend in blocks, and the history. Trainer puts them together.
#pragma once

#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/state.h"
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
// Appends all rows to a backend that has none yet, with their moments and statistics.
Status load_rows(const StateReader& state, const StoredSize& size, Backend& backend);

void save_history(const std::vector<HistoryEntry>& history, Archive& archive);
Result<std::vector<HistoryEntry>> load_history(const Archive& archive);

}  // namespace splat
