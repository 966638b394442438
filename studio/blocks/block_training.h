// Trains the blocks of a scene one after another and merges them, as hipsplat blocks all does, on a thread of its own.
// What it says of it are the files that it writes, which hipsplat blocks status reads; and that it works.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/jobs/blocks/city.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"
#include "studio/blocks/messages.h"
#include "studio/context.h"

namespace studio {

class BlockTraining {
 public:
  // Puts the handlers of its requests. changed: called from any thread when what it says is another.
  BlockTraining(Context& context, std::function<void()> changed);

  // From any thread:
  CityWork now() const { return now_; }
  uint64_t merges() const { return merges_; }
  // On the dispatcher's thread:
  void stop();       // at the next safe point, with a checkpoint: Start goes on from there
  void wind_down();  // and waits for that

 private:
  void start(StartBlocks&& wanted);
  void work(const std::filesystem::path& folder, const DeviceOptions& device);
  void say_why(const City& city, const Outcome& outcome);

  Context& context_;
  const std::function<void()> changed_;
  std::atomic<CityWork> now_{CityWork::kNone};
  std::atomic<uint64_t> merges_{0};
  std::atomic<bool> stop_{false};
  std::optional<JobThread> thread_;  // from the first start on
};

}  // namespace studio
