// A scene in blocks: it is planned and trained; its parts are opened like splat files; how far the blocks are is read
// again and again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/blocks/city.h"
#include "studio/blocks/block_training.h"
#include "studio/blocks/messages.h"
#include "studio/blocks/planning.h"
#include "studio/context.h"
#include "studio/service.h"

namespace studio {

class BlocksService final : public Service {
 public:
  explicit BlocksService(Context& context);
  void leave_scene(std::optional<PathKind> next) override;
  void wind_down() override { training_.wind_down(); }
  std::optional<std::chrono::milliseconds> turn() override;

 private:
  void begin(const std::filesystem::path& folder, std::optional<int> part);  // none: what shows most
  void open(const std::filesystem::path& folder, std::optional<int> part, uint64_t number, Job& job);
  void look();

  Context& context_;
  BlocksPlanning planning_{context_};
  bool is_open_ = false;                             // of the dispatcher
  std::chrono::steady_clock::time_point look_at_{};  // likewise: when next
  std::atomic<uint64_t> number_{0};                  // counts up: what belongs to an earlier one is dropped
  struct OnShow {
    City city;
    std::vector<CityBox> boxes;
    int shown = kCityScaffold;
  };
  std::unique_ptr<OnShow> on_show_;  // of the watching thread, like the next
  CityScene reported_;
  BlockTraining training_{context_, [this] { context_.watching.add([this] { look(); }); }};
};

}  // namespace studio
