#include "splat/backend/gpu/view_reader.h"

#include <algorithm>

#include "splat/core/check.h"

namespace splat::gpu {

void ViewReader::read_contributions(const BlendArgs& blend, size_t splats, const ContributionSettings& settings,
                                    const Queue& queue, const Target& target, Contributions& out) {
  ContributionArgs args{};
  static_cast<BlendArgs&>(args) = blend;
  sums_.reserve_discarding(splats);
  args.sums = sums_.data();
  if (splats) SPLAT_GPU_CHECK(hipMemsetAsync(args.sums, 0, splats * sizeof(ContributionSum), target.stream));
  if (!settings.mask.empty()) {
    SPLAT_CHECK_EQ(settings.mask.size(), blend.size.pixels());
    mask_.reserve_discarding(settings.mask.size());
    SPLAT_GPU_CHECK(
        hipMemcpyAsync(mask_.data(), settings.mask.data(), settings.mask.size(), hipMemcpyHostToDevice, target.stream));
    args.mask = mask_.data();
  }
  args.min_weight = std::max(settings.min_weight, kLeastWeight);
  contributions(args, target);
  std::vector<ContributionSum> sums(splats);
  if (splats)
    SPLAT_GPU_CHECK(
        hipMemcpyAsync(sums.data(), args.sums, splats * sizeof(ContributionSum), hipMemcpyDeviceToHost, target.stream));
  queue.wait();
  out.max_weight.resize(splats);
  out.weight_sum.resize(splats);
  out.pixel_count.resize(splats);
  for (size_t i = 0; i < splats; ++i) {
    out.max_weight[i] = max_weight_of(sums[i]);
    out.weight_sum[i] = weight_of(sums[i]);
    out.pixel_count[i] = sums[i].pixels;
  }
}

void ViewReader::read_depth(const BlendArgs& blend, DepthKind kind, const Queue& queue, const Target& target,
                            std::vector<float>& out) {
  const size_t floats = blend.size.pixels() * (kind == DepthKind::kMoments ? 3 : 1);
  depth_.reserve_discarding(floats);
  DepthArgs args{};
  static_cast<BlendArgs&>(args) = blend;
  (kind == DepthKind::kMedian ? args.median : kind == DepthKind::kMean ? args.mean : args.moments) = depth_.data();
  depth(args, target);
  out.resize(floats);
  SPLAT_GPU_CHECK(
      hipMemcpyAsync(out.data(), depth_.data(), floats * sizeof(float), hipMemcpyDeviceToHost, target.stream));
  queue.wait();
}

}  // namespace splat::gpu
