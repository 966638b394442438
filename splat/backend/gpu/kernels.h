// The stages' arguments and launchers. Everything is enqueued on the given stream; nothing waits. `wave` is the
// device's wave size, 32 or 64. Pointers are to device memory, with their shapes (splat/splat.h).
#pragma once

#include "splat/backend/adam_step.h"
#include "splat/backend/contribution_sum.h"
#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_runtime.h"
#include "splat/math/dropout.h"
#include "splat/math/photo_colour.h"
#include "splat/math/project.h"
#include "splat/math/row_bounds.h"
#include "splat/math/row_look.h"

namespace splat::gpu {

struct Target {
  int wave;
  hipStream_t stream;
};

struct ProjectArgs {
  const float* parameters;
  size_t block_floats;
  uint32_t splats;
  math::ViewParams<float> view;
  math::Sides<float> sides;        // of the view
  math::RowBounds<float>* bounds;  // by kBoundedSplats; found where they are not known
  bool antialias;
  math::Dropout dropout;
  float opacity_factor;     // of dropout
  const uint8_t* looks;     // [N] math::RowLook, or null: all as they are
  const math::Tint* tints;  // [kTints] where there are looks
  int tiles_x, tiles_y;
  SplatRecord* records;      // [N] of the visible
  TileRecord* tile_records;  // [N] of the visible
  float* radii;              // [N] px, 3 sigma; 0: not visible
  uint32_t* tile_counts;     // [N]
  float* gradients;          // [N,16] zeroed for the visible
  uint32_t* depth_keys;      // [N] or null: bits of the depth, all ones for the invisible
  FrameCounters* counters;
};
void project(const ProjectArgs& args, int sh_degree, const Target& target);

struct TileListArgs {
  const TileRecord* tile_records;   // [N]; with squares, they are SquareTileRecord
  const SplatRecord* records;       // [N]
  const uint32_t* tile_counts;      // [N] by place in the order
  const uint32_t* first_instances;  // [N] likewise
  const uint32_t* order;            // [N] splats by depth, or null: by index, and the keys hold the depth
  uint32_t splats;
  uint32_t capacity;  // of keys and values
  int tiles_x, tiles_y;
  int depth_bits;  // of a key; the tile's are above
  const FrameCounters* counters;
  FrameCounters* next_counters;   // of the view after this one: zeroed
  unsigned long long* instances;  // the host's: what the counters say
  uint32_t* keys;                 // [capacity]
  uint32_t* values;               // [capacity] splat
  uint32_t* first;                // [tiles] of the sorted instances
  uint32_t* end;                  // [tiles]
};
void gather_counts(const uint32_t* counts, const uint32_t* order, uint32_t* out, uint32_t splats, const Target& target);
void fill_identity(uint32_t* out, uint32_t count, const Target& target);
void emit_instances(const TileListArgs& args, bool squares, const Target& target);  // zeroes first and end, reports
void find_ranges(const TileListArgs& args, const Target& target);                   // keys sorted

// How far apart in depth splats as planes lie (math/distortion.h). Rays: (x/z, y/z, 1) = (px - centre) / focal length.
struct DistortionArgs {
  float* sums;         // [2,H,W] origins and sums of blend_forward; then by_weight and by_offset; null: not wanted
  const float* means;  // [H,W] backward only
  float fx, fy, cx, cy;
};

struct BlendArgs {
  ImageSize size;
  const SplatRecord* records;  // [N]
  const uint32_t* splats;      // [I] sorted by tile and depth
  const uint32_t* first;       // [tiles]
  const uint32_t* end;         // [tiles]
  float background[3];
  DistortionArgs distortion;  // of planes in the place of colours
  float* image;               // [3,H,W] background included
  float* transmittance;       // [H,W] final
  const float* v_image;       // [3,H,W] backward only
  float* gradients;           // [N,16] backward only, added to
  int colour_slot;            // of gradients, where those by the colour go: kColourSlot or kPlaneSlot
};
void blend_forward(const BlendArgs& args, const Target& target);
void blend_backward(const BlendArgs& args, const Target& target);

struct ContributionArgs : BlendArgs {
  const uint8_t* mask;  // [H,W] or null
  float min_weight;
  ContributionSum* sums;  // [N] added to
};
void contributions(const ContributionArgs& args, const Target& target);

// Splats as planes (math/plane.h): of the visible ones, then in the place of their colours and back.
struct PlaneArgs {
  const float* parameters;
  size_t block_floats;
  uint32_t splats;
  math::ViewParams<float> view;
  const float* radii;    // [N]
  float* planes;         // [N,3]
  float* gradients;      // [N,16] by the planes: zeroed for the visible
  SplatRecord* records;  // [N]
  bool facing;           // the camera
};
void planes(const PlaneArgs& args, const Target& target);
void swap_colours(const PlaneArgs& args, const Target& target);
void plane_gradients(const PlaneArgs& args, const Target& target);  // after the backward pass, once
struct SurfaceArgs {
  ImageSize size;
  math::ViewParams<float> view;
  float normal_weight, distortion_weight, depth_weight;  // of one pixel
  const uint16_t* prior;                                 // [H,W] of SurfaceSettings; null: none
  bool prior_is_depth;
  float prior_scale, prior_shift;
  float* distortion_sums;      // [2,H,W], see DistortionArgs; null: not wanted
  float* planes;               // [3,H,W] blended; at the end what their replay begins with
  const float* transmittance;  // [H,W]
  float* depths;               // [H,W] inverse
  float* by_depths;            // [3,H,W] gradients by the differences of those beside, x and y, and by a pixel's own
  float* v_planes;             // [3,H,W]
};
void surface_loss(const SurfaceArgs& args, const Target& target);

struct DepthArgs : BlendArgs {
  float* median;   // [H,W] or null
  float* mean;     // [H,W] or null
  float* moments;  // [3,H,W] or null
};
void depth(const DepthArgs& args, const Target& target);

// The backward pass without float atomics: buckets of 32 instances of a tile, one a lane, whose sums go to a place of
// their own each and are then added up splat by splat, always in the same order. For devices that have no such
// atomics, and where every run must give the same bytes.
inline constexpr int kBucket = 32;  // instances
inline constexpr int kTilePixels = math::kTileSize * math::kTileSize;
inline constexpr int kStateFloats = 2;  // transmittance and what lies behind
struct OrderedArgs : BlendArgs {
  uint32_t tiles;
  uint32_t capacity;               // of instances
  uint32_t buckets;                // room: enough for `capacity` instances, however they are spread over the tiles
  const FrameCounters* counters;   // nothing is summed where instances did not fit
  uint32_t* tile_buckets;          // [tiles] number of buckets
  uint32_t* first_buckets;         // [tiles] exclusive sums of them
  uint32_t* bucket_tiles;          // [buckets] tile, all ones: none
  float* states;                   // [buckets,2,256] of a tile's pixels where a bucket begins
  float* partials;                 // [capacity,9] by instance, zeroed
  uint32_t* keys;                  // [capacity] splat of an instance, all ones beyond the last
  uint32_t* values;                // [capacity] the instance
  const uint32_t* by_splat;        // [capacity] instances, sorted by splat
  const uint32_t* first_of_splat;  // [N] of by_splat
  const uint32_t* tile_counts;     // [N]
  uint32_t splat_count;            // N
};
inline constexpr size_t bucket_room(size_t capacity, size_t tiles) { return capacity / kBucket + tiles; }
void count_buckets(const OrderedArgs& args, const Target& target);
void save_states(const OrderedArgs& args, const Target& target);  // bucket_tiles all ones before
void blend_backward_buckets(const OrderedArgs& args, const Target& target);
void list_instances(const OrderedArgs& args, const Target& target);  // fills keys and values
void sum_instances(const OrderedArgs& args, const Target& target);

inline constexpr int kLossSums = 8;
struct LossArgs {
  ImageSize size;
  const float* image;          // [3,H,W]
  const uint8_t* target;       // [3,H,W]
  const uint8_t* mask;         // [H,W] or null
  const uint8_t* alpha;        // likewise
  float background_change[3];  // backend/loss_mean.h
  float window[math::kSsimWindow];
  float l1_scale, ssim_scale;  // gradient by one pixel's |difference| and by one pixel's SSIM
  float* partials;             // [3,3,H,W] by map and channel
  float* v_image;              // [3,H,W]
  float* block_l1;             // [blocks] sums
  float* block_ssim;           // [blocks]
  double* sums;                // [kLossSums], the host's: L1, SSIM, then by channel the gradient by gain and bias
  math::ChannelColour<float> colour[3];
  math::ChannelColour<float>* block_v_colour;  // [blocks]
};
size_t loss_blocks(const ImageSize& size);
void loss(const LossArgs& args, const Target& target);

struct UpdateArgs : AdamStep {
  float* parameters;
  float* moments;                  // null: write the gradients instead of stepping
  float* gradients_out;            // like the parameters
  bool moments_packed;             // both in one word (math/adam.h)
  size_t block_floats;             // of the parameters, and of packed moments; others have twice as many
  uint32_t splats, fixed;          // the first `fixed` are not stepped
  int moment_coefficients;         // coefficients whose moments may be other than zero
  uint32_t* last_step;             // [N] iteration; 0: none
  math::RowBounds<float>* bounds;  // by kBoundedSplats, forgotten where rows are stepped
  math::ViewParams<float> view;
  bool antialias;
  float opacity_factor;           // of dropout
  const SplatRecord* records;     // [N]
  const float* radii;             // [N]
  const float* gradients;         // [N,16]
  bool planes;                    // what the planes add is behind the sums
  const FrameCounters* counters;  // nothing is done where instances did not fit
  uint32_t capacity;
  // Null: not accumulated.
  float* mean2d_gradient_norm;  // [N]
  uint32_t* visible_count;      // [N]
  float* max_radius_px;         // [N]
  float half_width, half_height;
};
void update(const UpdateArgs& args, int sh_degree, const Target& target);
void accumulate_statistics(const UpdateArgs& args, const Target& target);
// Some of AdamPauses, as they lie there. They come with the launch, which leaves 4 kB for that.
struct PauseRows {
  static constexpr uint32_t kMost = 128;
  math::AdamValues* pauses;  // [AdamPauses::kKept]
  uint32_t first, count;
  math::AdamValues rows[kMost];
};
void write_pauses(const PauseRows& args, const Target& target);

// The gradient by the pose of the view: translation, then rotation.
inline constexpr int kPoseValues = 6, kPoseSplats = 128;  // splats a block
struct PoseArgs {
  UpdateArgs update;  // neither moments nor statistics
  int sh_degree;
  float* block_sums;  // [pose_blocks,6]
  double* sums;       // [6]
};
SPLAT_HD inline size_t pose_blocks(size_t splats) { return (splats + kPoseSplats - 1) / kPoseSplats; }
void pose_gradient(const PoseArgs& args, const Target& target);

// Rows of blocks, parameters or moments. Value: float, or const float where they are only read.
template <class Value>
struct BlocksOf {
  Value* values;
  int rows, streams;
};
using BlockRows = BlocksOf<float>;
using ConstBlockRows = BlocksOf<const float>;

struct ScatteredRows {
  BlockRows to;
  int rows, stream;         // the first `rows` of each splat
  const float* staged;      // [count,rows]
  const uint32_t* indices;  // [count] or null: first, first + 1, ...
  uint32_t first, count;
};
void scatter_rows(const ScatteredRows& args, const Target& target);
struct GatheredRows {
  ConstBlockRows from;
  int rows, stream;
  float* staged;            // [count,rows]
  const uint32_t* indices;  // as ScatteredRows
  uint32_t first, count;
};
void gather_rows(const GatheredRows& args, const Target& target);
// All streams of the given splats.
void zero_rows(const BlockRows& blocks, const uint32_t* indices, uint32_t first, uint32_t count, const Target& target);
// Row targets[i] gets the colour of row sources[i]; no row is both, but for one that gets its own.
struct CopiedColours {
  BlockRows parameters;
  const uint32_t *sources, *targets;  // [count]
  uint32_t count;
};
void copy_colours(const CopiedColours& args, const Target& target);
// Row first + i becomes row rows[i], in any order. scratch: [kKeepRowsAtOnce,count].
struct KeptRows {
  const uint32_t* rows;  // [count]
  uint32_t first, count;
};
inline constexpr int kKeepRowsAtOnce = 16;
void keep_rows(const BlockRows& blocks, const KeptRows& kept, float* scratch, const Target& target);
void keep_values(uint32_t* values, const KeptRows& kept, uint32_t* scratch, const Target& target);
// Codes along a Morton curve of 1024 cubic cells a side over the model's bounds; rows without a finite position come
// last.
struct SpatialArgs {
  const float* parameters;
  size_t block_floats;
  uint32_t splats, fixed;  // the first `fixed` stay where they are
  uint32_t* bounds;        // [6] scratch, zeroed
  uint32_t* codes;         // [N]
};
void morton_codes(const SpatialArgs& args, const Target& target);
struct RowRange {
  uint32_t begin, end;
};
void limit_opacity(const BlockRows& parameters, const BlockRows& moments, const RowRange& rows, float limit,
                   const Target& target);
void lower_opacity(const BlockRows& parameters, const RowRange& rows, float by, float least, const Target& target);
struct NoiseArgs {
  BlockRows parameters;
  RowRange rows;
  uint64_t seed;
  uint32_t iteration;
  float strength;
};
void add_noise(const NoiseArgs& args, const Target& target);

}  // namespace splat::gpu
