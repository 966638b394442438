#include "splat/densify/moved_out_rows.h"

#include <cmath>

#include "splat/densify/row_parts.h"

namespace splat {

std::vector<uint32_t> move_rows_out(Ellipsoids& model, std::span<const View> views, double nearer, ThreadPool* pool) {
  const Sights cameras(views);
  const math::Sight<double>* const sights = cameras.sights.data();
  return by_part<uint32_t>(row_parts(model, pool), pool, [&](const RowPart& part, std::vector<uint32_t>& moved) {
    FewViews only(cameras, 2, pool);
    only.visit(model, part, [&](size_t row, std::span<const uint32_t> seeing) {
      const Place from = sights[seeing[0]].centre, place = place_of(model, row);
      const double times = math::times_farther(sights, cameras.size(), from, place, nearer);
      if (times == 1) return;
      const math::Vec3<float> mean = math::moved_out(from, place, times);
      model.means[3 * row] = mean.x, model.means[3 * row + 1] = mean.y, model.means[3 * row + 2] = mean.z;
      for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * row + axis] += float(std::log(times));
      moved.push_back(uint32_t(row));
    });
  });
}

}  // namespace splat
