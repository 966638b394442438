// Splats that are drawn elsewhere than the model has them, while they are dragged: neither the model nor its history
// knows of it.
#pragma once

#include <cstdint>

#include "splat/edit/edited_model.h"
#include "splat/model/transform.h"

namespace viewer {

struct ShownMove {
  splat::Similarity by;   // the identity: all are where the model has them
  bool all = false;       // all that are neither deleted nor locked; else the selected ones
  uint64_t revision = 0;  // of the model that this is meant for: it stands for nothing with another one

  // Which rows are meant: (state & bits) == value.
  uint8_t bits() const { return all ? splat::edit::kDeleted | splat::edit::kFixed : splat::edit::kSelected; }
  uint8_t value() const { return all ? 0 : splat::edit::kSelected; }
  bool moves() const { return !by.is_identity(); }
  friend bool operator==(const ShownMove&, const ShownMove&) = default;
};

}  // namespace viewer
