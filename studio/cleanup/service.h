// Cleaning up: what the photos of the opened splats speak against, worked out beside everything else.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "app/jobs/clean/cleaning.h"
#include "studio/cleanup/cleanup_answer.h"
#include "studio/cleanup/cleanup_effects.h"
#include "studio/context.h"
#include "studio/edit/service.h"
#include "studio/service.h"

namespace studio {

class CleanupService final : public Service {
 public:
  CleanupService(Context& context, EditService& edit);
  void scene_changed(bool same) override;

 private:
  struct RowsLeft;
  void begin();
  void propose(const CleaningOptions& wanted, const RowsLeft& left, std::unique_ptr<CleanupAnswer> answer);
  void measure(uint64_t scene);
  void forget();

  Context& context_;
  EditService& edit_;
  std::atomic<uint64_t> effects_wanted_{0};  // counts up: older ones are not
  Devices::Loan loan_;                       // by which the photos are worked on; of the making thread
  std::unique_ptr<CleaningPhotos> photos_;   // likewise
  CleanupEffects effects_;                   // likewise
};

}  // namespace studio
