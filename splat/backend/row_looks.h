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
    const bool tint_changed = !same_tint(next.tint);
    Change change = Change::kNothing;
    for (size_t row = 0; row < std::max(looks_.size(), next.looks.size()); ++row) {
      const uint8_t before = row < looks_.size() ? looks_[row] : 0, after = next.looks.empty() ? 0 : next.looks[row];
      if (before == after && !(tint_changed && (after & math::kTinted))) continue;
      change = std::max(change, (before ^ after) & math::kNotDrawn ? Change::kRows : Change::kTints);
      changed(row);
    }
    looks_.assign(next.looks.begin(), next.looks.end());
    tint_ = next.tint;
    return change;
  }
  void forget() { looks_.clear(); }

  const uint8_t* data() const { return looks_.empty() ? nullptr : looks_.data(); }  // null: nothing to see
  uint8_t of(size_t row) const { return looks_.empty() ? 0 : looks_[row]; }
  const math::Tint& tint() const { return tint_; }
  size_t bytes() const { return looks_.capacity(); }

 private:
  bool same_tint(const math::Tint& t) const {
    return t.red == tint_.red && t.green == tint_.green && t.blue == tint_.blue && t.share == tint_.share;
  }

  std::vector<uint8_t> looks_;  // [N] or none
  math::Tint tint_;
};

}  // namespace splat
