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

PoseGradient ViewReader::read_pose_gradient(const UpdateArgs& update, int sh_degree, const Queue& queue,
                                            const Target& target) {
  PoseGradient v;
  if (update.splats == 0) return v;
  block_v_pose_.reserve_discarding(pose_blocks(update.splats) * kPoseValues);
  v_pose_.reserve_discarding(kPoseValues);
  pose_gradient({update, sh_degree, block_v_pose_.data(), v_pose_.data()}, target);
  double values[kPoseValues];
  SPLAT_GPU_CHECK(hipMemcpyAsync(values, v_pose_.data(), sizeof values, hipMemcpyDeviceToHost, target.stream));
  queue.wait();
  std::copy_n(values, 3, v.translation.begin());
  std::copy_n(values + 3, 3, v.rotation.begin());
  return v;
}

std::array<float, 3> background_gradient(const std::vector<float>& final_t, const std::vector<float>& v_image) {
  std::array<float, 3> v{};
  for (size_t channel = 0; channel < 3; ++channel) {
    double total = 0;
    for (size_t i = 0; i < final_t.size(); ++i) total += double(final_t[i]) * v_image[channel * final_t.size() + i];
    v[channel] = float(total);
  }
  return v;
}

}  // namespace splat::gpu
