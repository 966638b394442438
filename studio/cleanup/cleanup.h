// Which splats a clean-up would take from the opened ones, as the application proposes it, and what the user has made
// of that: how sure a reason must be, and which reasons count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "studio/names.h"

namespace studio {

struct CleanupProposal {
  using OnlyNewest = void;
  uint64_t number = 0;           // counts up
  std::filesystem::path splats;  // that are open
  // By splat::clean::Reason the scores of the splats that it speaks against, falling; empty: nothing is proposed.
  std::vector<std::vector<float>> scores;
  std::vector<uint8_t> rows;       // [N] of the splats as they were: the reason against each, or 0
  size_t views = 0, held_out = 0;  // photos that it went by, and that it did not see

  size_t count(size_t reason, float least) const;  // of its splats with at least this score
};

// On the held-out photos, dB.
struct CleanupEffect {
  using OnlyNewest = void;
  double psnr_before = 0, psnr_after = 0;  // with all that is not deleted; without the selected ones as well
  uint64_t scene = 0;                      // EditMode::scenes when it was asked for
};

struct Cleanup {
  std::optional<CleanupProposal> proposal, arrived;  // arrived: not taken yet
  std::optional<CleanupEffect> effect;
  float least = 1;                                      // score from which a splat is selected
  uint32_t reasons = ~0u;                               // bits, by splat::clean::Reason
  bool shown = false;                                   // its section of the panel is unfolded
  bool unfold = false;                                  // it, with the next frame
  bool waiting = false;                                 // for the proposal
  std::optional<size_t> pointed_reason, pointed_group;  // by the mouse: a row of the panel; a box over the scene
  uint64_t measured = 0;                                // EditMode::scenes when the effect was asked for last

  bool looked_at() const { return shown && proposal; }
  std::span<const uint8_t> reasons_of_rows() const { return proposal ? proposal->rows : std::span<const uint8_t>(); }
  void forget();
  void take(CleanupProposal&& next);
  void keep_rows(uint64_t number, size_t rows);  // of that proposal: the others are rows that came later
  bool counts(size_t reason) const { return (reasons >> reason & 1) != 0; }
};

}  // namespace studio
