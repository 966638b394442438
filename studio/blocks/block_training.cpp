#include "studio/blocks/block_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/jobs/blocks/job.h"
#include "app/jobs/blocks/merge.h"
#include "app/jobs/host/host.h"
#include "splat/core/log.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr const char* kTrainsAgain = "Train the blocks";  // the action that starts it

}  // namespace

BlockTraining::BlockTraining(Context& context, std::function<void()> changed)
    : context_(context), changed_(std::move(changed)) {
  Bus& requests = context_.bridge.requests;
  requests.on<StartBlocks>([this](StartBlocks&& wanted) { start(std::move(wanted)); });
  requests.on<StopBlocks>([this](StopBlocks&&) { stop(); });
}

void BlockTraining::start(StartBlocks&& wanted) {
  if (now_ == CityWork::kTrains) return;
  if (now_ == CityWork::kStops) return log::warning("blocks are still being stopped: start them again in a moment");
  DeviceOptions device = context_.options.device;
  device.backend = wanted.device.backend, device.index = wanted.device.index;
  stop_ = false;
  now_ = CityWork::kTrains;
  ++context_.forecasts;  // they would slow it down
  if (!thread_) thread_.emplace();
  thread_->add([this, city = std::move(wanted.city), device] {
    struct End {
      BlockTraining& mine;
      ~End() {
        log::close_file();
        mine.context_.devices.end_run();
        mine.now_ = CityWork::kNone;
        mine.changed_();
      }
    } const end{*this};
    context_.devices.begin_run();
    work(city, device);
  });
  changed_();
}

void BlockTraining::stop() {
  stop_ = true;
  auto trains = CityWork::kTrains;
  if (now_.compare_exchange_strong(trains, CityWork::kStops)) changed_();
}

void BlockTraining::wind_down() {
  stop();
  thread_.reset();
}

void BlockTraining::work(const fs::path& folder, const DeviceOptions& device) {
  const auto city = read_city(folder);
  if (!city) return log::error(city.error().message);
  Options options;
  options.device = device;
  options.console.quiet = true;
  BlocksWatch watch;
  watch.stop = &stop_;
  Outcome outcome = train_blocks(*city, options, watch);
  if (outcome.code == ExitCode::kInterrupted)
    return log::info("the blocks of '" + folder.string() + "' were stopped, with a checkpoint: they can go on");
  if (!outcome) return say_why(*city, outcome);
  Merged merged;
  if (outcome = merge_city(*city, options, merged); !outcome) return context_.fail(outcome.sentence, kTrainsAgain);
  context_.say_done(fmt::format("{} splats of {} blocks are merged in '{}'", human_count(merged.written),
                                merged.splats.size(), merged.file.string()),
                    merged.file);
  ++merges_;
}

// Each block's own words are in the panel: here how many failed, and what the first of them says.
void BlockTraining::say_why(const City& city, const Outcome& outcome) {
  const std::vector<BlockState> blocks = read_blocks(city);
  const auto failed = [](const BlockState& state) { return state.stage == BlockState::Stage::kFailed; };
  const auto first = std::find_if(blocks.begin(), blocks.end(), failed);
  if (first == blocks.end() || outcome.code == ExitCode::kNoBackend)
    return context_.fail(outcome.sentence, kTrainsAgain);
  context_.fail(
      fmt::format("{} of {} blocks could not be trained: block {}: {}", std::count_if(first, blocks.end(), failed),
                  blocks.size(), first - blocks.begin(), first->why),
      kTrainsAgain);
}

}  // namespace studio
