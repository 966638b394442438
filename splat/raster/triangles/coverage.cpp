#include "splat/raster/triangles/coverage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "splat/core/check.h"
#include "splat/math/triangle.h"

namespace splat::triangles {
namespace {

using Vec = math::Vec3<double>;

constexpr size_t kFewestAtATime = 512, kMostChunks = 64;  // triangles; chunks of them
constexpr int kBlockWidth = 8 * kTileSide, kMostBlocksAcross = 8;
constexpr size_t kBatch = 16;    // triangles drawn before it is found out what of the tile is covered
constexpr double kSlack = 1e-5;  // px, of bounds

struct Prepared {
  Vec edge[3], depth;
  float weight[3];
  int32_t x0, y0, x1, y1;  // px, included; x1 < x0: not drawn
};

// Where on the screen the triangle lies, px.
struct Bounds {
  double x0 = 1e30, y0 = 1e30, x1 = -1e30, y1 = -1e30;

  void add(double x, double y) {
    x0 = std::min(x0, x), y0 = std::min(y0, y), x1 = std::max(x1, x), y1 = std::max(y1, y);
  }
};

// With corners behind the eye: the part beyond the near plane.
Bounds bounds_beyond(const Corner (&corner)[3], double near) {
  Bounds bounds;
  const Bounds everywhere{-1e30, -1e30, 1e30, 1e30};
  for (int i = 0; i < 3; ++i) {
    const Corner &a = corner[i], &b = corner[(i + 1) % 3];
    const double beyond_a = a.depth - near * a.w, beyond_b = b.depth - near * b.w;
    if (beyond_a >= 0) {
      if (!(a.w > 0)) return everywhere;
      bounds.add(a.x / a.w, a.y / a.w);
    }
    if ((beyond_a >= 0) == (beyond_b >= 0)) continue;
    const double part = beyond_a / (beyond_a - beyond_b), w = a.w + part * (b.w - a.w);
    if (!(w > 0)) return everywhere;
    bounds.add((a.x + part * (b.x - a.x)) / w, (a.y + part * (b.y - a.y)) / w);
  }
  return bounds;
}

Bounds bounds_of(const Corner (&corner)[3], double near) {
  if (!(std::min({corner[0].w, corner[1].w, corner[2].w}) > 0)) return bounds_beyond(corner, near);
  Bounds bounds;
  for (const Corner& c : corner) bounds.add(c.x / c.w, c.y / c.w);
  return bounds;
}

int first_pixel(double low, int size) { return int(std::ceil(std::clamp(low, 0.0, double(size)) - 0.5 - kSlack)); }
int last_pixel(double high, int size) { return int(std::floor(std::clamp(high, 0.0, double(size)) - 0.5 + kSlack)); }

Prepared prepare(const TriangleJob& job, size_t triangle) {
  Prepared p;
  p.x0 = 0, p.x1 = -1;
  Corners c;
  job.corners(triangle, c);
  double sum = 0;
  for (const Corner& corner : c.corner) sum += corner.x + corner.y + corner.depth + corner.w;
  if (!std::isfinite(sum)) return p;
  const Bounds bounds = bounds_of(c.corner, job.near);
  const int x0 = std::max(first_pixel(bounds.x0, job.width), 0),
            x1 = std::min(last_pixel(bounds.x1, job.width), job.width - 1);
  p.y0 = std::max(first_pixel(bounds.y0, job.height), 0);
  p.y1 = std::min(last_pixel(bounds.y1, job.height), job.height - 1);
  if (x0 > x1 || p.y0 > p.y1) return p;
  const Vec places[3] = {{c.corner[0].x, c.corner[0].y, c.corner[0].w},
                         {c.corner[1].x, c.corner[1].y, c.corner[1].w},
                         {c.corner[2].x, c.corner[2].y, c.corner[2].w}};
  const math::TriangleEdges<double> edges = math::triangle_edges(places);
  if (!(edges.volume > 0)) return p;
  p.depth = math::screen_plane(edges, c.corner[0].depth, c.corner[1].depth, c.corner[2].depth);
  double most = 0;
  for (const Vec& e : edges.edge) most = std::max({most, std::abs(e.x), std::abs(e.y), std::abs(e.z)});
  // By a power of two, so that edges stay the same but for their signs in both triangles that share them.
  const double scale = most < 1e15 && most > 1e-15 ? 1 : std::ldexp(1.0, -std::ilogb(most));
  for (int i = 0; i < 3; ++i) p.edge[i] = scale * edges.edge[i], p.weight[i] = c.weight[i];
  p.x0 = x0, p.x1 = x1;
  return p;
}

struct Blocks {
  int width, across, down;  // width px each, as high as a tile

  explicit Blocks(const TriangleJob& job) {
    const int tiles = (job.width + kTileSide - 1) / kTileSide;
    width = std::max(kBlockWidth, (tiles + kMostBlocksAcross - 1) / kMostBlocksAcross * kTileSide);
    across = (job.width + width - 1) / width, down = (job.height + kTileSide - 1) / kTileSide;
  }
  size_t count() const { return size_t(across) * size_t(down); }
  template <class Visit>
  void visit(const Prepared& p, Visit&& block) const {
    if (p.x1 < p.x0) return;
    for (int y = p.y0 / kTileSide; y <= p.y1 / kTileSide; ++y)
      for (int x = p.x0 / width; x <= p.x1 / width; ++x) block(size_t(y) * size_t(across) + size_t(x));
  }
};

class Drawing {
 public:
  Drawing(const TriangleJob& job, const TileKernels& kernels, ThreadPool* pool,
          FunctionRef<void(const DrawnTile&)> finish)
      : job_(job), finish_(finish), pool_(pool), blocks_(job), kernels_(kernels) {
    prepared_ = std::make_unique_for_overwrite<Prepared[]>(job.triangles);
    sort_into_blocks();
  }

  void run() {
    std::vector<Scratch> scratch(size_t(pool_ ? pool_->threads() : 1));
    for_each(pool_, blocks_.count(), [&](size_t block, int thread) {
      const int x0 = int(block) % blocks_.across * blocks_.width, y0 = int(block) / blocks_.across * kTileSide;
      for (int x = x0; x < std::min(x0 + blocks_.width, job_.width); x += kTileSide)
        draw_tile(block, x, y0, scratch[size_t(thread)]);
    });
  }

 private:
  struct Scratch {
    std::vector<TileTriangle> triangles;
    std::vector<int32_t> numbers;
    std::unique_ptr<Tile> tile;
  };

  // entries_: the triangles of each block, in their order.
  void sort_into_blocks() {
    const size_t chunk = std::max(kFewestAtATime, (job_.triangles + kMostChunks - 1) / kMostChunks);
    const size_t chunks = (job_.triangles + chunk - 1) / chunk, blocks = blocks_.count();
    std::vector<size_t> next(chunks * blocks, 0);
    const auto each = [&](size_t c, auto&& body) {
      for (size_t t = c * chunk; t < std::min((c + 1) * chunk, job_.triangles); ++t) body(t);
    };
    for_each(pool_, chunks, [&](size_t c, int) {
      each(c, [&](size_t t) {
        prepared_[t] = prepare(job_, t);
        blocks_.visit(prepared_[t], [&](size_t block) { ++next[c * blocks + block]; });
      });
    });
    first_.assign(blocks + 1, 0);
    size_t sum = 0;
    for (size_t block = 0; block < blocks; ++block) {
      first_[block] = sum;
      for (size_t c = 0; c < chunks; ++c) {
        const size_t count = next[c * blocks + block];
        next[c * blocks + block] = sum;
        sum += count;
      }
    }
    first_[blocks] = sum;
    entries_ = std::make_unique_for_overwrite<uint32_t[]>(sum);
    for_each(pool_, chunks, [&](size_t c, int) {
      each(c, [&](size_t t) {
        blocks_.visit(prepared_[t], [&](size_t block) { entries_[next[c * blocks + block]++] = uint32_t(t); });
      });
    });
  }

  // False: nothing of it is seen, as far as the tile's bounds say.
  bool in_tile(const Prepared& p, int x, int y, float limit, TileTriangle& t) const {
    t.x0 = std::max(p.x0 - x, 0), t.x1 = std::min(p.x1 - x, kTileSide - 1);
    t.y0 = std::max(p.y0 - y, 0), t.y1 = std::min(p.y1 - y, kTileSide - 1);
    if (t.x0 > t.x1 || t.y0 > t.y1) return false;
    for (int i = 0; i < 3; ++i) {
      const Vec& e = p.edge[i];
      const double here = e.x * (x + 0.5) + e.y * (y + 0.5) + e.z;
      if (here + std::max(e.x * t.x0, e.x * t.x1) + std::max(e.y * t.y0, e.y * t.y1) < 0) return false;
      t.edge[i][0] = float(e.x), t.edge[i][1] = float(e.y), t.edge[i][2] = float(here);
      t.weight[i] = p.weight[i];
    }
    const Vec& d = p.depth;
    const double here = d.x * (x + 0.5) + d.y * (y + 0.5) + d.z;
    const double least = here + std::min(d.x * t.x0, d.x * t.x1) + std::min(d.y * t.y0, d.y * t.y1);
    if (!((job_.steps > 0 ? least * job_.steps : least) < limit)) return false;
    t.depth[0] = float(d.x), t.depth[1] = float(d.y), t.depth[2] = float(here);
    return true;
  }

  void clear(int x0, int y0, int width, int height, Tile& tile) const {
    std::fill_n(tile.seen, kTilePixels, -1);
    std::fill_n(tile.nearest, kTilePixels, job_.near);
    const bool whole = width == kTileSide && height == kTileSide;
    std::fill_n(tile.depth, kTilePixels, whole ? job_.far : std::numeric_limits<float>::lowest());
    for (int y = 0; y < height; ++y) {
      if (!whole) std::fill_n(tile.depth + y * kTileSide, width, job_.far);
      if (!job_.nearest) continue;
      const float* row = job_.nearest + size_t(y0 + y) * size_t(job_.width) + size_t(x0);
      // What is no number counts as no limit.
      for (int x = 0; x < width; ++x) {
        const float limit = row[x] * job_.nearest_scale + job_.nearest_offset;
        tile.nearest[y * kTileSide + x] = limit > job_.near ? limit : job_.near;
      }
    }
  }

  void draw_tile(size_t block, int x0, int y0, Scratch& s) {
    if (!s.tile) s.tile = std::make_unique<Tile>();
    const int width = std::min(kTileSide, job_.width - x0), height = std::min(kTileSide, job_.height - y0);
    clear(x0, y0, width, height, *s.tile);
    s.triangles.clear();
    s.numbers.clear();
    float limit = job_.far;
    size_t drawn = 0;
    TileTriangle next;
    for (size_t e = first_[block]; e < first_[block + 1]; ++e) {
      if (!in_tile(prepared_[entries_[e]], x0, y0, limit, next)) continue;
      s.triangles.push_back(next);
      s.numbers.push_back(job_.first_number + int32_t(entries_[e]));
      if (s.triangles.size() - drawn < kBatch) continue;
      kernels_.draw(s.triangles.data(), drawn, s.triangles.size(), job_.steps, s.tile.get());
      drawn = s.triangles.size();
      limit = kernels_.farthest(s.tile.get());
    }
    kernels_.draw(s.triangles.data(), drawn, s.triangles.size(), job_.steps, s.tile.get());
    if (s.triangles.empty()) s.triangles.emplace_back(), s.numbers.push_back(0);  // read, but for nothing
    kernels_.find_shares(s.triangles.data(), job_.weighted, s.tile.get());
    finish_({x0, y0, width, height, *s.tile, s.triangles.data(), s.numbers.data(), kernels_});
  }

  const TriangleJob& job_;
  const FunctionRef<void(const DrawnTile&)> finish_;
  ThreadPool* const pool_;
  const Blocks blocks_;
  const TileKernels& kernels_;
  std::unique_ptr<Prepared[]> prepared_;  // [triangles]
  std::vector<size_t> first_;             // [blocks + 1] of entries
  std::unique_ptr<uint32_t[]> entries_;
};

}  // namespace

Status draw_triangles(const TriangleJob& job, ThreadPool* pool, FunctionRef<void(const DrawnTile&)> finish) {
  if (std::min(job.width, job.height) < 0 || std::max(job.width, job.height) > kLargestSide)
    return Error{"a picture of " + std::to_string(job.width) + "x" + std::to_string(job.height) +
                 " px is none that triangles can be drawn in: sides are 0 to " + std::to_string(kLargestSide)};
  SPLAT_ASSIGN_OR_RETURN(const cpu::SimdLevel level, cpu::choose_simd_level(cpu::SimdLevel::kAuto));
  if (job.width > 0 && job.height > 0) Drawing(job, tile_kernels_of(level), pool, finish).run();
  return {};
}

const TileKernels& tile_kernels_of(cpu::SimdLevel level) {
#ifdef HIPSPLAT_LEVEL_SSE4
  if (level == cpu::SimdLevel::kSse4) return sse4::kTileKernels;
#endif
#ifdef HIPSPLAT_LEVEL_AVX2
  if (level == cpu::SimdLevel::kAvx2) return avx2::kTileKernels;
#endif
#ifdef HIPSPLAT_LEVEL_AVX512
  if (level == cpu::SimdLevel::kAvx512) return avx512::kTileKernels;
#endif
#ifdef HIPSPLAT_LEVEL_NEON
  if (level == cpu::SimdLevel::kNeon) return neon::kTileKernels;
#endif
  check_failed(__FILE__, __LINE__, "a SIMD level", std::to_string(int(level)));
}

}  // namespace splat::triangles
