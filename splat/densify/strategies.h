// The strategies there are: the table behind --strategy. A new one is its two files, its settings in StrategyConfigs
// and visit_strategy_fields(), its row in strategies.cpp and its tests.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "splat/densify/adc.h"
#include "splat/densify/budget.h"
#include "splat/densify/mcmc.h"
#include "splat/densify/strategy.h"

namespace splat {

// The number stands in checkpoints, and is the row of the table.
enum class StrategyKind : int32_t { kAdc = 0, kMcmc = 1, kBudget = 2 };

// The settings of every strategy, whichever is chosen.
struct StrategyConfigs {
  AdcConfig adc{.from = kAuto, .until = kAuto};
  McmcConfig mcmc{.from = kAuto, .until = kAuto, .every = kAuto};
  BudgetConfig budget;

  friend bool operator==(const StrategyConfigs&, const StrategyConfigs&) = default;
};

template <class Configs, class Visitor>
void visit_strategy_fields(Configs& c, Visitor&& visit) {
  visit_adc_fields(c.adc, visit);
  visit_mcmc_fields(c.mcmc, visit);
  visit_budget_fields(c.budget, visit);
}

struct StrategyRow {
  StrategyKind kind;
  const char* name;   // of --strategy
  const char* help;   // one line
  bool by_detail;     // StrategyScene::detail_px is measured for it
  bool coarse_first;  // photos start small where the settings do not say (train/resolution.h)
  bool more_points;   // likewise, points are added to the dataset's (train/far_points.h, stereo/matched_points.h)
  void (*resolve)(StrategyConfigs& configs, int iterations);
  std::unique_ptr<Strategy> (*make)(const StrategyConfigs& configs, const StrategyScene& scene);
  // For predictions: how many splats a run ends with that begins with `first`, and the share of what it adds that is
  // there in an iteration. scene.max_splats bounds both.
  uint64_t (*final_splats)(const StrategyConfigs& configs, const StrategyScene& scene, uint64_t first);
  double (*share_grown)(const StrategyConfigs& configs, int iteration);
};

std::span<const StrategyRow> strategies();

const StrategyRow& row_of(StrategyKind kind);  // a bug unless it is in the table
const char* name_of(StrategyKind kind);        // "unknown" outside the table

}  // namespace splat
