// What a backend's update kernel needs of AdamSettings, the same on every device, and what rows have missed that were
// not visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/math/adam.h"
#include "splat/math/parameter_chain.h"

namespace splat {

struct AdamHistory;   // backend.h
struct AdamSettings;  // backend.h

struct AdamStep {
  math::AdamCoefficients<float> adam;
  uint32_t rounding = 0;     // of packed moments
  math::AdamValues sizes{};  // rates with the bias correction of the first moment
  math::RegularizerWeights<float> regularizers{0, 0, 0};
  uint32_t iteration = 0;
  bool all_rows = false;  // regularizers move rows that are not visible, too
  // How far the steps have gone that a row has missed (math/adam.h), by its last step: row_of_pause().
  const math::AdamValues* pauses = nullptr;
};

// How far rows go in the steps that they miss, by the iteration of their last step and by parameter group, summed up as
// iterations pass with the rate and the bias correction of each. Costs some hundreds of products an iteration, on the
// host; the same bytes for the same rates. What is 2e-6 of the first step and less is left out.
class AdamPauses {
 public:
  static constexpr uint32_t kKept = math::kAdamPast;  // iterations
  static uint32_t room(uint32_t iteration);           // of iterations, for those up to this one; at most kKept

  // All of it, with another model; the past of a run that goes on here.
  void forget();
  void recall(const AdamHistory& history);
  AdamHistory history() const;

  // The step of settings.iteration. Iterations before it that were not seen here count with its rates.
  AdamStep next(const AdamSettings& settings, size_t splats);
  // What the last next() has changed: the values of iterations [first, end), as they lie in pauses().
  struct Changed {
    uint32_t first = 0, end = 0;
  };
  Changed changed() const { return changed_; }
  std::span<const math::AdamValues> pauses() const { return pauses_; }  // [room()] of the last next()
  size_t bytes() const { return (pauses_.size() + rates_.size()) * sizeof(math::AdamValues); }

 private:
  math::AdamValues& rates_of(uint32_t iteration) { return rates_[iteration % kKept]; }
  void make_room(uint32_t iteration);
  void count(uint32_t iteration);  // the step that rows miss in it

  std::vector<math::AdamValues> pauses_, rates_;  // [room()] by iteration
  std::vector<float> powers_;                     // r, r^2, ...
  float beta1_ = 0, beta2_ = 0;                   // of pauses_
  uint32_t counted_ = 0;                          // pauses_ have the iterations up to this one; 0: none
  uint32_t first_ = 1, last_ = 0;                 // iterations whose rates are known
  Changed changed_;
};

// Where pauses have a row; last_step: before the iteration.
SPLAT_INLINE uint32_t row_of_pause(uint32_t iteration, uint32_t last_step) {
  const uint32_t oldest = iteration > AdamPauses::kKept ? iteration - AdamPauses::kKept : 0;
  return (last_step > oldest ? last_step : oldest) % AdamPauses::kKept;
}

}  // namespace splat
