#include "splat/clean/evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/check.h"
#include "splat/core/median.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/constants.h"

namespace splat::clean {
namespace {

constexpr int kProbes = 2;                        // pictures of random signs a view
constexpr float kBlended = 1.0f / 255;            // blending weight from which a splat shows in 8 bits
constexpr double kHidden = 1.1, kFarFront = 0.8;  // times the depth of the surface
constexpr uint64_t kProbeSeed = 0;

float median_of_positive(std::vector<float> values) {
  std::erase_if(values, [](float v) { return !(v > 0); });
  return median(std::move(values));
}

// Whether each value of a planar picture counts.
struct Counting {
  const TrainingImage& photo;
  size_t pixels = size_t(photo.width) * size_t(photo.height);
  bool operator()(size_t i) const { return photo.mask.empty() || photo.mask[i % pixels] != 0; }
};

class Gathering {
 public:
  Gathering(const CleanInputs& inputs, const Gaussians& model) : inputs_(inputs), model_(model) {
    const size_t n = model.size();
    evidence_.views.resize(n);
    evidence_.max_weight.resize(n);
    evidence_.nearness.assign(n, std::numeric_limits<float>::infinity());
    evidence_.in_front.resize(n);
    evidence_.far_front.resize(n);
    evidence_.excess.resize(n);
    evidence_.own_squares.resize(n);
  }

  // Mean squared error of a photo.
  Result<double> squared_error(int index) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, inputs_.images.get(index));
    draw_difference(*photo, inputs_.dataset.views[size_t(index)].view());
    double sum = 0;
    for (const float difference : picture_.rgb) sum += double(difference) * double(difference);
    return sum / double(picture_.rgb.size());
  }

  Status add(int index, double weight) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, inputs_.images.get(index));
    const View view = inputs_.dataset.views[size_t(index)].view();
    const Counting counts{*photo};
    const double values = 3.0 * double(counts.pixels) / weight;
    draw_difference(*photo, view);
    inputs_.backend.read_contributions({{}, kBlended}, seen_);
    inputs_.backend.read_depth(DepthKind::kMedian, depth_);
    look(view);
    differentiate([&](size_t row, double along) { evidence_.excess[row] += along / values; });
    for (uint64_t probe = 0; probe < kProbes; ++probe) {
      inputs_.backend.forward(view, inputs_.render);
      random_signs(counts, uint64_t(index) * kProbes + probe);
      differentiate([&](size_t row, double along) { evidence_.own_squares[row] += along * along / kProbes / values; });
    }
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
    const float median = median_of_positive(depth_);
    const PinholeCamera& camera = view.camera;
    for (size_t row = 0; row < model_.size(); ++row) {
      const float* mean = &model_.means[3 * row];
      const auto [x, y, depth] = view.cam_from_world * std::array<double, 3>{mean[0], mean[1], mean[2]};
      if (!(depth > math::kNearPlane)) continue;
      const double u = camera.fx * x / depth + camera.cx, v = camera.fy * y / depth + camera.cy;
      if (u >= 0 && v >= 0 && u < camera.width && v < camera.height) {
        const float surface = depth_[size_t(v) * size_t(camera.width) + size_t(u)];
        evidence_.in_front[row] += depth < kHidden * surface;
        evidence_.far_front[row] += depth < kFarFront * surface;
      }
      if (seen_.pixel_count[row] == 0) continue;
      ++evidence_.views[row];
      evidence_.max_weight[row] = std::max(evidence_.max_weight[row], seen_.max_weight[row]);
      if (median > 0) evidence_.nearness[row] = std::min(evidence_.nearness[row], float(depth) / median);
    }
  }

  void random_signs(const Counting& counts, uint64_t number) {
    random::Sequence random(kProbeSeed, random::kClean, number << 32);
    uint32_t bits = 0;
    for (size_t i = 0; i < picture_.rgb.size(); ++i) {
      if (i % 32 == 0) bits = random.next();
      picture_.rgb[i] = !counts(i) ? 0.0f : (bits >> i % 32 & 1) != 0 ? 1.0f : -1.0f;
    }
  }

  // use(row, the sum over the pixels of picture_ times what the row adds to them)
  template <class Use>
  void differentiate(const Use& use) {
    inputs_.backend.set_image_gradient(picture_);
    inputs_.backend.backward();
    std::array<float, 3> v_background{};
    inputs_.backend.read_gradients(v_model_, v_background);
    for (size_t row = 0; row < model_.size(); ++row) {
      const double through = 1 - math::sigmoid(double(model_.logit_opacities[row]));
      const double along = double(v_model_.logit_opacities[row]) / through;
      if (std::isfinite(along)) use(row, along);
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

}  // namespace

Result<Evidence> gather(const CleanInputs& inputs, const Gaussians& model) {
  SPLAT_CHECK_EQ(inputs.backend.size(), model.size());
  Gathering gathering(inputs, model);
  inputs.images.prefetch(inputs.views);
  std::vector<double> squared_errors;
  for (const int view : inputs.views) {
    SPLAT_ASSIGN_OR_RETURN(const double squared_error, gathering.squared_error(view));
    squared_errors.push_back(squared_error);
  }
  const double usual = median(squared_errors);
  inputs.images.prefetch(inputs.views);
  for (size_t i = 0; i < inputs.views.size(); ++i) {
    SPLAT_TRY(gathering.add(inputs.views[i], squared_errors[i] > usual ? usual / squared_errors[i] : 1));
    if (inputs.going_on && !inputs.going_on(i + 1, inputs.views.size())) return Error{"interrupted"};
  }
  return gathering.finish();
}

}  // namespace splat::clean
