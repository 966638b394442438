#include "splat/clean/groups.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/core/check.h"
#include "splat/edit/nearness.h"
#include "splat/math/covariance.h"

namespace splat::clean {
namespace {

constexpr double kSigmas = 2;

struct Reach {
  std::array<double, 3> low, high;
  bool finite = true;
};

Reach reach_of(const Gaussians& model, size_t row) {
  const float *mean = &model.means[3 * row], *q = &model.quats[4 * row], *log_scale = &model.log_scales[3 * row];
  const auto axes =
      math::covariance_factor(math::rotation_from_quat(math::Quat<double>{q[0], q[1], q[2], q[3]}),
                              math::Vec3<double>{std::exp(double(log_scale[0])), std::exp(double(log_scale[1])),
                                                 std::exp(double(log_scale[2]))});
  Reach reach;
  for (size_t c = 0; c < 3; ++c) {
    const double half = kSigmas * std::hypot(axes.m[c][0], axes.m[c][1], axes.m[c][2]);
    reach.low[c] = double(mean[c]) - half, reach.high[c] = double(mean[c]) + half;
    reach.finite &= std::isfinite(reach.low[c]) && std::isfinite(reach.high[c]);
  }
  return reach;
}

void add(Group& group, const Reach& reach, double score) {
  for (size_t c = 0; c < 3; ++c) {
    group.box.low[c] = group.rows == 0 ? reach.low[c] : std::min(group.box.low[c], reach.low[c]);
    group.box.high[c] = group.rows == 0 ? reach.high[c] : std::max(group.box.high[c], reach.high[c]);
  }
  group.score += score;
  ++group.rows;
}

}  // namespace

std::vector<Group> groups_of(const Gaussians& model, const Proposal& proposal, std::span<const uint32_t> rows,
                             double near, size_t most) {
  SPLAT_CHECK_EQ(proposal.score.size(), proposal.reasons.size());
  std::vector<Group> groups;
  for (size_t reason = 1; reason < kReasons; ++reason) {
    std::vector<Reach> reaches;
    std::vector<float> means, scores;
    for (const uint32_t row : rows) {
      if (row >= proposal.reasons.size() || proposal.reasons[row] != Reason(reason)) continue;
      const Reach reach = reach_of(model, row);
      if (!reach.finite) continue;
      reaches.push_back(reach);
      scores.push_back(proposal.score[row]);
      means.insert(means.end(), &model.means[3 * size_t(row)], &model.means[3 * size_t(row)] + 3);
    }
    const std::vector<uint32_t> parts = edit::parts_of(means, near);
    const size_t first = groups.size();
    for (size_t i = 0; i < parts.size(); ++i) {
      groups.resize(std::max(groups.size(), first + parts[i] + 1), Group{Reason(reason)});
      add(groups[first + parts[i]], reaches[i], double(scores[i]));
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.score > b.score; });
  groups.resize(std::min(groups.size(), most));
  return groups;
}

}  // namespace splat::clean
