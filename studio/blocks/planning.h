// Plans a scene in blocks of the dataset that is open, as hipsplat blocks plan does, on the thread for work of minutes;
// and says before what would come of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/settings/options.h"
#include "studio/blocks/messages.h"
#include "studio/context.h"

namespace studio {

class BlocksPlanning {
 public:
  explicit BlocksPlanning(Context& context);  // puts the handlers of its requests

 private:
  void plan(PlanBlocks&& wanted);
  void work(const std::filesystem::path& data, const BlocksChoices& choices, Job& job);
  void forecast(BlocksChoices&& choices);
  BlocksForecast forecast_of(const std::filesystem::path& data, const BlocksChoices& choices);
  uint64_t memory_of(const BlocksChoices& choices);
  splat::Result<Options> options_of(const std::filesystem::path& data, const BlocksChoices& choices);

  Context& context_;
  std::atomic<uint64_t> forecasts_{0};  // counts up: older ones are not wanted
};

}  // namespace studio
