// The stages of rasterising arrays of others (gpu_rasteriser.h) that training has not: projection out of such arrays,
// pictures in the caller's layout and back, what is counted by pixel, and the chain rule back to the arrays. As
// kernels.h: everything is enqueued on the target's stream, nothing waits. Channels are blended three or four at a
// time, a group; depth is the last of them. All pointers by camera and splat are to the camera's own rows.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/math/raster_chain.h"

namespace splat::gpu {

enum class DepthChannel : int { kNone, kDepth, kInverse };

// A raster::Scene, as one camera sees it.
struct RasterScene {
  uint32_t splats;
  const float *means, *quats, *scales, *covariances, *opacities, *sh, *colours;
  math::RasterRules rules;
  float scale_modifier;
  int sh_coefficients, sh_degree, channels;  // channels: without depth
  bool clamp_sh;
  DepthChannel depth;
  math::ViewParams<float> view;
};

struct RasterProjectArgs {
  RasterScene scene;
  float radius_clip;
  bool squares;  // three sigma: radii and visibility are those of math::square_tiles(), tile_records SquareTileRecord
  int tiles_x, tiles_y;
  SplatRecord* records;      // [N] of the visible
  TileRecord* tile_records;  // likewise
  float* radii;              // [N] px, the larger one; 0: not visible
  uint32_t* tile_counts;     // [N]
  uint32_t* depth_keys;      // [N] or null, as ProjectArgs
  FrameCounters* counters;
  float* channels;  // [N,channel_stride] of all groups; null: one group of three, which lies in the records
  int channel_stride;
  // Outputs, [N], 0 of what is not drawn; or null.
  float *means2d, *depths, *conics, *compensations;
  int32_t* radii_px;
};
void raster_project(const RasterProjectArgs& args, const Target& target);

// The channels of a group in the place of the records' colours, a fourth in that of their depth.
struct RasterGroupArgs {
  const float* radii;     // [N]
  const float* channels;  // [N,stride] from the group's first
  int stride, width;
  SplatRecord* records;
  uint32_t splats;
};
void raster_load_group(const RasterGroupArgs& args, const Target& target);

// By default those of training.
struct BlendLimits {
  float alpha_max = float(math::kAlphaMax), transmittance_stop = float(math::kTransmittanceStop);
};
// A group: image and v_image from its first channel on. The background comes later (RasterPictureArgs).
struct RasterBlendArgs : BlendArgs {
  BlendLimits limits;
  bool four;                     // channels, else three
  const float* v_transmittance;  // [H,W] backward only, or null
  int gradient_floats;           // of a row of `gradients`: six moments, then the channels
};
void raster_blend_forward(const RasterBlendArgs& args, const Target& target);
void raster_blend_backward(const RasterBlendArgs& args, const Target& target);

// Adds to touched the pixels behind the splat at which more than half of the light is left.
struct RasterTouchedArgs : RasterBlendArgs {
  int32_t* touched;  // [N]
};
void raster_touched(const RasterTouchedArgs& args, const Target& target);
// Adds the sums over pixels of absolute values of the gradient by the mean. The records hold the first group.
struct RasterAbsoluteArgs : RasterBlendArgs {
  const float* channels;  // [N,stride] of all groups; null where the records hold all
  int stride, count;
  float* absolute;  // [N,2]
};
void raster_absolute(const RasterAbsoluteArgs& args, const Target& target);

// Own planes [channels,H,W], depth behind the colours, and the caller's pictures of this camera.
struct RasterPixelArgs {
  ImageSize size;
  int channels, all_channels;  // without depth; of all groups
  bool channels_first;         // of the caller's colours
  DepthChannel depth;
  bool expected;  // depth: divided by alpha
};
struct RasterPictureArgs : RasterPixelArgs {
  float* image;                // [all_channels,H,W]: gets the background
  const float* transmittance;  // [H,W]
  const float* background;     // [channels] or null
  float *colour, *alpha, *out_depth;
};
void raster_write_pictures(const RasterPictureArgs& args, const Target& target);
struct RasterGradientArgs : RasterPixelArgs {
  const float* image;
  const float* transmittance;
  const float *v_colour, *v_alpha, *v_depth;  // or null
  float* v_image;                             // [all_channels,H,W]
  float* v_transmittance;                     // [H,W] or null
};
void raster_read_gradients(const RasterGradientArgs& args, const Target& target);

// The gradient by the background, [channels].
inline constexpr int kBackgroundBlocks = 64;  // a channel
struct RasterBackgroundArgs {
  size_t pixels;
  int channels;
  const float* transmittance;
  const float* v_image;
  float* block_sums;  // [channels,kBackgroundBlocks]
  float* v_background;
};
void raster_background(const RasterBackgroundArgs& args, const Target& target);

inline constexpr int kRasterMoments = 6;                       // of a row of gradients, in front of the channels
inline constexpr int kCameraValues = 12, kCameraSplats = 128;  // splats a block
struct RasterChainArgs {
  RasterScene scene;
  const SplatRecord* records;
  const float* radii;      // [N]
  const float* gradients;  // [N,gradient_floats]
  int gradient_floats;
  const float* v_means2d;  // [N,2] in place of those of the gradients, or null
  bool add, add_colours;   // to what is there: not the first camera
  // Like the scene's arrays, or null.
  float *v_means, *v_quats, *v_scales, *v_covariances, *v_opacities, *v_sh, *v_colours;
  float* block_sums;  // [raster_camera_blocks,12]
  float* v_camera;    // [12] by [R|t]
};
void raster_screen_gradient(const RasterChainArgs& args, float* v_means2d, const Target& target);
void raster_chain(const RasterChainArgs& args, const Target& target);
inline constexpr size_t raster_camera_blocks(size_t splats) { return (splats + kCameraSplats - 1) / kCameraSplats; }
void raster_camera(const RasterChainArgs& args, const Target& target);

}  // namespace splat::gpu
