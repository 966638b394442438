#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "io/atomic_file.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/codec.h"
#include "io/splats/ply/chunk_order.h"
#include "io/splats/ply/compressed_ply.h"
#include "io/splats/ply/ply_splat.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr float kMaxHarmonic = 4;
constexpr size_t kBlockChunks = 128;     // encoded together
constexpr float kSmallestRange = 1e-5f;  // of a chunk; below it all of its values are the minimum

struct Chunk {  // as in the file
  struct {
    std::array<float, 3> low, high;
  } range[3];
};
static_assert(sizeof(Chunk) == 18 * sizeof(float));

// The bounds of its values but for absurd ones, unless all are.
Chunk chunk_of(const Gaussians& model, std::span<const uint32_t> rows, const ChunkRanges& absurd) {
  std::vector<ChunkValues> values(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) values[k] = chunk_values(model, rows[k]);
  Chunk chunk{};
  for (size_t group = 0; group < 3; ++group)
    for (size_t i = 0; i < 3; ++i) {
      const SaneRange& sane = absurd[group][i];
      const bool any =
          std::any_of(values.begin(), values.end(), [&](const ChunkValues& of) { return sane.holds(of[group][i]); });
      float &low = chunk.range[group].low[i], &high = chunk.range[group].high[i];
      low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
      for (const ChunkValues& of : values)
        if (const float value = of[group][i]; !any || sane.holds(value))
          low = std::min(low, value), high = std::max(high, value);
    }
  return chunk;
}

bool is_within(const Chunk& chunk, const ChunkValues& values, size_t group) {
  for (size_t i = 0; i < 3; ++i)
    if (values[group][i] < chunk.range[group].low[i] || values[group][i] > chunk.range[group].high[i]) return false;
  return true;
}

struct Packed {  // as in the file
  uint32_t position, rotation, scale, colour;
};

uint32_t pack_rotation(const float* stored) {
  const std::array<float, 4> quat = normalised(stored);
  const size_t largest = largest_of(quat);
  const float sign = quat[largest] < 0 ? -1.0f : 1.0f;
  uint32_t word = uint32_t(largest);
  for (size_t i = 0; i < 4; ++i)
    if (i != largest) word = word << 10 | to_steps(sign * quat[i] * kSqrtHalf + 0.5f, 1023);
  return word;
}

Packed encode(const Gaussians& model, size_t row, const Chunk& chunk) {
  const ChunkValues values = chunk_values(model, row);
  const auto steps = [&](size_t group, size_t i, uint32_t top) {
    const float low = chunk.range[group].low[i], range = chunk.range[group].high[i] - low;
    return range < kSmallestRange ? 0u : to_steps((values[group][i] - low) / range, top);
  };
  const auto word = [&](size_t group) {
    return steps(group, 0, 2047) << 21 | steps(group, 1, 1023) << 11 | steps(group, 2, 2047);
  };
  // Out of place it must not be seen.
  const uint32_t opacity = is_within(chunk, values, 0) ? to_byte(sigmoid(model.logit_opacities[row])) : 0;
  return {word(0), pack_rotation(model.quats.data() + 4 * row), word(1),
          steps(2, 0, 255) << 24 | steps(2, 1, 255) << 16 | steps(2, 2, 255) << 8 | opacity};
}

uint8_t byte_of_sh(float value) {
  return uint8_t(std::clamp((value / (2 * kMaxHarmonic) + 0.5f) * 256.0f, 0.0f, 255.0f));
}

std::string header_of(size_t rows, size_t rest, const SplatFileInfo& info, int degree) {
  const std::string count = std::to_string(rows),
                    chunks = std::to_string((rows + kCompressedChunk - 1) / kCompressedChunk);
  std::string text =
      "ply\nformat binary_little_endian 1.0\n" + ply_comments(info, degree) + "element chunk " + chunks + "\n";
  for (const auto& [group, axes] : {std::pair("", "xyz"), {"scale_", "xyz"}, {"", "rgb"}})
    for (const char* bound : {"min_", "max_"})
      for (size_t i = 0; i < 3; ++i) text += std::string("property float ") + bound + group + axes[i] + "\n";
  text += "element vertex " + count + "\n";
  for (const char* name : {"position", "rotation", "scale", "color"})
    text += std::string("property uint packed_") + name + "\n";
  if (rest > 0) text += "element sh " + count + "\n";
  for (size_t i = 0; i < rest; ++i) text += "property uchar f_rest_" + std::to_string(i) + "\n";
  return text + "end_header\n";
}

// Rows in the order of chunk_order(), and how they are encoded: in blocks of whole chunks, by every core.
class Encoder {
 public:
  Encoder(const Gaussians& model, std::vector<uint32_t> order, const SplatWriteOptions& options)
      : model_(model), order_(std::move(order)), options_(options), pool_(options.threads) {}

  void write(AtomicFile& file, size_t coefficients, SplatWriteReport& report) {
    std::vector<Chunk> chunks((order_.size() + kCompressedChunk - 1) / kCompressedChunk);
    const ChunkRanges absurd = absurd_beyond(model_, order_);
    pool_.for_each(chunks.size(), [&](size_t c, int) { chunks[c] = chunk_of(model_, rows_of(c), absurd); });
    note_absurd(chunks, report);
    file.write(std::as_bytes(std::span(chunks)));

    std::vector<Packed> packed(kBlockChunks * kCompressedChunk);
    const size_t rest = 3 * (coefficients - 1), stride = size_t(model_.coefficients()) * 3;
    const double share = rest == 0 ? 1 : 0.5;  // of the progress
    write_rows(file, packed, 1, {0, share},
               [&](size_t chunk, uint32_t row, Packed* to) { *to = encode(model_, row, chunks[chunk]); });
    std::vector<uint8_t> harmonics(rest * kBlockChunks * kCompressedChunk);
    if (rest == 0) return;
    write_rows(file, harmonics, rest, {share, 1}, [&](size_t, uint32_t row, uint8_t* to) {
      for (size_t c = 0; c < 3; ++c)
        for (size_t k = 1; k < coefficients; ++k) *to++ = byte_of_sh(model_.sh[row * stride + 3 * k + c]);
    });
  }

 private:
  void note_absurd(const std::vector<Chunk>& chunks, SplatWriteReport& report) const {
    std::array<size_t, 3> beyond{};
    for (size_t c = 0; c < chunks.size(); ++c)
      for (const uint32_t row : rows_of(c)) {
        const ChunkValues values = chunk_values(model_, row);
        for (size_t group = 0; group < 3; ++group) beyond[group] += !is_within(chunks[c], values, group);
      }
    if (beyond[0] > 0)
      report.losses.push_back(
          splat::counted(beyond[0], "splat") + " absurdly far from all others would have cost their " +
          "neighbours in the file all precision, and " + splat::noun(beyond[0], "was", "were") + " made transparent");
    if (beyond[2] > 0)
      report.losses.push_back("the colours of " + splat::counted(beyond[2], "splat") +
                              " lie absurdly far from all others and were moved to their border");
  }

  std::span<const uint32_t> rows_of(size_t chunk) const {
    const size_t first = chunk * kCompressedChunk;
    return std::span(order_).subspan(first, std::min(kCompressedChunk, order_.size() - first));
  }

  // One element: `width` values of `block` a row, put there by put(chunk, row, to).
  template <class T, class Put>
  void write_rows(AtomicFile& file, std::vector<T>& block, size_t width, std::array<double, 2> progress, Put&& put) {
    const size_t chunks = (order_.size() + kCompressedChunk - 1) / kCompressedChunk;
    for (size_t first = 0; first < chunks && !file.failed(); first += kBlockChunks) {
      const size_t end = std::min(first + kBlockChunks, chunks);
      pool_.for_each(end - first, [&](size_t i, int) {
        T* to = block.data() + i * kCompressedChunk * width;
        for (const uint32_t row : rows_of(first + i)) {
          put(first + i, row, to);
          to += width;
        }
      });
      const size_t rows = std::min(end * kCompressedChunk, order_.size()) - first * kCompressedChunk;
      file.write(std::as_bytes(std::span(block.data(), rows * width)));
      if (options_.progress) options_.progress(std::lerp(progress[0], progress[1], double(end) / double(chunks)));
    }
  }

  const Gaussians& model_;
  std::vector<uint32_t> order_;
  const SplatWriteOptions& options_;
  splat::ThreadPool pool_;
};

}  // namespace

Result<SplatWriteReport> write_compressed_ply(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                              const SplatWriteOptions& options) {
  const WritableRows rows(model);
  const int degree = std::min(model.sh_degree, options.max_sh_degree);
  const size_t coefficients = size_t(splat::sh_coefficients(degree));
  AtomicFile file(path);
  file.write(header_of(rows.size(), 3 * (coefficients - 1), info, degree));
  SplatWriteReport report = rows.report();
  Encoder(model, chunk_order(model, rows), options).write(file, coefficients, report);
  SPLAT_TRY(file.commit());
  note_clamped(model, rows,
               {.colour = {},
                .harmonics = {-kMaxHarmonic, kMaxHarmonic, 0},
                .log_scale = {-kCompressedLargestLogScale, kCompressedLargestLogScale, 0},
                .sh_degree = degree},
               "compressed PLY", report);
  return report;
}

}  // namespace io
