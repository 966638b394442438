#include "splat/backend/gpu/gpu_on_device.h"

#include "splat/backend/gpu/device.h"

namespace splat::gpu {
namespace {

class OnDevice final : public GpuBackend {
 public:
  OnDevice(int device, std::unique_ptr<GpuBackend> inner) : device_(device), inner_(std::move(inner)) {}
  ~OnDevice() override {
    const CurrentDevice current(device_, std::nothrow);
    inner_.reset();
  }

  const BackendInfo& info() const override { return inner_->info(); }
  size_t instance_capacity() const override { return inner_->instance_capacity(); }
  void limit_instance_capacity(size_t instances) override { on()->limit_instance_capacity(instances); }

  size_t size() const override { return inner_->size(); }
  void reserve(size_t max_splats) override { on()->reserve(max_splats); }
  void upload(const Gaussians& model) override { on()->upload(model); }
  void pack_moments(bool packed) override { on()->pack_moments(packed); }
  void download_rows(size_t first, size_t count, Gaussians& rows) const override {
    on()->download_rows(first, count, rows);
  }
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const override {
    on()->download_ellipsoid_rows(first, count, rows);
  }
  void upload_moment_rows(size_t first, const AdamMoments& rows) override { on()->upload_moment_rows(first, rows); }
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const override {
    on()->download_moment_rows(first, count, rows);
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override {
    on()->keep_and_copy_rows(kept, sources, copies);
  }
  void append_rows(const Gaussians& rows) override { on()->append_rows(rows); }
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override {
    on()->write_rows(indices, rows, reset_moments);
  }
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override {
    on()->copy_rows(sources, targets, copies, reset_moments);
  }
  void sort_rows_in_space() override { on()->sort_rows_in_space(); }
  void fix_rows(size_t count) override { on()->fix_rows(count); }
  void limit_opacity(float max_opacity) override { on()->limit_opacity(max_opacity); }
  void lower_opacity(float by, float least) override { on()->lower_opacity(by, least); }
  void add_noise(const MeanNoise& noise) override { on()->add_noise(noise); }
  bool judge_rows(const RowRules& rules, RowVerdicts& verdicts) override { return on()->judge_rows(rules, verdicts); }

  void set_looks(const RowLooks& looks) override { on()->set_looks(looks); }
  void forward(const View& view, const RenderSettings& settings) override { on()->forward(view, settings); }
  void read_image(ImageF& image) override { on()->read_image(image); }
  void read_transmittance(std::vector<float>& final_t) override { on()->read_transmittance(final_t); }
  void read_contributions(const ContributionSettings& settings, Contributions& contributions) override {
    on()->read_contributions(settings, contributions);
  }
  void read_depth(DepthKind kind, std::vector<float>& depth) override { on()->read_depth(kind, depth); }

  bool keeps_photo(uint64_t photo) const override { return inner_->keeps_photo(photo); }
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override {
    return on()->loss(target, settings);
  }
  void add_surface_loss(const SurfaceSettings& settings) override { on()->add_surface_loss(settings); }
  void backward() override { on()->backward(); }
  void update(const AdamSettings& settings) override { on()->update(settings); }
  AdamHistory adam_history() const override { return inner_->adam_history(); }
  void recall(const AdamHistory& history) override { on()->recall(history); }
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override {
    on()->read_gradients(v_model, v_background);
  }
  PoseGradient read_pose_gradient() override { return on()->read_pose_gradient(); }
  void set_image_gradient(const ImageF& v_image) override { on()->set_image_gradient(v_image); }

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) override {
    on()->read_statistics_rows(first, count, rows);
  }
  void write_statistics_rows(size_t first, const DensifyStatistics& rows) override {
    on()->write_statistics_rows(first, rows);
  }
  void reset_statistics() override { on()->reset_statistics(); }
  void wait() const override { on()->wait(); }
  size_t memory_bytes() const override { return inner_->memory_bytes(); }
  std::vector<StageTime> stage_times() const override { return on()->stage_times(); }

 private:
  // Until the end of the call that it is used for.
  struct Call {
    CurrentDevice current;
    GpuBackend& backend;
    GpuBackend* operator->() { return &backend; }
  };
  Call on() const { return {CurrentDevice(device_), *inner_}; }

  int device_;
  std::unique_ptr<GpuBackend> inner_;
};

}  // namespace

std::unique_ptr<GpuBackend> on_device(int device, const std::function<std::unique_ptr<GpuBackend>()>& make) {
  const CurrentDevice current(device);
  return std::make_unique<OnDevice>(device, make());
}

}  // namespace splat::gpu
