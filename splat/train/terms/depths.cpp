#include "splat/train/terms/depths.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "splat/core/check.h"
#include "splat/core/log.h"
#include "splat/core/percentile.h"
#include "splat/model/pixel.h"
#include "splat/optim/exponential_fall.h"
#include "splat/train/config.h"

namespace splat {
namespace {

constexpr double kFirstFit = 0.05;    // of the run, for photos with too few points
constexpr double kDrawn = 0.5;        // of a pixel's light, for its depth to count
constexpr size_t kPointsPerCell = 8;  // of the grid that finds what stands before other points
constexpr double kSameSurface = 1.1;  // depth over the least of the cell
constexpr size_t kMostPixels = 2000;  // of a view, that it is fitted to
constexpr size_t kMostNames = 10;

struct SeenPoint {
  size_t x, y;
  double depth;
};

// The points before the view, without what lies behind others: points hide nothing between them, so the nearest of a
// cell stands for a surface.
std::vector<SeenPoint> seen_points(const PointCloud& points, const View& view) {
  const PinholeCamera& camera = view.camera;
  std::vector<SeenPoint> seen;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto at = pixel_of(view, {points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]});
    if (at && is_in_frame(camera, *at)) seen.push_back({size_t(at->x), size_t(at->y), at->depth});
  }
  const size_t width = size_t(camera.width), height = size_t(camera.height);
  const size_t side = std::max<size_t>(
      1, size_t(std::sqrt(double(width) * double(height) * kPointsPerCell / double(std::max<size_t>(seen.size(), 1)))));
  const size_t columns = width / side + 1;
  std::vector<double> nearest(columns * (height / side + 1), INFINITY);
  const auto cell_of = [&](const SeenPoint& p) -> double& { return nearest[p.y / side * columns + p.x / side]; };
  for (const SeenPoint& p : seen) cell_of(p) = std::min(cell_of(p), p.depth);
  std::erase_if(seen, [&](const SeenPoint& p) { return p.depth > kSameSurface * cell_of(p); });
  return seen;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

float falling_weight(float first, float last, double share) {
  return first > 0 && last > 0 ? float(exponential_fall(first, last, share)) : share < 1 ? first : last;
}

}  // namespace

Depths::Depths(const Dataset& dataset, const TrainConfig& config, double extent)
    : first_weight_(config.depth_weight_first), last_weight_(config.depth_weight_last), extent_(float(extent)) {
  for (const int view : dataset.training_views())
    if (!dataset.views[size_t(view)].depth_path.empty()) photos_.push_back({0, 0, 0, State::kWaits, view});
}

const Depths::Photo* Depths::photo_of(int view) const {
  const auto at =
      std::lower_bound(photos_.begin(), photos_.end(), view, [](const Photo& p, int v) { return p.view < v; });
  return at != photos_.end() && at->view == view ? &*at : nullptr;
}

// Both readings of the maps, where it is not known which they hold: most photos decide.
void Depths::fit(const std::vector<Samples>& all) {
  std::vector<DepthFit> fits[2];
  double votes = 0;
  for (const Samples& s : all) {
    for (const bool is_depth : {false, true})
      fits[is_depth].push_back(known_ && is_depth != is_depth_ ? DepthFit{} : fit_depth(s.samples, is_depth));
    const DepthFit &inverse = fits[0].back(), &depth = fits[1].back();
    if (inverse.good != depth.good)
      votes += depth.good ? 1 : -1;
    else if (inverse.good)
      votes += depth.error < inverse.error ? 1 : -1;
  }
  if (!known_ && votes != 0) known_ = true, is_depth_ = votes > 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const DepthFit& fit = fits[is_depth_][i];
    Photo& photo = photos_[all[i].photo];
    photo.scale = fit.scale, photo.shift = fit.shift, photo.error = fit.error;
    photo.state = fit.good ? State::kFitted : State::kFailed;
  }
}

Status Depths::fit_to_points(const Dataset& dataset, ImageSource& images) {
  std::vector<Samples> all;
  for (size_t i = 0; i < photos_.size(); ++i) {
    const DatasetView& view = dataset.views[size_t(photos_[i].view)];
    Samples found{i, {}};
    const std::vector<SeenPoint> seen = seen_points(dataset.points, view.view());
    if (seen.size() < kFewestSamples) continue;
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(photos_[i].view));
    SPLAT_CHECK_EQ(photo->depth.size(), size_t(photo->width) * size_t(photo->height));
    for (const SeenPoint& p : seen)
      if (const uint16_t value = photo->depth[p.y * size_t(photo->width) + p.x]; value > 0)
        found.samples.push_back({value, 1 / p.depth});
    if (found.samples.size() >= kFewestSamples) all.push_back(std::move(found));
  }
  fit(all);
  return {};
}

bool Depths::due(int iteration, int iterations) const {
  return iteration > kFirstFit * iterations &&
         std::any_of(photos_.begin(), photos_.end(), [](const Photo& p) { return p.state == State::kWaits; });
}

Status Depths::fit_to_splats(Backend& backend, const Dataset& dataset, ImageSource& images,
                             const RenderSettings& render) {
  std::vector<Samples> all;
  std::vector<float> moments;
  for (size_t i = 0; i < photos_.size(); ++i) {
    if (photos_[i].state != State::kWaits) continue;
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(photos_[i].view));
    SPLAT_CHECK_EQ(photo->depth.size(), size_t(photo->width) * size_t(photo->height));
    backend.forward(dataset.views[size_t(photos_[i].view)].view(), render);
    backend.read_depth(DepthKind::kMoments, moments);
    Samples found{i, {}};
    const size_t pixels = photo->depth.size();
    for (size_t k = 0; k < pixels; k += 1 + pixels / kMostPixels)
      if (photo->depth[k] > 0 && double(moments[k]) >= kDrawn)
        found.samples.push_back({photo->depth[k], double(moments[k]) / double(moments[pixels + k])});
    all.push_back(std::move(found));
  }
  fit(all);
  return {};
}

bool Depths::needs_photo(int view) const {
  const Photo* fitted = photo_of(view);
  return fitted && fitted->state == State::kFitted;
}

DepthPrior Depths::prior(int view, const TrainingImage& photo) const {
  const Photo* fitted = photo_of(view);
  if (!fitted || fitted->state != State::kFitted) return {};
  // depth_feature() of a map's number, as the backends count it.
  return {photo.depth, is_depth_, float(is_depth_ ? fitted->scale : fitted->scale / 65535), float(fitted->shift)};
}

size_t Depths::fitted() const {
  return size_t(
      std::count_if(photos_.begin(), photos_.end(), [](const Photo& p) { return p.state == State::kFitted; }));
}

double Depths::median_error() const {
  std::vector<double> errors;
  for (const Photo& p : photos_)
    if (p.state == State::kFitted) errors.push_back(p.error);
  return median(errors);
}

double Depths::scale_deviation() const {
  std::vector<double> scales;
  for (const Photo& p : photos_)
    if (p.state == State::kFitted) scales.push_back(p.scale);
  const double middle = median(scales);
  for (double& s : scales) s = std::abs(s / middle - 1);
  return 1.4826 * median(scales);
}

std::vector<int> Depths::left_out() const {
  std::vector<int> views;
  for (const Photo& p : photos_)
    if (p.state == State::kFailed) views.push_back(p.view);
  return views;
}

std::vector<std::string> Depths::sentences(const Dataset& dataset) const {
  std::vector<std::string> out;
  const size_t photos = dataset.training_views().size(), fits = fitted();
  std::string text = "depths: " + std::to_string(maps()) + " of " + std::to_string(photos) + " photos have a map of " +
                     (is_depth_ ? "depths" : "inverse depths");
  if (fits > 0)
    text += ", " + std::to_string(fits) + " are fitted: half of their samples within " + percent(median_error()) +
            ", scales within " + percent(scale_deviation()) + " of each other";
  out.push_back(text);
  const std::vector<int> failed = left_out();
  if (failed.empty()) return out;
  text = "depths: " + std::to_string(failed.size()) + " do not fit the scene and are left out: ";
  for (size_t i = 0; i < std::min(failed.size(), kMostNames); ++i)
    text += (i ? ", " : "") + dataset.views[size_t(failed[i])].name;
  if (failed.size() > kMostNames) text += " and " + std::to_string(failed.size() - kMostNames) + " more";
  out.push_back(text);
  return out;
}

void Depths::save(Archive& archive) const {
  if (!any()) return;
  archive.put("depths/known", uint8_t(known_));
  archive.put("depths/is_depth", uint8_t(is_depth_));
  archive.put_array("depths/photos", std::span<const Photo>(photos_));
}

// A checkpoint from before there were any goes on as it began, without.
Status Depths::load(const Archive& archive) {
  if (!archive.blobs.contains("depths/photos")) {
    photos_.clear();
    return {};
  }
  SPLAT_ASSIGN_OR_RETURN(const uint8_t known, archive.get<uint8_t>("depths/known"));
  SPLAT_ASSIGN_OR_RETURN(const uint8_t is_depth, archive.get<uint8_t>("depths/is_depth"));
  SPLAT_ASSIGN_OR_RETURN(std::vector<Photo> photos, archive.get_array<Photo>("depths/photos"));
  bool same = photos.size() == photos_.size();
  for (size_t i = 0; same && i < photos.size(); ++i)
    same = photos[i].view == photos_[i].view && photos[i].state >= State::kWaits && photos[i].state <= State::kFailed;
  if (!same)
    return Error{
        "the checkpoint was made with depth maps of other photos than are there now: resume with the same "
        "--depths and the same files"};
  known_ = known != 0;
  is_depth_ = is_depth != 0;
  photos_ = std::move(photos);
  return {};
}

void Depths::report(const Dataset& dataset) const {
  for (const std::string& sentence : sentences(dataset)) log::info(sentence);
}

Status Depths::begin(const TermInputs& inputs) {
  if (!any()) return {};
  SPLAT_TRY(fit_to_points(inputs.dataset, inputs.images));
  report(inputs.dataset);
  return {};
}

Status Depths::measure(const TermInputs& inputs) {
  SPLAT_TRY(fit_to_splats(inputs.backend, inputs.dataset, inputs.images, inputs.render));
  report(inputs.dataset);
  return {};
}

void Depths::weigh(const TermIteration& now, Backend&, LossSettings&, SurfaceSettings& surface) {
  surface.depth = prior(now.view, *now.photo);
  if (surface.depth.values.empty()) return;
  surface.depth_weight =
      extent_ * falling_weight(first_weight_, last_weight_, double(now.iteration) / std::max(1, now.planned));
}

}  // namespace splat
