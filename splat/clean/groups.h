// What a clean-up would take, in groups to look at: splats that lie near each other and go for the same reason.
#pragma once

#include <span>
#include <vector>

#include "splat/clean/proposal.h"
#include "splat/model/box.h"

namespace splat::clean {

struct Group {
  Reason reason = Reason::kNone;
  size_t rows = 0;
  double score = 0;  // summed up
  Box box{};         // along the axes of the world, around two standard deviations of every splat
};

// The groups of these rows of the model that the proposal has a reason for: the `most` with the largest scores,
// falling. near: world units, above 0: splats less than that apart are of one group, and none are that lie three times
// as far from all others. Splats without finite centre and size are in none. Cost: a few passes over the rows, and
// sorting them.
std::vector<Group> groups_of(const Gaussians& model, const Proposal& proposal, std::span<const uint32_t> rows,
                             double near, size_t most);

}  // namespace splat::clean
