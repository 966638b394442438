#include "splat/train/same_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "splat/metrics/image_metrics.h"
#include "splat/metrics/quantised.h"

namespace splat {
namespace {

constexpr float kMostTransmittance = 0.5f;  // of a pixel that is covered
constexpr double kLeastSeen = 1e-4;         // of the pixels
constexpr double kLeastExplained = 0.15;
constexpr double kGoodAnyway = 20;        // dB: photos in which hardly anything varies
constexpr double kLeastDeviation = 0.01;  // of colours

// Sums over values of pictures and photos, 0 to 1, in the covered pixels.
struct Sums {
  double counted = 0, seen = 0, covered = 0;  // pixels; seen: by opacity
  double squared_error = 0, variance = 0, our_variance = 0, explained = 0;

  // A gain for the photo and a bias for each channel, by least squares.
  void add(const ImageF& picture, const std::array<float, 3>& background, const std::vector<float>& transmittance,
           const TrainingImage& photo) {
    const size_t pixels = transmittance.size();
    std::vector<size_t> here;
    for (size_t p = 0; p < pixels; ++p) {
      if (!photo.counts(p)) continue;
      ++counted;
      seen += 1 - double(transmittance[p]);
      if (!(transmittance[p] < kMostTransmittance)) continue;
      here.push_back(p);
      squared_error += squared_error_at(picture, photo, p);
    }
    covered += double(here.size());
    double ours = 0, both = 0, theirs = 0;  // summed squares about the means
    for (size_t c = 0; c < 3 && !here.empty(); ++c) {
      const auto our = [&](size_t p) { return quantised(picture.rgb[c * pixels + p]); };
      const auto their = [&](size_t p) { return photo.rgb[c * pixels + p] / 255.0; };
      const auto splats = [&](size_t p) {  // their colour, without the background behind them
        const double t = transmittance[p];
        return (picture.rgb[c * pixels + p] - t * background[c]) / (1 - t);
      };
      double mean = 0, photo_mean = 0, splat_mean = 0;
      for (const size_t p : here) {
        mean += our(p) / double(here.size());
        photo_mean += their(p) / double(here.size());
        splat_mean += splats(p) / double(here.size());
      }
      for (const size_t p : here) {
        const double a = our(p) - mean, b = their(p) - photo_mean, own = splats(p) - splat_mean;
        ours += a * a, both += a * b, theirs += b * b, our_variance += own * own;
      }
    }
    variance += theirs;
    if (both > 0) explained += both * both / ours;
  }
};

}  // namespace

bool SceneMatch::same() const {
  if (photos == 0) return true;
  if (seen < kLeastSeen) return false;
  if (covered < kLeastSeen || deviation < kLeastDeviation) return true;  // a haze, or a shape alone: nobody can tell
  return explained >= kLeastExplained || psnr >= kGoodAnyway;
}

Result<SceneMatch> match_scene(Backend& backend, const SceneMatchRequest& request) {
  const std::span<const int> views = request.views;
  SceneMatch match;
  match.photos = std::min(views.size(), kPhotosCompared);
  RenderSettings render = request.render;
  render.sh_degree = kMaxShDegree;
  Sums sums;
  ImageF picture;
  std::vector<float> transmittance;
  for (size_t i = 0; i < match.photos; ++i) {
    const int view = views[i * views.size() / match.photos];
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, request.images.get(view));
    backend.forward(request.dataset.views[size_t(view)].view(), render);
    backend.read_image(picture);
    backend.read_transmittance(transmittance);
    sums.add(picture, render.background, transmittance, *photo);
  }
  if (sums.counted > 0) match.seen = sums.seen / sums.counted, match.covered = sums.covered / sums.counted;
  if (sums.variance > 0) match.explained = sums.explained / sums.variance;
  if (sums.covered > 0) {
    match.psnr = psnr_of(sums.squared_error / (3 * sums.covered));
    match.deviation = std::sqrt(sums.our_variance / (3 * sums.covered));
  }
  return match;
}

Status check_same_scene(Backend& backend, const SceneMatchRequest& request, const std::string& consequence) {
  SPLAT_ASSIGN_OR_RETURN(const SceneMatch match, match_scene(backend, request));
  if (match.same()) return {};
  const std::string photos = "the photos of '" + request.dataset.root.string() + "' do not show these splats: ";
  if (match.seen < kLeastSeen) return Error{photos + "no camera looks at them; " + consequence};
  const auto rounded = [](double value) { return std::to_string(std::lround(value)); };
  return Error{photos + "where those are, in " + rounded(std::ceil(100 * match.covered)) +
               " % of the pixels, they explain " + rounded(100 * match.explained) +
               " % of what varies in the photos (PSNR " + rounded(match.psnr) +
               " dB); it is another scene, or its coordinates are others; " + consequence};
}

}  // namespace splat
