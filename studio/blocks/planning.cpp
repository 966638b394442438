#include "studio/blocks/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/jobs/blocks/plan.h"
#include "app/jobs/host/host.h"
#include "splat/core/log.h"
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr const char* kPlansAgain = "Train in blocks";  // the action that opens the dialog
constexpr double kShareOfMemory = 0.8;                  // of the machine's: the rest is the system's and the window's
constexpr uint64_t kStep = 100'000'000;                 // bytes: the same on this machine whenever it is asked

BlocksForecast& describe(const City& city, BlocksForecast& forecast) {
  const auto range = [&](auto field) {
    const auto [least, most] = std::minmax_element(city.blocks.begin(), city.blocks.end(),
                                                   [&](auto& a, auto& b) { return a.*field < b.*field; });
    return std::pair((*least).*field, (*most).*field);
  };
  forecast.blocks = city.blocks.size();
  forecast.scaffold_iterations = city.scaffold_iterations;
  std::tie(forecast.least_photos, forecast.most_photos) = range(&Block::training_views);
  std::tie(forecast.least_iterations, forecast.most_iterations) = range(&Block::iterations);
  forecast.most_bytes = range(&Block::predicted_bytes).second;
  return forecast;
}

}  // namespace

BlocksPlanning::BlocksPlanning(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<PlanBlocks>([this](PlanBlocks&& wanted) { plan(std::move(wanted)); });
  requests.on<WantBlocksForecast>([this](WantBlocksForecast&& wanted) { forecast(std::move(wanted.choices)); });
}

// What the device has, of a GPU no more than its own memory.
uint64_t BlocksPlanning::memory_of(const BlocksChoices& choices) {
  if (choices.blocks.memory > 0) return choices.blocks.memory;
  auto bytes = uint64_t(kShareOfMemory * double(host_memory().total_bytes));
  DeviceOptions device = context_.options.device;
  device.backend = choices.training.device.backend, device.index = choices.training.device.index;
  if (const auto loan = context_.devices.lend_exactly(device, {}))
    if (const uint64_t own = loan->backend->info().device_total_bytes; own > 0) bytes = std::min(bytes, own);
  return bytes / kStep * kStep;
}

splat::Result<Options> BlocksPlanning::options_of(const fs::path& data, const BlocksChoices& choices) {
  BlocksSettings blocks = choices.blocks;
  blocks.memory = memory_of(choices);
  SPLAT_ASSIGN_OR_RETURN(Options options, plan_options_of(data, choices.training, blocks));
  options.device.threads = options.dataset.threads = context_.options.device.threads;
  return options;
}

void BlocksPlanning::plan(PlanBlocks&& wanted) {
  const fs::path data = context_.documents.training_data();
  if (data.empty()) return log::error("there is no dataset to plan in blocks: open one first");
  const fs::path folder = wanted.choices.training.output;
  if (const splat::Status status = make_home_of(folder); !status)
    return context_.fail(status.error().message, kPlansAgain);
  context_.jobs.cancel();
  ++context_.forecasts;  // they would slow it down
  Job& job = context_.jobs.begin_reporting(folder.filename().string());
  context_.makings.add([this, data, choices = std::move(wanted.choices), &job] { work(data, choices, job); });
}

void BlocksPlanning::work(const fs::path& data, const BlocksChoices& choices, Job& job) {
  const MarkDone mark_done(job);
  const auto options = options_of(data, choices);
  if (!options) return context_.fail(options.error().message, kPlansAgain);
  BlocksWatch watch;
  watch.stop = &job.watch.cancelled;
  watch.progress = [&job](const std::string& what, double share) {
    job.progress.put({job.name + ": " + what, float(share), true,
                      "The plan is not made yet. Planned in the same folder with the same choices, it goes on."});
  };
  City city;
  const Outcome outcome = plan_city(*options, city, watch);
  log::close_file();  // the scaffold's
  if (job.watch.cancelled || outcome.code == ExitCode::kInterrupted)
    return log::info(fmt::format("the plan in '{}' was stopped: planned there again with the same choices, it goes on",
                                 options->output.string()));
  if (!outcome) return context_.fail(outcome.sentence, kPlansAgain);
  context_.report(CityPlanned{options->output});
}

void BlocksPlanning::forecast(BlocksChoices&& choices) {
  const fs::path data = context_.documents.training_data();
  if (data.empty()) return;
  context_.openings.add([this, data, mine = ++forecasts_, choices = std::move(choices)] {
    if (forecasts_ == mine) context_.report(forecast_of(data, choices));
  });
}

BlocksForecast BlocksPlanning::forecast_of(const fs::path& data, const BlocksChoices& choices) {
  BlocksForecast forecast;
  forecast.choices = choices;
  forecast.place = suggested_city(data);
  forecast.memory = memory_of(choices);
  const auto options = options_of(data, choices);
  if (!options) {
    forecast.problem = options.error().message;
    return forecast;
  }
  City city;
  if (const Outcome outcome = forecast_city(*options, city); !outcome) {
    forecast.problem = outcome.sentence;
    return forecast;
  }
  return describe(city, forecast);
}

}  // namespace studio
