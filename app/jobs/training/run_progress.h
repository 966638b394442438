// How far a training run is.
#pragma once

#include <cstddef>
#include <optional>

#include "app/jobs/job.h"

namespace app {

class RunProgress final : public Progress {
 public:
  int iteration = 0, iterations = 0;
  double iterations_per_second = 0;
  double loss = 0;  // smoothed
  size_t splats = 0;
  std::optional<double> psnr;  // of the latest evaluation, dB
  double seconds = 0;          // since training began
  double eta_seconds = 0;      // 0: not known yet

  std::string sentence() const override;
  nlohmann::json facts() const override;
  double share() const override;
  double seconds_left() const override { return eta_seconds; }
};

}  // namespace app
