// Which splats a clean-up would take, ranked, each with its reason. What contradicts the photos goes in rounds, the
// worst first, since what hides behind a floater is only seen once that is gone; then come splats whose form is suspect
// and that no photo holds up, and those that no photo shows. A proposal: nothing is taken from the model here.
// Constants were measured on scenes with known floaters (docs/notebook).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "splat/clean/evidence.h"

namespace splat::clean {

enum class Reason : uint8_t {
  kNone,
  kFloater,        // before what the cameras look at, and against the photos
  kAgainstPhotos,  // the photos' errors shrink without it
  kTooLarge,
  kTooElongated,
  kIsolated,
  kHardlySeen,
  kTransparent,
};
inline constexpr size_t kReasons = 8;
std::string_view name_of(Reason reason);      // "floater": in JSON
std::string_view sentence_of(Reason reason);  // "before the cameras, against the photos": after a count

enum class Strength { kCareful, kNormal, kStrong };
inline constexpr size_t kStrengths = 3;
std::string_view name_of(Strength strength);      // "careful"
std::string_view sentence_of(Strength strength);  // what it takes: "only what the photos speak against clearly"

struct Proposal {
  std::vector<float> score;     // [N] 0: stays; larger: surer. What a strength takes has at least least_score()
  std::vector<Reason> reasons;  // [N]
  int rounds = 0;

  std::vector<uint8_t> taken(Strength strength) const;           // [N] 1: goes
  std::array<size_t, kReasons> counts(Strength strength) const;  // by reason
};
float least_score(Strength strength);
// How much of all rounds is done, [0,1): how many there will be is known about. round: from 1; within: of it, [0,1].
double share_of_rounds(int round, double within, Strength strength);
std::vector<uint8_t> numbers_of(const std::vector<Reason>& reasons);

// Down to `strength`: what only a stronger one would take has score 0. Replaces what the backend holds.
Result<Proposal> propose(const CleanInputs& inputs, const Gaussians& model, Strength strength);

// At most `most` of them, evenly chosen.
std::vector<int> spread(const std::vector<int>& views, size_t most);

}  // namespace splat::clean
