#include "splat/backend/reference/reference_rasteriser.h"

#include <algorithm>

#include "splat/backend/reference/raster_scene.h"
#include "splat/core/check.h"

namespace splat {
namespace reference {
namespace {

using math::Vec3;

// Gradients by the scene, summed over the cameras in double; empty where they are not wanted.
struct Sums {
  std::vector<double> means, quats, scales, covariances, opacities, sh, colours;

  template <class T>
  Sums(const raster::Scene<T>& scene, size_t colour_rows, const raster::SceneGradients<T>& out) {
    const size_t n = scene.splats;
    means.resize(out.means ? 3 * n : 0), quats.resize(out.quats ? 4 * n : 0), scales.resize(out.scales ? 3 * n : 0);
    covariances.resize(out.covariances ? 6 * n : 0), opacities.resize(out.opacities ? n : 0);
    sh.resize(out.sh ? 3 * n * size_t(scene.sh_coefficients) : 0);
    colours.resize(out.colours ? colour_rows * size_t(scene.channels) : 0);
  }
};
void add(std::vector<double>& to, size_t i, std::initializer_list<double> values) {
  if (to.empty()) return;
  double* at = to.data() + i * values.size();
  for (double v : values) *at++ += v;
}
template <class T>
void write(const std::vector<double>& from, T* to) {
  for (size_t i = 0; i < from.size(); ++i) to[i] = T(from[i]);
}

template <class T>
class ReferenceDrawn final : public raster::Drawn<T> {
 public:
  ReferenceDrawn(const raster::Call<T>& call, std::vector<RasterisedView> views)
      : call_(call), cameras_(call.cameras.begin(), call.cameras.end()), views_(std::move(views)) {
    call_.cameras = cameras_;
  }

  void backward_pictures(const raster::PictureGradients<T>& in, const raster::ScreenGradients<T>& out) override {
    const size_t n = call_.scene.splats;
    if (out.means2d) std::fill_n(out.means2d, 2 * n * views_.size(), T(0));
    if (out.means2d_abs) std::fill_n(out.means2d_abs, 2 * n * views_.size(), T(0));
    for (size_t camera = 0; camera < views_.size(); ++camera) {
      RasterisedView& view = views_[camera];
      rasterise_vjp(call_, camera, in, view);
      for (size_t s = 0; s < view.splats.size(); ++s) {
        const size_t row = camera * n + view.splats[s].index;
        const auto& v = view.gradients[s];
        if (out.means2d)
          out.means2d[2 * row] = T(v.screen.v_mean_px.x), out.means2d[2 * row + 1] = T(v.screen.v_mean_px.y);
        if (out.means2d_abs) out.means2d_abs[2 * row] = T(v.absolute.x), out.means2d_abs[2 * row + 1] = T(v.absolute.y);
      }
    }
  }

  void backward_scene(const T* v_means2d, const raster::SceneGradients<T>& out) override {
    const raster::Scene<T>& scene = call_.scene;
    Sums sums(scene, scene.splats * (scene.colours_by_camera ? views_.size() : 1), out);
    for (size_t camera = 0; camera < views_.size(); ++camera) {
      RasterisedView& view = views_[camera];
      math::CameraGradient<double> v_camera{};
      for (size_t s = 0; s < view.splats.size(); ++s) {
        if (v_means2d) {
          const T* v = v_means2d + 2 * (camera * scene.splats + view.splats[s].index);
          view.gradients[s].screen.v_mean_px = {double(v[0]), double(v[1])};
        }
        add_splat(camera, view, s, v_camera, sums);
      }
      const Vec3<double>& t = v_camera.v_translation;
      const double translation[3] = {t.x, t.y, t.z};
      for (size_t r = 0; r < 3 && out.cam_from_world; ++r) {
        T* to = out.cam_from_world + 12 * camera + 4 * r;
        for (size_t c = 0; c < 3; ++c) to[c] = T(v_camera.v_rotation.m[r][c]);
        to[3] = T(translation[r]);
      }
      for (size_t c = 0; c < size_t(scene.channels) && out.background; ++c)
        out.background[camera * size_t(scene.channels) + c] = T(view.v_background[c]);
    }
    write(sums.means, out.means), write(sums.quats, out.quats), write(sums.scales, out.scales);
    write(sums.covariances, out.covariances), write(sums.opacities, out.opacities), write(sums.sh, out.sh);
    write(sums.colours, out.colours);
  }

 private:
  // By the coefficients, and by the mean through the colour's direction.
  Vec3<double> add_colour(size_t camera, const RasterisedView& view, size_t s, Sums& sums) const {
    const raster::Scene<T>& scene = call_.scene;
    const size_t i = view.splats[s].index, n = size_t(scene.channels);
    const Channels& v_channels = view.gradients[s].v_channels;
    if (!scene.sh) {
      const size_t row = scene.colours_by_camera ? camera * scene.splats + i : i;
      for (size_t c = 0; c < n && !sums.colours.empty(); ++c) sums.colours[row * n + c] += v_channels[c];
      return {0, 0, 0};
    }
    const Channels& channels = view.splats[s].channels;
    Vec3<double> v{v_channels[0], v_channels[1], v_channels[2]};
    if (call_.settings.clamp_sh) v = math::colour_clamp_vjp({channels[0], channels[1], channels[2]}, v);
    const RasterSplatOf<T> splat{call_, i};
    const Vec3<double> direction = math::view_direction(splat.mean(), view.params.centre);
    double basis[math::kMaxCoefficients];
    math::sh_basis(scene.sh_degree, direction, basis);
    for (int k = 0; k < (scene.sh_degree + 1) * (scene.sh_degree + 1); ++k) {
      const Vec3<double> by_sh = basis[k] * v;
      add(sums.sh, i * size_t(scene.sh_coefficients) + size_t(k), {by_sh.x, by_sh.y, by_sh.z});
    }
    return math::colour_of_vjp_by_mean(view.params, scene.sh_degree, splat, direction, v);
  }

  void add_splat(size_t camera, const RasterisedView& view, size_t s, math::CameraGradient<double>& v_camera,
                 Sums& sums) const {
    const RasterisedSplat& splat = view.splats[s];
    const raster::Settings& settings = call_.settings;
    const Vec3<double> v_direction = add_colour(camera, view, s, sums);
    double v_z = 0;
    if (settings.depth != raster::Depth::kNone) v_z = view.gradients[s].v_channels[size_t(call_.scene.channels)];
    if (settings.depth == raster::Depth::kInverse) v_z *= -1 / (splat.projection.depth * splat.projection.depth);
    const math::RasterGradient<double> v = math::raster_gradient(
        view.params, raster::raster_rules(call_.scene, settings), RasterSplatOf<T>{call_, splat.index}.values(),
        view.gradients[s].screen, v_z, v_direction);
    if (!math::all_finite(v)) return;
    const math::Quat<double>& q = v.v_shape.quat;
    const math::Sym3<double>& k = v.v_shape.covariance;
    const Vec3<double> v_scale = settings.scale_modifier * v.v_shape.scale;
    add(sums.means, splat.index, {v.v_mean.x, v.v_mean.y, v.v_mean.z});
    add(sums.quats, splat.index, {q.w, q.x, q.y, q.z});
    add(sums.scales, splat.index, {v_scale.x, v_scale.y, v_scale.z});
    add(sums.covariances, splat.index, {k.xx, k.xy, k.xz, k.yy, k.yz, k.zz});
    add(sums.opacities, splat.index, {v.v_opacity});
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) v_camera.v_rotation.m[r][c] += v.camera.v_rotation.m[r][c];
    v_camera.v_translation = v_camera.v_translation + v.camera.v_translation;
  }

  raster::Call<T> call_;
  std::vector<raster::Camera> cameras_;
  std::vector<RasterisedView> views_;
};

template <class T>
class ReferenceRasteriser final : public raster::Rasteriser<T> {
 public:
  std::unique_ptr<raster::Drawn<T>> forward(const raster::Call<T>& call) override {
    SPLAT_CHECK(raster::check(call).ok());
    std::vector<RasterisedView> views;
    for (size_t camera = 0; camera < call.cameras.size(); ++camera) {
      RasterisedView view = rasterise(call, camera);
      if (call.keep) views.push_back(std::move(view));
    }
    if (!call.keep) return nullptr;
    return std::make_unique<ReferenceDrawn<T>>(call, std::move(views));
  }
};

}  // namespace
}  // namespace reference

template <class T>
std::unique_ptr<raster::Rasteriser<T>> make_reference_rasteriser() {
  return std::make_unique<reference::ReferenceRasteriser<T>>();
}
template std::unique_ptr<raster::Rasteriser<float>> make_reference_rasteriser();
template std::unique_ptr<raster::Rasteriser<double>> make_reference_rasteriser();

}  // namespace splat
