#include "splat/backend/cpu/view_reader.h"

#include <algorithm>
#include <bit>

#include "splat/backend/cpu/parameter_rows.h"
#include "splat/core/check.h"

namespace splat::cpu {

// The mask in the layout of the planes, and which tiles it leaves something of.
void ViewReader::spread_mask(const ImageSize& size, std::span<const uint8_t> mask, ThreadPool& pool) {
  SPLAT_CHECK_EQ(mask.size(), size_t(size.width) * size_t(size.height));
  counted_.resize(size.plane());
  tile_counted_.resize(size.tiles());
  pool.for_each(size_t(size.tiles_y), [&](size_t tile_row, int) {
    uint8_t* tiles = tile_counted_.data() + tile_row * size_t(size.tiles_x);
    std::fill_n(tiles, size.tiles_x, uint8_t(0));
    for (int y = int(tile_row) * math::kTileSize; y < (int(tile_row) + 1) * math::kTileSize; ++y) {
      float* to = counted_.data() + size_t(y) * size_t(size.stride());
      std::fill_n(to, size.stride(), 0.0f);
      if (y >= size.height) continue;
      const uint8_t* from = mask.data() + size_t(y) * size_t(size.width);
      for (int x = 0; x < size.width; ++x)
        if (from[x]) to[x] = 1, tiles[x / math::kTileSize] = 1;
    }
  });
}

// Writes the chunk's rows; splats that are not visible add nothing.
void ViewReader::write_rows(const Frame& frame, size_t chunk, Contributions& out) const {
  const size_t begin = chunk * kChunkSplats, end = std::min(begin + kChunkSplats, out.max_weight.size());
  std::fill(out.max_weight.begin() + std::ptrdiff_t(begin), out.max_weight.begin() + std::ptrdiff_t(end), 0.0f);
  std::fill(out.weight_sum.begin() + std::ptrdiff_t(begin), out.weight_sum.begin() + std::ptrdiff_t(end), 0.0f);
  std::fill(out.pixel_count.begin() + std::ptrdiff_t(begin), out.pixel_count.begin() + std::ptrdiff_t(end), 0u);
  const ContributionSum* sum = sums_.data() + begin;
  for (size_t block = begin; block < end; block += kBlockSplats)
    for (uint32_t bits = frame.visible_bits[block / kBlockSplats]; bits; bits &= bits - 1, ++sum) {
      const size_t row = block + size_t(std::countr_zero(bits));
      out.max_weight[row] = max_weight_of(*sum);
      out.weight_sum[row] = weight_of(*sum);
      out.pixel_count[row] = sum->pixels;
    }
}

void ViewReader::read_contributions(const Frame& frame, const BlendArgs& blend, const Kernels& kernels,
                                    ThreadPool& pool, const ContributionSettings& settings, size_t rows,
                                    Contributions& out) {
  ContributionArgs args;
  static_cast<BlendArgs&>(args) = blend;
  if (!settings.mask.empty()) {
    spread_mask(frame.size, settings.mask, pool);
    args.counted = counted_.data();
    args.tile_counted = tile_counted_.data();
  }
  const size_t chunks = (rows + kChunkSplats - 1) / kChunkSplats;
  sums_.resize(chunks * kChunkSplats);
  pool.for_each(chunks, [&](size_t chunk, int) {
    std::fill_n(sums_.data() + chunk * kChunkSplats, frame.chunk_visible[chunk], ContributionSum{});
  });
  args.min_weight = std::max(settings.min_weight, kLeastWeight);
  args.sums = sums_.data();
  pool.for_each(frame.size.tiles(), [&](size_t tile, int) { kernels.contributions(args, tile); });
  out.max_weight.resize(rows);
  out.weight_sum.resize(rows);
  out.pixel_count.resize(rows);
  pool.for_each(chunks, [&](size_t chunk, int) { write_rows(frame, chunk, out); });
}

void ViewReader::read_depth(Frame& frame, const BlendArgs& blend, const Kernels& kernels, ThreadPool& pool,
                            DepthKind kind, std::vector<float>& out) {
  const ImageSize& size = frame.size;
  const size_t planes = kind == DepthKind::kMedian ? 1 : 3, pixels = size_t(size.width) * size_t(size.height);
  planes_.resize(planes * size.plane());
  DepthArgs args;
  static_cast<BlendArgs&>(args) = blend;
  args.depths = frame.depths();
  (kind == DepthKind::kMedian ? args.median : args.moments) = planes_.data();
  pool.for_each(size.tiles(), [&](size_t tile, int) { kernels.depth(args, tile); });
  out.resize(kind == DepthKind::kMoments ? 3 * pixels : pixels);
  for (int y = 0; y < size.height; ++y) {
    const float* from = planes_.data() + size_t(y) * size_t(size.stride());
    float* to = out.data() + size_t(y) * size_t(size.width);
    if (kind != DepthKind::kMean) {
      for (size_t plane = 0; plane < planes; ++plane)
        std::copy_n(from + plane * size.plane(), size.width, to + plane * pixels);
      continue;
    }
    for (int x = 0; x < size.width; ++x) to[x] = from[x] > 0 ? from[size.plane() + size_t(x)] / from[x] : 0;
  }
}

}  // namespace splat::cpu
