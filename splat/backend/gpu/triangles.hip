// Which triangle each pixel sees, and gradients by the triangles' places. As splat/raster/triangles on the CPU, with
// the same bits of numbers and depths: what that decides by the order of drawing is decided here by an atomic minimum.
#include "splat/backend/gpu/triangle_access.h"

namespace splat::gpu {
namespace {

using Vec = math::Vec3<double>;

constexpr int kThreads = 128;
constexpr int kTile = 32, kBlock = 8;  // px; the CPU's tile, whose first pixel roundings depend on
constexpr unsigned kMostBlocks = 2048;

SPLAT_DEVICE size_t this_thread() { return size_t(blockIdx.x) * kThreads + threadIdx.x; }
dim3 grid_of(size_t threads) { return dim3(unsigned((threads + kThreads - 1) / kThreads)); }

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_check_kernel(TriangleCheck args) {
  const size_t i = this_thread();
  if (i < 3 * size_t(args.list.count) && uint32_t(args.list.corners[i]) >= args.list.vertices)
    atomicMin(&args.faults->corner, static_cast<unsigned long long>(i));
  if (!args.ranges || i >= args.pictures) return;
  const int32_t first = args.ranges[2 * i], count = args.ranges[2 * i + 1];
  if (first < 0 || count < 0 || uint32_t(first) + uint32_t(count) > args.list.count)
    atomicMin(&args.faults->range, static_cast<unsigned long long>(i));
}

// ---- forward

SPLAT_DEVICE bool in_range(const TriangleDrawing& args, uint32_t triangle) {
  if (!args.range) return true;
  const int32_t first = args.range[0], count = args.range[1];
  return first >= 0 && count >= 0 && triangle >= uint32_t(first) && triangle - uint32_t(first) < uint32_t(count);
}

// Blocks of pixels that it may cover.
struct BlockRange {
  uint32_t x, y, across, count;
};
SPLAT_DEVICE BlockRange blocks_of(const math::ScreenTriangle& p) {
  if (p.x1 < p.x0) return {0, 0, 0, 0};
  const uint32_t x = uint32_t(p.x0) / kBlock, y = uint32_t(p.y0) / kBlock, across = uint32_t(p.x1) / kBlock - x + 1;
  return {x, y, across, across * (uint32_t(p.y1) / kBlock - y + 1)};
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_prepare_kernel(TriangleDrawing args) {
  const size_t i = this_thread();
  if (i > args.list.count) return;
  uint32_t items = 0;
  TriangleCorners corners;
  if (i < args.list.count && in_range(args, uint32_t(i)) && corners_of(args.list, uint32_t(i), corners)) {
    math::ScreenCorner c[3];
    float weight[3] = {0, 0, 0};
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const float* const p = args.positions + 4 * size_t(corners.vertex[k]);
      c[k] = args.faces ? math::face_corner(p, args.size, &weight[k]) : math::clip_corner(p, args.size);
    }
    const math::ScreenTriangle plane = math::screen_triangle(c, double(args.near), args.size);
    args.prepared[i] = {plane, {weight[0], weight[1], weight[2]}};
    const uint32_t blocks = blocks_of(plane).count;
    items = blocks < args.most_items ? blocks : args.most_items;
  }
  args.items[i] = items;
}

// Bits that are ordered as floats are, of -0 those of 0.
SPLAT_DEVICE uint32_t ordered_bits(float value) {
  const uint32_t bits = float_bits(value + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

// The pixels of a column of the block. A share of the triangle's planes holds for a whole tile.
SPLAT_DEVICE void draw_column(const TriangleDrawing& args, uint32_t triangle, int x, int y) {
  const int tile_x = x / kTile * kTile, tile_y = y / kTile * kTile;
  math::TilePlanes planes;
  if (!math::tile_planes(args.prepared[triangle].plane, tile_x, tile_y, kTile, planes)) return;
  x -= tile_x, y -= tile_y;
  if (x < planes.x0 || x > planes.x1) return;
  const int last = y + kBlock - 1 < planes.y1 ? y + kBlock - 1 : planes.y1;
  for (y = y > planes.y0 ? y : planes.y0; y <= last; ++y) {
    const float e0 = math::plane_at(planes.edge[0], float(x), float(y)),
                e1 = math::plane_at(planes.edge[1], float(x), float(y)),
                e2 = math::plane_at(planes.edge[2], float(x), float(y));
    if (!(e0 >= 0 && e1 >= 0 && e2 >= 0 && e0 + e1 + e2 > math::kLeastEdgeSum)) continue;
    float depth = math::plane_at(planes.depth, float(x), float(y));
    const size_t at = size_t(tile_y + y) * size_t(args.size.width) + size_t(tile_x + x);
    const float near = args.prior
                           ? math::nearest_seen(args.near, args.prior[at], math::kFaceDepthScale, args.prior_offset)
                           : args.near;
    if (!(depth >= near)) continue;
    if (args.steps > 0) depth = truncf(depth * args.steps);
    if (depth < args.far)
      atomicMin(&args.seen[at], static_cast<unsigned long long>(ordered_bits(depth)) << 32 | triangle);
  }
}

// The last triangle whose first item is at most this one.
SPLAT_DEVICE uint32_t triangle_of_item(const TriangleDrawing& args, uint32_t item) {
  uint32_t low = 0, high = args.list.count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (args.first_item[middle] <= item)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// kBlock threads an item, each a column of its blocks.
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_draw_kernel(TriangleDrawing args) {
  const uint32_t items = args.first_item[args.list.count];
  const int column = int(threadIdx.x % kBlock);
  const size_t stride = size_t(gridDim.x) * (kThreads / kBlock);
  for (size_t item = this_thread() / kBlock; item < items; item += stride) {
    const uint32_t triangle = triangle_of_item(args, uint32_t(item));
    const BlockRange blocks = blocks_of(args.prepared[triangle].plane);
    const uint32_t shares = blocks.count < args.most_items ? blocks.count : args.most_items;
    for (uint32_t b = uint32_t(item) - args.first_item[triangle]; b < blocks.count; b += shares) {
      const uint32_t row = b / blocks.across;
      draw_column(args, triangle, int(blocks.x + b - row * blocks.across) * kBlock + column,
                  int(blocks.y + row) * kBlock);
    }
  }
}

// What a pixel sees: its triangle's planes in the pixel's tile, and the edges there.
struct Seen {
  uint32_t triangle;
  float e[3], depth;
  math::TilePlanes planes;
};
SPLAT_DEVICE bool seen_at(const TriangleDrawing& args, size_t pixel, Seen& s) {
  s.triangle = uint32_t(args.seen[pixel]);
  if (s.triangle == kNoTriangle) return false;
  const int row = int(uint32_t(pixel) / uint32_t(args.size.width)),
            column = int(uint32_t(pixel) - uint32_t(row) * uint32_t(args.size.width));
  if (!math::tile_planes(args.prepared[s.triangle].plane, column / kTile * kTile, row / kTile * kTile, kTile, s.planes))
    return false;
  const float x = float(column % kTile), y = float(row % kTile);
#pragma unroll
  for (int i = 0; i < 3; ++i) s.e[i] = math::plane_at(s.planes.edge[i], x, y);
  s.depth = math::plane_at(s.planes.depth, x, y);
  return true;
}
SPLAT_DEVICE float between(float x, float low, float high) { return math::min(math::max(x, low), high); }

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_rast_kernel(TriangleRast args) {
  const size_t pixel = this_thread();
  if (pixel >= size_t(args.size.width) * size_t(args.size.height)) return;
  math::TriangleShares<float> s{};
  float depth = 0, number = 0;
  if (Seen seen; seen_at(args, pixel, seen)) {
    math::SharesParts<float> parts{};
#pragma unroll
    for (int i = 0; i < 3; ++i) parts.edge[i] = {seen.planes.edge[i][0], seen.planes.edge[i][1], seen.e[i]};
    parts.sum = parts.edge[0] + parts.edge[1] + parts.edge[2];
    parts.inverse = 1.0f / parts.sum.z;
    s = math::shares_of(parts);
    depth = between(seen.depth, -1, 1);
    number = float(seen.triangle + 1);
  }
  float* const rast = args.rast + 4 * pixel;
  rast[0] = between(s.u, 0, 1), rast[1] = between(s.v, 0, 1), rast[2] = depth, rast[3] = number;
  if (!args.rast_db) return;
  float* const db = args.rast_db + 4 * pixel;
  db[0] = s.u_x, db[1] = s.u_y, db[2] = s.v_x, db[3] = s.v_y;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_faces_kernel(TriangleFaces args) {
  const size_t pixel = this_thread();
  if (pixel >= size_t(args.size.width) * size_t(args.size.height)) return;
  float share[3] = {0, 0, 0};
  int32_t number = 0;
  if (Seen seen; seen_at(args, pixel, seen)) {
    number = int32_t(seen.triangle) + 1;
#pragma unroll
    for (int i = 0; i < 3; ++i) share[i] = seen.e[i] * args.prepared[seen.triangle].weight[i];
    const float inverse = 1.0f / (share[0] + share[1] + share[2]);
#pragma unroll
    for (int i = 0; i < 3; ++i) share[i] *= inverse;
  }
  args.numbers[pixel] = number;
#pragma unroll
  for (int i = 0; i < 3; ++i) args.shares[3 * pixel + size_t(i)] = share[i];
}

// ---- backward

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kAreaThreads) triangle_backward_kernel(TriangleBackward args) {
  if constexpr (wave_size_is<kWave>()) {
    const AreaPixel pixel = area_pixel(args.size);
    uint32_t triangle = pixel.exists ? triangle_of(args.rast[4 * pixel.at + 3], args.list) : kNoTriangle;
    TriangleCorners corners{};
    if (!corners_of(args.list, triangle, corners)) triangle = kNoTriangle;
    Vec v[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (triangle != kNoTriangle) {
      Vec corner[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        const math::ScreenCorner c = math::clip_corner(args.positions + 4 * size_t(corners.vertex[k]), args.size);
        corner[k] = {c.x, c.y, c.w};
      }
      const float* const g = args.v_rast + 4 * pixel.at;
      math::TriangleShares<double> shares{double(g[0]), double(g[1]), 0, 0, 0, 0};
      if (args.v_rast_db) {
        const float* const db = args.v_rast_db + 4 * pixel.at;
        shares.u_x = double(db[0]), shares.u_y = double(db[1]), shares.v_x = double(db[2]), shares.v_y = double(db[3]);
      }
      math::triangle_shares_vjp(corner, pixel.x + 0.5, pixel.y + 0.5, shares, v);
    }
    by_triangle<kWave>(triangle, [&](const auto& add) {
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        double* const to = args.sums + 3 * size_t(corners.vertex[k]);
        add(v[k].x, to), add(v[k].y, to + 1), add(v[k].z, to + 2);
      }
    });
  }
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_positions_kernel(TrianglePositionGradient args) {
  const size_t i = this_thread();
  if (i >= args.count) return;
  const double* const sums = args.sums + 3 * i;
  float v[4] = {0, 0, 0, 0};
  math::clip_corner_vjp(Vec{sums[0], sums[1], sums[2]}, args.size, v);
#pragma unroll
  for (int k = 0; k < 4; ++k) args.v_positions[4 * i + size_t(k)] = v[k];
}

size_t pixels_of(const math::PictureSize& size) { return size_t(size.width) * size_t(size.height); }

}  // namespace

void check_triangles(const TriangleCheck& args, const Target& target) {
  const size_t corners = 3 * size_t(args.list.count);
  launch("triangle_check", triangle_check_kernel, grid_of(corners > args.pictures ? corners : args.pictures), kThreads,
         target.stream, args);
}
void prepare_triangles(const TriangleDrawing& args, const Target& target) {
  launch("triangle_prepare", triangle_prepare_kernel, grid_of(size_t(args.list.count) + 1), kThreads, target.stream,
         args);
}
void draw_triangles(const TriangleDrawing& args, const Target& target) {
  const size_t blocks =
      size_t((args.size.width + kBlock - 1) / kBlock) * size_t((args.size.height + kBlock - 1) / kBlock);
  const size_t items = blocks < args.most_items ? blocks : args.most_items;
  const size_t most = (args.list.count * items * kBlock + kThreads - 1) / kThreads;
  launch("triangle_draw", triangle_draw_kernel, dim3(most < kMostBlocks ? unsigned(most) : kMostBlocks), kThreads,
         target.stream, args);
}
void write_rast(const TriangleRast& args, const Target& target) {
  launch("triangle_rast", triangle_rast_kernel, grid_of(pixels_of(args.size)), kThreads, target.stream, args);
}
void write_faces(const TriangleFaces& args, const Target& target) {
  launch("triangle_faces", triangle_faces_kernel, grid_of(pixels_of(args.size)), kThreads, target.stream, args);
}
void triangle_backward(const TriangleBackward& args, const Target& target) {
  launch("triangle_backward", target.wave == 64 ? triangle_backward_kernel<64> : triangle_backward_kernel<32>,
         area_grid(args.size), kAreaThreads, target.stream, args);
}
void write_position_gradient(const TrianglePositionGradient& args, const Target& target) {
  launch("triangle_positions", triangle_positions_kernel, grid_of(args.count), kThreads, target.stream, args);
}

}  // namespace splat::gpu
