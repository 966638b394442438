#include "splat/blocks/merge.h"

#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"

namespace splat::blocks {

Gaussians owned_part(const Gaussians& trained, const Ground& ground, const Cell& cell) {
  const Gaussians owned = gather_rows(trained, rows_in(trained, ground, cell));
  return gather_rows(owned, morton_order(owned.means));
}

}  // namespace splat::blocks
