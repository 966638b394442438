// hipsplat convert --clean: takes out of a model what the photos speak against, and says what and why.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>

#include "app/jobs/clean/cleaning.h"
#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "splat/clean/proposal.h"

namespace app {

inline constexpr const char* kNothingWritten = "interrupted; nothing was written";

struct CleanTask {
  splat::clean::Strength strength;
  CleaningOptions photos;
};

struct CleanReport {
  splat::clean::Strength strength{};
  std::array<size_t, splat::clean::kReasons> taken{};
  size_t views = 0, held_out = 0;
  int rounds = 0;
  double psnr_before = 0, psnr_after = 0;  // on the held-out photos, dB; 0 without
};

Outcome clean_model(const CleanTask& task, splat::Gaussians& model, Monitor& monitor, CleanReport& report);
nlohmann::json to_json(const CleanReport& report);

}  // namespace app
