// What a backend keeps of Backend::set_looks(), and what changes with it.
#pragma once

#include <algorithm>
#include <vector>

#include "splat/backend/backend.h"

namespace splat {

class KeptLooks {
 public:
  enum class Change { kNothing, kTints, kRows };  // kRows: others are drawn

  // `changed(row)` is called for every row that looks different, in order.
  template <class Changed>
  Change set(const RowLooks& next, size_t rows, const Changed& changed) {
    SPLAT_CHECK(next.looks.empty() || next.looks.size() == rows);
    uint32_t changed_tints = 0;  // bit = number
    for (uint32_t i = 0; i < math::kTints; ++i) changed_tints |= uint32_t(!(next.tints.of[i] == tints_.of[i])) << i;
    Change change = Change::kNothing;
    for (size_t row = 0; row < std::max(looks_.size(), next.looks.size()); ++row) {
      const uint8_t before = row < looks_.size() ? looks_[row] : 0, after = next.looks.empty() ? 0 : next.looks[row];
      const bool other_tint = (after & math::kTinted) && (changed_tints >> math::tint_number(after) & 1);
      if (before == after && !other_tint) continue;
      change = std::max(change, (before ^ after) & math::kNotDrawn ? Change::kRows : Change::kTints);
      changed(row);
    }
    looks_.assign(next.looks.begin(), next.looks.end());
    tints_ = next.tints;
    return change;
  }
  void forget() { looks_.clear(); }

  const uint8_t* data() const { return looks_.empty() ? nullptr : looks_.data(); }  // null: nothing to see
  uint8_t of(size_t row) const { return looks_.empty() ? 0 : looks_[row]; }
  const math::Tints& tints() const { return tints_; }
  size_t bytes() const { return looks_.capacity(); }

 private:
  std::vector<uint8_t> looks_;  // [N] or none
  math::Tints tints_{};
};

}  // namespace splat
