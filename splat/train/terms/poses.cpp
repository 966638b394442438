#include "splat/train/terms/poses.h"

#include <algorithm>

#include "splat/core/check.h"
#include "splat/core/log.h"
#include "splat/core/percentile.h"
#include "splat/optim/exponential_fall.h"
#include "splat/train/config.h"

namespace splat {
namespace {

constexpr double kFirstMove = 0.2, kLastMove = 0.8;  // of the run
constexpr double kDecidingShare = 0.02;              // of the run that deciding may cost
constexpr size_t kFewestDeciding = 4;                // photos that decide
constexpr double kReach = 12;                        // px, the sum of a photo's first rate over its steps
constexpr double kLargestRate = 0.3;                 // px a step
constexpr double kLastShare = 0.1;                   // of the first rate, at the end
constexpr double kWrongPx = 0.5;                     // median from which kAuto refines; our own

using World3 = std::array<double, 3>;

Rigid3 inverse(const Rigid3& pose) {
  Rigid3 out;
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c) out.rotation[3 * r + c] = pose.rotation[3 * c + r];
  out.translation = pose.origin_in_source();
  return out;
}

}  // namespace

const char* name_of(PoseMode mode) {
  switch (mode) {
    case PoseMode::kAuto:
      return "auto";
    case PoseMode::kOn:
      return "on";
    case PoseMode::kOff:
      return "off";
  }
  return "unknown";
}

Poses::Poses(PoseMode mode, const Dataset& dataset)
    : mode_(mode), training_(dataset.training_views()), photos_(dataset.views.size()) {
  for (size_t i = 0; i < photos_.size(); ++i) {
    given_.push_back(dataset.views[i].view());
    photos_[i].cam_from_world = given_[i].cam_from_world;
  }
}

bool Poses::due(int iteration, int iterations) const {
  const double start = std::max(kFirstMove * iterations, double(training_.size()));  // every photo was seen once
  return mode_ != PoseMode::kOff && !decided_ && training_.size() > 1 && iteration > start;
}

std::vector<int> Poses::first_views(int iterations) const {
  if (mode_ != PoseMode::kAuto) return {};
  const size_t affordable = size_t(kDecidingShare * iterations / kDecidingSteps);
  const size_t count = std::min(training_.size(), std::max(kFewestDeciding, affordable));
  std::vector<int> views;
  for (size_t i = 0; i < count; ++i) views.push_back(training_[i * training_.size() / count]);
  return views;
}

bool Poses::decide(std::vector<double> px) {
  decided_ = true;
  if (!px.empty()) median_px_ = median(std::move(px));
  active_ = mode_ == PoseMode::kOn || median_px_ > kWrongPx;
  return active_;
}

bool Poses::moves(int iteration, int iterations) const { return active_ && iteration <= kLastMove * iterations; }

std::vector<Rigid3> Poses::cams_from_world() const {
  std::vector<Rigid3> poses;
  if (active_)
    for (const Photo& photo : photos_) poses.push_back(photo.cam_from_world);
  return poses;
}

double Poses::moved_px(int view) const {
  const View& given = given_[size_t(view)];
  const Photo& photo = photos_[size_t(view)];
  if (!active_ || !(photo.depth > 0)) return 0;
  return splat::moved_px(given.camera, photo.depth, motion_between(given.cam_from_world, photo.cam_from_world));
}

void Poses::step(int view, const PoseGradient& gradient, int iteration, int iterations) {
  SPLAT_CHECK(active_);
  if (photos_[size_t(view)].depth > 0) move(view, gradient, iteration, iterations);
  if (iteration % int(training_.size()) == 0) remove_common_motion();
}

void Poses::move(int view, const PoseGradient& gradient, int iteration, int iterations) {
  Photo& photo = photos_[size_t(view)];
  const View& given = given_[size_t(view)];
  const double progress =
      std::clamp((double(iteration) / iterations - kFirstMove) / (kLastMove - kFirstMove), 0.0, 1.0);
  const double steps = (kLastMove - kFirstMove) * iterations / double(training_.size());  // that each photo takes
  const double first_rate = std::min(kReach / steps, kLargestRate);
  const double rate = exponential_fall(first_rate, kLastShare * first_rate, progress);
  photo.cam_from_world = moved(
      photo.cam_from_world, pose_step(photo.adam, gradient, motion_between(given.cam_from_world, photo.cam_from_world),
                                      pose_scale(given.camera, photo.depth), rate));
}

// The least-squares motion and scale of the world between the given poses and these; the turn by the cameras' turns,
// the rest by their centres.
void Poses::remove_common_motion() {
  const double count = double(training_.size());
  const auto centre_given = [&](int view) { return given_[size_t(view)].cam_from_world.origin_in_source(); };
  const auto centre_now = [&](int view) { return cam_from_world(view).origin_in_source(); };
  World3 middle{}, shift{}, turn{};
  for (int view : training_) {
    const World3 given = centre_given(view), now = centre_now(view);
    const RigidMotion world =
        motion_between(inverse(cam_from_world(view)), inverse(given_[size_t(view)].cam_from_world));
    for (size_t i = 0; i < 3; ++i) {
      middle[i] += given[i] / count;
      shift[i] += (now[i] - given[i]) / count;
      turn[i] += world.rotation[i] / count;
    }
  }
  double along = 0, spread = 0;
  for (int view : training_) {
    const World3 given = centre_given(view), now = centre_now(view);
    for (size_t i = 0; i < 3; ++i) {
      along += (given[i] - middle[i]) * (now[i] - given[i] - shift[i]);
      spread += (given[i] - middle[i]) * (given[i] - middle[i]);
    }
  }
  const double scale = spread > 0 ? 1 + along / spread : 1;
  const Rigid3 back = moved({}, {{0, 0, 0}, turn});  // of the world, about the middle
  for (int view : training_) {
    World3 centre = centre_now(view);
    for (size_t i = 0; i < 3; ++i) centre[i] = (centre[i] - middle[i] - shift[i]) / scale;
    centre = back * centre;
    for (size_t i = 0; i < 3; ++i) centre[i] += middle[i];
    Rigid3& pose = photos_[size_t(view)].cam_from_world;
    for (size_t r = 0; r < 3; ++r) {
      const World3 row = back * World3{pose.rotation[3 * r], pose.rotation[3 * r + 1], pose.rotation[3 * r + 2]};
      pose.translation[r] = 0;
      for (size_t c = 0; c < 3; ++c) pose.rotation[3 * r + c] = row[c], pose.translation[r] -= row[c] * centre[c];
    }
  }
}

void Poses::save(Archive& archive) const {
  archive.put("poses/decided", uint8_t(decided_));
  archive.put("poses/active", uint8_t(active_));
  archive.put("poses/median_px", median_px_);
  archive.put_array("poses/photos", std::span<const Photo>(photos_));
}

Status Poses::load(const Archive& archive) {
  if (!archive.blobs.contains("poses/decided") && !archive.blobs.contains("poses/photos")) {
    // Written before there was any: it goes on as it began.
    decided_ = true;
    return {};
  }
  SPLAT_ASSIGN_OR_RETURN(const uint8_t decided, archive.get<uint8_t>("poses/decided"));
  SPLAT_ASSIGN_OR_RETURN(const uint8_t active, archive.get<uint8_t>("poses/active"));
  SPLAT_ASSIGN_OR_RETURN(median_px_, archive.get<double>("poses/median_px"));
  SPLAT_ASSIGN_OR_RETURN(std::vector<Photo> photos, archive.get_array<Photo>("poses/photos"));
  if (photos.size() != photos_.size()) return Error{"the checkpoint's entry 'poses/photos' has the wrong size"};
  decided_ = decided != 0;
  active_ = active != 0;
  photos_ = std::move(photos);
  return {};
}

Status Poses::measure(const TermInputs& inputs) {
  const std::vector<int> views = first_views(inputs.config.planned_iterations);
  SPLAT_ASSIGN_OR_RETURN(const std::vector<PoseFit> fits,
                         align_poses(inputs.backend, {inputs.dataset, inputs.images, views, inputs.render,
                                                      kDecidingSteps, inputs.colours}));
  std::vector<double> px;
  for (const PoseFit& fit : fits) px.push_back(fit.moved_px);
  const bool wanted = decide(px);
  if (!px.empty())
    log::info("poses: cameras fit their photos best " + two_decimals(median_px_) + " px from where they are given" +
              (wanted ? "; they are refined" : "; they are taken as they are"));
  return {};
}

void Poses::place(int view, View& drawn) const { drawn.cam_from_world = cam_from_world(view); }

void Poses::weigh(const TermIteration& now, Backend& backend, LossSettings& loss, SurfaceSettings&) {
  if (!moves(now.iteration, now.planned)) return;
  loss.late = false;  // the gradient belongs to this photo
  if (!knows_depth(now.view)) set_depth(now.view, median_depth(backend));
}

void Poses::step(const TermIteration& now, Backend& backend, const LossValue&) {
  if (moves(now.iteration, now.planned)) step(now.view, backend.read_pose_gradient(), now.iteration, now.planned);
}

}  // namespace splat
