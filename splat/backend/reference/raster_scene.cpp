#include "splat/backend/reference/raster_scene.h"

#include <algorithm>

#include "splat/math/blend.h"

namespace splat::reference {
namespace {

using math::Vec2;
using math::Vec3;

template <class T>
Channels channels_at(const raster::Call<T>& call, size_t camera, size_t i, const math::ViewParams<double>& view,
                     double depth) {
  const raster::Scene<T>& scene = call.scene;
  const size_t n = size_t(scene.channels);
  Channels out{};
  if (scene.sh) {
    Vec3<double> colour = math::unclamped_colour_of(view, scene.sh_degree, RasterSplatOf<T>{call, i});
    if (call.settings.clamp_sh) colour = math::clamp_colour(colour);
    out[0] = colour.x, out[1] = colour.y, out[2] = colour.z;
  } else {
    const size_t row = scene.colours_by_camera ? camera * scene.splats + i : i;
    for (size_t c = 0; c < n; ++c) out[c] = double(scene.colours[row * n + c]);
  }
  if (call.settings.depth != raster::Depth::kNone)
    out[n] = call.settings.depth == raster::Depth::kInverse ? 1 / depth : depth;
  return out;
}

// By camera and splat.
template <class T>
void write_splat(const raster::Call<T>& call, size_t row, const math::Footprint<double>& f) {
  const raster::Pictures<T>& out = call.pictures;
  const math::Projection<double>& p = f.projection;
  if (out.means2d) out.means2d[2 * row] = T(p.mean_px.x), out.means2d[2 * row + 1] = T(p.mean_px.y);
  if (out.depths) out.depths[row] = T(p.depth);
  if (out.conics)
    out.conics[3 * row] = T(p.conic.xx), out.conics[3 * row + 1] = T(p.conic.xy),
                   out.conics[3 * row + 2] = T(p.conic.yy);
  if (out.compensations)
    out.compensations[row] = call.settings.compensation == raster::Compensation::kNone ? T(1) : T(p.compensation);
}

template <class T>
void clear_splats(const raster::Call<T>& call, size_t camera) {
  const raster::Pictures<T>& out = call.pictures;
  const size_t n = call.scene.splats;
  if (out.means2d) std::fill_n(out.means2d + 2 * n * camera, 2 * n, T(0));
  if (out.depths) std::fill_n(out.depths + n * camera, n, T(0));
  if (out.conics) std::fill_n(out.conics + 3 * n * camera, 3 * n, T(0));
  if (out.compensations) std::fill_n(out.compensations + n * camera, n, T(0));
  if (out.radii) std::fill_n(out.radii + 2 * n * camera, 2 * n, 0);
  if (out.touched) std::fill_n(out.touched + n * camera, n, 0);
}

// Adds the splat where it is visible.
template <class T>
void project(const raster::Call<T>& call, size_t camera, size_t i, RasterisedView& view) {
  const raster::Settings& s = call.settings;
  const math::Footprint<double> f =
      math::raster_footprint(view.params, raster_rules(call.scene, s), RasterSplatOf<T>{call, i}.values());
  const Vec2<double> mean = f.projection.mean_px;
  constexpr int kTile = math::kTileSize;
  const int tiles_x = (s.width + kTile - 1) / kTile, tiles_y = (s.height + kTile - 1) / kTile;
  Vec2<double> radii = math::seen_radii(f.projection.covariance, f.opacity);
  math::TileSpan<double> columns{0, double(tiles_x - 1)}, rows{0, double(tiles_y - 1)};
  bool counted = f.in_view, drawn = f.in_view;
  if (s.footprint == raster::Footprint::kThreeSigma) {
    radii.x = radii.y = math::square_radius(f.projection.covariance);
    columns = math::square_tiles(mean.x, radii.x, tiles_x), rows = math::square_tiles(mean.y, radii.y, tiles_y);
    counted = f.projection.valid && columns.first <= columns.last && rows.first <= rows.last;
  }
  const bool large = radii.x > s.radius_clip || radii.y > s.radius_clip;
  const size_t row = camera * call.scene.splats + i;
  if (call.pictures.radii && counted && large)
    call.pictures.radii[2 * row] = int32_t(radii.x), call.pictures.radii[2 * row + 1] = int32_t(radii.y);
  if (!drawn || !counted || !large) return;
  const Channels channels = channels_at(call, camera, i, view.params, f.projection.depth);
  if (call.scene.sh && !math::all_finite(Vec3<double>{channels[0], channels[1], channels[2]})) return;
  write_splat(call, row, f);
  view.splats.push_back(
      {i, f.projection, f.opacity, math::weight_form(f.projection.conic, f.opacity), channels, columns, rows});
}

// What the splat adds to a pixel.
struct Sample {
  Vec2<double> offset;
  math::GaussianWeight<double> weight;
};
Sample sample(const RasterisedSplat& splat, const raster::Settings& settings, size_t pixel) {
  const size_t x = pixel % size_t(settings.width), y = pixel / size_t(settings.width);
  const size_t tile_x = x / math::kTileSize, tile_y = y / math::kTileSize;
  const double column = double(tile_x), row = double(tile_y);
  const Vec2<double> d{double(x) + 0.5 - splat.projection.mean_px.x, double(y) + 0.5 - splat.projection.mean_px.y};
  if (column < splat.columns.first || column > splat.columns.last || row < splat.rows.first || row > splat.rows.last)
    return {d, {0, false}};
  return {d, math::gaussian_weight(d, splat.weight, settings.alpha_max)};
}

template <class T>
size_t colour_at(const raster::Call<T>& call, size_t camera, size_t pixel, size_t channel) {
  const size_t pixels = size_t(call.settings.width) * size_t(call.settings.height), n = size_t(call.scene.channels);
  return call.settings.channels_first ? (camera * n + channel) * pixels + pixel
                                      : (camera * pixels + pixel) * n + channel;
}

template <class T>
void blend(const raster::Call<T>& call, size_t camera, size_t pixel, RasterisedView& view) {
  const raster::Settings& settings = call.settings;
  const size_t all = size_t(channels_of(call)), n = size_t(call.scene.channels);
  Channels& sums = view.sums[pixel];
  double transmittance = 1;
  for (const RasterisedSplat& splat : view.splats) {
    if (!math::is_live(transmittance)) break;
    const auto step = math::blend_step_and_mask(transmittance, sample(splat, settings, pixel).weight.alpha,
                                                settings.transmittance_stop);
    for (size_t c = 0; c < all; ++c) sums[c] += step.weight * splat.channels[c];
    if (call.pictures.touched && step.weight > 0 && transmittance > 0.5)
      ++call.pictures.touched[camera * call.scene.splats + splat.index];
  }
  const double final_t = view.transmittance[pixel] = math::final_transmittance(transmittance);
  for (size_t c = 0; c < n && call.background; ++c) sums[c] += final_t * double(call.background[camera * n + c]);
  const raster::Pictures<T>& out = call.pictures;
  const size_t at = camera * view.sums.size() + pixel;
  for (size_t c = 0; c < n && out.colour; ++c) out.colour[colour_at(call, camera, pixel, c)] = T(sums[c]);
  if (out.alpha) out.alpha[at] = T(1 - final_t);
  if (out.depth)
    out.depth[at] =
        T(settings.depth == raster::Depth::kExpected ? math::expected_depth(sums[n], 1 - final_t) : sums[n]);
}

// The gradients by a pixel's channels, and by its final transmittance.
struct PixelGradient {
  Channels v_channels{};
  double v_transmittance = 0;
};
template <class T>
PixelGradient pixel_gradient(const raster::Call<T>& call, size_t camera, size_t pixel,
                             const raster::PictureGradients<T>& in, const RasterisedView& view) {
  PixelGradient out;
  const size_t n = size_t(call.scene.channels), at = camera * view.sums.size() + pixel;
  for (size_t c = 0; c < n && in.colour; ++c) out.v_channels[c] = double(in.colour[colour_at(call, camera, pixel, c)]);
  if (in.alpha) out.v_transmittance = -double(in.alpha[at]);
  if (!in.depth || call.settings.depth == raster::Depth::kNone) return out;
  out.v_channels[n] = double(in.depth[at]);
  if (call.settings.depth == raster::Depth::kExpected) {
    const auto v = math::expected_depth_vjp(view.sums[pixel][n], 1 - view.transmittance[pixel], double(in.depth[at]));
    out.v_channels[n] = v.v_sum;
    out.v_transmittance -= v.v_alpha;
  }
  return out;
}

}  // namespace

template <class T>
RasterisedView rasterise(const raster::Call<T>& call, size_t camera) {
  RasterisedView view;
  view.params = raster::view_params<double>(call.cameras[camera], call.settings);
  clear_splats(call, camera);
  for (size_t i = 0; i < call.scene.splats; ++i) project(call, camera, i, view);
  std::stable_sort(view.splats.begin(), view.splats.end(), [](const RasterisedSplat& a, const RasterisedSplat& b) {
    return a.projection.depth < b.projection.depth;
  });
  const size_t pixels = size_t(call.settings.width) * size_t(call.settings.height);
  view.sums.resize(pixels);
  view.transmittance.resize(pixels);
  for (size_t pixel = 0; pixel < pixels; ++pixel) blend(call, camera, pixel, view);
  return view;
}

template <class T>
void rasterise_vjp(const raster::Call<T>& call, size_t camera, const raster::PictureGradients<T>& in,
                   RasterisedView& view) {
  const size_t all = size_t(channels_of(call));
  std::vector<math::SplatMoments<double>> moments(view.splats.size(), math::zero_moments<double>());
  view.gradients.assign(view.splats.size(), {});
  for (size_t pixel = 0; pixel < view.sums.size(); ++pixel) {
    const PixelGradient g = pixel_gradient(call, camera, pixel, in, view);
    double transmittance = 1, behind = g.v_transmittance * view.transmittance[pixel];
    for (size_t c = 0; c < all; ++c) behind += g.v_channels[c] * view.sums[pixel][c];
    for (size_t c = 0; c < all; ++c) view.v_background[c] += g.v_channels[c] * view.transmittance[pixel];
    for (size_t i = 0; i < view.splats.size() && math::is_live(transmittance); ++i) {
      const RasterisedSplat& splat = view.splats[i];
      const Sample s = sample(splat, call.settings, pixel);
      double h = 0;
      for (size_t c = 0; c < all; ++c) h += splat.channels[c] * g.v_channels[c];
      const auto step = math::blend_step_vjp(transmittance, behind, s.weight.alpha, math::alpha_odds(s.weight.alpha),
                                             s.weight.unclamped, h, call.settings.transmittance_stop);
      math::add_moments(moments[i], math::offset_products(s.offset), step.w, step.weight, {0, 0, 0});
      const math::Sym2<double>& k = splat.projection.conic;
      RasterisedView::Gradient& v = view.gradients[i];
      for (size_t c = 0; c < all; ++c) v.v_channels[c] += step.weight * g.v_channels[c];
      v.absolute.x += std::abs(step.w * (k.xx * s.offset.x + k.xy * s.offset.y));
      v.absolute.y += std::abs(step.w * (k.xy * s.offset.x + k.yy * s.offset.y));
    }
  }
  for (size_t i = 0; i < view.splats.size(); ++i)
    view.gradients[i].screen =
        math::moments_to_gradients(moments[i], view.splats[i].projection.conic, view.splats[i].opacity);
}

template RasterisedView rasterise(const raster::Call<float>&, size_t);
template RasterisedView rasterise(const raster::Call<double>&, size_t);
template void rasterise_vjp(const raster::Call<float>&, size_t, const raster::PictureGradients<float>&,
                            RasterisedView&);
template void rasterise_vjp(const raster::Call<double>&, size_t, const raster::PictureGradients<double>&,
                            RasterisedView&);

}  // namespace splat::reference
