#include "viewer/draw/changed_rows.h"

#include "splat/model/gaussian_rows.h"
#include "viewer/draw/depth_order.h"

namespace viewer {

ChangedRows changed_rows_of(const splat::edit::EditedModel& edited, splat::ThreadPool& pool) {
  ChangedRows changed;
  changed.rows = edited.model().size();
  changed.revision = edited.revision();
  changed.runs = edited.changed_rows();
  std::vector<uint32_t> rows;
  for (const auto& run : changed.runs)
    for (uint32_t row = run.begin; row < run.end; ++row) rows.push_back(row);
  const splat::Gaussians values = splat::gather_rows(edited.model(), rows);
  changed.packed = pack_splats(values, pool);
  changed.centres_radii = centres_and_radii(values, pool);
  changed.bounds = robust_bounds(edited.model());
  changed.framed = framed_bounds(edited.model());
  return changed;
}

void write_changed_rows(const ChangedRows& changed, PackedSplats& packed, std::vector<float>& centres_radii) {
  packed.count = changed.rows;
  packed.sh_degree = changed.packed.sh_degree;  // another one: all rows have changed
  packed.plane_texels = changed.packed.plane_texels;
  write_rows(changed.runs, 8, changed.packed.geometry, changed.rows, packed.geometry);
  write_rows(changed.runs, 1, changed.packed.rotation, changed.rows, packed.rotation);
  for (size_t c = 0; c < 3; ++c)
    write_rows(changed.runs, packed.texels_of(c), changed.packed.colours[c], changed.rows, packed.colours[c]);
  write_rows(changed.runs, 4, changed.centres_radii, changed.rows, centres_radii);
}

}  // namespace viewer
