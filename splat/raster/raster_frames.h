// What the rasterisers of devices do alike on the host: a camera's part of the caller's arrays, what their kernels are
// given of a call, and frames that are used again. Scene and Args are a device's own (its raster_kernels.h), with
// fields of the same names.
#pragma once

#include <memory>
#include <vector>

#include "splat/raster/raster_view.h"

namespace splat::raster {

template <class T>
T* at_row(T* values, size_t row, size_t floats) {
  return values ? values + row * floats : nullptr;
}

template <class Scene>
Scene scene_of(const Call<float>& call, size_t camera) {
  const raster::Scene<float>& s = call.scene;
  using DepthChannel = decltype(Scene::depth);
  Scene out{};
  out.splats = decltype(out.splats)(s.splats);
  out.means = s.means, out.quats = s.quats, out.scales = s.scales, out.covariances = s.covariances;
  out.opacities = s.opacities, out.sh = s.sh;
  out.colours = at_row(s.colours, s.colours_by_camera ? camera * s.splats : 0, size_t(s.channels));
  out.rules = raster_rules(s, call.settings);
  out.scale_modifier = float(call.settings.scale_modifier);
  out.sh_coefficients = s.sh_coefficients, out.sh_degree = s.sh_degree, out.channels = s.channels;
  out.clamp_sh = call.settings.clamp_sh;
  out.depth = DepthChannel::kNone;
  if (call.settings.depth != Depth::kNone)
    out.depth = call.settings.depth == Depth::kInverse ? DepthChannel::kInverse : DepthChannel::kDepth;
  out.view = view_params<float>(call.cameras[camera], call.settings);
  return out;
}

// Where the chain puts a camera's gradients; `args` has its scene.
template <class Args>
void set_gradients(const Call<float>& call, size_t camera, const float* v_means2d, const SceneGradients<float>& out,
                   Args& args) {
  const size_t n = call.scene.splats;
  const bool colours_by_camera = call.scene.colours_by_camera;
  args.v_means2d = at_row(v_means2d, camera * n, 2);
  args.add = camera > 0;
  args.add_colours = camera > 0 && !colours_by_camera;
  args.v_means = out.means, args.v_opacities = out.opacities;
  if (call.scene.covariances)
    args.v_covariances = out.covariances;
  else
    args.v_quats = out.quats, args.v_scales = out.scales;
  args.v_sh = call.scene.sh ? out.sh : nullptr;
  if (call.scene.colours)
    args.v_colours = at_row(out.colours, colours_by_camera ? camera * n : 0, size_t(call.scene.channels));
}

// For calls without a camera: calls zero(values, count) for the gradients that there are.
template <class Zero>
void clear_gradients(const Scene<float>& scene, const SceneGradients<float>& out, const Zero& zero) {
  const auto clear = [&](float* values, size_t floats) {
    if (values && scene.splats) zero(values, scene.splats * floats);
  };
  clear(out.means, 3), clear(out.opacities, 1);
  if (scene.covariances)
    clear(out.covariances, 6);
  else
    clear(out.quats, 4), clear(out.scales, 3);
  if (scene.sh) clear(out.sh, 3 * size_t(scene.sh_coefficients));
  if (scene.colours && !scene.colours_by_camera) clear(out.colours, size_t(scene.channels));
}

// Frames that wait for their next use, without memory of a lender; the one that came last goes first.
template <class Frame>
using FramePool = std::vector<std::unique_ptr<Frame>>;

template <class Frame>
std::unique_ptr<Frame> take(FramePool<Frame>& pool, const Lender& lender) {
  std::unique_ptr<Frame> frame;
  if (!pool.empty()) {
    frame = std::move(pool.back());
    pool.pop_back();
  } else {
    frame = std::make_unique<Frame>();
  }
  if (lender) frame->use(lender);
  return frame;
}
template <class Frame>
void give_back(FramePool<Frame>& pool, std::unique_ptr<Frame> frame, const Lender& lender) {
  if (lender) frame->use({});
  pool.push_back(std::move(frame));
}

}  // namespace splat::raster
