// The work of each stage on one piece (chunk of splats, tile, strip of rows), compiled once per SIMD level. Pieces are
// independent: cpu_backend.cpp spreads them over threads. Plain data in and out, so that no inline code of other
// headers ends up compiled with a level's instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/backend/adam_step.h"
#include "splat/backend/contribution_sum.h"
#include "splat/backend/cpu/raster_kernels.h"
#include "splat/backend/cpu/records.h"
#include "splat/math/dropout.h"
#include "splat/math/photo_colour.h"
#include "splat/math/project.h"
#include "splat/math/row_bounds.h"
#include "splat/math/row_look.h"

namespace splat::cpu {

struct ProjectArgs {
  const float* parameters = nullptr;  // SplatBlocks
  size_t block_floats = 0, splats = 0;
  math::ViewParams<float> view;
  math::Sides<float> sides;                  // of the view
  math::RowBounds<float>* bounds = nullptr;  // by kBoundedSplats; found where they are not known
  int sh_degree = 0;
  bool antialias = false;
  math::Dropout dropout;
  const uint8_t* looks = nullptr;  // [splats] math::RowLook; null: all as they are
  math::Tints tints{};
  int tiles_y = 0;
  SplatRecord* records = nullptr;
  float* depths = nullptr;
  uint16_t* visible_bits = nullptr;
  uint32_t* chunk_visible = nullptr;
  uint32_t* chunk_rows = nullptr;
};

struct BinArgs {
  const SplatRecord* records = nullptr;
  int tiles_x = 0, tiles_y = 0;
  bool squares = false;        // only tiles that math::square_tiles() has of the record's radius
  int32_t* scratch = nullptr;  // [2][tiles_y][16], of this thread
  TileRow* rows = nullptr;     // of this chunk
  uint32_t* first_instance = nullptr;
  uint32_t* tile_counts = nullptr;  // [tiles] added to
};
struct BinResult {
  uint32_t rows, instances;
};

// How far apart in depth splats as planes lie (math/distortion.h). Rays: (x/z, y/z, 1) = (px - centre) / focal length.
struct DistortionArgs {
  float* sums =
      nullptr;  // [2][plane] origins and sums of blend_forward; then by_weight and by_offset; null: not wanted
  const float* means = nullptr;  // [plane] backward only
  float inv_fx = 0, inv_fy = 0, cx = 0, cy = 0;
};

struct BlendArgs {
  ImageSize size;
  const SplatRecord* records = nullptr;
  const uint64_t* entries = nullptr;  // sorted
  const uint32_t* tile_first = nullptr;
  uint32_t* tile_end = nullptr;
  uint8_t* block_masks = nullptr;         // [entries][mask_bytes(lanes)]
  uint32_t* tile_contributing = nullptr;  // forward: entries of the tile that contribute to a pixel
  float alpha_max = float(math::kAlphaMax), transmittance_stop = float(math::kTransmittanceStop);
  float background[4] = {};
  float* image = nullptr;
  float* transmittance = nullptr;
  DistortionArgs distortion;  // of planes in the place of colours
  bool four = false;          // a fourth channel, SplatRecord::radius, in a plane and moments behind the others
  // Backward only.
  const float* v_image = nullptr;
  const float* v_transmittance = nullptr;    // [plane] by the final transmittance; null: 0
  const uint32_t* tile_first_row = nullptr;  // of moments: a row for each contributing entry
  float* moments = nullptr;                  // [rows][kInstanceFloats]
  uint32_t* instance_row = nullptr;          // [instances] of moments, or kNoRow
};

struct ContributionArgs : BlendArgs {
  const float* counted = nullptr;         // [plane] 1 where a pixel counts, else 0; null: all do
  const uint8_t* tile_counted = nullptr;  // [tiles] whether one of its pixels does; null likewise
  float min_weight = kLeastWeight;
  ContributionSum* sums = nullptr;  // by record, added to
};

struct DepthArgs : BlendArgs {
  const float* depths = nullptr;  // by record
  float* median = nullptr;        // [plane] or null
  float* moments = nullptr;       // [3][plane] or null
};

struct LossArgs {
  ImageSize size;
  const float* image = nullptr;     // [3][plane]
  const uint8_t* target = nullptr;  // [3][height][width]
  const uint8_t* mask = nullptr;    // [height][width] or null
  const uint8_t* alpha = nullptr;   // likewise
  float background_change[3] = {};  // backend/loss_mean.h
  float window[math::kSsimWindow] = {};
  float l1_scale = 0, ssim_scale = 0;  // gradient by one pixel's |difference| and by one pixel's SSIM
  float* v_image = nullptr;
  double* row_l1 = nullptr;    // [3][height] sums
  double* row_ssim = nullptr;  // [3][height]
  math::ChannelColour<float> colour[3];
  math::ChannelColour<double>* row_v_colour = nullptr;  // [3][height] sums of the gradient by `colour`
};

// Splats as planes (math/plane.h).
inline constexpr int kPlaneFloats = 4;  // 3 in use
struct PlaneArgs {
  const float* parameters = nullptr;  // SplatBlocks
  size_t block_floats = 0, splats = 0;
  math::ViewParams<float> view;
  const uint16_t* visible_bits = nullptr;
  float* planes = nullptr;  // [records][kPlaneFloats]
  bool facing = false;      // the camera
};
struct SurfaceArgs {
  ImageSize size;
  float fx = 0, fy = 0, cx = 0, cy = 0;                              // px
  float normal_weight = 0, distortion_weight = 0, depth_weight = 0;  // of one pixel
  const float* priors = nullptr;                                     // [plane] inverse depths; null: none
  float* planes = nullptr;           // [3][plane] blended; at the end what their replay begins with
  float* distortion_sums = nullptr;  // [2][plane], see DistortionArgs; null: not wanted
  const float* transmittance = nullptr;
  float* depths = nullptr;  // [plane] inverse
  // [plane] gradients by a pixel's own inverse depth, and by the differences of those beside it.
  float *by_here = nullptr, *by_x = nullptr, *by_y = nullptr;
  float* v_planes = nullptr;  // [3][plane]
};

struct CombineArgs {
  SplatRecord* records = nullptr;          // replaced by their gradients, kGradientFloats at the start of each
  const float* moments = nullptr;          // [rows][kInstanceFloats]
  const float* plane_moments = nullptr;    // likewise, of splats as planes; null: none
  const uint32_t* instance_row = nullptr;  // of moments, from this chunk's first instance on
  const uint32_t* first_instance = nullptr;
  const uint16_t* visible_bits = nullptr;  // of this chunk
  float half_width = 0, half_height = 0;
  // These point to this chunk's first splat.
  float* mean2d_gradient_norm = nullptr;
  uint16_t* visible_count = nullptr;
  uint16_t* max_radius_px = nullptr;
};

struct UpdateArgs : AdamStep {
  float* parameters = nullptr;
  float* moments = nullptr;  // null: write the gradients instead of stepping
  float* gradients_out = nullptr;
  bool moments_packed = false;               // both in one word (math/adam.h)
  size_t block_floats = 0, splats = 0;       // block_floats of the parameters; moments have one or two for each
  math::RowBounds<float>* bounds = nullptr;  // by kBoundedSplats, forgotten where rows are stepped
  uint32_t* last_step = nullptr;             // [splats] iteration; 0: none
  size_t fixed = 0;                          // the first splats, which are left as they are
  int sh_degree = 0;                         // of the colour
  int moment_coefficients = 0;               // coefficients whose moments may be other than zero
  math::ViewParams<float> view;
  bool antialias = false;
  float opacity_factor = 1;          // of dropout
  bool planes = false;               // the gradients hold those by the splats' planes
  bool facing = false;               // PlaneArgs
  const float* gradients = nullptr;  // [records][kRecordFloats], kGradientFloats in use
  const uint16_t* visible_bits = nullptr;
};

// One level's kernels.
struct Kernels {
  int lanes;
  void (*project)(const ProjectArgs& args, size_t chunk);
  BinResult (*bin)(const BinArgs& args, size_t chunk, uint32_t visible);
  void (*blend_forward)(const BlendArgs& args, size_t tile);
  void (*contributions)(const ContributionArgs& args, size_t tile);
  void (*depth)(const DepthArgs& args, size_t tile);
  size_t (*loss_scratch_floats)(const ImageSize& size);
  void (*loss)(const LossArgs& args, int channel, int first_row, int end_row, float* scratch);
  void (*blend_backward)(const BlendArgs& args, size_t tile);
  void (*planes)(const PlaneArgs& args, size_t chunk);
  void (*inverse_depths)(const SurfaceArgs& args, int row);
  void (*surface_terms)(const SurfaceArgs& args, int row);
  void (*surface_gradient)(const SurfaceArgs& args, int row);
  void (*combine)(const CombineArgs& args, size_t first_record, uint32_t visible, uint32_t instances);
  void (*pose_gradient)(const UpdateArgs& args, size_t chunk, math::Twist<double>& sum);
  void (*update)(const UpdateArgs& args, size_t chunk);
  void (*raster_project)(const RasterProjectArgs& args, size_t chunk);
  void (*raster_absolute)(const RasterAbsoluteArgs& args, size_t tile);
  void (*raster_touched)(const RasterTouchedArgs& args, size_t tile);
  void (*raster_sum)(const RasterSumArgs& args, size_t first_record, uint32_t visible, uint32_t instances);
  void (*raster_chain)(const RasterChainArgs& args, size_t chunk);
};

#define SPLAT_DECLARE_KERNELS(level)                                                        \
  namespace level {                                                                         \
  void project(const ProjectArgs& args, size_t chunk);                                      \
  BinResult bin(const BinArgs& args, size_t chunk, uint32_t visible);                       \
  void blend_forward(const BlendArgs& args, size_t tile);                                   \
  void contributions(const ContributionArgs& args, size_t tile);                            \
  void depth(const DepthArgs& args, size_t tile);                                           \
  size_t loss_scratch_floats(const ImageSize& size);                                        \
  void loss(const LossArgs& args, int channel, int first_row, int end_row, float* scratch); \
  void blend_backward(const BlendArgs& args, size_t tile);                                  \
  void planes(const PlaneArgs& args, size_t chunk);                                         \
  void inverse_depths(const SurfaceArgs& args, int row);                                    \
  void surface_terms(const SurfaceArgs& args, int row);                                     \
  void surface_gradient(const SurfaceArgs& args, int row);                                  \
  void combine(const CombineArgs& args, size_t first_record, uint32_t visible, uint32_t n); \
  void pose_gradient(const UpdateArgs& args, size_t chunk, math::Twist<double>& sum);       \
  void update(const UpdateArgs& args, size_t chunk);                                        \
  void raster_project(const RasterProjectArgs& args, size_t chunk);                         \
  void raster_absolute(const RasterAbsoluteArgs& args, size_t tile);                        \
  void raster_touched(const RasterTouchedArgs& args, size_t tile);                          \
  void raster_sum(const RasterSumArgs& args, size_t first, uint32_t visible, uint32_t n);   \
  void raster_chain(const RasterChainArgs& args, size_t chunk);                             \
  inline constexpr Kernels kernels(int lanes) {                                             \
    return {lanes,                                                                          \
            project,                                                                        \
            bin,                                                                            \
            blend_forward,                                                                  \
            contributions,                                                                  \
            depth,                                                                          \
            loss_scratch_floats,                                                            \
            loss,                                                                           \
            blend_backward,                                                                 \
            planes,                                                                         \
            inverse_depths,                                                                 \
            surface_terms,                                                                  \
            surface_gradient,                                                               \
            combine,                                                                        \
            pose_gradient,                                                                  \
            update,                                                                         \
            raster_project,                                                                 \
            raster_absolute,                                                                \
            raster_touched,                                                                 \
            raster_sum,                                                                     \
            raster_chain};                                                                  \
  }                                                                                         \
  }

SPLAT_DECLARE_KERNELS(sse4)
SPLAT_DECLARE_KERNELS(avx2)
SPLAT_DECLARE_KERNELS(avx512)
SPLAT_DECLARE_KERNELS(neon)
#undef SPLAT_DECLARE_KERNELS

}  // namespace splat::cpu
