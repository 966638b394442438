#include "splat/clean/evidence.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"
#include "splat/core/percentile.h"
#include "splat/math/activation.h"
#include "splat/math/constants.h"
#include "splat/model/pixel.h"

namespace splat::clean {
namespace {

constexpr float kBlended = 1.0f / 255;            // blending weight from which a splat shows in 8 bits
constexpr double kHidden = 1.1, kFarFront = 0.8;  // times the depth of the surface

// Whether each value of a planar picture counts.
struct Counting {
  const TrainingImage& photo;
  size_t pixels = size_t(photo.width) * size_t(photo.height);
  bool operator()(size_t i) const { return photo.counts(i % pixels); }
};

class Gathering {
 public:
  Gathering(const CleanInputs& inputs, const Gaussians& model) : inputs_(inputs), model_(model) {
    const size_t n = model.size();
    evidence_.views.resize(n);
    evidence_.max_weight.resize(n);
    evidence_.in_front.resize(n);
    evidence_.far_front.resize(n);
    evidence_.excess.resize(n);
    evidence_.own_squares.resize(n);
    evidence_.fair_excess.resize(n);
    evidence_.fair_own_squares.resize(n);
    inputs.backend.upload(model);
  }

  // Mean over the values of a photo.
  Result<double> squared_error(int index) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, inputs_.images.get(index));
    draw_difference(*photo, inputs_.dataset.views[size_t(index)].view());
    double sum = 0;
    for (const float difference : picture_.rgb) sum += double(difference) * double(difference);
    return sum / double(picture_.rgb.size());
  }

  Status add(int index, double weight, bool looks) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, inputs_.images.get(index));
    const View view = inputs_.dataset.views[size_t(index)].view();
    draw_difference(*photo, view);
    if (looks) look(view);
    differentiate(double(picture_.rgb.size()), weight);
    return {};
  }

  Evidence finish() { return std::move(evidence_); }

 private:
  // picture_: what is drawn less what the photo shows, where that counts.
  void draw_difference(const TrainingImage& photo, const View& view) {
    const Counting counts{photo};
    inputs_.backend.forward(view, inputs_.render);
    inputs_.backend.read_image(picture_);
    SPLAT_CHECK_EQ(picture_.rgb.size(), 3 * counts.pixels);
    for (size_t i = 0; i < picture_.rgb.size(); ++i)
      picture_.rgb[i] = counts(i) ? picture_.rgb[i] - float(photo.rgb[i]) / 255 : 0;
  }

  // Which splats show, and where they lie to the surface.
  void look(const View& view) {
    inputs_.backend.read_contributions({{}, kBlended}, seen_);
    inputs_.backend.read_depth(DepthKind::kMedian, depth_);
    const PinholeCamera& camera = view.camera;
    for (size_t row = 0; row < model_.size(); ++row) {
      const float* mean = &model_.means[3 * row];
      const auto at = pixel_of(view, {mean[0], mean[1], mean[2]});
      if (!at || !(at->depth > math::kNearPlane)) continue;
      if (is_in_frame(camera, *at)) {
        const float surface = depth_[size_t(at->y) * size_t(camera.width) + size_t(at->x)];
        evidence_.in_front[row] += at->depth < kHidden * surface;
        evidence_.far_front[row] += at->depth < kFarFront * surface;
      }
      if (seen_.pixel_count[row] == 0) continue;
      ++evidence_.views[row];
      evidence_.max_weight[row] = std::max(evidence_.max_weight[row], seen_.max_weight[row]);
    }
  }

  // Adds for each row the sum over the pixels of picture_ times what the row adds to them, over `values`.
  void differentiate(double values, double weight) {
    inputs_.backend.set_image_gradient(picture_);
    inputs_.backend.backward();
    std::array<float, 3> v_background{};
    inputs_.backend.read_gradients(v_model_, v_background);
    for (size_t row = 0; row < model_.size(); ++row) {
      const double through = 1 - math::sigmoid(double(model_.logit_opacities[row]));
      const double along = double(v_model_.logit_opacities[row]) / through;
      if (!std::isfinite(along)) continue;
      evidence_.excess[row] += along / values;
      evidence_.fair_excess[row] += weight * along / values;
    }
  }

  const CleanInputs& inputs_;
  const Gaussians& model_;
  Evidence evidence_;
  ImageF picture_;
  Contributions seen_;
  std::vector<float> depth_;
  Gaussians v_model_;
};

constexpr size_t kPasses = 3;  // over the views, a round: their errors, and its halves

// After view i of a pass. An error: nobody wants to go on.
Status after_view(const CleanInputs& inputs, size_t pass, size_t i) {
  const size_t views = inputs.views.size();
  if (inputs.going_on && !inputs.going_on(pass * views + i + 1, kPasses * views)) return Error{"interrupted"};
  return {};
}

// Photos that fit worse than the median one weigh as much less.
Result<std::vector<double>> weights_of_views(const CleanInputs& inputs, Gathering& gathering) {
  std::vector<double> weights;
  inputs.images.prefetch(inputs.views);
  for (size_t i = 0; i < inputs.views.size(); ++i) {
    SPLAT_ASSIGN_OR_RETURN(const double squared_error, gathering.squared_error(inputs.views[i]));
    weights.push_back(squared_error);
    SPLAT_TRY(after_view(inputs, 0, i));
  }
  const double usual = median(weights);
  for (double& weight : weights) weight = weight > usual ? usual / weight : 1;
  return weights;
}

// Half a round: the first, which finds the views' weights, or the second.
Result<Evidence> all_views(const CleanInputs& inputs, const Gaussians& model, std::vector<double> weights) {
  Gathering gathering(inputs, model);
  const bool first = weights.empty();
  if (first) {
    SPLAT_ASSIGN_OR_RETURN(weights, weights_of_views(inputs, gathering));
  }
  inputs.images.prefetch(inputs.views);
  for (size_t i = 0; i < inputs.views.size(); ++i) {
    SPLAT_TRY(gathering.add(inputs.views[i], weights[i], first));
    SPLAT_TRY(after_view(inputs, first ? 1 : 2, i));
  }
  Evidence evidence = gathering.finish();
  evidence.weights = std::move(weights);
  return evidence;
}

// Once its opacity is halved, the splat's excess has fallen by half of its own squares.
double own_squares_of(double excess, double excess_of_half) { return std::max(0.0, 2 * (excess - 2 * excess_of_half)); }

}  // namespace

Result<Evidence> gather(const CleanInputs& inputs, const Gaussians& model) { return all_views(inputs, model, {}); }

Status measure_own_squares(const CleanInputs& inputs, const Gaussians& model, std::span<const uint32_t> rows,
                           Evidence& evidence) {
  Gaussians halved = model;
  for (const uint32_t row : rows) {
    halved.logit_opacities[row] = float(math::logit(math::sigmoid(double(model.logit_opacities[row])) / 2));
  }
  SPLAT_ASSIGN_OR_RETURN(const Evidence less, all_views(inputs, halved, evidence.weights));
  for (const uint32_t row : rows) {
    evidence.own_squares[row] = own_squares_of(evidence.excess[row], less.excess[row]);
    evidence.fair_own_squares[row] = own_squares_of(evidence.fair_excess[row], less.fair_excess[row]);
  }
  return {};
}

}  // namespace splat::clean
