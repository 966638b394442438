#include "splat/backend/row_copies.h"

#include <vector>

#include "splat/core/check.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

void check_sources(std::span<const uint32_t> sources, const Ellipsoids& copies, size_t size) {
  check_shapes(copies);
  SPLAT_CHECK_EQ(sources.size(), copies.size());
  for (const uint32_t row : sources) SPLAT_CHECK_LT(size_t(row), size);
}

}  // namespace

size_t KeptAndCopied::unmoved() const {
  size_t row = 0;
  while (row < kept.size() && kept[row] == row) ++row;
  return row;
}

void check_kept_and_copied(const KeptAndCopied& rows, const Ellipsoids& copies, size_t size, size_t fixed) {
  for (size_t i = 0; i < rows.kept.size(); ++i) {
    SPLAT_CHECK_LT(size_t(rows.kept[i]), size);
    if (i > 0) SPLAT_CHECK_LT(rows.kept[i - 1], rows.kept[i]);
  }
  SPLAT_CHECK_LE(fixed, rows.unmoved());
  check_sources(rows.sources, copies, size);
}

void check_copies(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                  size_t size) {
  check_sources(sources, copies, size);
  SPLAT_CHECK_EQ(sources.size(), targets.size());
  std::vector<bool> is_target(size);
  for (const uint32_t row : targets) {
    SPLAT_CHECK_LT(size_t(row), size);
    SPLAT_CHECK(!is_target[row]);
    is_target[row] = true;
  }
  for (size_t i = 0; i < targets.size(); ++i)
    if (sources[i] == targets[i]) is_target[targets[i]] = false;  // its colour stays
  for (const uint32_t row : sources) SPLAT_CHECK(!is_target[row]);
}

}  // namespace splat
