// The stages of rasterising arrays of others (cpu_rasteriser.h) that training has not: projection out of such arrays,
// sums by splat, the chain rule back to the arrays, and what is counted by pixel. As in kernels.h, compiled once per
// SIMD level, plain data in and out. Channels are blended three or four at a time, a group; depth is the last of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/backend/cpu/records.h"
#include "splat/math/raster_chain.h"

namespace splat::cpu {

struct BlendArgs;

enum class DepthChannel : int { kNone, kDepth, kInverse };

// A raster::Scene, as one camera sees it.
struct RasterScene {
  size_t splats = 0;
  const float *means = nullptr, *quats = nullptr, *scales = nullptr, *covariances = nullptr, *opacities = nullptr;
  const float *sh = nullptr, *colours = nullptr;
  math::RasterRules rules;
  float scale_modifier = 1;
  int sh_coefficients = 0, sh_degree = 0, channels = 0;  // channels: without depth
  bool clamp_sh = true;
  DepthChannel depth = DepthChannel::kNone;
  math::ViewParams<float> view;
};

struct RasterProjectArgs {
  RasterScene scene;
  float radius_clip = 0;
  bool squares = false;  // three sigma: radii and visibility are those of math::square_tiles()
  int tiles_x = 0, tiles_y = 0;
  SplatRecord* records = nullptr;
  float* depths = nullptr;
  uint16_t* visible_bits = nullptr;
  uint32_t* chunk_visible = nullptr;
  uint32_t* chunk_rows = nullptr;
  float* channels = nullptr;  // [records][stride]; null: one group, which lies in the records
  int channel_stride = 0;     // floats, of all groups
  // [splats] of this camera, or null.
  float *means2d = nullptr, *out_depths = nullptr, *conics = nullptr, *compensations = nullptr;
  int32_t* radii = nullptr;
};

// A record has those by mean_px 2, conic 3 and opacity, then by the channels. Until the last group: moments in their
// place.
inline constexpr int kRasterGeometryFloats = 6;
constexpr int raster_gradient_floats(int channels) { return (kRasterGeometryFloats + channels + 3) / 4 * 4; }

struct RasterSumArgs {
  const SplatRecord* records = nullptr;
  const float* moments = nullptr;          // [rows][kInstanceFloats] of this group
  const float* absolute = nullptr;         // [rows][2] of all groups together; null: not wanted
  const uint32_t* instance_row = nullptr;  // of moments, from this chunk's first instance on
  const uint32_t* first_instance = nullptr;
  const uint16_t* visible_bits = nullptr;  // of this chunk, as are the following
  int first_channel = 0, channels = 3;     // of the group
  bool last = false, clamped = false;      // clamped: the first three are colours of SH behind their clamp
  float* gradients = nullptr;              // [records][stride]
  int stride = 0;
  float *v_means2d = nullptr, *v_absolute = nullptr;  // [splats,2] or null
  size_t splats = 0;                                  // of the chunk
};

struct RasterChainArgs {
  RasterScene scene;
  const uint16_t* visible_bits = nullptr;
  const float* gradients = nullptr;  // [records][stride]
  int stride = 0;
  const float* v_means2d = nullptr;  // [splats,2] in place of those of the gradients, or null
  bool add = false;                  // to what is there: not the first camera
  bool add_colours = false;
  // Like the scene's arrays, or null.
  float *v_means = nullptr, *v_quats = nullptr, *v_scales = nullptr, *v_covariances = nullptr, *v_opacities = nullptr;
  float *v_sh = nullptr, *v_colours = nullptr;
  double (*v_camera)[12] = nullptr;  // [chunks] by [R|t]
};

// Sums over an instance's pixels of absolute values of the gradient by its mean.
struct RasterAbsoluteArgs {
  const BlendArgs* blend = nullptr;  // its image and v_image of all channels
  const float* channels = nullptr;   // of record r from channels + r stride on
  size_t stride = 0;
  int count = 0;
  float* absolute = nullptr;  // [rows][2]
};

struct RasterTouchedArgs {
  const BlendArgs* blend = nullptr;
  uint32_t* touched = nullptr;  // by record, added to
};

}  // namespace splat::cpu
