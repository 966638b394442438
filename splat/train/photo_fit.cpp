#include "splat/train/photo_fit.h"

#include <algorithm>
#include <cmath>

#include "splat/core/percentile.h"
#include "splat/math/background.h"
#include "splat/metrics/image_metrics.h"

namespace splat {
namespace {

// A modified z-score below -3.5 marks an outlier: Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993. 0.6745
// is the median absolute deviation of a normal distribution of deviation 1.
constexpr double kOutlier = 3.5, kDeviationOfNormal = 0.6745;
constexpr double kWorthAMark = 1;  // dB; where photos fit alike nothing is worth a mark

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const double upper = nth_value(values, values.size() / 2);
  return values.size() % 2 == 1 ? upper : (nth_value(values, values.size() / 2 - 1) + upper) / 2;
}

// Adds the view drawn last to the number of views that see each splat; more than two are not distinguished.
void count_sightings(Backend& backend, const TrainingImage& photo, Contributions& contributions,
                     std::vector<uint8_t>& sightings) {
  backend.read_contributions({photo.mask, 0}, contributions);
  for (size_t i = 0; i < sightings.size(); ++i)
    if (sightings[i] < 2 && contributions.weight_sum[i] >= kSeenWeight) ++sightings[i];
}

// The picture through the photo's colour, but for the background that the photo lies over.
void see_through(const PhotoColour& colour, const TrainingImage& photo, ImageF& picture) {
  const size_t pixels = picture.rgb.size() / 3;
  for (size_t c = 0; c < 3; ++c) {
    const double background = double(photo.background[c]);
    const double back = background - math::photo_colour(colour[c], background);
    for (size_t p = 0; p < pixels; ++p) {
      float& value = picture.rgb[c * pixels + p];
      const double seen = 255 * math::photo_colour(colour[c], double(value));
      const double alpha = photo.alpha.empty() ? 255 : double(photo.alpha[p]);
      value = float(math::over_other_background(seen, alpha, back) / 255);
    }
  }
}

}  // namespace

void rank_photos(TrainingFit& fit) {
  std::vector<double> values, deviations;
  for (const PhotoFit& photo : fit.photos) values.push_back(photo.psnr);
  fit.median = median_of(values);
  fit.psnr = 0;
  for (double value : values) {
    fit.psnr += value / double(values.size());
    deviations.push_back(std::abs(value - fit.median));
  }
  const double reach = std::max(kWorthAMark, kOutlier / kDeviationOfNormal * median_of(deviations));
  for (PhotoFit& photo : fit.photos) photo.poor = photo.psnr < fit.median - reach;
  std::stable_sort(fit.photos.begin(), fit.photos.end(),
                   [](const PhotoFit& a, const PhotoFit& b) { return a.psnr < b.psnr; });
}

Result<TrainingFit> measure_fit(Backend& backend, const FitRequest& request) {
  const std::vector<int> training = request.dataset.training_views();
  TrainingFit fit;
  fit.training_photos = training.size();
  const size_t count = std::min(request.most, training.size());
  std::vector<int> views;
  for (size_t i = 0; i < count; ++i) views.push_back(training[i * training.size() / count]);

  RenderSettings settings = request.render;
  settings.sh_degree = kMaxShDegree;
  const bool all = count == training.size();
  Confirmation confirmation;
  if (all) {
    SPLAT_ASSIGN_OR_RETURN(confirmation, Confirmation::of_held_out(backend, request.dataset, request.images, settings));
  }
  request.images.prefetch(views);

  std::vector<uint8_t> sightings(all ? backend.size() : 0);
  Contributions contributions;
  ImageF render;
  std::vector<float> depth;
  for (int index : views) {
    const DatasetView& view = request.dataset.views[size_t(index)];
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, request.images.get(index));
    View drawn = view.view();
    if (!request.cams_from_world.empty()) drawn.cam_from_world = request.cams_from_world[size_t(index)];
    backend.forward(drawn, settings);
    backend.read_image(render);
    PhotoFit& one = fit.photos.emplace_back();
    one.view = index;
    one.name = view.name;
    if (!request.colours.empty()) one.colour = request.colours[size_t(index)];
    see_through(one.colour, *photo, render);
    one.psnr = image_psnr(render, *photo);
    if (!all) continue;
    count_sightings(backend, *photo, contributions, sightings);
    if (confirmation.empty()) continue;
    backend.read_depth(DepthKind::kMedian, depth);
    confirmation.add(drawn, *photo, depth);
  }
  if (all && count > 0)
    fit.seen = {backend.size(), uint64_t(std::count(sightings.begin(), sightings.end(), 0)),
                uint64_t(std::count(sightings.begin(), sightings.end(), 1))};
  fit.held_out = confirmation.views();
  rank_photos(fit);
  return fit;
}

}  // namespace splat
