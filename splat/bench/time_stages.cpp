#include "splat/bench/time_stages.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "splat/core/check.h"

namespace splat::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWarmIterations = 2;  // the first allocates
constexpr double kWarmMs = 200;     // for the processor's clock
constexpr int kLeastRepeats = 7, kMostRepeats = 200;
constexpr double kEnoughMs = 4000;

// On a GPU.
constexpr int kWarmShare = 5;    // timed iterations to one warm one
constexpr int kRows = 20;        // of iterations without a stop between them
constexpr int kMostStages = 50;  // iterations of which the stages are timed
constexpr int kMostOnGpu = 2000, kLeastOnGpu = 20;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}
double process_cpu_ms() { return double(std::clock()) * (1e3 / CLOCKS_PER_SEC); }

double median(std::vector<double> values) {
  SPLAT_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

struct Samples {
  std::vector<double> ms, cpu_ms;
  void add(double wall, double cpu) { ms.push_back(wall), cpu_ms.push_back(cpu); }
};

class Timing {
 public:
  Timing(Backend& backend, const Scene& scene, const TimingOptions& options)
      : backend_(backend), scene_(scene), options_(options) {
    adam_.mean_rate = adam_.sh0_rate = adam_.sh_rest_rate = 0;
    adam_.opacity_rate = adam_.log_scale_rate = adam_.quat_rate = 0;
  }

  bool warm_up() {
    const Clock::time_point start = Clock::now();
    const int least = std::max(kWarmIterations, on_gpu() ? options_.repeats / kWarmShare : 0);
    for (int i = 0; i < least || ms_since(start) < kWarmMs; ++i) {
      if (!iterate()) return false;
      backend_.wait();  // or a device that is behind the host would be given far more than kWarmMs of work
    }
    return true;
  }

  bool measure() { return on_gpu() ? measure_rows() && measure_stages() : measure_each(); }

  IterationResult result() const {
    IterationResult result{scene_.size,
                           iterations_,
                           median(iteration_.ms),
                           median(iteration_.cpu_ms),
                           least(iteration_.ms),
                           least(iteration_.cpu_ms),
                           backend_.memory_bytes(),
                           {}};
    for (size_t s = 0; s < latest_.size(); ++s)
      result.stages.push_back({std::string(latest_[s].name), std::string(latest_[s].unit), latest_[s].units,
                               median(stages_[s].ms), median(stages_[s].cpu_ms), least(stages_[s].cpu_ms)});
    return result;
  }

 private:
  bool on_gpu() const { return backend_.info().device_bytes_per_splat > 0; }

  // The host goes ahead of a GPU: what an iteration takes is seen only from a row of them, from an idle device to an
  // idle device.
  bool measure_rows() {
    const int wanted = options_.repeats > 0 ? options_.repeats : kMostOnGpu, row = std::max(wanted / kRows, 1);
    const Clock::time_point start = Clock::now();
    for (iterations_ = 0; iterations_ < wanted; iterations_ += row) {
      if (options_.repeats == 0 && iterations_ >= kLeastOnGpu && ms_since(start) > kEnoughMs) break;
      const Clock::time_point wall = Clock::now();
      for (int i = 0; i < row; ++i)
        if (!iterate()) return false;
      backend_.wait();
      iteration_.add(ms_since(wall) / row, 0);
      if (options_.progress) options_.progress(iterations_ + row);
    }
    return true;
  }

  // In iterations of their own: to ask for them is to wait.
  bool measure_stages() {
    (void)backend_.stage_times();  // from now on
    for (int i = 0; i < std::min(iterations_, kMostStages); ++i) {
      if (!iterate()) return false;
      add_stages(backend_.stage_times());
    }
    return true;
  }

  bool measure_each() {
    const Clock::time_point start = Clock::now();
    while (!enough(ms_since(start))) {
      const double cpu = process_cpu_ms();
      const Clock::time_point wall = Clock::now();
      if (!iterate()) return false;
      const double wall_ms = ms_since(wall);
      iteration_.add(wall_ms, process_cpu_ms() - cpu);
      add_stages(backend_.stage_times());
      iterations_ = int(iteration_.ms.size());
      if (options_.progress) options_.progress(iterations_);
    }
    return true;
  }

  bool stopped() const { return options_.stop && options_.stop(); }

  // One iteration; false when stopped in it.
  bool iterate() {
    backend_.forward(scene_.view, {});
    if (stopped()) return false;
    backend_.loss(scene_.target, {.late = true, .photo = 1});
    if (stopped()) return false;
    backend_.backward();
    if (stopped()) return false;
    ++adam_.iteration;
    backend_.update(adam_);
    return !stopped();
  }

  bool enough(double ms) const {
    if (options_.repeats > 0) return iterations_ >= options_.repeats;
    return iterations_ >= kMostRepeats || (iterations_ >= kLeastRepeats && ms >= kEnoughMs);
  }

  void add_stages(std::vector<StageTime> times) {
    stages_.resize(times.size());
    for (size_t s = 0; s < times.size(); ++s) stages_[s].add(times[s].wall_ms, times[s].cpu_ms);
    latest_ = std::move(times);
  }

  Backend& backend_;
  const Scene& scene_;
  const TimingOptions& options_;
  AdamSettings adam_;
  int iterations_ = 0;  // timed
  Samples iteration_;   // of one, or means of a row
  std::vector<Samples> stages_;
  std::vector<StageTime> latest_;
};

}  // namespace

double StageResult::ns_per_unit() const { return units == 0 ? 0 : (cpu_ms > 0 ? cpu_ms : ms) * 1e6 / double(units); }

std::optional<IterationResult> time_stages(Backend& backend, Scene scene, const TimingOptions& options) {
  backend.upload(scene.model);
  scene.model = {};
  Timing timing(backend, scene, options);
  if (!timing.warm_up() || !timing.measure()) return std::nullopt;
  return timing.result();
}

}  // namespace splat::bench
