#include "splat/train/view_order.h"

#include <utility>

#include "splat/core/check.h"
#include "splat/core/random.h"

namespace splat {

ViewOrder::ViewOrder(uint64_t seed, std::vector<int> views) : seed_(seed), views_(std::move(views)) {}

const std::vector<int>& ViewOrder::epoch(int64_t index) {
  Epoch& cached = cache_[size_t(index % int64_t(cache_.size()))];
  if (cached.index != index) {
    cached.index = index;
    cached.order = views_;
    random::Sequence numbers(seed_, random::kViewOrder, uint64_t(index) << 32);
    for (size_t i = cached.order.size(); i > 1; --i)  // Fisher-Yates
      std::swap(cached.order[i - 1], cached.order[numbers.below(uint32_t(i))]);
  }
  return cached.order;
}

int ViewOrder::at(int iteration) {
  SPLAT_CHECK_LE(1, iteration);
  SPLAT_CHECK(!views_.empty());
  const int64_t position = iteration - 1, count = int64_t(views_.size());
  return epoch(position / count)[size_t(position % count)];
}

void ViewOrder::upcoming(int iteration, int count, std::vector<int>& views) {
  views.clear();
  for (int i = 0; i < count; ++i) views.push_back(at(iteration + i));
}

}  // namespace splat
