#include "app/jobs/training/run_estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "app/jobs/memory_plan.h"
#include "io/dataset/image_store.h"
#include "splat/core/percentile.h"
#include "splat/core/random.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/detail.h"
#include "splat/train/init.h"
#include "splat/train/match_settings.h"
#include "splat/train/trainer.h"

namespace app {
namespace {

constexpr size_t kTimedPhotos = 6;     // that are read and trained on, spread over all
constexpr int kWarmUp = 4;             // iterations, each time
constexpr size_t kTimed = 5;           // after these; more, up to kMostIterations, where they take less than
constexpr double kTimedSeconds = 0.5;  // this together: the work of others comes and goes
constexpr size_t kMostIterations = 50;
constexpr float kTrainedOpacity = 0.3f;  // of the splats that stand for those at the end: the more opaque, the fewer
                                         // of them a pixel shows

using Clock = std::chrono::steady_clock;

// The photos trained on that stand for all.
splat::Dataset some_photos(const splat::Dataset& dataset) {
  const std::vector<int> all = dataset.training_views();
  splat::Dataset some = dataset;
  some.views.clear();
  const size_t count = std::min(kTimedPhotos, all.size());
  for (size_t i = 0; i < count; ++i) some.views.push_back(dataset.views[size_t(all[i * all.size() / count])]);
  return some;
}

// As many as `count`, as if each had been divided: together the copies cover what the one covered, because what an
// iteration costs is how many splats a pixel meets.
splat::Gaussians divided(const splat::Gaussians& splats, uint64_t count, uint64_t seed) {
  constexpr float kSpread = 2.5f;  // standard deviations, of the positions of copies from one side to the other
  std::vector<uint32_t> from(count);
  for (size_t i = 0; i < from.size(); ++i) from[i] = uint32_t(i % splats.size());
  splat::Gaussians more = splat::gather_rows(splats, from);
  const float smaller = 0.5f * std::log(float(count) / float(splats.size()));
  for (size_t i = 0; i < more.size(); ++i) {
    const splat::random::Uint4 bits = splat::random::philox4x32(seed, splat::random::kBench, i);
    const uint32_t by[3] = {bits.x, bits.y, bits.z};
    for (size_t k = 0; k < 3; ++k) {
      float& log_scale = more.log_scales[3 * i + k];
      more.means[3 * i + k] += kSpread * std::exp(log_scale) * (splat::random::uniform_from_bits(by[k]) - 0.5f);
      log_scale -= smaller;
    }
  }
  return more;
}

// The time of one iteration with this model and photos divided by this; none: stopped.
splat::Result<std::optional<double>> seconds_of_iteration(splat::TrainConfig config, int divisor,
                                                          const splat::TrainerInputs& inputs,
                                                          const splat::Gaussians& model,
                                                          const std::function<bool()>& stop) {
  config.sh_degree_interval = 1;  // all bands at once
  config.iterations = std::max(config.iterations, 2000);
  config.progressive_divisor = divisor;
  config.progressive_until = config.iterations;
  splat::Trainer trainer(splat::resolve_config(config), inputs);
  SPLAT_TRY(trainer.initialise(model));
  std::vector<double> seconds;
  double timed = 0;
  for (int i = 0; seconds.size() < kTimed || (timed < kTimedSeconds && seconds.size() < kMostIterations); ++i) {
    if (stop()) return std::optional<double>();
    const Clock::time_point start = Clock::now();
    SPLAT_ASSIGN_OR_RETURN([[maybe_unused]] const splat::StepReport step, trainer.step());
    if (i < kWarmUp) continue;
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    timed += seconds.back();
  }
  return std::optional(splat::median(std::move(seconds)));
}

// At the end of the run, by the strategy's own rule where it has one. that_fit: 0: any number does.
uint64_t final_splats(const splat::TrainConfig& config, double detail_px, const splat::Dataset& dataset, uint64_t first,
                      uint64_t that_fit) {
  splat::StrategyScene scene;
  scene.views = int(dataset.training_views().size());
  scene.detail_px = detail_px;
  scene.max_splats = size_t(splat::growth_limit(config.max_splats, that_fit, dataset, config.sh_degree).splats);
  return std::max(first, splat::row_of(config.strategy).final_splats(config, scene, first));
}

uint64_t ply_bytes(uint64_t splats, int sh_degree) {
  const uint64_t coefficients = uint64_t(3) * uint64_t((sh_degree + 1) * (sh_degree + 1));
  return splats * (3 + 3 + coefficients + 1 + 3 + 4) * sizeof(float);  // position, normal, colour, opacity, sizes, turn
}

}  // namespace

splat::Result<std::optional<RunEstimate>> estimate_run(const Options& options, const splat::Dataset& dataset,
                                                       splat::Backend& backend, const std::function<bool()>& stop) try {
  using Nothing = std::optional<RunEstimate>;
  const splat::TrainConfig config = splat::resolve_config(options.train);
  splat::Dataset some = some_photos(dataset);
  if (some.views.empty()) return splat::Error{"there is no photo to train on"};
  if (some.points.size() == 0) some.points = splat::random_points(dataset, config, config.random_splats);
  const uint64_t first = splat::starting_splats(dataset, config);
  SPLAT_ASSIGN_OR_RETURN(const RunMemory memory,
                         plan_run_memory(config, dataset, backend.info(), first,
                                         splat::matching_bytes(config, dataset, options.device.threads)));
  if (stop()) return Nothing();
  io::ImageStoreOptions reading;
  reading.threads = options.device.threads;
  reading.background = splat::evaluation_background(config);
  SPLAT_ASSIGN_OR_RETURN(const std::unique_ptr<splat::ImageSource> photos, io::open_images(some, reading));
  SPLAT_ASSIGN_OR_RETURN(const double detail_px, splat::mean_detail_pixels(some, *photos, stop));
  RunEstimate estimate;
  estimate.splats = final_splats(config, detail_px, dataset, first, memory.splats_that_fit);
  estimate.fits = final_splats(config, detail_px, dataset, first, 0) <= estimate.splats;
  estimate.memory_bytes = memory.host.peak_bytes(estimate.splats, estimate.splats > first);
  estimate.result_bytes = ply_bytes(estimate.splats, config.sh_degree);

  splat::TrainerInputs inputs{some, *photos, backend, options.device.threads, memory.splats_that_fit, {}, {}, stop};
  const auto timed = [&](uint64_t count, float opacity, int divisor) {
    splat::TrainConfig one = config;
    one.initial_opacity = opacity;
    one.max_splats = count;
    one.far_points = 0;  // they would come on top of `count`
    splat::Gaussians splats = splat::initial_model(some, one, options.device.threads, {}, stop).splats;
    if (count > splats.size()) splats = divided(splats, count, config.seed);
    return seconds_of_iteration(config, divisor, inputs, splats, stop);
  };
  const uint64_t low = std::min(first, kMostTimed), high = std::max(low, std::min(estimate.splats, kMostTimed));
  const bool whole = !options.init.empty() && config.progressive_divisor == splat::kAuto;  // Trainer::initialise
  RunPace pace{0, 0, 0, whole ? 1 : splat::first_divisor(config, dataset)};
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> at_first, timed(low, config.initial_opacity, 1));
  if (!at_first) return Nothing();
  pace.first = pace.end = pace.coarse = *at_first;
  if (pace.divisor > 1) {
    SPLAT_ASSIGN_OR_RETURN(const std::optional<double> coarse, timed(low, config.initial_opacity, pace.divisor));
    if (!coarse) return Nothing();
    pace.coarse = *coarse;
  }
  if (high > low) {
    SPLAT_ASSIGN_OR_RETURN(const std::optional<double> at_high, timed(high, kTrainedOpacity, 1));
    if (!at_high) return Nothing();
    pace.end = *at_high;
  }
  const double begins = double(first) / double(low);
  pace.first *= begins;
  pace.coarse *= begins;
  if (estimate.splats > high) pace.end *= double(estimate.splats) / double(high);
  estimate.pace = pace;
  estimate.seconds = options.minutes > 0 ? 60 * options.minutes : seconds_of(config, pace, 0, config.iterations);
  return Nothing(estimate);
} catch (const splat::Stopped&) {
  return std::optional<RunEstimate>();
}

}  // namespace app
