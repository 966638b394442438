#include "splat/backend/cpu/cpu_backend.h"

#include <algorithm>
#include <bit>

#include "splat/backend/cpu/loss_pass.h"
#include "splat/backend/cpu/model_rows.h"
#include "splat/backend/cpu/pipeline.h"
#include "splat/backend/cpu/stage_timer.h"
#include "splat/backend/cpu/surface_pass.h"
#include "splat/backend/cpu/view_reader.h"
#include "splat/backend/iteration_state.h"
#include "splat/backend/loss_mean.h"
#include "splat/backend/row_looks.h"
#include "splat/core/parallel.h"

namespace splat {
namespace cpu {
namespace {

class Cpu final : public CpuBackend {
 public:
  Cpu(int threads, SimdLevel level) : pipeline_(threads, level) {
    info_.name = "cpu";
    info_.device = cpu_model() + ", " + std::to_string(pool_.threads()) +
                   (pool_.threads() == 1 ? " thread, " : " threads, ") + simd_level_name(level);
  }

  const BackendInfo& info() const override { return info_; }
  const CpuTimings& timings() const override { return timings_; }

  size_t size() const override { return model_.size(); }
  void reserve(size_t max_splats) override {
    changing_model().reserve(max_splats);
    row_scratch(max_splats);
  }
  void upload(const Gaussians& model) override {
    pauses_.forget();
    changing_rows().upload(model, pool_);
  }
  void download_rows(size_t first, size_t count, Gaussians& rows) const override {
    model_.download_rows(first, count, rows);
  }
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const override {
    model_.download_ellipsoid_rows(first, count, rows);
  }
  void pack_moments(bool packed) override { model_.pack_moments(packed); }
  void upload_moment_rows(size_t first, const AdamMoments& rows) override { model_.upload_moment_rows(first, rows); }
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const override {
    model_.download_moment_rows(first, count, rows);
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override {
    const KeptAndCopied rows{kept, sources};
    changing_rows().keep_and_copy_rows(rows, copies, sources.empty() ? nullptr : row_scratch(rows.size()));
  }
  void append_rows(const Gaussians& rows) override { changing_rows().append_rows(rows); }
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override {
    changing_model().write_rows(indices, rows, reset_moments);
  }
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override {
    changing_model().copy_rows(sources, targets, copies, reset_moments);
  }
  void sort_rows_in_space() override { changing_rows().sort_in_space(row_scratch(size())); }
  void fix_rows(size_t count) override { changing_model().fix_rows(count); }
  void limit_opacity(float max_opacity) override { changing_model().limit_opacity(max_opacity); }
  void lower_opacity(float by, float least) override { changing_model().lower_opacity(by, least); }
  void add_noise(const MeanNoise& noise) override {
    ModelRows& model = changing_model();
    pool_.for_each(chunks(), [&](size_t chunk, int) {
      model.add_noise(noise, chunk * kChunkSplats, std::min(model.size(), (chunk + 1) * kChunkSplats));
    });
  }

  void set_looks(const RowLooks& looks) override;
  void forward(const View& view, const RenderSettings& settings) override;
  void read_image(ImageF& image) override;
  void read_transmittance(std::vector<float>& final_t) override;
  void read_contributions(const ContributionSettings& settings, Contributions& contributions) override;
  void read_depth(DepthKind kind, std::vector<float>& depth) override;
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override;
  void add_surface_loss(const SurfaceSettings& settings) override;
  void backward() override;
  void update(const AdamSettings& settings) override;
  AdamHistory adam_history() const override { return pauses_.history(); }
  void recall(const AdamHistory& history) override { pauses_.recall(history); }
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override;
  PoseGradient read_pose_gradient() override;
  void set_image_gradient(const ImageF& v_image) override;

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) override {
    model_.read_statistics_rows(first, count, rows);
  }
  void write_statistics_rows(size_t first, const DensifyStatistics& rows) override {
    model_.write_statistics_rows(first, rows);
  }
  void reset_statistics() override { model_.reset_statistics(); }

  size_t memory_bytes() const override;
  std::vector<StageTime> stage_times() const override;

 private:
  ModelRows& changing_model() {
    iteration_.model_changed();
    model_.forget_bounds();
    return model_;
  }
  ModelRows& changing_rows() { return looks_.forget(), changing_model(); }
  float* row_scratch(size_t rows);  // for row operations
  bool draws_the_same_rows(const View& view, const RenderSettings& settings) const;
  size_t chunks() const { return chunks_of(model_.size()); }
  int active_degree() const { return std::min(settings_.sh_degree, model_.sh_degree()); }
  void project(const uint8_t* chunks_marked);
  BlendArgs blend_args();
  uint64_t blended_blocks() const;
  UpdateArgs update_args();

  BackendInfo info_;
  Pipeline pipeline_;
  ThreadPool& pool_ = pipeline_.pool();
  const Kernels& kernels_ = pipeline_.kernels();
  ModelRows model_;
  AdamPauses pauses_;
  Frame frame_;
  ViewReader reader_;
  LossPass loss_;
  SurfacePass surface_;
  CpuTimings timings_;
  IterationState iteration_;

  // Settings of the last forward.
  RenderSettings settings_;
  View drawn_view_;
  math::ViewParams<float> view_{};

  KeptLooks looks_;
  AlignedBuffer<uint8_t> retinted_;  // [chunks] with rows whose tint has changed since the last forward
  bool only_tints_ = false;          // have changed since then

  AlignedBuffer<math::Twist<double>> chunk_v_pose_;
};

// The records' memory, which the next view needs anyway: free between two iterations.
float* Cpu::row_scratch(size_t rows) {
  static_assert(kRecordFloats >= int(SplatBlocks::kReorderFloats));
  frame_.records.reserve((rows + kChunkSplats - 1) / kChunkSplats * kChunkSplats);
  return reinterpret_cast<float*>(frame_.records.data());
}

void Cpu::set_looks(const RowLooks& looks) {
  if (!only_tints_ || !iteration_.has_lists()) {
    retinted_.resize(chunks());
    retinted_.fill_bytes(0);
  }
  const auto changed = looks_.set(looks, size(), [&](size_t row) { retinted_[row / kChunkSplats] = 1; });
  if (changed == KeptLooks::Change::kRows) iteration_.model_changed();
  only_tints_ = iteration_.has_lists() && (only_tints_ || changed == KeptLooks::Change::kTints);
}

// After a change of tints alone: lists and order are those of the last forward.
bool Cpu::draws_the_same_rows(const View& view, const RenderSettings& settings) const {
  return only_tints_ && iteration_.has_lists() && view == drawn_view_ && settings == settings_;
}

void Cpu::forward(const View& view, const RenderSettings& settings) {
  SPLAT_CHECK(view.camera.width > 0 && view.camera.height > 0);
  SPLAT_CHECK_LE(0, settings.sh_degree);
  const bool same_rows = draws_the_same_rows(view, settings);
  iteration_.forward_begins();
  surface_.forget();
  settings_ = settings;
  drawn_view_ = view;
  if (same_rows) {
    project(retinted_.data());
  } else {
    view_ = math::make_view_params<float>(view, settings.low_pass);
    pipeline_.resize(frame_, view.camera.width, view.camera.height, size());
    project(nullptr);
    {
      StageTimer timer(timings_.bin);
      pipeline_.bin(frame_, size());
    }
    StageTimer timer(timings_.sort);
    pipeline_.sort(frame_);
  }
  only_tints_ = false;
  StageTimer timer(timings_.blend_forward);
  frame_.block_masks.resize(frame_.instances * mask_bytes(kernels_.lanes));
  pipeline_.blend_forward(frame_, blend_args());
  timings_.visible = frame_.visible;
  timings_.instances = frame_.instances;
  iteration_.rendered();
}

// Projects all chunks, or those marked.
void Cpu::project(const uint8_t* chunks_marked) {
  StageTimer timer(timings_.project);
  ProjectArgs args;
  args.parameters = model_.parameters.data();
  args.block_floats = model_.parameters.block_floats();
  args.splats = model_.size();
  args.view = view_;
  args.sides = math::sides_of(view_, double(math::dropout_factor(settings_.dropout)));
  args.bounds = model_.bounds().data();
  args.sh_degree = active_degree();
  args.antialias = settings_.antialias;
  args.dropout = settings_.dropout;
  args.looks = looks_.data();
  args.tints = looks_.tints();
  args.tiles_y = frame_.size.tiles_y;
  args.records = frame_.records.data();
  args.depths = frame_.depths();
  args.visible_bits = frame_.visible_bits.data();
  args.chunk_visible = frame_.chunk_visible.data();
  args.chunk_rows = frame_.chunk_rows.data();
  pool_.for_each(chunks(), [&](size_t chunk, int) {
    if (!chunks_marked || chunks_marked[chunk]) kernels_.project(args, chunk);
  });
}

BlendArgs Cpu::blend_args() {
  BlendArgs args = cpu::blend_args(frame_);
  std::copy(settings_.background.begin(), settings_.background.end(), args.background);
  return args;
}

void Cpu::read_image(ImageF& image) {
  iteration_.check_picture();
  const ImageSize& size = frame_.size;
  image.width = size.width;
  image.height = size.height;
  image.rgb.resize(size_t(3) * size.width * size.height);
  float* out = image.rgb.data();
  for (int channel = 0; channel < 3; ++channel)
    for (int y = 0; y < size.height; ++y, out += size.width)
      std::copy_n(frame_.image.data() + channel * size.plane() + size_t(y) * size.stride(), size.width, out);
}

void Cpu::read_transmittance(std::vector<float>& final_t) {
  iteration_.check_picture();
  const ImageSize& size = frame_.size;
  final_t.resize(size_t(size.width) * size.height);
  for (int y = 0; y < size.height; ++y)
    std::copy_n(frame_.transmittance.data() + size_t(y) * size.stride(), size.width,
                final_t.data() + size_t(y) * size.width);
}

void Cpu::read_contributions(const ContributionSettings& settings, Contributions& contributions) {
  iteration_.check_lists();
  reader_.read_contributions(frame_, blend_args(), kernels_, pool_, settings, model_.size(), contributions);
}

void Cpu::read_depth(DepthKind kind, std::vector<float>& depth) {
  iteration_.check_lists();
  reader_.read_depth(frame_, blend_args(), kernels_, pool_, kind, depth);
}

LossValue Cpu::loss(const TrainingImage& target, const LossSettings& settings) {
  iteration_.check_before_image_gradient();
  SPLAT_CHECK(!looks_.data());
  check_photo(target, frame_.size.width, frame_.size.height);
  StageTimer timer(timings_.loss);
  const LossValue value = loss_.run(frame_, settings_.background, target, settings, kernels_, pool_);
  iteration_.has_image_gradient();
  return value;
}

void Cpu::set_image_gradient(const ImageF& v_image) {
  iteration_.check_before_image_gradient();
  const ImageSize& size = frame_.size;
  check_picture_size(v_image, size.width, size.height);
  const float* from = v_image.rgb.data();
  for (int channel = 0; channel < 3; ++channel)
    for (int y = 0; y < size.height; ++y, from += size.width)
      std::copy_n(from, size.width, frame_.v_image.data() + channel * size.plane() + size_t(y) * size.stride());
  iteration_.has_image_gradient();
}

void Cpu::add_surface_loss(const SurfaceSettings& settings) {
  iteration_.check_before_backward();
  surface_.draw(frame_, blend_args(), plane_args(model_, view_, frame_), settings, kernels_, pool_);
}

void Cpu::backward() {
  iteration_.check_before_backward();
  {
    StageTimer timer(timings_.blend_backward);
    const size_t rows = pipeline_.place_moments(frame_);
    const BlendArgs args = blend_args();
    pipeline_.blend_backward(frame_, args);
    if (surface_.drawn()) surface_.replay(frame_, args, rows, kernels_, pool_);
  }
  StageTimer timer(timings_.combine);
  pool_.for_each(chunks(), [&](size_t chunk, int) {
    CombineArgs args;
    args.records = frame_.records.data();
    const size_t first_instance = frame_.chunk_first_instance[chunk];
    args.moments = frame_.moments();
    args.plane_moments = surface_.moments();
    args.instance_row = frame_.instance_record.data() + first_instance;
    args.first_instance = frame_.first_instance.data();
    args.visible_bits = frame_.visible_bits.data() + chunk * kChunkSplats / kBlockSplats;
    args.half_width = float(frame_.size.width) / 2;
    args.half_height = float(frame_.size.height) / 2;
    args.mean2d_gradient_norm = model_.mean2d_gradient_norm.data() + chunk * kChunkSplats;
    args.visible_count = model_.visible_count.data() + chunk * kChunkSplats;
    args.max_radius_px = model_.max_radius_px.data() + chunk * kChunkSplats;
    kernels_.combine(args, chunk * kChunkSplats, frame_.chunk_visible[chunk], frame_.chunk_instances[chunk]);
  });
  iteration_.has_gradients();
}

UpdateArgs Cpu::update_args() {
  iteration_.check_gradients();
  UpdateArgs args;
  args.parameters = model_.parameters.data();
  args.block_floats = model_.parameters.block_floats();
  args.splats = model_.size();
  args.sh_degree = active_degree();
  args.view = view_;
  args.antialias = settings_.antialias;
  args.opacity_factor = math::dropout_factor(settings_.dropout);
  args.planes = surface_.drawn();
  args.facing = surface_.facing();
  args.gradients = frame_.records.data() ? &frame_.records.data()->mean_x : nullptr;  // nothing may be visible
  args.visible_bits = frame_.visible_bits.data();
  return args;
}

void Cpu::update(const AdamSettings& settings) {
  StageTimer timer(timings_.update);
  UpdateArgs args = update_args();
  model_.moment_coefficients = std::max(model_.moment_coefficients, sh_coefficients(args.sh_degree));
  model_.need_moments();
  args.moments = model_.moments.data();
  args.moments_packed = model_.moments_packed();
  args.moment_coefficients = model_.moment_coefficients;
  static_cast<AdamStep&>(args) = pauses_.next(settings, model_.size());
  args.fixed = model_.fixed();
  args.bounds = model_.bounds().data();
  args.last_step = model_.last_step.data();
  pool_.for_each(chunks(), [&](size_t chunk, int) {
    if (args.all_rows || frame_.chunk_visible[chunk] > 0) kernels_.update(args, chunk);
  });
  timings_.stepped = args.all_rows ? model_.size() - model_.fixed() : frame_.visible;
  iteration_.model_changed();
}

void Cpu::read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) {
  SplatBlocks gradients(1);
  gradients.set_degree(model_.sh_degree());
  gradients.resize(model_.size());
  UpdateArgs args = update_args();
  args.gradients_out = gradients.data();
  pool_.for_each(chunks(), [&](size_t chunk, int) { kernels_.update(args, chunk); });
  v_model.sh_degree = model_.sh_degree();
  v_model.resize(model_.size());
  for (size_t i = 0; i < model_.size(); ++i) gradients.get(i, v_model, i);

  const ImageSize& size = frame_.size;
  for (int channel = 0; channel < 3; ++channel) {
    double total = 0;
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const size_t at = size_t(y) * size.stride() + x;
        total += double(frame_.transmittance[at]) * frame_.v_image[channel * size.plane() + at];
      }
    v_background[channel] = float(total);
  }
}

PoseGradient Cpu::read_pose_gradient() {
  const UpdateArgs args = update_args();
  chunk_v_pose_.resize(chunks());
  pool_.for_each(chunks(), [&](size_t chunk, int) { kernels_.pose_gradient(args, chunk, chunk_v_pose_[chunk]); });
  PoseGradient total;
  for (size_t chunk = 0; chunk < chunks(); ++chunk) {
    const auto &t = chunk_v_pose_[chunk].translation, &r = chunk_v_pose_[chunk].rotation;
    const double translation[3] = {t.x, t.y, t.z}, rotation[3] = {r.x, r.y, r.z};
    for (size_t k = 0; k < 3; ++k) total.translation[k] += translation[k], total.rotation[k] += rotation[k];
  }
  return total;
}

size_t Cpu::memory_bytes() const {
  return model_.bytes() + pauses_.bytes() + frame_.bytes() + reader_.bytes() + surface_.bytes() + looks_.bytes() +
         retinted_.bytes() + pipeline_.bytes() + loss_.bytes() + chunk_v_pose_.bytes();
}

// Evaluations of a splat by 16 pixels, in forward and again in backward: the masks say which blocks were.
uint64_t Cpu::blended_blocks() const {
  const size_t bytes = mask_bytes(kernels_.lanes);
  uint64_t blocks = 0;
  for (size_t tile = 0; tile < frame_.tile_end.size(); ++tile)
    for (size_t i = frame_.tile_first[tile] * bytes; i < frame_.tile_end[tile] * bytes; ++i)
      blocks += uint64_t(std::popcount(frame_.block_masks[i]));
  return blocks * kernels_.lanes / 16;
}

std::vector<StageTime> Cpu::stage_times() const {
  const uint64_t splats = model_.size(), instances = timings_.instances, blocks = blended_blocks(),
                 pixels = uint64_t(frame_.size.width) * frame_.size.height;
  const auto stage = [](std::string_view name, const StageDuration& took, uint64_t units, std::string_view unit) {
    return StageTime{name, took.wall_ms, took.cpu_ms, units, unit};
  };
  return {stage("project", timings_.project, splats, "splat"),
          stage("bin", timings_.bin, instances, "instance"),
          stage("sort", timings_.sort, instances, "instance"),
          stage("blend_forward", timings_.blend_forward, blocks, "16-pixel block"),
          stage("loss", timings_.loss, pixels, "pixel"),
          stage("blend_backward", timings_.blend_backward, blocks, "16-pixel block"),
          stage("combine", timings_.combine, instances, "instance"),
          stage("update", timings_.update, timings_.stepped, "splat")};
}

}  // namespace
}  // namespace cpu

Result<std::unique_ptr<CpuBackend>> make_cpu_backend(const CpuOptions& options) {
  SPLAT_ASSIGN_OR_RETURN(const cpu::SimdLevel level, cpu::choose_simd_level(options.level));
  return std::unique_ptr<CpuBackend>(std::make_unique<cpu::Cpu>(options.threads, level));
}

}  // namespace splat
