// Splats that are drawn elsewhere than the model has them, while they are dragged: neither the model nor its history
// knows of it.
#pragma once

#include <cstdint>
#include <optional>

#include "splat/edit/edited_model.h"
#include "splat/model/transform.h"

namespace viewer {

// Marks the rows of one object; the first bit that no state of theirs has, for drawing only.
inline constexpr uint8_t kMarked = splat::edit::kStates;

struct ShownMove {
  splat::Similarity by;              // the identity: all are where the model has them
  bool all = false;                  // all that are neither deleted nor locked; else the selected ones
  uint64_t revision = 0;             // of the model that this is meant for: it stands for nothing with another one
  std::optional<uint32_t> object{};  // those of it that are neither deleted nor locked, whatever is selected

  // Which rows are meant: (state & bits) == value. Those of the object are marked.
  uint8_t bits() const {
    if (object) return splat::edit::kDeleted | splat::edit::kFixed | kMarked;
    return all ? splat::edit::kDeleted | splat::edit::kFixed : splat::edit::kSelected;
  }
  uint8_t value() const { return object ? kMarked : all ? 0 : splat::edit::kSelected; }
  bool moves() const { return !by.is_identity(); }
  friend bool operator==(const ShownMove&, const ShownMove&) = default;
};

}  // namespace viewer
