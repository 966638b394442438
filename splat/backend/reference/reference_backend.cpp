#include "splat/backend/reference/reference_backend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/backend/noise_bits.h"
#include "splat/backend/parameter_rows.h"
#include "splat/backend/row_copies.h"
#include "splat/core/check.h"
#include "splat/math/activation.h"
#include "splat/math/adam.h"
#include "splat/math/mean_noise.h"
#include "splat/math/parameter_chain.h"

namespace splat {

using reference::Model;

// ---- model rows

void ReferenceBackend::reserve(size_t) { iteration_.model_changed(); }

void ReferenceBackend::upload(const Gaussians& model) {
  model_ = reference::to_double(model);
  first_ = second_ = reference::zeros_like(model_);
  last_step_.assign(size(), 0);
  rates_.clear();
  fixed_ = 0;
  packed_ = pack_next_;
  reset_statistics();
  rows_changed();
}

void ReferenceBackend::download_rows(size_t first, size_t count, Gaussians& rows) const {
  reference::to_float(model_.rows(first, count), rows);
}

void ReferenceBackend::download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const {
  reference::ellipsoids_to_float(model_.rows(first, count), rows);
}

void ReferenceBackend::upload_moment_rows(size_t first, const AdamMoments& rows) {
  SPLAT_CHECK_EQ(rows.first.size(), rows.second.size());
  std::vector<uint32_t> indices(rows.first.size());
  std::iota(indices.begin(), indices.end(), uint32_t(first));
  SPLAT_CHECK_LE(first + indices.size(), size());
  first_.write(indices, reference::to_double(rows.first));
  second_.write(indices, reference::to_double(rows.second));
  for (size_t i = 0; i < indices.size(); ++i) last_step_[first + i] = rows.last_step.empty() ? 0 : rows.last_step[i];
}

void ReferenceBackend::download_moment_rows(size_t first, size_t count, AdamMoments& rows) const {
  reference::to_float(first_.rows(first, count), rows.first);
  reference::to_float(second_.rows(first, count), rows.second);
  rows.last_step.assign(last_step_.begin() + std::ptrdiff_t(first), last_step_.begin() + std::ptrdiff_t(first + count));
}

void ReferenceBackend::keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                                          const Ellipsoids& copies) {
  check_kept_and_copied({kept, sources}, copies, size(), fixed_);
  Model added = model_.gathered(sources);
  reference::ellipsoids_to_double(copies, added);
  for (Model* part : {&model_, &first_, &second_}) *part = part->gathered(kept);
  DensifyStatistics statistics;
  std::vector<uint32_t> last_step;
  for (uint32_t row : kept) {
    last_step.push_back(last_step_[row]);
    statistics.mean2d_gradient_norm.push_back(statistics_.mean2d_gradient_norm[row]);
    statistics.visible_count.push_back(statistics_.visible_count[row]);
    statistics.max_radius_px.push_back(statistics_.max_radius_px[row]);
  }
  statistics_ = std::move(statistics);
  last_step_ = std::move(last_step);
  append(added);
}

void ReferenceBackend::append_rows(const Gaussians& rows) { append(reference::to_double(rows)); }

void ReferenceBackend::append(const Model& rows) {
  model_.append(rows);
  for (Model* moments : {&first_, &second_}) moments->resize(size());
  last_step_.resize(size());
  statistics_.mean2d_gradient_norm.resize(size());
  statistics_.visible_count.resize(size());
  statistics_.max_radius_px.resize(size());
  rows_changed();
}

void ReferenceBackend::write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) {
  write(indices, reference::to_double(rows), reset_moments);
}

void ReferenceBackend::copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets,
                                 const Ellipsoids& copies, bool reset_moments) {
  check_copies(sources, targets, copies, size());
  Model rows = model_.gathered(sources);
  reference::ellipsoids_to_double(copies, rows);
  write(targets, rows, reset_moments);
}

void ReferenceBackend::write(std::span<const uint32_t> indices, const Model& rows, bool reset_moments) {
  for (uint32_t index : indices) SPLAT_CHECK_LT(index, size());
  model_.write(indices, rows);
  if (reset_moments)
    for (Model* moments : {&first_, &second_}) moments->write(indices, reference::zeros_like(rows));
  iteration_.model_changed();
}

void ReferenceBackend::fix_rows(size_t count) {
  SPLAT_CHECK_LE(count, size());
  fixed_ = count;
  iteration_.model_changed();
}

void ReferenceBackend::restore(const Model& fixed_rows) {
  std::vector<uint32_t> indices(fixed_rows.size());
  std::iota(indices.begin(), indices.end(), 0u);
  model_.write(indices, fixed_rows);
  for (Model* moments : {&first_, &second_}) moments->write(indices, reference::zeros_like(fixed_rows));
}

void ReferenceBackend::limit_opacity(float max_opacity) {
  const Model fixed = fixed_rows();
  const double limit = math::logit(double(max_opacity));
  for (double& logit_opacity : model_.logit_opacities) logit_opacity = std::min(logit_opacity, limit);
  std::fill(first_.logit_opacities.begin(), first_.logit_opacities.end(), 0.0);
  std::fill(second_.logit_opacities.begin(), second_.logit_opacities.end(), 0.0);
  restore(fixed);
  iteration_.model_changed();
}

void ReferenceBackend::lower_opacity(float by, float least) {
  const Model fixed = fixed_rows();
  for (double& x : model_.logit_opacities) x = math::lowered_logit(x, double(by), double(least));
  restore(fixed);
  iteration_.model_changed();
}

void ReferenceBackend::add_noise(const MeanNoise& noise) {
  for (size_t i = fixed_; i < size(); ++i) {
    const double share = math::noise_share(math::sigmoid(model_.logit_opacities[i]));
    if (!(share > 0)) continue;
    uint32_t bits[6];
    noise_bits(noise.seed, uint32_t(noise.iteration), uint32_t(i), bits);
    const double *q = &model_.quats[4 * i], *s = &model_.log_scales[3 * i];
    const math::Vec3<double> moved =
        math::mean_noise<double>(bits, {q[0], q[1], q[2], q[3]}, {std::exp(s[0]), std::exp(s[1]), std::exp(s[2])},
                                 share, double(noise.strength));
    model_.means[3 * i] += moved.x;
    model_.means[3 * i + 1] += moved.y;
    model_.means[3 * i + 2] += moved.z;
  }
  iteration_.model_changed();
}

// ---- rendering

void ReferenceBackend::set_looks(const RowLooks& looks) {
  const auto nothing = [](size_t) {};
  if (looks_.set(looks, size(), nothing) == KeptLooks::Change::kRows) iteration_.model_changed();
}

void ReferenceBackend::forward(const View& view, const RenderSettings& settings) {
  iteration_.forward_begins();
  view_ = view;
  settings_ = settings;
  planes_.clear();
  visible_ =
      reference::project_visible(model_, math::make_view_params<double>(view, settings.low_pass), settings, looks_);
  picture_ = reference::blend(visible_, view, settings);
  iteration_.rendered();
}

void ReferenceBackend::read_image(ImageF& image) {
  iteration_.check_picture();
  image.width = picture_.width, image.height = picture_.height;
  image.rgb.clear();
  for (const auto& pixel : picture_.colour) image.rgb.push_back(float(pixel.x));
  for (const auto& pixel : picture_.colour) image.rgb.push_back(float(pixel.y));
  for (const auto& pixel : picture_.colour) image.rgb.push_back(float(pixel.z));
}

void ReferenceBackend::read_transmittance(std::vector<float>& final_t) {
  iteration_.check_picture();
  final_t.assign(picture_.final_transmittance.begin(), picture_.final_transmittance.end());
}

void ReferenceBackend::read_contributions(const ContributionSettings& settings, Contributions& contributions) {
  iteration_.check_lists();
  SPLAT_CHECK(settings.mask.empty() || settings.mask.size() == picture_.colour.size());
  contributions = reference::contributions(visible_, picture_, settings, size());
}

void ReferenceBackend::read_depth(DepthKind kind, std::vector<float>& depth) {
  iteration_.check_lists();
  const std::vector<reference::PixelDepth> pixels = reference::depths(visible_, picture_);
  depth.clear();
  if (kind == DepthKind::kMedian)
    for (const auto& p : pixels) depth.push_back(float(p.median));
  if (kind == DepthKind::kMean)
    for (const auto& p : pixels) depth.push_back(p.weight > 0 ? float(p.weight_depth / p.weight) : 0);
  if (kind != DepthKind::kMoments) return;
  for (const auto& p : pixels) depth.push_back(float(p.weight));
  for (const auto& p : pixels) depth.push_back(float(p.weight_depth));
  for (const auto& p : pixels) depth.push_back(float(p.weight_depth2));
}

// ---- training

LossValue ReferenceBackend::loss(const TrainingImage& target, const LossSettings& settings) {
  iteration_.check_before_image_gradient();
  SPLAT_CHECK(!looks_.data());
  reference::ImageLoss loss = reference::image_loss(picture_, target, settings, settings_.background);
  v_image_ = std::move(loss.v_image);
  iteration_.has_image_gradient();
  return loss.value;
}

void ReferenceBackend::set_image_gradient(const ImageF& v_image) {
  iteration_.check_before_image_gradient();
  SPLAT_CHECK_EQ(v_image.width, picture_.width);
  SPLAT_CHECK_EQ(v_image.height, picture_.height);
  const size_t pixels = picture_.colour.size();
  v_image_.clear();
  for (size_t i = 0; i < pixels; ++i)
    v_image_.push_back({v_image.rgb[i], v_image.rgb[pixels + i], v_image.rgb[2 * pixels + i]});
  iteration_.has_image_gradient();
}

void ReferenceBackend::add_surface_loss(const SurfaceSettings& settings) {
  iteration_.check_before_backward();
  const auto view = math::make_view_params<double>(view_, settings_.low_pass);
  planes_ = reference::as_planes(model_, view, settings.facing, visible_);
  surface_ = reference::surface_loss(planes_, reference::blend(planes_, view_, {}), view, settings);
}

void ReferenceBackend::backward() {
  iteration_.check_before_backward();
  reference::BlendGradients v = reference::blend_vjp(visible_, picture_, v_image_);
  v_background_ = v.v_background;
  const auto view = math::make_view_params<double>(view_, settings_.low_pass);
  std::vector<math::Vec3<double>> v_planes;
  if (!planes_.empty()) v_planes = reference::add_plane_moments(planes_, surface_, v.splats);
  v_model_ = reference::project_visible_vjp(model_, view, settings_, visible_, v.splats);
  v_pose_ = reference::pose_vjp(model_, view, settings_, visible_, v.splats);
  if (!planes_.empty())
    reference::add_plane_gradients(model_, view, surface_.facing, planes_, v_planes, v_model_, v_pose_);
  accumulate_statistics(v.splats);
  iteration_.has_gradients();
}

void ReferenceBackend::accumulate_statistics(const std::vector<math::SplatGradient<double>>& v_splats) {
  for (size_t s = 0; s < visible_.size(); ++s) {
    const size_t i = visible_[s].index;
    const double norm = math::screen_gradient_norm(v_splats[s].v_mean_px, 0.5 * picture_.width, 0.5 * picture_.height);
    const double radius = math::three_sigma_radius(visible_[s].projection.covariance);
    statistics_.mean2d_gradient_norm[i] += float(norm);
    statistics_.visible_count[i] += 1;
    statistics_.max_radius_px[i] = std::max(statistics_.max_radius_px[i], float(radius));
  }
}

void ReferenceBackend::read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) {
  iteration_.check_gradients();
  reference::to_float(v_model_, v_model);
  v_background = {float(v_background_.x), float(v_background_.y), float(v_background_.z)};
}

PoseGradient ReferenceBackend::read_pose_gradient() {
  iteration_.check_gradients();
  const auto &t = v_pose_.translation, &r = v_pose_.rotation;
  return {{t.x, t.y, t.z}, {r.x, r.y, r.z}};
}

namespace {

void round_moments(double& first, double& second, uint32_t bits) {
  const uint32_t packed = math::packed_moments(math::word_bits(float(first)), math::word_bits(float(second)), bits);
  first = double(math::first_moment<float>(packed)), second = double(math::second_moment<float>(packed));
}

}  // namespace

std::vector<uint32_t> ReferenceBackend::rows_to_step(bool all) const {
  std::vector<uint32_t> rows;
  if (!all)
    for (const auto& splat : visible_) rows.push_back(uint32_t(splat.index));
  else
    for (uint32_t row = 0; row < size(); ++row) rows.push_back(row);
  std::erase_if(rows, [&](uint32_t row) { return row < fixed_; });
  return rows;
}

AdamHistory ReferenceBackend::adam_history() const { return {int(rates_.size()), rates_}; }

void ReferenceBackend::recall(const AdamHistory& history) {
  rates_ = history.rates;
  if (!rates_.empty()) rates_.insert(rates_.begin(), size_t(history.iteration) - rates_.size(), rates_.front());
}

// One step of Adam on each parameter of a row, by this gradient or, where there is none, by zeros.
void ReferenceBackend::step_row(uint32_t row, const AdamSettings& settings, Model* gradient) {
  const auto k = math::adam_coefficients<double>(settings.beta1, settings.beta2, settings.epsilon, settings.iteration);
  const math::AdamValues& rates = rates_[size_t(settings.iteration) - 1];
  constexpr math::AdamGroup kGroups[5] = {math::kMeanGroup, math::kLogScaleGroup, math::kQuatGroup, math::kOpacityGroup,
                                          math::kSh0Group};
  double sizes[math::kAdamGroups];
  for (int g = 0; g < math::kAdamGroups; ++g)
    sizes[g] = math::adam_step_size(rates.of[g], settings.beta1, settings.iteration);
  const auto parameters = model_.groups(), first = first_.groups(), second = second_.groups(),
             gradients = (gradient ? *gradient : model_).groups();
  for (size_t g = 0; g < parameters.size(); ++g)
    for (size_t i = 0; i < parameters[g].width; ++i) {
      const size_t at = row * parameters[g].width + i;
      math::adam_step((*parameters[g].values)[at], (*first[g].values)[at], (*second[g].values)[at],
                      gradient ? (*gradients[g].values)[at] : 0.0, k,
                      sizes[g == 4 && i >= 3 ? math::kShRestGroup : kGroups[g]]);
    }
}

// What packing the moments makes of a row's.
void ReferenceBackend::round_row(uint32_t row, uint32_t rounding) {
  constexpr uint32_t kFirstRows[5] = {kMeanRow, kLogScaleRow, kQuatRow, kOpacityRow, kShRow};
  const uint32_t bits = math::splat_rounding(row, rounding);
  const auto first = first_.groups(), second = second_.groups();
  for (size_t g = 0; g < first.size(); ++g)
    for (size_t i = 0; i < first[g].width; ++i) {
      const size_t at = row * first[g].width + i;
      round_moments((*first[g].values)[at], (*second[g].values)[at],
                    math::rounding_bits(bits, kFirstRows[g] + uint32_t(i)));
    }
}

// The steps that a row has missed are taken one by one.
void ReferenceBackend::update(const AdamSettings& settings) {
  iteration_.check_gradients();
  SPLAT_CHECK_LE(1, settings.iteration);
  const double splats = double(std::max<size_t>(size(), 1));
  reference::add_regularizers(model_,
                              {settings.opacity_regularizer / splats, settings.scale_regularizer / (3 * splats),
                               settings.thickness_regularizer / splats},
                              v_model_);
  rates_.resize(size_t(settings.iteration), adam_rates(settings));
  rates_.back() = adam_rates(settings);
  const uint32_t iteration = uint32_t(settings.iteration),
                 rounding = math::rounding_of(settings.seed, settings.iteration);
  const bool all =
      settings.opacity_regularizer != 0 || settings.scale_regularizer != 0 || settings.thickness_regularizer != 0;
  for (const uint32_t row : rows_to_step(all)) {
    AdamSettings at = settings;
    const uint32_t missed = math::missed_steps(iteration, last_step_[row]);
    for (at.iteration = int(iteration - missed); at.iteration < settings.iteration; ++at.iteration)
      step_row(row, at, nullptr);
    step_row(row, settings, &v_model_);
    if (packed_) round_row(row, rounding);
    last_step_[row] = iteration;
  }
  iteration_.model_changed();
}

// ---- densification statistics

void ReferenceBackend::read_statistics_rows(size_t first, size_t count, DensifyStatistics& out) {
  SPLAT_CHECK(first <= size() && count <= size() - first);
  const auto copy = [&](const auto& values, auto& to) {
    to.assign(values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(first + count));
  };
  copy(statistics_.mean2d_gradient_norm, out.mean2d_gradient_norm);
  copy(statistics_.visible_count, out.visible_count);
  copy(statistics_.max_radius_px, out.max_radius_px);
}

void ReferenceBackend::write_statistics_rows(size_t first, const DensifyStatistics& given) {
  const size_t count = given.mean2d_gradient_norm.size();
  SPLAT_CHECK_EQ(given.visible_count.size(), count);
  SPLAT_CHECK_EQ(given.max_radius_px.size(), count);
  SPLAT_CHECK(first <= size() && count <= size() - first);
  const auto copy = [&](const auto& values, auto& to) {
    std::copy(values.begin(), values.end(), to.begin() + std::ptrdiff_t(first));
  };
  copy(given.mean2d_gradient_norm, statistics_.mean2d_gradient_norm);
  copy(given.visible_count, statistics_.visible_count);
  copy(given.max_radius_px, statistics_.max_radius_px);
}

void ReferenceBackend::reset_statistics() {
  statistics_.mean2d_gradient_norm.assign(size(), 0.0f);
  statistics_.visible_count.assign(size(), 0);
  statistics_.max_radius_px.assign(size(), 0.0f);
}

size_t ReferenceBackend::memory_bytes() const {
  const size_t per_splat = sizeof(double) * (11 + 3 * size_t(model_.coefficients()));
  return 4 * per_splat * size() + picture_.colour.size() * 7 * sizeof(double);
}

std::unique_ptr<Backend> make_reference_backend() { return std::make_unique<ReferenceBackend>(); }

}  // namespace splat
