// What callers of Backend::keep_and_copy_rows() and copy_rows() owe, for every backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "splat/model/gaussians.h"

namespace splat {

// Rows that a backend is to have: old ones, then copies of old ones.
struct KeptAndCopied {
  std::span<const uint32_t> kept, sources;

  size_t size() const { return kept.size() + sources.size(); }
  uint32_t operator[](size_t row) const { return row < kept.size() ? kept[row] : sources[row - kept.size()]; }
  size_t unmoved() const;  // how many rows at the beginning are what they were
};

// Each is a bug where it does not hold. size: of the backend, of which the first `fixed` rows must be kept.
void check_kept_and_copied(const KeptAndCopied& rows, const Ellipsoids& copies, size_t size, size_t fixed);
// So that nothing depends on the order in which rows are read and written. Takes a bit for each of the `size` rows.
void check_copies(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                  size_t size);

}  // namespace splat
