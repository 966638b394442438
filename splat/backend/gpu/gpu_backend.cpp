#include "splat/backend/gpu/gpu_backend.h"

#include <algorithm>
#include <optional>

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/device_looks.h"
#include "splat/backend/gpu/device_pauses.h"
#include "splat/backend/gpu/frame.h"
#include "splat/backend/gpu/gpu_on_device.h"
#include "splat/backend/gpu/instance_room.h"
#include "splat/backend/gpu/kernel_args.h"
#include "splat/backend/gpu/memory_need.h"
#include "splat/backend/gpu/model_rows.h"
#include "splat/backend/gpu/photos.h"
#include "splat/backend/gpu/row_judge.h"
#include "splat/backend/gpu/stage_clock.h"
#include "splat/backend/gpu/stages.h"
#include "splat/backend/gpu/view_reader.h"
#include "splat/backend/iteration_state.h"
#include "splat/backend/loss_mean.h"
#include "splat/core/check.h"
#include "splat/core/gpu_sort.h"

namespace splat {
namespace gpu {
namespace {

// All calls come while its device is the current one (gpu_on_device.h).
class Gpu final : public GpuBackend {
 public:
  explicit Gpu(const GpuOptions& options);

  const BackendInfo& info() const override { return info_; }
  size_t instance_capacity() const override { return room_.next(); }
  void limit_instance_capacity(size_t instances) override { room_.limit(instances); }

  size_t size() const override { return model_.size(); }
  void reserve(size_t max_splats) override;
  void upload(const Gaussians& model) override;
  void download_rows(size_t first, size_t count, Gaussians& rows) const override {
    model_.download_rows(first, count, rows, target());
  }
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const override {
    model_.download_rows(first, count, rows, target());
  }
  void pack_moments(bool packed) override { model_.pack_moments(packed); }
  void upload_moment_rows(size_t first, const AdamMoments& rows) override;
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const override {
    model_.download_moment_rows(first, count, rows, target());
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override;
  void append_rows(const Gaussians& rows) override;
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override {
    changing_model().write_rows(indices, rows, reset_moments, target());
  }
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override;
  void sort_rows_in_space() override { changing_rows().sort_in_space(row_scratch(), target()); }
  void fix_rows(size_t count) override { changing_model().fix_rows(count); }
  void limit_opacity(float max_opacity) override { changing_model().limit_opacity(max_opacity, target()); }
  void lower_opacity(float by, float least) override { changing_model().lower_opacity(by, least, target()); }
  void add_noise(const MeanNoise& noise) override { changing_model().add_noise(noise, target()); }
  bool judge_rows(const RowRules& rules, RowVerdicts& verdicts) override;

  void set_looks(const RowLooks& looks) override;
  void forward(const View& view, const RenderSettings& settings) override;
  void read_image(ImageF& image) override;
  void read_transmittance(std::vector<float>& final_t) override;
  void read_contributions(const ContributionSettings& settings, Contributions& contributions) override;
  void read_depth(DepthKind kind, std::vector<float>& depth) override;
  bool keeps_photo(uint64_t photo) const override { return photos_.keeps(photo); }
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override;
  void backward() override;
  void add_surface_loss(const SurfaceSettings& settings) override;
  void update(const AdamSettings& settings) override;
  AdamHistory adam_history() const override { return pauses_.host().history(); }
  void recall(const AdamHistory& history) override { pauses_.host().recall(history); }
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override;
  PoseGradient read_pose_gradient() override;
  void set_image_gradient(const ImageF& v_image) override;

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) override;
  void write_statistics_rows(size_t first, const DensifyStatistics& rows) override;
  void reset_statistics() override;

  void wait() const override { queue_.wait(); }
  size_t memory_bytes() const override;
  std::vector<StageTime> stage_times() const override;

 private:
  // Before the model's rows change or are read: statistics that wait for update() are added now.
  void finish_statistics();
  ModelRows& changing_model() {
    finish_statistics();
    iteration_.model_changed(), model_.forget_bounds();
    return model_;
  }
  ModelRows& changing_rows() { return looks_.forget(), changing_model(); }
  template <class Change>
  auto with_room(const Change& change);
  float* row_scratch();  // for row operations
  Target target() const { return {facts_.wave_size, queue_.stream()}; }
  int active_degree() const { return std::min(view_.settings.sh_degree, model_.sh_degree()); }

  void check_spare_memory(size_t splats) const;
  void reserve_rows(bool two_passes);
  void resize_frame();
  void draw();
  bool learn_counts();
  void settle();
  void settle_picture() { iteration_.check_picture(), settle(); }
  void settle_lists() { iteration_.check_lists(), settle(); }

  Photos::OnDevice send_photo(const TrainingImage& image, uint64_t photo);

  template <class T>
  void read(std::vector<T>& to, const T* from, size_t count) const;

  GpuOptions options_;
  DeviceFacts facts_;
  BackendInfo info_;
  Queue queue_;
  ModelRows model_;
  DevicePauses pauses_;
  Frame frame_;
  InstanceRoom room_;
  IterationState iteration_;
  DrawnView view_;  // of the last forward
  Photos photos_;
  ViewReader reader_;
  DeviceLooks looks_;
  mutable StageClock clock_;  // started by the first question

  bool statistics_pending_ = false;  // of the last backward()
  bool left_out_ = false;            // this iteration: its loss saw a picture that lacked splats
  size_t free_at_start_ = 0;         // bytes
  PinnedBuffer<Report> reports_;     // [2] by slot
  struct PendingLoss {               // the last ones by slot, while their sums are under way
    float ssim_weight = 0;
    size_t counted = 0;
  };
  std::optional<PendingLoss> pending_[2];
};

constexpr size_t kPhotoPercent = 40;  // of the memory that is free at the start
constexpr size_t kSpareShare = 16;    // one part in this many of the free memory is never reserved for splats

Gpu::Gpu(const GpuOptions& options) : options_(options), facts_(describe_device(options.device)) {
  SPLAT_CHECK(facts_.wave_size == 32 || facts_.wave_size == 64);
  free_at_start_ = free_device_bytes(facts_);
  photos_.set_limit(free_at_start_ * kPhotoPercent / 100);
  info_.name = options.name, info_.device = facts_.name;
  if (!facts_.integrated) info_.device_total_bytes = facts_.total_bytes, info_.device_free_bytes = free_at_start_;
  info_.device_bytes_per_splat = bytes_per_splat(options.ordered);
  info_.device_bytes_per_pixel = bytes_per_pixel(options.ordered);
  reports_.reserve_discarding(2);
  frame_.counters.reserve_discarding(2);
}

// ---- model rows

void Gpu::finish_statistics() {
  if (statistics_pending_) accumulate_statistics(update_args(model_, frame_, view_, true), target());
  statistics_pending_ = false;
}

// Photos give way to splats.
template <class Change>
auto Gpu::with_room(const Change& change) {
  try {
    return change();
  } catch (const DeviceError& error) {
    if (error.bytes_wanted == 0 || photos_.kept() == 0) throw;
    queue_.wait();
    photos_.forget();
    photos_.set_limit(0);
  }
  return change();
}

// Pictures and photos need room too: splats that leave none count as refused.
void Gpu::check_spare_memory(size_t splats) const {
  const size_t free = free_device_bytes(facts_);
  if (free < free_at_start_ / kSpareShare)
    throw DeviceError("hipMalloc", "out of memory", splats * info_.device_bytes_per_splat, free);
}

void Gpu::reserve(size_t max_splats) {
  changing_model();
  if (max_splats <= model_.capacity()) return;
  const size_t splats_before = model_.capacity();
  const InstanceRoom room_before = room_;
  try {
    with_room([&] {
      pauses_.reserve(0, target());  // what the first update would ask for once nothing is left
      model_.reserve(max_splats, target());
      model_.reserve_staging(max_splats);
      room_.reserve(max_splats);
      reserve_rows(false);
      check_spare_memory(max_splats);
    });
  } catch (const DeviceError&) {
    room_ = room_before;
    frame_.release_splats_and_instances();
    model_.shrink(splats_before, target());
    throw;
  }
}
void Gpu::upload(const Gaussians& model) {
  statistics_pending_ = false;
  pauses_.host().forget();
  for (auto& pending : pending_) pending.reset();
  photos_.forget(), room_.model_replaced();
  if (frame_.keys.capacity() > 2 * InstanceRoom::at_first(model.size())) frame_.release_splats_and_instances();
  changing_rows().upload(model, target());
}
void Gpu::upload_moment_rows(size_t first, const AdamMoments& rows) {
  model_.upload_moment_rows(first, rows, target());
}
void Gpu::keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                             const Ellipsoids& copies) {
  const KeptAndCopied rows{kept, sources};
  ModelRows& model = changing_rows();
  with_room([&] { model.make_room(rows.size(), target()); });
  model.keep_and_copy_rows(rows, copies, row_scratch(), target());
}
void Gpu::append_rows(const Gaussians& rows) {
  ModelRows& model = changing_rows();
  with_room([&] { model.append_rows(rows, target()); });
}
void Gpu::copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                    bool reset_moments) {
  changing_model().copy_rows({sources, targets, copies, reset_moments}, row_scratch(), target());
}

bool Gpu::judge_rows(const RowRules& rules, RowVerdicts& verdicts) {
  if (size() == 0 || model_.fixed() > 0) return false;
  ModelRows& model = changing_model();
  float* const scratch = row_scratch();
  with_room([&] { gpu::judge_rows(rules, model, scratch, target(), verdicts); });
  return true;
}

void Gpu::read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) {
  finish_statistics();
  model_.read_statistics_rows(first, count, rows, target());
}
void Gpu::write_statistics_rows(size_t first, const DensifyStatistics& rows) {
  finish_statistics();
  model_.write_statistics_rows(first, rows, target());
}
void Gpu::reset_statistics() {
  finish_statistics();
  model_.reset_statistics(target());
}

// ---- rendering

// Buffers by splat and by instance.
void Gpu::reserve_rows(bool two_passes) {
  const size_t splats = model_.capacity(), instances = room_.reserved();
  frame_.reserve_splats(splats, two_passes);
  frame_.reserve_instances(instances);
  frame_.temporary.reserve_discarding(std::max({sort_temporary_bytes(instances), sort_temporary_bytes(room_.drawn()),
                                                sort_temporary_bytes(splats), scan_temporary_bytes(splats)}));
  if (!options_.ordered) return;
  frame_.partials_by_instance.reserve_discarding(instances * kMomentFloats);
  frame_.by_splat.reserve_discarding(instances);
}

// The gradients' memory: free between two iterations.
float* Gpu::row_scratch() {
  const size_t floats = std::max(model_.capacity() * kGradientFloats, ModelRows::scratch_floats(model_.size()));
  with_room([&] { frame_.gradients.reserve_discarding(floats); });
  return frame_.gradients.data();
}

void Gpu::resize_frame() {
  const ImageSize& size = frame_.size;
  const size_t pixels = size.pixels();
  frame_.image.reserve_discarding(3 * pixels);
  frame_.transmittance.reserve_discarding(pixels);
  frame_.v_image.reserve_discarding(3 * pixels);
  frame_.tile_first.reserve_discarding(size.tiles());
  frame_.tile_end.reserve_discarding(size.tiles());
  reserve_rows(size.tiles() > size_t(options_.max_packed_tiles));
}

void Gpu::set_looks(const RowLooks& looks) {
  finish_statistics();
  const auto changed = with_room([&] { return looks_.set(looks, size(), queue_.stream()); });
  if (changed == KeptLooks::Change::kRows) iteration_.model_changed();
}

void Gpu::forward(const View& view, const RenderSettings& settings) {
  SPLAT_CHECK(view.camera.width > 0 && view.camera.height > 0);
  SPLAT_CHECK_LE(0, settings.sh_degree);
  finish_statistics();
  iteration_.forward_begins();
  left_out_ = view_.planes = false;
  const int width = view.camera.width, height = view.camera.height;
  frame_.size = {width, height, (width + math::kTileSize - 1) / math::kTileSize,
                 (height + math::kTileSize - 1) / math::kTileSize};
  view_.settings = settings;
  view_.params = math::make_view_params<float>(view, settings.low_pass);
  view_.packed = frame_.size.tiles() <= size_t(options_.max_packed_tiles);
  if (room_.counted() && !room_.settled()) learn_counts();  // of the view before: its report has long arrived
  draw();
  iteration_.rendered();
  if (!room_.counted()) settle();
}

void Gpu::draw() {
  room_.draw({view_.settings.photo, model_.size(), frame_.size.tiles()});
  view_.capacity = room_.drawn();
  with_room([&] { resize_frame(), model_.make_bounds(target()); });
  view_.slot = 1 - view_.slot;
  view_.report = &reports_.data()[view_.slot];
  pending_[view_.slot].reset();
  if (!frame_.counters_ready)
    SPLAT_GPU_CHECK(hipMemsetAsync(frame_.counters.data(), 0, frame_.counters.bytes(), queue_.stream()));
  frame_.counters_ready = false;
  clock_.time(Stage::kProject, queue_.stream(),
              [&] { gpu::project(looks_.with(project_args(model_, frame_, view_)), active_degree(), target()); });
  clock_.time(Stage::kTileLists, queue_.stream(), [&] { make_tile_lists(model_.size(), frame_, view_, target()); });
  queue_.mark(view_.slot);
  clock_.time(Stage::kBlendForward, queue_.stream(), [&] { blend_forward(blend_args(frame_, view_), target()); });
}

// Reads the counts of the last view; false when its instances did not fit.
bool Gpu::learn_counts() {
  queue_.wait_for(view_.slot);
  return room_.learn(view_.report->instances);
}

// Waits until the last view's instances are known, and draws it again if they did not fit. A loss of the picture before
// is then worth nothing: the step is left out, as it is where nothing is read.
void Gpu::settle() {
  while (!room_.settled()) {
    if (learn_counts()) return;
    if (iteration_.image_gradient_known()) left_out_ = true, statistics_pending_ = false;
    draw();
  }
}

template <class T>
void Gpu::read(std::vector<T>& to, const T* from, size_t count) const {
  to.resize(count);
  SPLAT_GPU_CHECK(hipMemcpyAsync(to.data(), from, count * sizeof(T), hipMemcpyDeviceToHost, queue_.stream()));
  queue_.wait();
}

void Gpu::read_image(ImageF& image) {
  settle_picture();
  image.width = frame_.size.width, image.height = frame_.size.height;
  read(image.rgb, frame_.image.data(), 3 * frame_.size.pixels());
}

void Gpu::read_transmittance(std::vector<float>& final_t) {
  settle_picture();
  read(final_t, frame_.transmittance.data(), frame_.size.pixels());
}

void Gpu::read_contributions(const ContributionSettings& settings, Contributions& contributions) {
  settle_lists();
  with_room([&] {
    reader_.read_contributions(blend_args(frame_, view_), model_.size(), settings, queue_, target(), contributions);
  });
}

void Gpu::read_depth(DepthKind kind, std::vector<float>& depth) {
  settle_lists();
  with_room([&] { reader_.read_depth(blend_args(frame_, view_), kind, queue_, target(), depth); });
}

// ---- training

// Memory for the loss first: it may have to be taken from the photos.
Photos::OnDevice Gpu::send_photo(const TrainingImage& image, uint64_t photo) {
  return with_room([&] {
    frame_.reserve_loss();
    return photos_.send(image, photo, frame_.size.pixels(), queue_.stream());
  });
}

LossValue Gpu::loss(const TrainingImage& image, const LossSettings& settings) {
  iteration_.check_before_image_gradient();
  SPLAT_CHECK(!looks_.any());
  if (!image.rgb.empty()) check_photo(image, frame_.size.width, frame_.size.height);
  if (!settings.late) settle();
  const Photos::OnDevice photo = send_photo(image, settings.photo);
  const LossArgs args = loss_args(frame_, view_, photo, settings);
  clock_.time(Stage::kLoss, queue_.stream(), [&] { gpu::loss(args, target()); });
  queue_.mark(view_.slot);
  pending_[view_.slot] = PendingLoss{settings.ssim_weight, photo.counted};
  iteration_.has_image_gradient();
  const int slot = view_.slot, wanted = settings.late && pending_[1 - slot] ? 1 - slot : slot;
  queue_.wait_for(wanted);
  const auto& sums = reports_.data()[wanted].loss_sums;
  LossValue value = mean_loss(sums[0], sums[1], pending_[wanted]->ssim_weight, pending_[wanted]->counted);
  for (size_t c = 0; c < 3; ++c) value.v_colour[c] = {sums[2 + 2 * c], sums[3 + 2 * c]};
  value.of_call_before = wanted != slot;
  return value;
}

void Gpu::set_image_gradient(const ImageF& v_image) {
  iteration_.check_before_image_gradient();
  check_picture_size(v_image, frame_.size.width, frame_.size.height);
  settle();
  SPLAT_GPU_CHECK(hipMemcpyAsync(frame_.v_image.data(), v_image.rgb.data(), v_image.rgb.size() * sizeof(float),
                                 hipMemcpyHostToDevice, queue_.stream()));
  queue_.wait();  // the caller's memory is free again
  iteration_.has_image_gradient();
}

void Gpu::add_surface_loss(const SurfaceSettings& settings) {
  iteration_.check_before_backward();
  view_.distortion = settings.distortion_weight != 0;
  view_.facing = settings.facing;
  SPLAT_CHECK(settings.depth.values.empty() || settings.depth.values.size() == frame_.size.pixels());
  with_room([&] {
    frame_.reserve_planes(model_.capacity(), view_.distortion);
    frame_.prior.send(settings.depth.values, queue_.stream());
  });
  gpu::add_surface_loss(model_, frame_, view_, settings, target());
  view_.planes = true;
}

void Gpu::backward() {
  iteration_.check_before_backward();
  if (options_.ordered) with_room([&] { frame_.reserve_ordered(room_.reserved()); });
  clock_.time(Stage::kBlendBackward, queue_.stream(),
              [&] { blend_backward_of_view(model_, frame_, view_, options_.ordered, target()); });
  statistics_pending_ = !left_out_;
  iteration_.has_gradients();
}

void Gpu::update(const AdamSettings& settings) {
  iteration_.check_gradients();
  iteration_.model_changed();
  with_room([&] { pauses_.reserve(settings.iteration, target()); });
  const AdamStep step = pauses_.next(settings, model_.size(), target());
  if (left_out_) return;
  UpdateArgs args = update_args(model_, frame_, view_, statistics_pending_);
  statistics_pending_ = false;
  model_.moment_coefficients = std::max(model_.moment_coefficients, sh_coefficients(active_degree()));
  args.moments = model_.moments.data(), args.moments_packed = model_.moments_packed();
  args.moment_coefficients = model_.moment_coefficients;
  args.fixed = uint32_t(model_.fixed());
  static_cast<AdamStep&>(args) = step;
  clock_.time(Stage::kUpdate, queue_.stream(), [&] { gpu::update(args, active_degree(), target()); });
}

void Gpu::read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) {
  iteration_.check_gradients();
  DeviceBuffer<float> gradients;
  const size_t floats = block_count(model_.size()) * model_.block_floats();
  gradients.reserve_discarding(std::max<size_t>(floats, 1));
  SPLAT_GPU_CHECK(hipMemsetAsync(gradients.data(), 0, floats * sizeof(float), queue_.stream()));
  UpdateArgs args = update_args(model_, frame_, view_, false);
  args.gradients_out = gradients.data();
  gpu::update(args, active_degree(), target());
  model_.download_blocks(gradients.data(), v_model, target());

  const size_t pixels = frame_.size.pixels();
  std::vector<float> final_t, v_image;
  read(final_t, frame_.transmittance.data(), pixels);
  read(v_image, frame_.v_image.data(), 3 * pixels);
  v_background = background_gradient(final_t, v_image);
}

PoseGradient Gpu::read_pose_gradient() {
  iteration_.check_gradients();
  const UpdateArgs args = update_args(model_, frame_, view_, false);
  return with_room([&] { return reader_.read_pose_gradient(args, active_degree(), queue_, target()); });
}

std::vector<StageTime> Gpu::stage_times() const {
  if (!clock_.running()) return clock_.start(), std::vector<StageTime>();
  return clock_.times(size(), reports_.data()[view_.slot].instances, frame_.size.pixels());
}

size_t Gpu::memory_bytes() const {
  return model_.bytes() + pauses_.bytes() + frame_.bytes() + photos_.bytes() + reader_.bytes() + looks_.bytes();
}

}  // namespace
}  // namespace gpu

std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions& options) {
  return gpu::on_device(options.device, [&] { return std::make_unique<gpu::Gpu>(options); });
}

}  // namespace splat
