#include "splat/backend/gpu/gpu_backend.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "splat/backend/gpu/frame.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/model_rows.h"
#include "splat/backend/gpu/photos.h"
#include "splat/backend/gpu/stage_clock.h"
#include "splat/backend/loss_mean.h"
#include "splat/core/check.h"
#include "splat/core/gpu_sort.h"
#include "splat/math/ssim.h"

namespace splat {
namespace gpu {
namespace {

// What the device reports of one view, in memory that it writes and the host reads.
struct Report {
  FrameCounters counters;
  double loss_sums[2];
};

// A stream, and events for reports one iteration apart.
class Queue {
 public:
  explicit Queue(int device) : device_(device) {
    use();
    SPLAT_GPU_CHECK(hipStreamCreate(&stream_));
    for (hipEvent_t& event : events_) SPLAT_GPU_CHECK(hipEventCreate(&event));
  }
  ~Queue() {
    (void)hipSetDevice(device_);
    for (hipEvent_t event : events_) (void)hipEventDestroy(event);
    (void)hipStreamDestroy(stream_);
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void use() const { SPLAT_GPU_CHECK(hipSetDevice(device_)); }  // the calling thread's device
  hipStream_t stream() const { return stream_; }
  void wait() const { SPLAT_GPU_CHECK(hipStreamSynchronize(stream_)); }
  void mark(int slot) const { SPLAT_GPU_CHECK(hipEventRecord(events_[slot], stream_)); }
  void wait_for(int slot) const {
    const hipError_t state = hipEventQuery(events_[slot]);
    if (state == hipErrorNotReady) return SPLAT_GPU_CHECK(hipEventSynchronize(events_[slot]));
    SPLAT_GPU_CHECK(state);
  }

 private:
  int device_;
  hipStream_t stream_ = nullptr;
  hipEvent_t events_[2] = {};
};

class Gpu final : public GpuBackend {
 public:
  explicit Gpu(const GpuOptions& options);

  const BackendInfo& info() const override { return info_; }
  size_t instance_capacity() const override { return capacity_; }
  void limit_instance_capacity(size_t instances) override { capacity_ = instances, counts_known_ = true; }

  size_t size() const override { return model_.size(); }
  void reserve(size_t max_splats) override;
  void upload(const Gaussians& model) override;
  void download(Gaussians& model) const override;
  void upload_moments(const AdamMoments& moments) override;
  void download_moments(AdamMoments& moments) const override;
  void keep_rows(std::span<const uint32_t> rows) override;
  void append_rows(const Gaussians& rows) override;
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override;
  void sort_rows_in_space() override;
  void limit_opacity(float max_opacity) override;

  void forward(const View& view, const RenderSettings& settings) override;
  void read_image(ImageF& image) const override;
  void read_transmittance(std::vector<float>& final_t) const override;
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override;
  void backward() override;
  void update(const AdamSettings& settings) override;
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override;
  void set_image_gradient(const ImageF& v_image) override;

  void read_statistics(DensifyStatistics& statistics) const override;
  void write_statistics(const DensifyStatistics& statistics) override;
  void reset_statistics() override;

  void wait() const override {
    queue_.use();
    queue_.wait();
  }
  size_t memory_bytes() const override;
  std::vector<StageTime> stage_times() const override;

 private:
  // How far the iteration has come; a later state implies the earlier ones.
  enum class State { kNothing, kRendered, kImageGradient, kGradients };
  void require(State state) const { SPLAT_CHECK_LE(int(state), int(state_)); }
  // Before the model's rows change or are read: statistics that wait for update() are added now.
  void touch_model();
  template <class Change>
  auto with_room(const Change& change);
  size_t instance_room() const { return std::max(capacity_, instance_room_); }
  float* row_scratch();  // for row operations
  Target target() const { return {wave_, queue_.stream()}; }
  int active_degree() const { return std::min(settings_.sh_degree, model_.sh_degree()); }

  void check_spare_memory(size_t splats) const;
  void reserve_rows(bool two_passes);
  void resize_frame();
  void draw();
  void project(bool packed);
  void make_tile_lists(bool packed);
  BlendArgs blend_args();
  void settle();
  void learn_counts(const Report& report);

  // The gradient by the picture may come now.
  void begin_gradient() const {
    require(State::kRendered);
    queue_.use();
  }
  Photos::OnDevice send_photo(const TrainingImage& image, uint64_t photo);
  LossArgs loss_args(const Photos::OnDevice& photo, const LossSettings& settings);
  OrderedArgs ordered_args();
  void backward_in_order();
  void backward_with_atomics();
  UpdateArgs update_args(bool with_statistics);

  template <class T>
  void read(std::vector<T>& to, const T* from, size_t count) const;

  BackendInfo info_;
  GpuOptions options_;
  int wave_ = 32;
  Queue queue_;
  ModelRows model_;
  Frame frame_;
  State state_ = State::kNothing;
  bool statistics_pending_ = false;  // of the last backward()
  StageClock clock_;
  bool gradients_zeroed_ = false;  // by forward(), and not yet added to

  // Of the last forward.
  RenderSettings settings_;
  math::ViewParams<float> view_{};

  size_t capacity_ = 0;           // instances that the next view may have
  size_t drawn_capacity_ = 0;     // that the last forward's lists have room for
  size_t instance_room_ = 0;      // at least so many have their memory
  size_t free_at_start_ = 0;      // bytes
  bool counts_known_ = false;     // some view of this model was counted
  bool settled_ = true;           // the last forward's instances are known to have fitted
  PinnedBuffer<Report> reports_;  // [2] by slot
  int slot_ = 0;                  // of the last forward
  // Of the last losses by slot, while their sums are under way.
  struct PendingLoss {
    float ssim_weight = 0;
    size_t counted = 0;
  };
  std::optional<PendingLoss> pending_[2];
  Photos photos_;
  PinnedBuffer<float> v_image_host_;
};

constexpr size_t kPhotoPercent = 40;  // of the memory that is free at the start
// Room for instances before any view was counted.
constexpr size_t kInstancesPerSplat = 4, kLeastInstances = 4096;
constexpr size_t kSpareShare = 16;  // one part in so many of the free memory is never reserved for splats

// As BackendInfo says; what the sort keeps for itself is a copy of keys and values.
constexpr size_t bytes_per_splat(bool ordered) {
  constexpr size_t kModel = (3 * kMaxRows + 3 + 1) * sizeof(float);  // moments, statistics, an index
  constexpr size_t kFrame = sizeof(SplatRecord) + sizeof(TileRecord) + (3 + 5 + kGradientFloats) * sizeof(float);
  constexpr size_t kInstance = (4 + 2) * sizeof(uint32_t);
  constexpr size_t kOrdered = (kMomentFloats + 1 + 1 + kStateFloats * kTilePixels / kBucket) * sizeof(float);
  return kModel + kFrame + kInstancesPerSplat * (kInstance + (ordered ? kOrdered : 0));
}
// Picture, transmittance, gradient and partials of the loss, a photo with its mask; by tile, states and ranges.
constexpr size_t bytes_per_pixel(bool ordered) {
  return (3 + 1 + 3 + 9) * sizeof(float) + 4 + 1 + (ordered ? kStateFloats * sizeof(float) : 0);
}

hipDeviceProp_t device_properties(int device) {
  hipDeviceProp_t properties;
  SPLAT_GPU_CHECK(hipGetDeviceProperties(&properties, device));
  return properties;
}

Gpu::Gpu(const GpuOptions& options) : options_(options), queue_(options.device) {
  const hipDeviceProp_t properties = device_properties(options.device);
  info_.name = options.name;
  info_.device = properties.name;
  size_t free = 0, total = 0;
  SPLAT_GPU_CHECK(hipMemGetInfo(&free, &total));
  free_at_start_ = free;
  photos_.set_limit(free * kPhotoPercent / 100);
  if (!properties.integrated) info_.device_total_bytes = total, info_.device_free_bytes = free;
  info_.device_bytes_per_splat = bytes_per_splat(options.ordered);
  info_.device_bytes_per_pixel = bytes_per_pixel(options.ordered);
  wave_ = properties.warpSize;
  SPLAT_CHECK(wave_ == 32 || wave_ == 64);
  reports_.reserve_discarding(2);
  frame_.counters.reserve_discarding(1);
  frame_.loss_sums.reserve_discarding(2);
}

// ---- model rows

void Gpu::touch_model() {
  queue_.use();
  if (statistics_pending_) accumulate_statistics(update_args(true), target());
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
  size_t free = 0, total = 0;
  SPLAT_GPU_CHECK(hipMemGetInfo(&free, &total));
  if (free < free_at_start_ / kSpareShare)
    throw DeviceError("hipMalloc", "out of memory", splats * info_.device_bytes_per_splat, free);
}

void Gpu::reserve(size_t max_splats) {
  touch_model();
  if (max_splats <= model_.capacity()) return;
  state_ = State::kNothing;
  const size_t splats_before = model_.capacity(), instances_before = instance_room_;
  try {
    with_room([&] {
      model_.reserve(max_splats, target());
      model_.reserve_staging(max_splats);
      instance_room_ = std::max({instance_room_, kLeastInstances, kInstancesPerSplat * max_splats});
      reserve_rows(false);
      check_spare_memory(max_splats);
    });
  } catch (const DeviceError&) {
    instance_room_ = instances_before;
    frame_.release_splats_and_instances();
    model_.shrink(splats_before, target());
    throw;
  }
}
void Gpu::upload(const Gaussians& model) {
  queue_.use();
  statistics_pending_ = false;
  for (auto& pending : pending_) pending.reset();
  photos_.forget();
  model_.upload(model, target());
  state_ = State::kNothing;
  counts_known_ = false;
}
// Reading goes through staging memory, which does not change what the backend is.
void Gpu::download(Gaussians& model) const {
  queue_.use();
  const_cast<ModelRows&>(model_).download(model, target());
}
void Gpu::upload_moments(const AdamMoments& moments) {
  queue_.use();
  model_.upload_moments(moments, target());
}
void Gpu::download_moments(AdamMoments& moments) const {
  queue_.use();
  const_cast<ModelRows&>(model_).download_moments(moments, target());
}
void Gpu::keep_rows(std::span<const uint32_t> rows) {
  touch_model();
  model_.keep_rows(rows, row_scratch(), target());
  state_ = State::kNothing;
}
void Gpu::append_rows(const Gaussians& rows) {
  touch_model();
  with_room([&] { model_.append_rows(rows, target()); });
  state_ = State::kNothing;
}
void Gpu::write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) {
  touch_model();
  model_.write_rows(indices, rows, reset_moments, target());
  state_ = State::kNothing;
}
void Gpu::sort_rows_in_space() {
  touch_model();
  model_.sort_in_space(row_scratch(), target());
  state_ = State::kNothing;
}
void Gpu::limit_opacity(float max_opacity) {
  touch_model();
  model_.limit_opacity(max_opacity, target());
  state_ = State::kNothing;
}

void Gpu::read_statistics(DensifyStatistics& statistics) const {
  auto& self = const_cast<Gpu&>(*this);  // adds what backward() left to be added
  self.touch_model();
  self.model_.read_statistics(statistics, target());
}
void Gpu::write_statistics(const DensifyStatistics& statistics) {
  touch_model();
  model_.write_statistics(statistics, target());
}
void Gpu::reset_statistics() {
  touch_model();
  model_.reset_statistics(target());
}

// ---- rendering

int bits_for(size_t values) { return std::max(1, int(std::bit_width(values - 1))); }

// What of the frame goes by splats and instances.
void Gpu::reserve_rows(bool two_passes) {
  const size_t splats = model_.capacity(), instances = instance_room();
  frame_.reserve_splats(splats, two_passes);
  frame_.reserve_instances(instances);
  frame_.temporary.reserve_discarding(
      std::max({sort_temporary_bytes(instances), sort_temporary_bytes(splats), scan_temporary_bytes(splats)}));
  if (!options_.ordered) return;
  frame_.partials_by_instance.reserve_discarding(instances * kMomentFloats);
  frame_.by_splat.reserve_discarding(instances);
}

// Between two iterations nobody needs the gradients.
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

void Gpu::forward(const View& view, const RenderSettings& settings) {
  SPLAT_CHECK(view.camera.width > 0 && view.camera.height > 0);
  SPLAT_CHECK_LE(0, settings.sh_degree);
  touch_model();
  settings_ = settings;
  view_ = math::make_view_params<float>(view);
  const int width = view.camera.width, height = view.camera.height;
  frame_.size = {width, height, (width + math::kTileSize - 1) / math::kTileSize,
                 (height + math::kTileSize - 1) / math::kTileSize};
  if (counts_known_ && !settled_) {  // of the view before: its report has long arrived
    queue_.wait_for(slot_);
    learn_counts(reports_.data()[slot_]);
  }
  if (!counts_known_) capacity_ = std::max({capacity_, kLeastInstances, kInstancesPerSplat * model_.size()});
  draw();
  state_ = State::kRendered;
  if (!counts_known_) settle();
}

// From the next view on there is half as much room again as the largest so far needed.
void Gpu::learn_counts(const Report& report) {
  const size_t instances = report.counters.instances;
  if (instances + instances / 8 > capacity_) capacity_ = instances + instances / 2;
  SPLAT_CHECK_LT(capacity_, size_t(1) << 31);
  counts_known_ = settled_ = true;
}

void Gpu::draw() {
  drawn_capacity_ = capacity_;
  with_room([&] { resize_frame(); });
  const bool packed = frame_.size.tiles() <= size_t(options_.max_packed_tiles);
  SPLAT_GPU_CHECK(hipMemsetAsync(frame_.counters.data(), 0, sizeof(FrameCounters), queue_.stream()));
  clock_.time(Stage::kProject, queue_.stream(), [&] { project(packed); });
  gradients_zeroed_ = true;
  slot_ = 1 - slot_;
  pending_[slot_].reset();
  SPLAT_GPU_CHECK(hipMemcpyAsync(&reports_.data()[slot_].counters, frame_.counters.data(), sizeof(FrameCounters),
                                 hipMemcpyDeviceToHost, queue_.stream()));
  queue_.mark(slot_);
  settled_ = false;
  clock_.time(Stage::kTileLists, queue_.stream(), [&] { make_tile_lists(packed); });
  clock_.time(Stage::kBlendForward, queue_.stream(), [&] { blend_forward(blend_args(), target()); });
}

void Gpu::project(bool packed) {
  ProjectArgs args{};
  args.parameters = model_.parameters.data();
  args.block_floats = model_.block_floats();
  args.splats = uint32_t(model_.size());
  args.view = view_;
  args.antialias = settings_.antialias;
  args.tiles_x = frame_.size.tiles_x;
  args.tiles_y = frame_.size.tiles_y;
  args.records = frame_.records.data();
  args.tile_records = frame_.tile_records.data();
  args.radii = frame_.radii.data();
  args.tile_counts = frame_.tile_counts.data();
  args.gradients = frame_.gradients.data();
  args.depth_keys = packed ? nullptr : frame_.depth_keys.data();
  args.counters = frame_.counters.data();
  gpu::project(args, active_degree(), target());
}

void Gpu::make_tile_lists(bool packed) {
  const size_t tiles = frame_.size.tiles();
  SPLAT_GPU_CHECK(hipMemsetAsync(frame_.tile_first.data(), 0, tiles * sizeof(uint32_t), queue_.stream()));
  SPLAT_GPU_CHECK(hipMemsetAsync(frame_.tile_end.data(), 0, tiles * sizeof(uint32_t), queue_.stream()));
  const uint32_t splats = uint32_t(model_.size());
  if (splats == 0) return;
  const Temporary temporary{frame_.temporary.data(), frame_.temporary.bytes()};
  TileListArgs args{};
  args.tile_records = frame_.tile_records.data();
  args.records = frame_.records.data();
  args.tile_counts = frame_.tile_counts.data();
  args.first_instances = frame_.first_instances.data();
  args.splats = splats;
  args.capacity = uint32_t(drawn_capacity_);
  args.tiles_x = frame_.size.tiles_x;
  args.tiles_y = frame_.size.tiles_y;
  args.depth_bits = packed ? 32 - bits_for(tiles) : 0;
  args.counters = frame_.counters.data();
  args.keys = frame_.keys.data();
  args.values = frame_.values.data();
  args.first = frame_.tile_first.data();
  args.end = frame_.tile_end.data();
  if (!packed) {
    fill_identity(frame_.identity.data(), splats, target());
    sort_pairs(temporary,
               {frame_.depth_keys.data(), frame_.sorted_depth_keys.data(), frame_.identity.data(), frame_.order.data(),
                splats, 0, 32},
               queue_.stream());
    args.order = frame_.order.data();
    gather_counts(frame_.tile_counts.data(), args.order, frame_.ordered_counts.data(), splats, target());
    args.tile_counts = frame_.ordered_counts.data();
  }
  exclusive_scan(temporary, args.tile_counts, frame_.first_instances.data(), splats, queue_.stream());
  SPLAT_GPU_CHECK(
      hipMemsetAsync(args.keys, 0xFF, drawn_capacity_ * sizeof(uint32_t), queue_.stream()));  // sort to the end
  emit_instances(args, target());
  sort_pairs(temporary,
             {args.keys, frame_.sorted_keys.data(), args.values, frame_.sorted_values.data(), drawn_capacity_, 0,
              packed ? 32 : bits_for(tiles)},
             queue_.stream());
  args.keys = frame_.sorted_keys.data();
  args.values = frame_.sorted_values.data();
  find_ranges(args, target());
}

BlendArgs Gpu::blend_args() {
  BlendArgs args{};
  args.size = frame_.size;
  args.records = frame_.records.data();
  args.splats = frame_.sorted_values.data();
  args.first = frame_.tile_first.data();
  args.end = frame_.tile_end.data();
  std::copy_n(settings_.background.data(), 3, args.background);
  args.image = frame_.image.data();
  args.transmittance = frame_.transmittance.data();
  args.v_image = frame_.v_image.data();
  args.gradients = frame_.gradients.data();
  return args;
}

// Waits until the last view's instances are known, and draws it again if they did not fit.
void Gpu::settle() {
  while (!settled_) {
    queue_.wait_for(slot_);
    const Report report = reports_.data()[slot_];
    const bool fitted = report.counters.instances <= drawn_capacity_;
    learn_counts(report);
    if (!fitted) draw();
  }
}

template <class T>
void Gpu::read(std::vector<T>& to, const T* from, size_t count) const {
  to.resize(count);
  SPLAT_GPU_CHECK(hipMemcpyAsync(to.data(), from, count * sizeof(T), hipMemcpyDeviceToHost, queue_.stream()));
  queue_.wait();
}

void Gpu::read_image(ImageF& image) const {
  require(State::kRendered);
  queue_.use();
  const_cast<Gpu&>(*this).settle();
  image.width = frame_.size.width;
  image.height = frame_.size.height;
  read(image.rgb, frame_.image.data(), 3 * frame_.size.pixels());
}

void Gpu::read_transmittance(std::vector<float>& final_t) const {
  require(State::kRendered);
  queue_.use();
  const_cast<Gpu&>(*this).settle();
  read(final_t, frame_.transmittance.data(), frame_.size.pixels());
}

// ---- training

LossArgs Gpu::loss_args(const Photos::OnDevice& photo, const LossSettings& settings) {
  LossArgs args{};
  args.size = frame_.size;
  args.image = frame_.image.data();
  args.target = photo.rgb;
  args.mask = photo.mask;
  math::ssim_window(args.window);
  const LossScales scales = loss_scales(settings.ssim_weight, photo.counted);
  args.l1_scale = scales.l1;
  args.ssim_scale = scales.ssim;
  args.partials = frame_.partials.data();
  args.v_image = frame_.v_image.data();
  args.block_l1 = frame_.block_l1.data();
  args.block_ssim = frame_.block_ssim.data();
  args.sums = frame_.loss_sums.data();
  return args;
}

// Memory for the loss first: it may have to be taken from the photos.
Photos::OnDevice Gpu::send_photo(const TrainingImage& image, uint64_t photo) {
  return with_room([&] {
    const size_t blocks = loss_blocks(frame_.size);
    frame_.partials.reserve_discarding(9 * frame_.size.pixels());
    frame_.block_l1.reserve_discarding(blocks);
    frame_.block_ssim.reserve_discarding(blocks);
    return photos_.send(image, photo, slot_, queue_.stream());
  });
}

LossValue Gpu::loss(const TrainingImage& image, const LossSettings& settings) {
  begin_gradient();
  check_photo(image, frame_.size.width, frame_.size.height);
  if (!settings.late) settle();
  const Photos::OnDevice photo = send_photo(image, settings.photo);
  const LossArgs args = loss_args(photo, settings);
  clock_.time(Stage::kLoss, queue_.stream(), [&] { gpu::loss(args, target()); });
  SPLAT_GPU_CHECK(hipMemcpyAsync(reports_.data()[slot_].loss_sums, frame_.loss_sums.data(), 2 * sizeof(double),
                                 hipMemcpyDeviceToHost, queue_.stream()));
  queue_.mark(slot_);
  pending_[slot_] = PendingLoss{settings.ssim_weight, photo.counted};
  state_ = State::kImageGradient;
  const int wanted = settings.late && pending_[1 - slot_] ? 1 - slot_ : slot_;
  queue_.wait_for(wanted);
  const auto& sums = reports_.data()[wanted].loss_sums;
  LossValue value = mean_loss(sums[0], sums[1], pending_[wanted]->ssim_weight, pending_[wanted]->counted);
  value.of_call_before = wanted != slot_;
  return value;
}

void Gpu::set_image_gradient(const ImageF& v_image) {
  begin_gradient();
  check_picture_size(v_image, frame_.size.width, frame_.size.height);
  settle();
  SPLAT_GPU_CHECK(hipMemcpyAsync(frame_.v_image.data(), v_image.rgb.data(), v_image.rgb.size() * sizeof(float),
                                 hipMemcpyHostToDevice, queue_.stream()));
  queue_.wait();  // the caller's memory is free again
  state_ = State::kImageGradient;
}

void Gpu::backward() {
  require(State::kImageGradient);
  queue_.use();
  touch_model();
  clock_.time(Stage::kBlendBackward, queue_.stream(),
              [&] { options_.ordered ? backward_in_order() : backward_with_atomics(); });
  gradients_zeroed_ = false;
  statistics_pending_ = true;
  state_ = State::kGradients;
}

void Gpu::backward_with_atomics() {
  if (!gradients_zeroed_)
    SPLAT_GPU_CHECK(
        hipMemsetAsync(frame_.gradients.data(), 0, model_.size() * kGradientFloats * sizeof(float), queue_.stream()));
  blend_backward(blend_args(), target());
}

OrderedArgs Gpu::ordered_args() {
  const size_t tiles = frame_.size.tiles(), buckets = bucket_room(drawn_capacity_, tiles);
  with_room([&] {
    const size_t room = bucket_room(instance_room(), tiles);
    for (auto* buffer : {&frame_.tile_buckets, &frame_.first_buckets}) buffer->reserve_discarding(tiles);
    frame_.bucket_tiles.reserve_discarding(room);
    frame_.states.reserve_discarding(room * kStateFloats * kTilePixels);
    frame_.temporary.reserve_discarding(scan_temporary_bytes(tiles));
  });
  OrderedArgs args{};
  static_cast<BlendArgs&>(args) = blend_args();
  args.tiles = uint32_t(tiles);
  args.capacity = uint32_t(drawn_capacity_);
  args.buckets = uint32_t(buckets);
  args.counters = frame_.counters.data();
  args.tile_buckets = frame_.tile_buckets.data();
  args.first_buckets = frame_.first_buckets.data();
  args.bucket_tiles = frame_.bucket_tiles.data();
  args.states = frame_.states.data();
  args.partials = frame_.partials_by_instance.data();
  args.keys = frame_.keys.data();  // free since the tile lists were made, like the next two
  args.values = frame_.values.data();
  args.by_splat = frame_.by_splat.data();
  args.first_of_splat = frame_.first_instances.data();
  args.tile_counts = frame_.tile_counts.data();
  args.splat_count = uint32_t(model_.size());
  return args;
}

void Gpu::backward_in_order() {
  if (model_.size() == 0) return;
  const OrderedArgs args = ordered_args();
  const Temporary temporary{frame_.temporary.data(), frame_.temporary.bytes()};
  count_buckets(args, target());
  exclusive_scan(temporary, args.tile_buckets, args.first_buckets, args.tiles, queue_.stream());
  SPLAT_GPU_CHECK(hipMemsetAsync(args.bucket_tiles, 0xFF, args.buckets * sizeof(uint32_t), queue_.stream()));
  save_states(args, target());
  SPLAT_GPU_CHECK(hipMemsetAsync(args.partials, 0, drawn_capacity_ * kMomentFloats * sizeof(float), queue_.stream()));
  blend_backward_buckets(args, target());
  list_instances(args, target());
  sort_pairs(temporary,
             {args.keys, frame_.sorted_keys.data(), args.values, frame_.by_splat.data(), drawn_capacity_, 0, 32},
             queue_.stream());
  exclusive_scan(temporary, args.tile_counts, frame_.first_instances.data(), args.splat_count, queue_.stream());
  sum_instances(args, target());
}

UpdateArgs Gpu::update_args(bool with_statistics) {
  UpdateArgs args{};
  args.parameters = model_.parameters.data();
  args.block_floats = model_.block_floats();
  args.splats = uint32_t(model_.size());
  args.view = view_;
  args.antialias = settings_.antialias;
  args.records = frame_.records.data();
  args.radii = frame_.radii.data();
  args.gradients = frame_.gradients.data();
  args.counters = frame_.counters.data();
  args.capacity = uint32_t(drawn_capacity_);
  args.half_width = float(frame_.size.width) / 2;
  args.half_height = float(frame_.size.height) / 2;
  if (!with_statistics) return args;
  args.mean2d_gradient_norm = model_.mean2d_gradient_norm.data();
  args.visible_count = model_.visible_count.data();
  args.max_radius_px = model_.max_radius_px.data();
  return args;
}

void Gpu::update(const AdamSettings& settings) {
  require(State::kGradients);
  queue_.use();
  UpdateArgs args = update_args(statistics_pending_);
  statistics_pending_ = false;
  model_.moment_coefficients = std::max(model_.moment_coefficients, sh_coefficients(active_degree()));
  args.moments = model_.moments.data();
  args.moment_coefficients = model_.moment_coefficients;
  static_cast<AdamStep&>(args) = adam_step(settings, model_.size());
  clock_.time(Stage::kUpdate, queue_.stream(), [&] { gpu::update(args, active_degree(), target()); });
  state_ = State::kNothing;
}

void Gpu::read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) {
  require(State::kGradients);
  queue_.use();
  DeviceBuffer<float> gradients;
  const size_t floats = block_count(model_.size()) * model_.block_floats();
  gradients.reserve_discarding(std::max<size_t>(floats, 1));
  SPLAT_GPU_CHECK(hipMemsetAsync(gradients.data(), 0, floats * sizeof(float), queue_.stream()));
  UpdateArgs args = update_args(false);
  args.gradients_out = gradients.data();
  gpu::update(args, active_degree(), target());
  model_.download_blocks(gradients.data(), v_model, target());

  const size_t pixels = frame_.size.pixels();
  std::vector<float> final_t, v_image;
  read(final_t, frame_.transmittance.data(), pixels);
  read(v_image, frame_.v_image.data(), 3 * pixels);
  for (size_t channel = 0; channel < 3; ++channel) {
    double total = 0;
    for (size_t i = 0; i < pixels; ++i) total += double(final_t[i]) * v_image[channel * pixels + i];
    v_background[channel] = float(total);
  }
}

std::vector<StageTime> Gpu::stage_times() const {
  queue_.use();
  auto& clock = const_cast<Gpu&>(*this).clock_;
  if (!clock.running()) {
    clock.start();
    return {};
  }
  const uint64_t instances = reports_.data()[slot_].counters.instances, splats = size(), pixels = frame_.size.pixels();
  std::vector<StageTime> times;
  for (int s = 0; s < int(Stage::kCount); ++s) {
    const Stage stage = Stage(s);
    StageTime time{kStageNames[s], clock.ms(stage), 0, instances, "instance"};
    if (stage == Stage::kProject || stage == Stage::kUpdate) time.units = splats, time.unit = "splat";
    if (stage == Stage::kLoss) time.units = pixels, time.unit = "pixel";
    times.push_back(time);
  }
  return times;
}

size_t Gpu::memory_bytes() const { return model_.bytes() + frame_.bytes() + photos_.bytes(); }

}  // namespace
}  // namespace gpu

std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions& options) { return std::make_unique<gpu::Gpu>(options); }

}  // namespace splat
