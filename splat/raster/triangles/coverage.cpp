#include "splat/raster/triangles/coverage.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "splat/core/check.h"
#include "splat/math/screen_triangle.h"
#include "splat/raster/triangles/checks.h"

namespace splat::triangles {
namespace {

constexpr size_t kFewestAtATime = 512, kMostChunks = 64;  // triangles; chunks of them
constexpr int kBlockWidth = 8 * kTileSide, kMostBlocksAcross = 8;
constexpr size_t kBatch = 16;  // triangles drawn before it is found out what of the tile is covered

struct Prepared {
  math::ScreenTriangle plane;
  float weight[3];
};

Prepared prepare(const TriangleJob& job, size_t triangle) {
  Corners c;
  job.corners(triangle, c);
  return {math::screen_triangle(c.corner, job.near, {job.width, job.height}), {c.weight[0], c.weight[1], c.weight[2]}};
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
  void visit(const math::ScreenTriangle& p, Visit&& block) const {
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
        blocks_.visit(prepared_[t].plane, [&](size_t block) { ++next[c * blocks + block]; });
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
        blocks_.visit(prepared_[t].plane, [&](size_t block) { entries_[next[c * blocks + block]++] = uint32_t(t); });
      });
    });
  }

  // False: nothing of it is seen, as far as the tile's bounds say.
  bool in_tile(const Prepared& p, int x, int y, float limit, TileTriangle& t) const {
    if (!math::tile_planes(p.plane, x, y, kTileSide, t)) return false;
    const double least = math::least_depth(p.plane, x, y, t);
    if (!((job_.steps > 0 ? least * job_.steps : least) < limit)) return false;
    std::copy_n(p.weight, 3, t.weight);
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
      for (int x = 0; x < width; ++x)
        tile.nearest[y * kTileSide + x] =
            math::nearest_seen(job_.near, row[x], job_.nearest_scale, job_.nearest_offset);
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
  SPLAT_TRY(check_picture(job.width, job.height));
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
