#include "splat/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "splat/core/check.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/detail.h"
#include "splat/train/empty_space.h"
#include "splat/train/init.h"
#include "splat/train/match_settings.h"
#include "splat/train/region.h"
#include "splat/train/scene_extent.h"
#include "splat/train/trainer_state.h"

namespace splat {
namespace {

constexpr int kLookAhead = 8;        // views announced to the image source
constexpr int kSpatialEvery = 1000;  // iterations between two orderings of the rows in space
constexpr double kEmaWeight = 0.4;   // of the newest loss, as the reference code shows it
// There when density control after the checkpoint's iteration is done already: the next iteration failed behind it.
constexpr const char* kDensified = "trainer/densified";

const TrainingImage kKeptPhoto;  // stands for one that the backend has

uint64_t number_of_photo(int view) { return uint64_t(view) + 1; }  // LossSettings::photo

uint64_t smaller_limit(uint64_t a, uint64_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

RenderSettings render_settings(const TrainConfig& config, int iteration) {
  RenderSettings settings;
  const int every = config.sh_degree_interval;
  settings.sh_degree = every > 0 ? std::min(config.sh_degree, iteration / every) : config.sh_degree;
  settings.antialias = config.antialias;
  settings.low_pass = config.low_pass;
  settings.background = training_background(config, iteration);
  return settings;
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, const TrainerInputs& inputs)
    : config_(with_background(inputs.dataset, resolve_config(config))),
      inputs_(inputs),
      extent_(scene_extent(inputs.dataset)),
      pool_(inputs.threads),
      order_(config.seed, inputs.dataset.training_views()) {}

Trainer::~Trainer() = default;

GrowthLimit Trainer::growth_limit_now() const {
  return growth_limit(config_.max_splats, inputs_.splats_in_memory, inputs_.dataset, config_.sh_degree);
}

std::unique_ptr<Strategy> Trainer::make_strategy() {
  StrategyScene scene;
  scene.pool = &pool_;
  scene.extent = extent_;
  scene.white_background = config_.background == BackgroundMode::kWhite;
  scene.seed = config_.seed;
  scene.detail_px = detail_px_;
  scene.mean_rate = [rates = config_.rates, fall = mean_fall(), extent = extent_](int iteration) {
    return mean_rate_at(rates, iteration, fall) * extent;
  };
  for (const int view : inputs_.dataset.training_views())
    scene.cameras.push_back(inputs_.dataset.views[size_t(view)].view());
  scene.views = int(scene.cameras.size());
  if (!inputs_.scene_cameras.empty()) scene.cameras = inputs_.scene_cameras;
  scene.max_splats = size_t(growth_limit_now().splats);
  scene.region = config_.region;
  return row_of(config_.strategy).make(config_, scene);
}

Status Trainer::check_ready() const {
  SPLAT_TRY(check_config(config_));
  if (inputs_.dataset.training_views().empty())
    return Error{"'" + inputs_.dataset.root.string() + "' has no views to train on" +
                 (inputs_.dataset.views.empty() ? "" : ": every view is held out for evaluation")};
  return {};
}

Status Trainer::measure_detail() {
  if (!row_of(config_.strategy).by_detail) return {};
  SPLAT_ASSIGN_OR_RETURN(detail_px_, mean_detail_pixels(inputs_.dataset, inputs_.images, inputs_.stop));
  return {};
}

Status Trainer::measure_terms(int iteration) {
  for (PhotoTerm* term : terms_) {
    if (!term->due(iteration, config_.planned_iterations)) continue;
    SPLAT_TRY(term->measure({inputs_.dataset, inputs_.images, inputs_.backend, config_,
                             render_settings(config_, iteration), exposures_.colours()}));
  }
  return {};
}

void Trainer::fill_resolution(int divisor) {
  if (config_.progressive_divisor == kAuto) config_.progressive_divisor = divisor;
  if (config_.mean_lr_from == kAuto)
    config_.mean_lr_from =
        config_.progressive_divisor > 1 ? std::min(config_.progressive_until, config_.mean_lr_steps) : 0;
}

Status Trainer::initialise() {
  const ThreadPool::Stoppable stoppable(pool_, inputs_.stop);
  SPLAT_TRY(check_ready());
  fill_resolution(first_divisor(config_, inputs_.dataset));
  SPLAT_TRY(measure_detail());
  TrainConfig limited = config_;
  limited.max_splats = smaller_limit(config_.max_splats, inputs_.splats_in_memory);
  SPLAT_ASSIGN_OR_RETURN(const PointCloud matched, match_photos(config_, inputs_.dataset, inputs_.images, pool_));
  InitialModel initial = initial_model(inputs_.dataset, limited, pool_.threads(), matched, inputs_.stop);
  SPLAT_TRY(leave_empty_space(inputs_.dataset, inputs_.images, pool_, initial));
  make_strategy()->prepare(initial.splats);
  Status started = start(initial.splats);
  notes_ = std::move(initial.notes);
  return started;
}

Status Trainer::initialise(const Gaussians& model) {
  SPLAT_TRY(check_ready());
  if (model.size() == 0) return Error{"there are no splats to start from"};
  if (!config_.region.empty() && rows_inside(config_.region, model).empty())
    return Error{"none of the splats to start from lies in the region"};
  fill_resolution(1);  // small photos would blur what the splats know
  SPLAT_TRY(measure_detail());
  SPLAT_TRY(start(model.sh_degree == config_.sh_degree ? model : with_sh_degree(model, config_.sh_degree)));
  if (config_.region_alone) keep_rows_inside(config_.region, inputs_.backend);
  return {};
}

Status Trainer::start(const Gaussians& model) {
  begin();
  inputs_.backend.pack_moments(config_.bfloat16_moments != 0);
  inputs_.backend.upload(model);
  reserve_splats(model.size());
  strategy_ = make_strategy();
  for (PhotoTerm* term : terms_)
    SPLAT_TRY(term->begin({inputs_.dataset, inputs_.images, inputs_.backend, config_, render_settings(config_, 0)}));
  return {};
}

void Trainer::begin() {
  iteration_ = 0;
  densified_ = 0;
  view_ = -1;
  loss_ema_ = 0;
  limit_told_ = diverged_ = false;
  exposures_ = Exposures(config_.exposure, inputs_.dataset.training_views(), inputs_.dataset.views.size());
  if (!inputs_.held_colours.empty()) exposures_.hold(inputs_.held_colours);
  poses_ = Poses(config_.poses, inputs_.dataset);
  depths_ = Depths(inputs_.dataset, config_, extent_);
  surface_ = Surface(config_, extent_);
  notes_.clear();
  history_.clear();
  history_.reserve(2 * kHistoryLength);  // steps allocate nothing
}

void Trainer::retarget(const TrainConfig& config) {
  SPLAT_CHECK(strategy_ != nullptr);
  Archive state;
  strategy_->save_state(state);
  const int divisor = config_.progressive_divisor;
  config_ = with_background(inputs_.dataset, resolve_config(config));
  fill_resolution(divisor == 1 ? 1 : first_divisor(config_, inputs_.dataset));
  surface_ = Surface(config_, extent_);
  strategy_ = make_strategy();
  const Status loaded = strategy_->load_state(state);
  SPLAT_CHECK(loaded.ok());
}

// On a device with memory of its own, all splats that there may be get their room at once: growth then asks for nothing
// that somebody else may have taken meanwhile. Elsewhere memory is taken as it is needed, unless a number is asked for.
// Where the device refuses what was predicted, growth stops earlier.
void Trainer::reserve_splats(uint64_t least) {
  Backend& backend = inputs_.backend;
  if (config_.max_splats == 0 && backend.info().device_total_bytes == 0) return;
  const uint64_t wanted = growth_limit_now().splats;
  uint64_t room = wanted;
  while (room > least) try {
      backend.reserve(room);
      break;
    } catch (const DeviceError& error) {
      if (error.bytes_wanted == 0) throw;
      room = std::max(least, room - std::max<uint64_t>(room / 8, 1));
    } catch (const std::bad_alloc&) {
      room = std::max(least, room - std::max<uint64_t>(room / 8, 1));
    }
  if (room >= wanted || wanted <= least) return;
  inputs_.splats_in_memory = std::max<uint64_t>(room, 1);
  log::warning(backend.info().device + " has no room for " + std::to_string(wanted) + " splats: growth will stop at " +
               std::to_string(room));
}

// Photos that the backend keeps are not fetched.
bool Trainer::needs_photo(int view, int divisor) const {
  const auto is_looked_at = [&](const PhotoTerm* term) { return term->needs_photo(view); };
  return divisor > 1 || !inputs_.backend.keeps_photo(number_of_photo(view)) ||
         std::any_of(terms_.begin(), terms_.end(), is_looked_at);
}

// The view of the iteration; the photos of the next ones are announced.
int Trainer::announce_photos(int iteration, int divisor) {
  order_.upcoming(iteration, kLookAhead, upcoming_);
  const int view = upcoming_.front();
  std::erase_if(upcoming_, [&](int next) { return !needs_photo(next, divisor); });
  inputs_.images.prefetch(upcoming_);
  return view;
}

Result<StepReport> Trainer::step() {
  SPLAT_CHECK(strategy_ != nullptr);  // initialise() or load_state() comes first
  Backend& backend = inputs_.backend;
  const int iteration = iteration_ + 1;
  const int divisor = resolution_divisor(config_.progressive_divisor, config_.progressive_until, iteration);
  StepReport report;
  report.iteration = iteration;
  report.divisor = divisor;
  report.view = announce_photos(iteration, divisor);
  SPLAT_TRY(measure_terms(iteration));
  const TrainingImage* photo = &kKeptPhoto;
  if (needs_photo(report.view, divisor)) {
    SPLAT_ASSIGN_OR_RETURN(photo, inputs_.images.get(report.view));
  }
  View view = inputs_.dataset.views[size_t(report.view)].view();
  for (const PhotoTerm* term : terms_) term->place(report.view, view);
  if (divisor > 1) {
    coarse_.make(view, *photo, divisor, pool_);
    view = coarse_.view();
    photo = &coarse_.photo();
  }

  // The strategy acts between two iterations, on the side of the later one: what is saved or evaluated after an opacity
  // reset is due is still the trained model.
  if (iteration_ > densified_) {
    report.densify = densify();
    densified_ = iteration_;
  }
  if (iteration_ % kSpatialEvery == 0) backend.sort_rows_in_space();
  RenderSettings settings = render_settings(config_, iteration);
  strategy_->adjust(iteration, settings);
  settings.photo = number_of_photo(report.view);
  report.sh_degree = settings.sh_degree;
  backend.forward(view, settings);
  if (photo == &kKeptPhoto && needs_photo(report.view, divisor)) {  // splats took its memory meanwhile
    SPLAT_ASSIGN_OR_RETURN(photo, inputs_.images.get(report.view));
  }
  const TermIteration now{iteration, config_.planned_iterations, report.view, photo};
  LossSettings loss{config_.ssim_weight, true, divisor > 1 ? 0 : settings.photo};
  SurfaceSettings surface;
  for (PhotoTerm* term : terms_) term->weigh(now, backend, loss, surface);
  report.loss = backend.loss(*photo, loss);
  if (!std::isfinite(report.loss.total)) return divergence(report.loss.of_call_before, report.view);
  if (surface.weighs()) backend.add_surface_loss(surface);
  backend.backward();
  for (PhotoTerm* term : terms_) term->step(now, backend, report.loss);
  backend.update(adam_steps(iteration));

  iteration_ = iteration;
  view_ = report.view;
  loss_ema_ = iteration == 1 ? report.loss.total : kEmaWeight * report.loss.total + (1 - kEmaWeight) * loss_ema_;
  report.loss_ema = loss_ema_;
  report.splats = backend.size();
  record(report);
  return report;
}

AdamSettings Trainer::adam_steps(int iteration) const {
  AdamSettings steps = adam_settings(config_.rates, iteration, mean_fall(), extent_);
  steps.seed = config_.seed;
  for (const PhotoTerm* term : terms_) term->adjust(steps);
  strategy_->adjust(iteration, steps);
  return steps;
}

// Those of the updates before, where a checkpoint does not say.
AdamHistory Trainer::scheduled_rates(int iteration) const {
  AdamHistory history;
  history.iteration = iteration;
  for (int i = std::max(1, iteration - int(math::kAdamPast) + 1); i <= iteration; ++i)
    history.rates.push_back(adam_rates(adam_steps(i)));
  return history;
}

size_t Trainer::finish() {
  SPLAT_CHECK(done());
  std::vector<View> cameras;
  for (const int view : inputs_.dataset.training_views())
    cameras.push_back({inputs_.dataset.views[size_t(view)].camera, poses_.cam_from_world(view)});
  const ThreadPool::Stoppable stoppable(pool_, inputs_.stop);
  const size_t removed = strategy_->finish(inputs_.backend, cameras, evaluation_settings());
  if (!history_.empty() && history_.back().iteration == iteration_) history_.back().splats = inputs_.backend.size();
  return removed;
}

DensifyReport Trainer::densify() {
  const ThreadPool::Stoppable stoppable(pool_, inputs_.stop);
  DensifyReport report = change_splats();
  if (report.densified && config_.region_alone) report.pruned += keep_rows_inside(config_.region, inputs_.backend);
  return report;
}

// A strategy that finds no memory has added and removed nothing: it is asked again for what can be done without growth.
DensifyReport Trainer::change_splats() {
  try {
    return strategy_->after_update(iteration_, inputs_.backend);
  } catch (const std::bad_alloc&) {
    if (inputs_.splats_in_memory > 0 && inputs_.splats_in_memory <= inputs_.backend.size()) throw;
  }
  inputs_.splats_in_memory = std::max<uint64_t>(inputs_.backend.size(), 1);
  Archive state;
  strategy_->save_state(state);
  strategy_ = make_strategy();
  if (!strategy_->load_state(state)) throw std::bad_alloc();
  return strategy_->after_update(iteration_, inputs_.backend);
}

// A GPU may tell the loss of the iteration before: it is that one's view that is named.
Error Trainer::divergence(bool in_iteration_before, int view) {
  diverged_ = true;
  const int named = in_iteration_before ? view_ : view;
  SPLAT_CHECK_LE(0, named);
  return Error{"training diverged: the loss of " + inputs_.dataset.views[size_t(named)].name +
               " is not a number in iteration " + std::to_string(iteration_ + (in_iteration_before ? 0 : 1)) +
               "; try lower learning rates"};
}

void Trainer::record(const StepReport& report) {
  if (report.densify.withheld > 0 && !limit_told_) {
    limit_told_ = true;
    const GrowthLimit limit = growth_limit_now();
    const std::string sentence = growth_limit_sentence(limit, report.splats);
    if (limit.reason == GrowthLimit::Reason::kMemory)
      log::warning(sentence);
    else
      log::info(sentence);
  }
  const int stride = std::max(1, config_.iterations / kHistoryLength);
  if (report.iteration % stride == 0 || report.iteration == config_.iterations)
    history_.push_back({report.iteration, report.loss_ema, report.splats});
}

Gaussians Trainer::model() const {
  Gaussians model;
  inputs_.backend.download(model);
  return config_.region.empty() ? model : gather_rows(model, rows_inside(config_.region, model));
}

std::vector<uint32_t> Trainer::result_rows() const { return rows_inside(config_.region, inputs_.backend); }

RenderSettings Trainer::evaluation_settings() const { return splat::evaluation_settings(config_); }

Result<TrainingFit> Trainer::measure_fit(size_t most_photos) {
  const std::vector<PhotoColour> colours = exposures_.colours();
  const std::vector<Rigid3> poses = poses_.cams_from_world();
  return splat::measure_fit(inputs_.backend,
                            {inputs_.dataset, inputs_.images, evaluation_settings(), most_photos, colours, poses});
}

Result<Evaluation> Trainer::evaluate(const OnView& on_view, Metrics metrics) {
  const std::vector<int> views = inputs_.dataset.held_out_views();
  // Refined cameras and those as given need not agree to the pixel: held-out photos are scored both ways then.
  const int align_steps = metrics == Metrics::kAll && poses_.active() ? kAlignSteps : 0;
  SPLAT_ASSIGN_OR_RETURN(Evaluation evaluation, splat::evaluate(inputs_.backend, {inputs_.dataset, inputs_.images,
                                                                                  views, evaluation_settings(), &pool_,
                                                                                  on_view, metrics, align_steps}));
  if (views.empty()) return evaluation;
  if (history_.empty() || history_.back().iteration != iteration_)
    history_.push_back({iteration_, loss_ema_, inputs_.backend.size()});
  HistoryEntry& entry = history_.back();
  entry.evaluated = true;
  entry.psnr = evaluation.psnr;
  entry.ssim = evaluation.ssim;
  return evaluation;
}

std::unique_ptr<RowSource> Trainer::save_state_in_rows(Archive& archive) const {
  SPLAT_CHECK(strategy_ != nullptr);
  save_config(config_, archive);
  save_dataset_record(inputs_.dataset, archive);
  archive.put("trainer/iteration", int32_t(iteration_));
  if (iteration_ > 0 && densified_ == iteration_) archive.put(kDensified, uint8_t(1));
  archive.put("trainer/loss_ema", loss_ema_);
  archive.put("trainer/detail_px", detail_px_);
  save_history(history_, archive);
  strategy_->save_state(archive);
  for (const PhotoTerm* term : terms_) term->save(archive);
  save_rates(inputs_.backend.adam_history(), iteration_, archive);
  archive.put("model/count", uint64_t(inputs_.backend.size()));
  archive.put("model/sh_degree", int32_t(config_.sh_degree));
  return std::make_unique<BackendRows>(inputs_.backend, config_.sh_degree);
}

void Trainer::save_state(Archive& archive) const {
  const std::unique_ptr<RowSource> rows = save_state_in_rows(archive);
  const auto blocks = rows->read(0, rows->rows());
  for (size_t i = 0; i < blocks.size(); ++i) archive.put_array(rows->arrays()[i].name, blocks[i]);
}

Status Trainer::load_state(const Archive& archive) { return load_state(ArchiveReader(archive)); }

Status Trainer::load_state(const StateReader& state) {
  SPLAT_TRY(check_ready());
  const Archive& archive = state.archive();
  SPLAT_TRY(check_dataset_record(inputs_.dataset, state));

  SPLAT_ASSIGN_OR_RETURN(const int32_t iteration, archive.get<int32_t>("trainer/iteration"));
  SPLAT_ASSIGN_OR_RETURN(const double loss_ema, archive.get<double>("trainer/loss_ema"));
  SPLAT_ASSIGN_OR_RETURN(const double detail_px, archive.get<double>("trainer/detail_px"));
  SPLAT_ASSIGN_OR_RETURN(const std::vector<HistoryEntry> history, load_history(archive));
  SPLAT_ASSIGN_OR_RETURN(const StoredSize size, stored_size(state));
  SPLAT_ASSIGN_OR_RETURN(const AdamHistory rates, load_rates(archive, iteration));
  if (iteration < 0 || size.sh_degree != config_.sh_degree)
    return Error{"the checkpoint holds impossible numbers or another SH degree than the settings ask for"};

  detail_px_ = detail_px;
  SPLAT_ASSIGN_OR_RETURN(const TrainConfig stored, load_config(archive));
  if (config_.mean_lr_from == kAuto) config_.mean_lr_from = stored.mean_lr_from;
  fill_resolution(stored.progressive_divisor == kAuto ? 1 : stored.progressive_divisor);
  begin();
  Gaussians none;
  none.sh_degree = size.sh_degree;
  inputs_.backend.pack_moments(config_.bfloat16_moments != 0);
  inputs_.backend.upload(none);
  reserve_splats(size.splats);
  try {
    inputs_.backend.reserve(size_t(size.splats));
  } catch (const DeviceError&) {  // then room is made as the rows come
  }
  strategy_ = make_strategy();
  SPLAT_TRY(strategy_->load_state(archive));
  for (PhotoTerm* term : terms_) SPLAT_TRY(term->load(archive));
  SPLAT_TRY(load_rows(state, size, iteration, inputs_.backend));
  inputs_.backend.recall(rates.rates.empty() ? scheduled_rates(iteration) : rates);
  iteration_ = iteration;
  densified_ = archive.blobs.contains(kDensified) ? iteration : 0;
  loss_ema_ = loss_ema;
  history_.assign(history.begin(), history.end());
  return {};
}

}  // namespace splat
