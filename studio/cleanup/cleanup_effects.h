// What PSNR the held-out photos have with all splats that are not deleted, and without the selected ones as well. The
// model is copied and uploaded only where rows have come or moved: what is selected or deleted is only a look of rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/jobs/clean/cleaning.h"
#include "splat/model/gaussians.h"
#include "studio/edit/messages.h"

namespace studio {

class CleanupEffects {
 public:
  struct Asked {
    uint64_t scene = 0;                     // of the window, for the answer
    uint64_t revision = 0;                  // of the edited model
    std::optional<splat::Gaussians> model;  // all rows; none: has() said that they are here
    std::vector<uint8_t> states;            // [N] splat::edit::StateBit
  };

  // From any thread: whether measure() needs no model of this revision.
  bool has(uint64_t revision) const { return uploaded_ == revision + 1; }

  // On the thread of the photos. Nothing: the model is missing, or no photo is held out.
  std::optional<CleanupEffect> measure(CleaningPhotos& photos, const Asked& asked);
  void forget();  // the photos' backend has had another model

 private:
  std::atomic<uint64_t> uploaded_{0};  // revision + 1; 0: none
  std::vector<uint8_t> deleted_;       // [N] that psnr_before_ is without
  std::optional<double> psnr_before_;
};

}  // namespace studio
