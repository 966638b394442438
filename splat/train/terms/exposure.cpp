#include "splat/train/terms/exposure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "splat/core/check.h"
#include "splat/core/log.h"
#include "splat/core/vectors.h"
#include "splat/math/adam.h"
#include "splat/optim/exponential_fall.h"
#include "splat/train/config.h"

namespace splat {
namespace {

constexpr double kStart = 0.05;           // of the run, but not more than
constexpr double kRounds = 2.5;           // of the photos, or
constexpr double kFirstIterations = 100;  // where those are fewer: splats learn the exposures
constexpr double kMeasureShare = 0.02;    // of the run that deciding may cost
constexpr double kPhotoShare = 0.35;      // of an iteration that drawing and reading a view costs
constexpr size_t kFewest = 8;             // photos that decide
constexpr double kGamma = 2.2;            // sRGB's, nearly
constexpr uint8_t kClipped = 250;         // of 255
constexpr float kCovered = 0.05f;         // transmittance below which splats cover a pixel
constexpr double kLeastMean = 1.0 / 255;  // of a channel that says something about its gain
// Rates and Adam's constants: exposure_lr_init and exposure_lr_final of INRIA's code, Adam as PyTorch's.
constexpr double kFirstRate = 0.01, kLastRate = 0.001;
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
constexpr double kToIdentity = 0.01;  // weight of (gain - 1)^2 + bias^2 in the loss of a photo; our own

std::array<double, 3> gain_of(const ImageF& render, const std::vector<float>& transmittance,
                              const TrainingImage& photo) {
  const size_t pixels = transmittance.size();
  std::array<double, 3> gain{1, 1, 1};
  for (size_t c = 0; c < 3; ++c) {
    double drawn = 0, seen = 0;
    size_t counted = 0;
    for (size_t p = 0; p < pixels; ++p) {
      if (transmittance[p] > kCovered || !photo.shows(p)) continue;
      const uint8_t value = photo.rgb[c * pixels + p];
      if (value >= kClipped) continue;
      drawn += double(std::clamp(render.rgb[c * pixels + p], 0.0f, 1.0f));
      seen += value / 255.0;
      ++counted;
    }
    const double least = kLeastMean * double(counted);
    if (counted > 0 && drawn > least && seen > least) gain[c] = seen / drawn;
  }
  return gain;
}

// Deviation of the stops from the mean of the two photos that distance(i, k) calls nearest.
template <class Distance>
double deviation_from_nearest(std::span<const MeasuredExposure> measured, Distance&& distance) {
  double sum = 0;
  std::vector<std::pair<double, size_t>> others;
  for (size_t i = 0; i < measured.size(); ++i) {
    others.clear();
    for (size_t k = 0; k < measured.size(); ++k)
      if (k != i) others.emplace_back(distance(i, k), k);
    std::partial_sort(others.begin(), others.begin() + 2, others.end());
    const double beside = (stops_of(measured[others[0].second].gain) + stops_of(measured[others[1].second].gain)) / 2;
    const double difference = stops_of(measured[i].gain) - beside;
    sum += difference * difference;
  }
  return std::sqrt(sum / (1.5 * double(measured.size())));  // 1.5: the variance of a - (b + c) / 2
}

}  // namespace

const char* name_of(ExposureMode mode) {
  switch (mode) {
    case ExposureMode::kAuto:
      return "auto";
    case ExposureMode::kOn:
      return "on";
    case ExposureMode::kOff:
      return "off";
  }
  return "unknown";
}

double deviation_from_neighbours(const Dataset& dataset, std::span<const MeasuredExposure> measured) {
  if (measured.size() < 3) return 0;
  const auto centre = [&](size_t i) {
    return dataset.views[size_t(measured[i].view)].cam_from_world.origin_in_source();
  };
  const double by_place =
      deviation_from_nearest(measured, [&](size_t i, size_t k) { return squared_distance(centre(i), centre(k)); });
  const double by_name = deviation_from_nearest(
      measured, [&](size_t i, size_t k) { return std::abs(double(measured[i].view) - double(measured[k].view)); });
  return std::min(by_place, by_name);
}

double stops_of(const std::array<double, 3>& gain) {
  return kGamma * std::log2(std::max((gain[0] + gain[1] + gain[2]) / 3, 1e-6));
}
double stops_of(const PhotoColour& colour) {
  return stops_of(std::array<double, 3>{colour[0].gain, colour[1].gain, colour[2].gain});
}

Result<std::vector<MeasuredExposure>> measure_exposures(Backend& backend, const Dataset& dataset, ImageSource& images,
                                                        std::span<const int> views, const RenderSettings& render) {
  std::vector<MeasuredExposure> measured;
  ImageF picture;
  std::vector<float> transmittance;
  images.prefetch(views);
  for (int view : views) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(view));
    backend.forward(dataset.views[size_t(view)].view(), render);
    backend.read_image(picture);
    backend.read_transmittance(transmittance);
    measured.push_back({view, gain_of(picture, transmittance, *photo)});
  }
  return measured;
}

Exposures::Exposures(ExposureMode mode, std::vector<int> training_views, size_t views)
    : mode_(mode), training_(std::move(training_views)), photos_(views) {}

bool Exposures::due(int iteration, int iterations) const {
  const double photos = double(training_.size());
  const double latest = std::max(kRounds * photos, kFirstIterations);
  const double start = std::max(std::min(kStart * iterations, latest), photos);  // every photo was seen once
  return mode_ != ExposureMode::kOff && !decided_ && training_.size() > 1 && iteration > start;
}

std::vector<int> Exposures::first_views(int iterations) const {
  size_t count = training_.size();
  if (mode_ == ExposureMode::kAuto)
    count = std::min(count, std::max(kFewest, size_t(kMeasureShare / kPhotoShare * iterations)));
  std::vector<int> views;
  for (size_t i = 0; i < count; ++i) views.push_back(training_[i * training_.size() / count]);
  return views;
}

bool Exposures::decide(const Dataset& dataset, std::span<const MeasuredExposure> measured) {
  decided_ = true;
  deviation_stops_ = deviation_from_neighbours(dataset, measured);
  return mode_ == ExposureMode::kOn || deviation_stops_ > kDifferentStops;
}

void Exposures::start(std::span<const MeasuredExposure> measured) {
  SPLAT_CHECK(decided_);
  active_ = true;
  for (const MeasuredExposure& photo : measured)
    for (size_t c = 0; c < 3; ++c) photos_[size_t(photo.view)].colour[c] = {photo.gain[c], 0};
  centre();
}

void Exposures::hold(std::span<const PhotoColour> colours) {
  SPLAT_CHECK_EQ(colours.size(), photos_.size());
  decided_ = active_ = held_ = true;
  for (size_t i = 0; i < colours.size(); ++i) photos_[i] = {.colour = colours[i]};
}

std::vector<PhotoColour> Exposures::colours() const {
  std::vector<PhotoColour> colours;
  if (active_)
    for (const Photo& photo : photos_) colours.push_back(photo.colour);
  return colours;
}

void Exposures::step(int view, const PhotoColour& gradient, int iteration, int iterations) {
  SPLAT_CHECK(stepped());
  Photo& photo = photos_[size_t(view)];
  photo.steps += 1;
  const int steps = int(std::min<int64_t>(photo.steps, INT32_MAX));
  const double progress = std::clamp(double(iteration) / std::max(iterations, 1), 0.0, 1.0);
  const double rate = exponential_fall(kFirstRate, kLastRate, progress);
  const auto adam = math::adam_coefficients<double>(kBeta1, kBeta2, kEpsilon, steps);
  const double size = math::adam_step_size(rate, kBeta1, steps);
  for (size_t c = 0; c < 3; ++c) {
    auto &colour = photo.colour[c], &first = photo.first[c], &second = photo.second[c];
    const double by_gain = gradient[c].gain + 2 * kToIdentity * (colour.gain - 1);
    const double by_bias = gradient[c].bias + 2 * kToIdentity * colour.bias;
    math::adam_step(colour.gain, first.gain, second.gain, by_gain, adam, size);
    math::adam_step(colour.bias, first.bias, second.bias, by_bias, adam, size);
    colour.gain = std::max(colour.gain, 1e-3);
  }
  if (iteration % int(training_.size()) == 0) centre();
}

void Exposures::centre() {
  const double count = double(training_.size());
  for (size_t c = 0; c < 3; ++c) {
    double log_gain = 0, bias = 0;
    for (int view : training_) {
      log_gain += std::log(photos_[size_t(view)].colour[c].gain) / count;
      bias += photos_[size_t(view)].colour[c].bias / count;
    }
    for (int view : training_) {
      photos_[size_t(view)].colour[c].gain *= std::exp(-log_gain);
      photos_[size_t(view)].colour[c].bias -= bias;
    }
  }
}

void Exposures::save(Archive& archive) const {
  archive.put("exposure/decided", uint8_t(decided_));
  archive.put("exposure/active", uint8_t(active_));
  archive.put("exposure/deviation_stops", deviation_stops_);
  archive.put_array("exposure/photos", std::span<const Photo>(photos_));
}

Status Exposures::load(const Archive& archive) {
  if (held_) return {};
  if (!archive.blobs.contains("exposure/decided") && !archive.blobs.contains("exposure/photos")) {
    // Written before there was any: it goes on as it began.
    decided_ = true;
    return {};
  }
  SPLAT_ASSIGN_OR_RETURN(const uint8_t decided, archive.get<uint8_t>("exposure/decided"));
  SPLAT_ASSIGN_OR_RETURN(const uint8_t active, archive.get<uint8_t>("exposure/active"));
  SPLAT_ASSIGN_OR_RETURN(deviation_stops_, archive.get<double>("exposure/deviation_stops"));
  SPLAT_ASSIGN_OR_RETURN(std::vector<Photo> photos, archive.get_array<Photo>("exposure/photos"));
  if (photos.size() != photos_.size()) return Error{"the checkpoint's entry 'exposure/photos' has the wrong size"};
  decided_ = decided != 0;
  active_ = active != 0;
  photos_ = std::move(photos);
  return {};
}

Status Exposures::measure(const TermInputs& inputs) {
  const auto measured_of = [&](const std::vector<int>& views) {
    return measure_exposures(inputs.backend, inputs.dataset, inputs.images, views, inputs.render);
  };
  SPLAT_ASSIGN_OR_RETURN(std::vector<MeasuredExposure> measured,
                         measured_of(first_views(inputs.config.planned_iterations)));
  const bool wanted = decide(inputs.dataset, measured);
  log::info("exposure: the photos differ by " + two_decimals(deviation_stops_) +
            " stops from those taken beside them; " +
            (wanted ? "a gain and a bias are trained for each" : "they are taken as they are"));
  if (!wanted) return {};
  if (measured.size() < training_.size()) {
    SPLAT_ASSIGN_OR_RETURN(measured, measured_of(training_));
  }
  start(measured);
  return {};
}

void Exposures::weigh(const TermIteration& now, Backend&, LossSettings& loss, SurfaceSettings&) {
  loss.colour = colour(now.view);
  if (stepped()) loss.late = false;  // the gradient belongs to this photo
}

void Exposures::step(const TermIteration& now, Backend&, const LossValue& loss) {
  if (stepped()) step(now.view, loss.v_colour, now.iteration, now.planned);
}

}  // namespace splat
