#include "viewer/draw/packed_splats.h"

#include <algorithm>
#include <cmath>

#include "splat/core/half.h"
#include "splat/math/activation.h"

namespace viewer {
namespace {

constexpr size_t kPackedChunk = 4096;         // splats
constexpr int kPlaneTexels[] = {0, 1, 3, 4};  // by SH degree

bool finite_row(const float* values, size_t count) {
  return std::all_of(values, values + count, [](float x) { return std::isfinite(x); });
}

void pack_geometry(const splat::Gaussians& in, size_t i, PackedSplats& out) {
  const float* quat = &in.quats[4 * i];
  const float norm = std::sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
  float* g = &out.geometry[8 * i];
  for (size_t c = 0; c < 3; ++c) {
    g[c] = in.means[3 * i + c];
    g[4 + c] = std::exp(in.log_scales[3 * i + c]);
  }
  g[3] = splat::math::sigmoid(in.logit_opacities[i]);
  for (size_t c = 0; c < 4; ++c) {
    const float unit = norm > 0 ? quat[c] / norm : float(c == 0);
    out.rotation[i][c] = uint16_t(std::lround(std::clamp(0.5f * (unit + 1), 0.0f, 1.0f) * 65535));
  }
  if (!finite_row(g, 8) || !std::isfinite(norm))
    std::fill(g, g + 8, 0.0f), out.rotation[i] = {65535, 32768, 32768, 32768};
}

void pack_colour(const splat::Gaussians& in, size_t i, PackedSplats& out) {
  const size_t coefficients = size_t(in.coefficients()), texels = out.texels_of(0);
  const float* sh = &in.sh[i * coefficients * 3];
  if (!finite_row(sh, coefficients * 3)) {
    out.geometry[8 * i + 3] = 0;
    return;
  }
  for (size_t k = 0; k < coefficients; ++k)
    for (size_t c = 0; c < 3; ++c) {
      const uint16_t half = splat::half_from_float(sh[3 * k + c]);
      if (out.plane_texels == 0)
        out.colours[0][i][c] = half;
      else
        out.colours[c][i * texels + k / 4][k % 4] = half;
    }
}

}  // namespace

PackedSplats pack_splats(const splat::Gaussians& gaussians, splat::ThreadPool& pool) {
  PackedSplats out;
  out.count = gaussians.size();
  out.sh_degree = gaussians.sh_degree;
  out.plane_texels = kPlaneTexels[gaussians.sh_degree];
  out.geometry.resize(8 * out.count);
  out.rotation.resize(out.count);
  for (size_t c = 0; c < 3; ++c) out.colours[c].resize(out.count * out.texels_of(c));
  pool.for_chunks(out.count, kPackedChunk, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      pack_geometry(gaussians, i, out);
      pack_colour(gaussians, i, out);
    }
  });
  return out;
}

}  // namespace viewer
