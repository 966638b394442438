#include "splat/backend/with_fixed_rows.h"

#include <numeric>
#include <utility>

#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

template <class T>
void drop_first(std::vector<T>& values, size_t count) {
  values.erase(values.begin(), values.begin() + std::ptrdiff_t(count));
}

class WithFixedRows final : public Backend {
 public:
  WithFixedRows(std::unique_ptr<Backend> inner, Gaussians fixed) : inner_(std::move(inner)), fixed_(std::move(fixed)) {}

  const BackendInfo& info() const override { return inner_->info(); }
  size_t size() const override { return inner_->size() - count_; }
  void pack_moments(bool packed) override { inner_->pack_moments(packed); }
  void reserve(size_t max_splats) override { inner_->reserve(count_ + max_splats); }

  void upload(const Gaussians& model) override {
    if (fixed_.sh_degree != model.sh_degree) fixed_ = with_sh_degree(fixed_, model.sh_degree);
    count_ = fixed_.size();
    inner_->upload(fixed_);
    inner_->fix_rows(count_);
    if (model.size() > 0) inner_->append_rows(model);
  }
  void download_rows(size_t first, size_t count, Gaussians& rows) const override {
    inner_->download_rows(count_ + first, count, rows);
  }
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const override {
    inner_->download_ellipsoid_rows(count_ + first, count, rows);
  }
  void upload_moment_rows(size_t first, const AdamMoments& rows) override {
    inner_->upload_moment_rows(count_ + first, rows);
  }
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const override {
    inner_->download_moment_rows(count_ + first, count, rows);
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override {
    std::vector<uint32_t> all(count_);
    std::iota(all.begin(), all.end(), 0u);
    for (const uint32_t row : kept) all.push_back(inner_row(row));
    inner_->keep_and_copy_rows(all, inner_rows(sources), copies);
  }
  void append_rows(const Gaussians& rows) override { inner_->append_rows(rows); }
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override {
    inner_->write_rows(inner_rows(indices), rows, reset_moments);
  }
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override {
    inner_->copy_rows(inner_rows(sources), inner_rows(targets), copies, reset_moments);
  }
  void limit_opacity(float max_opacity) override { inner_->limit_opacity(max_opacity); }
  void lower_opacity(float by, float least) override { inner_->lower_opacity(by, least); }
  void add_noise(const MeanNoise& noise) override { inner_->add_noise(noise); }
  void sort_rows_in_space() override { inner_->sort_rows_in_space(); }
  void fix_rows(size_t count) override { inner_->fix_rows(count_ + count); }

  void set_looks(const RowLooks& looks) override {
    RowLooks all = looks;
    std::vector<uint8_t> of_rows;
    if (!looks.looks.empty()) {
      of_rows.assign(count_, 0);
      of_rows.insert(of_rows.end(), looks.looks.begin(), looks.looks.end());
      all.looks = of_rows;
    }
    inner_->set_looks(all);
  }
  void forward(const View& view, const RenderSettings& settings) override { inner_->forward(view, settings); }
  void read_image(ImageF& image) override { inner_->read_image(image); }
  void read_transmittance(std::vector<float>& final_t) override { inner_->read_transmittance(final_t); }
  void read_contributions(const ContributionSettings& settings, Contributions& contributions) override {
    inner_->read_contributions(settings, contributions);
    drop_first(contributions.max_weight, count_);
    drop_first(contributions.weight_sum, count_);
    drop_first(contributions.pixel_count, count_);
  }
  void read_depth(DepthKind kind, std::vector<float>& depth) override { inner_->read_depth(kind, depth); }
  bool keeps_photo(uint64_t photo) const override { return inner_->keeps_photo(photo); }
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override {
    return inner_->loss(target, settings);
  }
  void add_surface_loss(const SurfaceSettings& settings) override { inner_->add_surface_loss(settings); }
  void backward() override { inner_->backward(); }
  void update(const AdamSettings& settings) override { inner_->update(settings); }
  AdamHistory adam_history() const override { return inner_->adam_history(); }
  void recall(const AdamHistory& history) override { inner_->recall(history); }
  void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) override {
    inner_->read_gradients(v_model, v_background);
    visit_arrays(v_model,
                 [&](const char*, std::vector<float>& values, size_t width) { drop_first(values, count_ * width); });
  }
  PoseGradient read_pose_gradient() override { return inner_->read_pose_gradient(); }
  void set_image_gradient(const ImageF& v_image) override { inner_->set_image_gradient(v_image); }

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) override {
    inner_->read_statistics_rows(count_ + first, count, rows);
  }
  void write_statistics_rows(size_t first, const DensifyStatistics& rows) override {
    inner_->write_statistics_rows(count_ + first, rows);
  }
  void reset_statistics() override { inner_->reset_statistics(); }
  void wait() const override { inner_->wait(); }
  size_t memory_bytes() const override { return inner_->memory_bytes(); }
  std::vector<StageTime> stage_times() const override { return inner_->stage_times(); }

 private:
  uint32_t inner_row(uint32_t row) const { return uint32_t(count_) + row; }
  std::vector<uint32_t> inner_rows(std::span<const uint32_t> rows) const {
    std::vector<uint32_t> moved;
    moved.reserve(rows.size());
    for (const uint32_t row : rows) moved.push_back(inner_row(row));
    return moved;
  }

  std::unique_ptr<Backend> inner_;
  Gaussians fixed_;
  size_t count_ = 0;  // fixed rows that the inner backend has; 0 before the first upload()
};

}  // namespace

std::unique_ptr<Backend> with_fixed_rows(std::unique_ptr<Backend> backend, Gaussians fixed) {
  return std::make_unique<WithFixedRows>(std::move(backend), std::move(fixed));
}

}  // namespace splat
