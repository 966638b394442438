// Reading a call's arrays in double, and what the reference rasteriser keeps of a view.
#pragma once

#include <array>
#include <vector>

#include "splat/math/raster_chain.h"
#include "splat/raster/raster_view.h"

namespace splat::reference {

// Colours, then depth.
using Channels = std::array<double, raster::kMaxChannels + 1>;

// One splat as splat/math reads it.
template <class T>
struct RasterSplatOf {
  const raster::Call<T>& call;
  size_t i;

  math::Vec3<double> vec3_at(const T* values) const {
    return {double(values[3 * i]), double(values[3 * i + 1]), double(values[3 * i + 2])};
  }
  math::Vec3<double> mean() const { return vec3_at(call.scene.means); }
  math::Vec3<double> sh(int k) const {
    const T* values = call.scene.sh + 3 * (i * size_t(call.scene.sh_coefficients) + size_t(k));
    return {double(values[0]), double(values[1]), double(values[2])};
  }
  math::RasterSplat<double> values() const {
    math::RasterSplat<double> out{mean(), {}, double(call.scene.opacities[i])};
    if (const T* s = call.scene.covariances) {
      s += 6 * i;
      out.shape.covariance = {double(s[0]), double(s[1]), double(s[2]), double(s[3]), double(s[4]), double(s[5])};
      return out;
    }
    const T* q = call.scene.quats + 4 * i;
    out.shape.quat = {double(q[0]), double(q[1]), double(q[2]), double(q[3])};
    out.shape.scale = call.settings.scale_modifier * vec3_at(call.scene.scales);
    return out;
  }
};

struct RasterisedSplat {
  size_t index;
  math::Projection<double> projection;
  double opacity;  // as blended
  math::WeightForm<double> weight;
  Channels channels;
  math::TileSpan<double> columns, rows;  // of tiles that may show it
};

struct RasterisedView {
  math::ViewParams<double> params;
  std::vector<RasterisedSplat> splats;  // visible ones, by depth
  // By pixel.
  std::vector<Channels> sums;  // background included
  std::vector<double> transmittance;
  // After the first half of the backward pass.
  struct Gradient {
    math::SplatGradient<double> screen;  // without colours
    Channels v_channels;
    math::Vec2<double> absolute;
  };
  std::vector<Gradient> gradients;  // like splats
  Channels v_background{};
};

template <class T>
int channels_of(const raster::Call<T>& call) {
  return call.scene.channels + (call.settings.depth != raster::Depth::kNone);
}

// Projects and blends; writes the pictures.
template <class T>
RasterisedView rasterise(const raster::Call<T>& call, size_t camera);

// Fills gradients and v_background.
template <class T>
void rasterise_vjp(const raster::Call<T>& call, size_t camera, const raster::PictureGradients<T>& in,
                   RasterisedView& view);

}  // namespace splat::reference
