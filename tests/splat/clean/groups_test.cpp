// Groups of what a clean-up proposes: which splats belong together, their boxes, and which groups are named.
#include "splat/clean/groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace splat::clean {
namespace {

// Small balls along x, each with a reason and a score.
struct Row {
  float x;
  Reason reason;
  float score = 1;
};
constexpr float kSize = 0.01f;

struct Proposed {
  Gaussians model;
  Proposal proposal;
  std::vector<uint32_t> rows;
};

Proposed proposed(const std::vector<Row>& rows) {
  Proposed p;
  p.model.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    p.model.means[3 * i] = rows[i].x, p.model.means[3 * i + 1] = p.model.means[3 * i + 2] = 0;
    std::fill_n(&p.model.log_scales[3 * i], 3, std::log(kSize));
    p.model.quats[4 * i] = 1;
    p.proposal.score.push_back(rows[i].score);
    p.proposal.reasons.push_back(rows[i].reason);
  }
  p.rows.resize(rows.size());
  std::iota(p.rows.begin(), p.rows.end(), 0u);
  return p;
}

TEST(ProposedGroups, AreOfOneReasonNearEachOtherAndTheHeaviestComeFirst) {
  const auto [model, proposal, rows] = proposed({{0, Reason::kFloater, 2},
                                                 {0.3f, Reason::kFloater, 3},
                                                 {0.1f, Reason::kIsolated},
                                                 {50, Reason::kFloater, 40},
                                                 {0.2f, Reason::kNone, 0},
                                                 {-20, Reason::kTransparent, 0.5f}});
  const std::vector<Group> groups = groups_of(model, proposal, rows, 0.5, 10);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].reason, Reason::kFloater);
  EXPECT_EQ(groups[0].rows, 1u);
  EXPECT_EQ(groups[1].reason, Reason::kFloater);
  EXPECT_EQ(groups[1].rows, 2u);
  EXPECT_DOUBLE_EQ(groups[1].score, 5);
  EXPECT_NEAR(groups[1].box.low[0], -2 * kSize, 1e-6);
  EXPECT_NEAR(groups[1].box.high[0], 0.3 + 2 * kSize, 1e-6);
  EXPECT_NEAR(groups[1].box.low[1], -2 * kSize, 1e-6);
  EXPECT_EQ(groups[2].reason, Reason::kIsolated);
  EXPECT_EQ(groups[3].reason, Reason::kTransparent);
  EXPECT_EQ(groups_of(model, proposal, rows, 0.5, 2).size(), 2u);
  EXPECT_EQ(groups_of(model, proposal, rows, 0.01, 10).size(), 5u) << "nothing is near";
  EXPECT_TRUE(groups_of(model, proposal, {}, 0.5, 10).empty());
}

TEST(ProposedGroups, BoxesHoldTurnedSplats) {
  auto [model, proposal, rows] = proposed({{0, Reason::kTooElongated}});
  model.log_scales[0] = std::log(0.5f);  // a needle along x, turned by 45 degrees about z
  model.quats = {float(std::cos(M_PI / 8)), 0, 0, float(std::sin(M_PI / 8))};
  const std::vector<Group> groups = groups_of(model, proposal, rows, 1, 1);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_NEAR(groups[0].box.high[0], 2 * std::sqrt((0.25 + kSize * kSize) / 2), 1e-5);
  EXPECT_NEAR(groups[0].box.high[1], groups[0].box.high[0], 1e-6);
  EXPECT_NEAR(groups[0].box.high[2], 2 * kSize, 1e-6);
}

TEST(ProposedGroups, LeaveOutWhatHasNoPlaceAndWhatCameLater) {
  auto [model, proposal, rows] = proposed({{0, Reason::kFloater}, {0, Reason::kFloater}, {0, Reason::kFloater}});
  model.means[1] = std::numeric_limits<float>::quiet_NaN();
  model.log_scales[3] = 1000;
  const std::vector<Group> groups = groups_of(model, proposal, std::vector<uint32_t>{0, 1, 2, 7}, 1, 10);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].rows, 1u);
}

}  // namespace
}  // namespace splat::clean
