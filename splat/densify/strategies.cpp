#include "splat/densify/strategies.h"

#include <algorithm>

#include "splat/core/check.h"

namespace splat {
namespace {

// Growth of x -> 2x - x^2 has this share of it in the mean of the iterations.
double mean_growth(const StrategyConfigs&, int) { return 2.0 / 3; }

constexpr StrategyRow kStrategies[] = {
    {StrategyKind::kAdc, "adc", "clones and splits where the gradient on the screen is large, resets opacity (INRIA)",
     false, false, false, [](StrategyConfigs& c, int iterations) { resolve_adc(c.adc, iterations); },
     [](const StrategyConfigs& c, const StrategyScene& scene) -> std::unique_ptr<Strategy> {
       return std::make_unique<Adc>(c.adc, scene);
     },
     [](const StrategyConfigs&, const StrategyScene& scene, uint64_t first) {
       constexpr uint64_t kUsualGrowth = 8;  // times the first splats: it has no number of its own
       return std::min<uint64_t>(scene.max_splats, kUsualGrowth * first);
     },
     mean_growth},
    {StrategyKind::kMcmc, "mcmc",
     "moves transparent splats onto others, with noise, up to --max-splats (Kheradmand 2024)", false, false, false,
     [](StrategyConfigs& c, int iterations) { resolve_mcmc(c.mcmc, iterations); },
     [](const StrategyConfigs& c, const StrategyScene& scene) -> std::unique_ptr<Strategy> {
       return std::make_unique<Mcmc>(c.mcmc, scene);
     },
     [](const StrategyConfigs&, const StrategyScene& scene, uint64_t) { return uint64_t(scene.max_splats); },
     mean_growth},
    {StrategyKind::kBudget, "budget",
     "as many splats as the photos hold detail for, grown early, faded instead of reset", true, true, true,
     [](StrategyConfigs& c, int iterations) { resolve_budget(c.budget, iterations); },
     [](const StrategyConfigs& c, const StrategyScene& scene) -> std::unique_ptr<Strategy> {
       return std::make_unique<Budget>(c.budget, scene);
     },
     [](const StrategyConfigs& c, const StrategyScene& scene, uint64_t) {
       return uint64_t(Budget(c.budget, scene).budget());
     },
     [](const StrategyConfigs& c, int iteration) {
       const double span = std::max(1, c.budget.until - c.budget.from);
       const double x = std::clamp((iteration - c.budget.from) / span, 0.0, 1.0);
       return 2 * x - x * x;
     }},
};

}  // namespace

std::span<const StrategyRow> strategies() { return kStrategies; }

const StrategyRow& row_of(StrategyKind kind) {
  SPLAT_CHECK_LE(0, int(kind));
  SPLAT_CHECK_LT(size_t(kind), strategies().size());
  return strategies()[size_t(kind)];
}

const char* name_of(StrategyKind kind) {
  return kind >= StrategyKind(0) && size_t(kind) < strategies().size() ? row_of(kind).name : "unknown";
}

}  // namespace splat
