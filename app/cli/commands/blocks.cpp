#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/blocks/block_state.h"
#include "app/jobs/blocks/job.h"
#include "app/jobs/blocks/merge.h"
#include "app/jobs/blocks/plan.h"
#include "app/jobs/host/host.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

BlocksWatch watched_by(Monitor& monitor) {
  BlocksWatch watch;
  watch.monitor = &monitor;
  return watch;
}

Outcome plan(const Options& options) {
  City city;
  TerminalMonitor monitor(options.console);
  if (Outcome outcome = plan_city(options, city, watched_by(monitor)); !outcome) return outcome;
  if (options.console.json) {
    json blocks = json::array();
    for (const Block& block : city.blocks)
      blocks.push_back({{"photos", block.views.size()},
                        {"training_photos", block.training_views},
                        {"iterations", block.iterations},
                        {"predicted_bytes", block.predicted_bytes}});
    print_json({{"type", "summary"},
                {"city", city.folder.string()},
                {"scaffold_splats", city.scaffold_splats},
                {"iterations", city.iterations},
                {"blocks", std::move(blocks)}});
    return done();
  }
  print("block  photos  iterations  memory at most\n");
  for (size_t k = 0; k < city.blocks.size(); ++k)
    print("{:>5}  {:>6}  {:>10}  {:>14}\n", k, city.blocks[k].training_views, city.blocks[k].iterations,
          human_bytes(city.blocks[k].predicted_bytes));
  print("{} blocks: hipsplat blocks all '{}' trains them one after another, '{}' hands them to Slurm\n",
        city.blocks.size(), city.folder.string(), (city.folder / "submit.sh").string());
  return done();
}

// A city whose plan is complete.
Outcome open_city(const Options& options, City& city) {
  auto read = read_city(options.input);
  if (!read) return bad_input(read.error());
  city = std::move(*read);
  if (city.blocks.empty())
    return bad_input(fmt::format("the plan of '{}' is not complete: the command that began it goes on with it",
                                 options.input.string()));
  return done();
}

Outcome train(const City& city, const Options& options) {
  const auto block = size_t(options.blocks.block);
  if (block >= city.blocks.size())
    return bad_input(fmt::format("there is no block {}: '{}' has blocks 0 to {}", block, city.folder.string(),
                                 city.blocks.size() - 1));
  TerminalMonitor monitor(options.console);
  return train_block(city, block, options, watched_by(monitor));
}

Outcome merge(const City& city, const Options& options) {
  Merged merged;
  if (Outcome outcome = merge_city(city, options, merged); !outcome) return outcome;
  if (options.console.json)
    print_json({{"type", "summary"},
                {"output", merged.file.string()},
                {"splats", merged.written},
                {"splats_of_blocks", merged.splats}});
  else
    print("splats    {} ({} splats of {} blocks)\n", merged.file.string(), human_count(merged.written),
          merged.splats.size());
  return done();
}

Outcome all(const City& city, const Options& options) {
  TerminalMonitor monitor(options.console);
  const Outcome outcome = train_blocks(city, options, watched_by(monitor));
  return outcome ? merge(city, options) : outcome;
}

std::string row_text(size_t k, const BlockState& state) {
  return fmt::format("{:>5}  {:<8} {:>7}/{:<7} {:>12}  {:>8}  {:>8}  {:>10}{}{}", k, name_of(state.stage),
                     state.iteration, state.iterations, human_count(state.splats),
                     state.psnr ? fmt::format("{:.2f}", *state.psnr) : "-",
                     state.peak_rss_bytes ? human_bytes(state.peak_rss_bytes) : "-", human_duration(state.seconds),
                     state.why.empty() ? "" : "  ", state.why);
}

Outcome status(const City& city, const Options& options) {
  if (!options.console.json) print("block  state    iterations              splats  PSNR, dB    memory        time\n");
  const std::vector<BlockState> states = read_blocks(city);
  for (size_t k = 0; k < states.size(); ++k) {
    if (!options.console.json) {
      print("{}\n", row_text(k, states[k]));
      continue;
    }
    json line = to_json(states[k]);
    line["type"] = "block";
    line["block"] = k;
    print_json(line);
  }
  return done();
}

}  // namespace

Outcome run_blocks(const Options& options) {
  install_interrupt_handlers();
  const BlocksAction action = options.blocks.action;
  if (action == BlocksAction::kPlan) return plan(options);
  City city;
  if (Outcome outcome = open_city(options, city); !outcome) return outcome;
  if (action == BlocksAction::kTrain) return train(city, options);
  if (action == BlocksAction::kMerge) return merge(city, options);
  return action == BlocksAction::kAll ? all(city, options) : status(city, options);
}

}  // namespace app
