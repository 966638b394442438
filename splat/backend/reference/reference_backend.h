// The oracle of the tests: a backend in double, brute force, written to be read. Model rows come in as float and are
// kept as double. Every backend is compared with it, and it is checked itself against central differences. Cost: pixels
// times visible splats; fit for hundreds of splats on thumbnails.
#pragma once

#include <memory>

#include "splat/backend/backend.h"
#include "splat/backend/iteration_state.h"
#include "splat/backend/reference/reference_loss.h"
#include "splat/backend/reference/reference_model.h"
#include "splat/backend/reference/reference_render.h"
#include "splat/backend/reference/reference_surface.h"

namespace splat {

class ReferenceBackend : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }

  size_t size() const override { return model_.size(); }
  void reserve(size_t max_splats) override;
  void upload(const Gaussians& model) override;
  void download_rows(size_t first, size_t count, Gaussians& rows) const override;
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const override;
  void pack_moments(bool packed) override { pack_next_ = packed; }
  void upload_moment_rows(size_t first, const AdamMoments& rows) override;
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const override;
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override;
  void append_rows(const Gaussians& rows) override;
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override;
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override;
  void limit_opacity(float max_opacity) override;
  void sort_rows_in_space() override { rows_changed(); }  // nothing is gained by it here
  void fix_rows(size_t count) override;
  void lower_opacity(float by, float least) override;
  void add_noise(const MeanNoise& noise) override;

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
  AdamHistory adam_history() const override;
  void recall(const AdamHistory& history) override;
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override;
  PoseGradient read_pose_gradient() override;
  void set_image_gradient(const ImageF& v_image) override;

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) override;
  void write_statistics_rows(size_t first, const DensifyStatistics& rows) override;
  void reset_statistics() override;

  size_t memory_bytes() const override;

  // In double, for central differences. Changing the model asks for a new forward().
  reference::Model& model() { return model_; }
  double surface_loss() const { return surface_.value; }  // of add_surface_loss()
  const reference::Picture& picture() const { return picture_; }
  const std::vector<reference::ProjectedSplat>& visible() const { return visible_; }
  const reference::Model& gradients() const { return v_model_; }
  const math::Vec3<double>& v_background() const { return v_background_; }

 private:
  void rows_changed() { iteration_.model_changed(), looks_.forget(); }
  reference::Model fixed_rows() const { return model_.rows(0, fixed_); }
  void append(const reference::Model& rows);
  void write(std::span<const uint32_t> indices, const reference::Model& rows, bool reset_moments);
  void restore(const reference::Model& fixed_rows);  // after a change of all rows
  std::vector<uint32_t> rows_to_step(bool all) const;
  void step_row(uint32_t row, const AdamSettings& settings, reference::Model* gradient);
  void round_row(uint32_t row, uint32_t rounding);
  void accumulate_statistics(const std::vector<math::SplatGradient<double>>& v_splats);

  BackendInfo info_{"reference", "double precision, one thread"};
  reference::Model model_, first_, second_;  // parameters and Adam's moments
  std::vector<uint32_t> last_step_;          // [N] AdamMoments::last_step
  std::vector<math::AdamValues> rates_;      // [iterations] of updates
  size_t fixed_ = 0;                         // fix_rows()
  bool pack_next_ = false, packed_ = false;  // pack_moments(): rounded as if they were
  DensifyStatistics statistics_;

  IterationState iteration_;
  KeptLooks looks_;
  View view_;
  RenderSettings settings_;
  std::vector<reference::ProjectedSplat> visible_;
  reference::Picture picture_;
  std::vector<math::Vec3<double>> v_image_;  // [H,W]
  // For add_surface_loss(), else empty: the visible splats as planes, their picture and the gradient by it.
  std::vector<reference::ProjectedSplat> planes_;
  reference::SurfaceLoss surface_;
  reference::Model v_model_;
  math::Twist<double> v_pose_{};
  math::Vec3<double> v_background_{0, 0, 0};
};

std::unique_ptr<Backend> make_reference_backend();

}  // namespace splat
