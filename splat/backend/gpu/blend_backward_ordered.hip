// The backward pass without float atomics. A first walk saves every pixel's state where a bucket of 32 instances
// begins; then a group of 32 lanes takes a bucket, one instance a lane, and the tile's pixels stream through the lanes,
// each lane handing a pixel's state on to the next. Mallick et al., "Taming 3DGS" (SIGGRAPH Asia 2024), section 4.3.
// A stage of the GPU alone: the CPU always sums in order (cpu/combine.cpp).
#include "splat/backend/gpu/replay.h"
#include "splat/core/gpu_lanes.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;
constexpr uint32_t kNone = ~0u;

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) count_kernel(OrderedArgs args) {
  const uint32_t tile = blockIdx.x * kThreads + threadIdx.x;
  if (tile < args.tiles) args.tile_buckets[tile] = (args.end[tile] - args.first[tile] + kBucket - 1) / kBucket;
}

template <int kWave>
SPLAT_DEVICE void save_bucket(const OrderedArgs& args, const Region& region, uint32_t bucket,
                              const Replay<kWave>& replay) {
  const int x = region.x<kWave>() % math::kTileSize;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const size_t pixel = size_t(region.y<kWave>(p) % math::kTileSize * math::kTileSize + x);
    float* state = args.states + size_t(bucket) * kStateFloats * kTilePixels + pixel;
    state[0] = replay.transmittance[p];
    state[kTilePixels] = replay.behind[p];
  }
}

template <int kWave, class Kind>
SPLAT_DEVICE void walk_splat(const SplatRecord& r, float x, float y, Kind& replay) {
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const math::Vec2<float> offset{x - r.mean_x, y + float(p * (kWave / kRegionSize)) - r.mean_y};
    math::Vec3<float> v_colour;
    (void)replay_pixel<kWave>(r, offset, p, replay, v_colour);
  }
}

// A block of four waves a tile, as in the forward pass. Buckets behind the last live pixel stay without a tile.
template <int kWave, template <int> class Kind>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) save_states_kernel(OrderedArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(SplatRecord, batch, kBatch);
    SPLAT_LDS(uint32_t, finished, kWavesPerTile);
    const int lane = int(threadIdx.x % kWave), wave = int(threadIdx.x / kWave);
    const Region region = Region::of_wave<kWave>(args.size);
    const float x = float(region.x<kWave>()) + 0.5f, y = float(region.y<kWave>(0)) + 0.5f;
    Kind<kWave> replay;
    start_replay<kWave>(args, region, replay);
    bool live = wave_any(any_live<kWave>(replay));
    const uint32_t end = args.end[blockIdx.x];
    uint32_t bucket = args.first_buckets[blockIdx.x];
    for (uint32_t at = args.first[blockIdx.x]; at < end; at += kBatch) {
      if (lane == 0) finished[wave] = !live;
      __syncthreads();
      if (finished[0] & finished[1] & finished[2] & finished[3]) break;
      const int n = int(end - at < kBatch ? end - at : kBatch);
      if (int(threadIdx.x) < n) batch[threadIdx.x] = args.records[args.splats[at + threadIdx.x]];
      __syncthreads();
      for (int group = 0; group < n; group += kBucket, ++bucket) {
        if (threadIdx.x == 0) args.bucket_tiles[bucket] = blockIdx.x;
        save_bucket<kWave>(args, region, bucket, replay);
        const bool reached =
            live && lane < kBucket && group + lane < n && region.reached_by(SplatRecord(batch[group + lane]));
        for (auto splats = LaneMask<kWave>(wave_ballot(reached)); splats; splats &= splats - 1)
          walk_splat<kWave>(SplatRecord(batch[group + first_lane(splats)]), x, y, replay);
        live = wave_any(any_live<kWave>(replay));
      }
    }
  }
}

// One pixel of a tile as it comes to a splat.
struct Visitor {
  float transmittance, behind;
  math::Vec3<float> v_pixel;
};
struct PlaneVisitor : Visitor {
  PixelDistortion distortion;
};

SPLAT_DEVICE void clear(Visitor& v) { v.transmittance = -1, v.behind = 0, v.v_pixel = {0, 0, 0}; }
SPLAT_DEVICE void clear(PlaneVisitor& v) {
  clear(static_cast<Visitor&>(v));
  v.distortion = no_distortion();
}
SPLAT_DEVICE void load_more(const OrderedArgs&, int, int, size_t, Visitor&) {}
SPLAT_DEVICE void load_more(const OrderedArgs& args, int x, int y, size_t at, PlaneVisitor& v) {
  v.distortion = load_distortion(args, x, y, at);
}

template <class Kind>
SPLAT_DEVICE Kind load_visitor(const OrderedArgs& args, uint32_t bucket, uint32_t tile, int pixel) {
  const int x = int(tile) % args.size.tiles_x * math::kTileSize + pixel % math::kTileSize;
  const int y = int(tile) / args.size.tiles_x * math::kTileSize + pixel / math::kTileSize;
  Kind v;
  clear(v);
  if (x >= args.size.width || y >= args.size.height) return v;
  const float* state = args.states + size_t(bucket) * kStateFloats * kTilePixels + size_t(pixel);
  const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
  v.transmittance = state[0];
  v.behind = state[kTilePixels];
  v.v_pixel = pixel_gradient(args, at);
  load_more(args, x, y, at, v);
  return v;
}

// From the lane below; lane 0 of a group gets what `next` has in lane `step`.
template <int kWave>
struct HandOn {
  int step;
  Site site;

  SPLAT_DEVICE void operator()(float& mine, float next) const { mine = shift_in<kWave>(mine, next, step, site); }
};
template <int kWave>
SPLAT_DEVICE void hand_on(Visitor& mine, const Visitor& next, const HandOn<kWave>& hand) {
  hand(mine.transmittance, next.transmittance), hand(mine.behind, next.behind);
  hand(mine.v_pixel.x, next.v_pixel.x), hand(mine.v_pixel.y, next.v_pixel.y), hand(mine.v_pixel.z, next.v_pixel.z);
}
template <int kWave>
SPLAT_DEVICE void hand_on(PlaneVisitor& mine, const PlaneVisitor& next, const HandOn<kWave>& hand) {
  hand_on(static_cast<Visitor&>(mine), static_cast<const Visitor&>(next), hand);
  PixelDistortion& to = mine.distortion;
  const PixelDistortion& from = next.distortion;
  hand(to.x, from.x), hand(to.y, from.y), hand(to.mean, from.mean);
  hand(to.by_weight, from.by_weight), hand(to.by_offset, from.by_offset);
}

// The splat at the pixel that is there.
SPLAT_DEVICE void visit(const SplatRecord& r, const math::Vec2<float>& offset, Visitor& here,
                        math::SplatMoments<float>& moments) {
  const math::BlendGradient<float> g =
      replay_step(r, offset, math::dot(colour_of(r), here.v_pixel), here.transmittance, here.behind);
  math::add_moments(moments, math::offset_products(offset), g.w, g.weight, here.v_pixel);
}
SPLAT_DEVICE void visit(const SplatRecord& r, const math::Vec2<float>& offset, PlaneVisitor& here,
                        math::SplatMoments<float>& moments) {
  const PixelDistortion& d = here.distortion;
  const math::DistortionStep<float> step = distortion_step(d, r);
  const float h = math::dot(colour_of(r), here.v_pixel) + step.by_w;
  const math::BlendGradient<float> g = replay_step(r, offset, h, here.transmittance, here.behind);
  const math::Vec3<float> v_colour = here.v_pixel + step.by_m * math::Vec3<float>{d.x, d.y, 1};
  math::add_moments(moments, math::offset_products(offset), g.w, g.weight, v_colour);
}

SPLAT_DEVICE void put_partials(float* out, const math::SplatMoments<float>& m) {
  const float values[kMomentFloats] = {m.w, m.wx, m.wy, m.wxx, m.wxy, m.wyy, m.v_colour.x, m.v_colour.y, m.v_colour.z};
#pragma unroll
  for (int k = 0; k < kMomentFloats; ++k) out[k] = values[k];
}

template <int kWave, class Kind>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) buckets_kernel(OrderedArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const uint32_t bucket = blockIdx.x * (kThreads / kBucket) + threadIdx.x / kBucket;
    const int lane = int(threadIdx.x % kBucket);
    const uint32_t tile = bucket < args.buckets ? args.bucket_tiles[bucket] : kNone;
    if (!wave_any(tile != kNone)) return;
    uint32_t instance = 0;
    SplatRecord r = {};
    bool exists = tile != kNone;
    if (exists) {
      instance = args.first[tile] + (bucket - args.first_buckets[tile]) * kBucket + uint32_t(lane);
      exists = instance < args.end[tile];
      if (exists) r = args.records[args.splats[instance]];
    }
    const float left = float(int(tile) % args.size.tiles_x * math::kTileSize) + 0.5f - r.mean_x;
    const float top = float(int(tile) / args.size.tiles_x * math::kTileSize) + 0.5f - r.mean_y;
    math::SplatMoments<float> moments = math::zero_moments<float>();
    Kind here, nobody;
    clear(here), clear(nobody);
    for (int begin = 0; begin < kTilePixels + kBucket; begin += kBucket) {
      Kind next = nobody;
      if (tile != kNone && begin < kTilePixels) next = load_visitor<Kind>(args, bucket, tile, begin + lane);
      for (int step = 0; step < kBucket; ++step) {
        hand_on(here, next, HandOn<kWave>{step, Site::current()});
        const int pixel = begin + step - lane;
        if (!exists || pixel < 0 || pixel >= kTilePixels) continue;
        const math::Vec2<float> offset{left + float(pixel % math::kTileSize), top + float(pixel / math::kTileSize)};
        visit(r, offset, here, moments);
      }
    }
    if (exists) put_partials(args.partials + size_t(instance) * kMomentFloats, moments);
  }
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) list_kernel(OrderedArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.capacity) return;
  args.keys[i] = i < args.counters->instances ? args.splats[i] : kNone;
  args.values[i] = i;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) sum_kernel(OrderedArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splat_count || args.counters->instances > args.capacity) return;
  const uint32_t first = args.first_of_splat[splat], count = args.tile_counts[splat];
  if (count == 0) return;
  float sums[kMomentFloats] = {};
  for (uint32_t i = 0; i < count; ++i) {
    const float* part = args.partials + size_t(args.by_splat[first + i]) * kMomentFloats;
#pragma unroll
    for (int k = 0; k < kMomentFloats; ++k) sums[k] += part[k];
  }
#pragma unroll
  for (int k = 0; k < kMomentFloats; ++k)
    args.gradients[size_t(splat) * kGradientFloats + (k < kColourSlot ? k : k - kColourSlot + args.colour_slot)] +=
        sums[k];
}

dim3 grid_of(uint32_t count, uint32_t per_block = kThreads) { return dim3((count + per_block - 1) / per_block); }

}  // namespace

void count_buckets(const OrderedArgs& args, const Target& target) {
  launch("count_buckets", count_kernel, grid_of(args.tiles), kThreads, target.stream, args);
}
void save_states(const OrderedArgs& args, const Target& target) {
  const auto kernel = args.distortion.sums ? target.wave == 64 ? save_states_kernel<64, PlaneReplay>
                                                               : save_states_kernel<32, PlaneReplay>
                      : target.wave == 64 ? save_states_kernel<64, Replay>
                                           : save_states_kernel<32, Replay>;
  launch("save_states", kernel, dim3(args.tiles), unsigned(kWavesPerTile * target.wave), target.stream, args);
}
void blend_backward_buckets(const OrderedArgs& args, const Target& target) {
  const auto kernel = args.distortion.sums
                          ? target.wave == 64 ? buckets_kernel<64, PlaneVisitor> : buckets_kernel<32, PlaneVisitor>
                      : target.wave == 64 ? buckets_kernel<64, Visitor>
                                          : buckets_kernel<32, Visitor>;
  launch("blend_backward_buckets", kernel, grid_of(args.buckets, kThreads / kBucket), kThreads, target.stream, args);
}
void list_instances(const OrderedArgs& args, const Target& target) {
  launch("list_instances", list_kernel, grid_of(args.capacity), kThreads, target.stream, args);
}
void sum_instances(const OrderedArgs& args, const Target& target) {
  launch("sum_instances", sum_kernel, grid_of(args.splat_count), kThreads, target.stream, args);
}

}  // namespace splat::gpu
