#include "app/jobs/film/frame_drawer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/jobs/film/panorama.h"
#include "app/jobs/training/report/pictures.h"
#include "splat/core/stoppable_here.h"

namespace app {

using splat::CameraPose;
using splat::View;

namespace {

constexpr int kBlurSamples = 16;
constexpr double kEyeDistance = 1. / 30;  // of the distance to what the film is about

// Points that fill a square evenly, one after another (Roberts' R2); 0..1, the first in the middle.
std::array<double, 2> spread(int i) {
  constexpr double kPlastic = 1.32471795724474602596;
  const auto part = [&](double step) { return std::fmod(0.5 + step * i, 1.0); };
  return {part(1 / kPlastic), part(1 / (kPlastic * kPlastic))};
}

// Beside the camera, in its own frame, looking the same way; what lies `sharp` ahead keeps its place in the picture.
void move_sideways(View& view, double right, double down, double sharp) {
  view.cam_from_world.translation[0] -= right;
  view.cam_from_world.translation[1] -= down;
  view.camera.cx += float(double(view.camera.fx) * right / sharp);
  view.camera.cy += float(double(view.camera.fy) * down / sharp);
}

// Places of a lens that looks everywhere, of radius 1, its middle 0: from any side they fill a disc evenly.
std::array<double, 3> in_round_lens(int sample, int samples) {
  const double z = 1 - (2 * sample + 1.0) / samples, across = std::sqrt(1 - z * z);
  const double angle = sample * std::numbers::pi * (3 - std::sqrt(5.0));
  // As many within a radius as the density 1/sqrt(1 - r^2) has there, which is an even disc's by Abel.
  const double part = spread(sample)[1] * std::numbers::pi / 2;
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {
    const double r = (low + high) / 2;
    (std::asin(r) - r * std::sqrt(1 - r * r) < part ? low : high) = r;
  }
  return {low * across * std::cos(angle), low * across * std::sin(angle), low * z};
}

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

}  // namespace

FrameDrawer::FrameDrawer(splat::Backend& backend, const FilmPlan& plan, const FilmSettings& choices,
                         const splat::RenderSettings& look, int threads, splat::StopAsked stopped)
    : backend_(backend),
      plan_(plan),
      choices_(choices),
      stopped_(std::move(stopped)),
      look_(look),
      curve_(plan.path),
      pool_(threads) {
  path_rate_ = plan.seconds > 0 ? curve_.seconds() / plan.seconds : 0;
  samples_ = choices.samples > 0 ? choices.samples : choices.shutter > 0 || choices.aperture > 0 ? kBlurSamples : 1;
  look_.low_pass /= float(samples_);  // px^2: each is drawn as a part of a pixel is
  if (choices.transparent) look_.background = {0, 0, 0};
}

FrameDrawer::Sum FrameDrawer::empty(int width, int height) const {
  const size_t planes = choices_.transparent ? 4 : 3;
  return {width, height, std::vector<float>(planes * size_t(width) * size_t(height), 0.0f)};
}

CameraPose FrameDrawer::pose_at(int index, int sample) const {
  const double within = samples_ > 1 ? choices_.shutter * ((sample + 0.5) / samples_ - 0.5) : 0;
  return curve_.at(path_rate_ * (index + within) / plan_.per_second);
}

// How far ahead of the camera pictures are sharp and eyes meet: at the target, but never much nearer than that is away,
// where the camera turns aside from it.
double FrameDrawer::sharp_at(const View& view) const {
  const std::array<double, 3> target = view.cam_from_world * plan_.focus;
  return std::max({target[2], length(target) / 2, plan_.nearest_focus});
}

// Into drawn_, with the transmittance behind the colours where that is needed.
void FrameDrawer::draw_view(const View& view, int sample) {
  View moved = view;
  if (samples_ > 1) {
    const auto [x, y] = spread(sample);
    moved.camera.cx += float(0.5 - x), moved.camera.cy += float(0.5 - y);
  }
  if (samples_ > 1 && choices_.projection != "360") {
    const double angle = sample * std::numbers::pi * (3 - std::sqrt(5.0));  // Vogel's spiral fills the lens
    const double radius = choices_.aperture / 2 * std::sqrt((sample + 0.5) / samples_);
    move_sideways(moved, radius * std::cos(angle), radius * std::sin(angle), sharp_at(view));
  }
  splat::end_if(stopped_);
  backend_.forward(moved, look_);
  backend_.read_image(drawn_);
  if (choices_.transparent) {
    backend_.read_transmittance(transmittance_);
    drawn_.rgb.insert(drawn_.rgb.end(), transmittance_.begin(), transmittance_.end());
  }
}

// Draws the view into the columns from `left` on.
void FrameDrawer::add_view(const View& view, int sample, int left, Sum& sum) {
  draw_view(view, sample);
  const size_t width = size_t(view.camera.width), all = size_t(sum.width);
  const float weight = 1 / float(samples_);
  for (size_t row = 0; row < drawn_.rgb.size() / width; ++row)
    for (size_t x = 0; x < width; ++x) sum.rgb[row * all + size_t(left) + x] += weight * drawn_.rgb[row * width + x];
}

void FrameDrawer::add_eyes(const CameraPose& pose, int sample, Sum& sum) {
  const int half = plan_.width / 2;
  for (const int eye : {0, 1}) {
    View view = splat::view_of(pose, half, plan_.height);
    const double sharp = sharp_at(view);
    move_sideways(view, (eye - 0.5) * kEyeDistance * sharp, 0, sharp);
    add_view(view, sample, eye * half, sum);
  }
}

void FrameDrawer::add_faces(const splat::Rigid3& pose, int sample, std::array<Sum, 6>& faces) {
  for (int face = 0; face < 6; ++face)
    add_view(face_view(pose, face, faces[size_t(face)].width), sample, 0, faces[size_t(face)]);
}

// With a lens each sample is a panorama of its own, drawn from another place and turned to what is sharp: a sphere
// through the target, in all squares alike.
FrameDrawer::Sum FrameDrawer::all_around(int index) {
  const int side = face_side(plan_.width);
  Panorama shape{plan_.width, plan_.height, side, choices_.transparent ? 4 : 3, {}};
  std::array<Sum, 6> faces;
  std::vector<float> one;
  Sum all = empty(plan_.width, plan_.height);
  const auto begin_faces = [&] { std::fill(faces.begin(), faces.end(), empty(side, side)); };
  const auto add_panorama = [&] {
    resample(shape, faces, one, pool_);
    for (size_t i = 0; i < one.size(); ++i) all.rgb[i] += one[i];
  };
  begin_faces();
  for (int sample = 0; sample < samples_; ++sample) {
    splat::Rigid3 pose = splat::view_of(pose_at(index, sample), 16, 16).cam_from_world;
    if (choices_.aperture > 0) {
      const double sharp = std::max(length(pose * plan_.focus), plan_.nearest_focus);
      shape.from = in_round_lens(sample, samples_);
      for (size_t c = 0; c < 3; ++c) {
        pose.translation[c] -= choices_.aperture / 2 * shape.from[c];
        shape.from[c] *= choices_.aperture / 2 / sharp;
      }
    }
    add_faces(pose, sample, faces);
    if (choices_.aperture > 0) add_panorama(), begin_faces();
  }
  if (choices_.aperture == 0) add_panorama();
  return all;
}

std::vector<uint16_t> FrameDrawer::depth_of(int index) {
  if (samples_ > 1) {
    const CameraPose pose = curve_.at(path_rate_ * index / plan_.per_second);
    backend_.forward(splat::view_of(pose, plan_.width, plan_.height), look_);
  }
  std::vector<float> depth;
  backend_.read_depth(splat::DepthKind::kMedian, depth);
  std::vector<uint16_t> steps(depth.size());
  for (size_t i = 0; i < depth.size(); ++i)
    if (depth[i] > 0) steps[i] = uint16_t(std::clamp(std::round(double(depth[i]) / plan_.depth_unit), 1.0, 65535.0));
  return steps;
}

splat::Image8 FrameDrawer::image_of(const splat::ImageF& picture) const {
  if (!choices_.transparent) return to_image8(picture);
  const size_t pixels = size_t(picture.width) * size_t(picture.height);
  splat::Image8 image{picture.width, picture.height, 4, std::vector<uint8_t>(4 * pixels)};
  for (size_t i = 0; i < pixels; ++i) {
    const float alpha = std::clamp(1 - picture.rgb[3 * pixels + i], 0.0f, 1.0f);
    for (size_t c = 0; c < 3; ++c) {
      const float straight = alpha > 0 ? picture.rgb[c * pixels + i] / alpha : 0;
      image.pixels[4 * i + c] = uint8_t(std::lround(std::clamp(straight, 0.0f, 1.0f) * 255));
    }
    image.pixels[4 * i + 3] = uint8_t(std::lround(alpha * 255));
  }
  return image;
}

FrameDrawer::Sum FrameDrawer::mean_of_samples(int index) {
  Sum sum = empty(plan_.width, plan_.height);
  for (int sample = 0; sample < samples_; ++sample) {
    const CameraPose pose = pose_at(index, sample);
    if (choices_.projection == "stereo")
      add_eyes(pose, sample, sum);
    else
      add_view(splat::view_of(pose, plan_.width, plan_.height), sample, 0, sum);
  }
  return sum;
}

FilmPicture FrameDrawer::draw(int index) {
  const splat::StoppableHere stoppable(stopped_);
  FilmPicture picture{index, {}, {}};
  if (samples_ == 1 && choices_.projection == "normal") {
    draw_view(splat::view_of(pose_at(index, 0), plan_.width, plan_.height), 0);
    picture.image = image_of(drawn_);
  } else {
    picture.image = image_of(choices_.projection == "360" ? all_around(index) : mean_of_samples(index));
  }
  if (choices_.depth) picture.depth = depth_of(index);
  return picture;
}

}  // namespace app
