// Projection, culling and channels out of arrays of others, one splat a thread: as project.hip.
#include "splat/backend/gpu/raster_access.h"
#include "splat/backend/gpu/tile_counts.h"

namespace splat::gpu {
namespace {

using math::Vec3;

constexpr int kThreads = 128;
constexpr float kMostRadius = 1e9f;  // px, of an integer

struct Projected {
  math::Footprint<float> footprint;
  math::Vec2<float> radii;
  bool counted, visible;  // counted: has radii
};

SPLAT_DEVICE Projected project_splat(const RasterProjectArgs& args, const math::RasterSplat<float>& splat) {
  const RasterScene& scene = args.scene;
  const math::Footprint<float> f = math::raster_footprint(scene.view, scene.rules, splat);
  Projected out;
  out.footprint = f;
  if (args.squares) {
    const math::Vec2<float> mean = f.projection.mean_px;
    const float radius = math::square_radius(f.projection.covariance);
    const auto columns = math::square_tiles(mean.x, radius, args.tiles_x);
    const auto rows = math::square_tiles(mean.y, radius, args.tiles_y);
    out.radii = {radius, radius};
    out.counted = f.projection.valid && columns.first <= columns.last && rows.first <= rows.last;
  } else {
    out.radii = math::seen_radii(f.projection.covariance, f.opacity);
    out.counted = f.in_view;
  }
  out.counted = out.counted && (out.radii.x > args.radius_clip || out.radii.y > args.radius_clip);
  out.visible = out.counted && f.in_view;
  return out;
}

// Zeros of what is not drawn.
SPLAT_DEVICE void write_outputs(const RasterProjectArgs& args, const Projected& p, size_t i) {
  const math::Projection<float>& at = p.footprint.projection;
  const auto seen = [&](float value) { return math::zero_unless(p.visible, value); };
  if (args.means2d) args.means2d[2 * i] = seen(at.mean_px.x), args.means2d[2 * i + 1] = seen(at.mean_px.y);
  if (args.depths) args.depths[i] = seen(at.depth);
  if (args.conics) {
    float* const conic = args.conics + 3 * i;
    conic[0] = seen(at.conic.xx), conic[1] = seen(at.conic.xy), conic[2] = seen(at.conic.yy);
  }
  if (args.compensations) args.compensations[i] = seen(args.scene.rules.compensated ? at.compensation : 1.0f);
  if (!args.radii_px) return;
  args.radii_px[2 * i] = p.counted ? int32_t(math::min(p.radii.x, kMostRadius)) : 0;
  args.radii_px[2 * i + 1] = p.counted ? int32_t(math::min(p.radii.y, kMostRadius)) : 0;
}

// colour: of SH.
SPLAT_DEVICE float channel(const RasterScene& scene, size_t i, const Vec3<float>& colour, float depth, int c) {
  if (c < scene.channels && scene.sh) return c == 0 ? colour.x : c == 1 ? colour.y : colour.z;
  if (c < scene.channels) return scene.colours[i * size_t(scene.channels) + size_t(c)];
  if (c > scene.channels || scene.depth == DepthChannel::kNone) return 0;
  return scene.depth == DepthChannel::kInverse ? math::rcp(depth) : depth;
}

SPLAT_DEVICE void put_more(TileRecord&, float) {}
SPLAT_DEVICE void put_more(SquareTileRecord& record, float radius) { record.radius = radius; }

template <class Record>
struct Drawn {
  SplatRecord record;
  Record tiles;
  float radius;  // 0: not visible
};

template <class Record>
SPLAT_DEVICE Drawn<Record> draw_splat(const RasterProjectArgs& args, size_t i) {
  Drawn<Record> out = {};
  const RasterScene& scene = args.scene;
  Projected at = {};
  Vec3<float> colour{0, 0, 0};
  const math::RasterSplat<float> splat = load_splat(scene, i);
  if (math::camera_from_world(scene.view, splat.mean).z >= scene.view.near_plane) at = project_splat(args, splat);
  if (scene.sh && at.visible) {
    colour = math::unclamped_colour_of(scene.view, scene.sh_degree, RasterColours(scene, i, splat.mean));
    if (scene.clamp_sh) colour = math::clamp_colour(colour);
    at.visible = math::all_finite(colour);
  }
  write_outputs(args, at, i);
  if (!at.visible) return out;
  const math::Projection<float>& p = at.footprint.projection;
  const math::EllipseRows<float>& e = at.footprint.ellipse.rows;
  const math::WeightForm<float> form = math::weight_form(p.conic, at.footprint.opacity);
  out.record = {p.mean_px.x, p.mean_px.y,          form.xx, form.xy, form.yy, form.log2_opacity, 0, 0, 0,
                e.t,         at.footprint.opacity, p.depth};
  out.record.red = channel(scene, i, colour, p.depth, 0);
  out.record.green = channel(scene, i, colour, p.depth, 1);
  out.record.blue = channel(scene, i, colour, p.depth, 2);
  for (int c = 0; args.channels && c < args.channel_stride; ++c)
    args.channels[i * size_t(args.channel_stride) + size_t(c)] = channel(scene, i, colour, p.depth, c);
  out.tiles.mean_x = p.mean_px.x, out.tiles.mean_y = p.mean_px.y, out.tiles.ellipse = e;
  put_more(out.tiles, at.radii.x);
  out.radius = math::max(at.radii.x, at.radii.y);
  return out;
}

template <int kWave, class Record>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_project_kernel(RasterProjectArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
    const bool exists = splat < args.scene.splats;
    Drawn<Record> drawn = {};
    if (exists) drawn = draw_splat<Record>(args, splat);
    const bool visible = drawn.radius > 0;
    const uint32_t tiles = count_tiles<kWave>(drawn.tiles, args.tiles_x, args.tiles_y, visible);
    const uint32_t depth_bits = float_bits(drawn.record.depth);
    add_to_counters<kWave>(args.counters, tiles, depth_bits, visible);
    if (!exists) return;
    args.radii[splat] = drawn.radius;
    args.tile_counts[splat] = tiles;
    if (args.depth_keys) args.depth_keys[splat] = visible ? depth_bits : ~0u;
    if (!visible) return;
    args.records[splat] = drawn.record;
    static_cast<Record*>(args.tile_records)[splat] = drawn.tiles;
  }
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_group_kernel(RasterGroupArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || !(args.radii[splat] > 0)) return;
  const float* const from = args.channels + size_t(splat) * size_t(args.stride);
  SplatRecord& r = args.records[splat];
  r.red = from[0], r.green = from[1], r.blue = from[2];
  if (args.width == 4) r.depth = from[3];
}

dim3 grid_of(uint32_t splats) { return dim3((splats + kThreads - 1) / kThreads); }

template <class Record>
void launch_record(const RasterProjectArgs& args, const Target& target) {
  launch("raster_project", target.wave == 64 ? raster_project_kernel<64, Record> : raster_project_kernel<32, Record>,
         grid_of(args.scene.splats), kThreads, target.stream, args);
}

}  // namespace

void raster_project(const RasterProjectArgs& args, const Target& target) {
  if (args.squares)
    launch_record<SquareTileRecord>(args, target);
  else
    launch_record<TileRecord>(args, target);
}
void raster_load_group(const RasterGroupArgs& args, const Target& target) {
  launch("raster_load_group", raster_group_kernel, grid_of(args.splats), kThreads, target.stream, args);
}

}  // namespace splat::gpu
