#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "io/atomic_file.h"
#include "io/gzip.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/spz/spz.h"
#include "io/splats/spz/spz_codec.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr size_t kBlockRows = size_t(1) << 16;  // encoded together
constexpr size_t kChunkRows = size_t(1) << 12;  // by one thread at a time
constexpr int kFractionalBits = 12;             // as other programs write: steps of 1/4096
constexpr int kZstdLevel = 5;                   // within 3 % of the size at 12, in a quarter of the time
constexpr double kOutliers = 1e-3;              // the share of splats that may be clamped for the sake of finer steps

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

size_t count_beyond(const Gaussians& model, const WritableRows& rows, float limit) {
  size_t beyond = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const float* mean = model.means.data() + 3 * rows[i];
    beyond += std::abs(mean[0]) >= limit || std::abs(mean[1]) >= limit || std::abs(mean[2]) >= limit;
  }
  return beyond;
}

// The finest steps, up to 2^-12, with which 24 bits reach nearly all positions.
int choose_fractional_bits(const Gaussians& model, const WritableRows& rows, SplatWriteReport& report) {
  int bits = kFractionalBits;
  const auto limit = [&] { return std::ldexp(1.0f, 23 - bits); };
  while (bits > 0 && double(count_beyond(model, rows, limit())) > kOutliers * double(rows.size())) --bits;
  if (const size_t beyond = count_beyond(model, rows, limit()))
    report.losses.push_back(splat::counted(beyond, "splat") + " farther than " + std::to_string(int(limit())) +
                            " units from the origin " + splat::noun(beyond, "was", "were") +
                            " moved to that border, where SPZ ends");
  if (bits < kFractionalBits)
    report.losses.push_back("the scene is large for SPZ: positions are rounded to " +
                            (bits > 0 ? "1/" + std::to_string(1 << bits) + " of a unit" : "whole units"));
  return bits;
}

// One zstd frame, compressed as bytes come.
class ZstdWriter {
 public:
  ZstdWriter(uint64_t size, int threads) : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, threads);  // where the library has them; same bytes
    ZSTD_CCtx_setPledgedSrcSize(context_.get(), size);
  }
  void write(std::span<const char> bytes, bool last) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::vector<char> block(ZSTD_CStreamOutSize());
    for (bool done = false; !done;) {
      ZSTD_outBuffer out{block.data(), block.size(), 0};
      const size_t left = ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      SPLAT_CHECK(!ZSTD_isError(left));
      packed_.append(block.data(), out.pos);
      done = last ? left == 0 : in.pos == in.size;
    }
  }
  std::string take() { return std::move(packed_); }

 private:
  std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context_;
  std::string packed_;
};

class SpzWriter {
 public:
  SpzWriter(const SpzLayout& layout, const Gaussians& model, const WritableRows& rows, const SplatWriteOptions& options)
      : layout_(layout), model_(model), rows_(rows), options_(options), pool_(options.threads) {}

  void write_version_3(const SpzSink& sink, bool antialiased) {
    bool wanted = true;
    GzipWriter gzip([&](std::string_view bytes) { wanted = wanted && sink(bytes); }, pool_);
    gzip.write(header(antialiased, 0));
    for (const SpzStream stream : kSpzStreams) {
      // Within 3 % of the size of looking for matches everywhere (trained scenes), in a quarter of the time.
      const bool repeats = stream == SpzStream::kPositions || stream == SpzStream::kColours;
      gzip.look_for(repeats ? GzipSearch::kMatches : GzipSearch::kRuns);
      encode(stream, [&](std::span<const char> bytes, bool) {
        if (wanted) gzip.write(bytes);
      });
    }
    gzip.finish();
  }

  void write_version_4(AtomicFile& file, bool antialiased) {
    constexpr uint32_t kHeaderBytes = 32;
    std::string toc, packed;
    uint8_t streams = 0;
    for (const SpzStream stream : kSpzStreams) {
      const uint64_t bytes = rows_.size() * layout_.row_bytes(stream);
      if (bytes == 0) continue;
      ZstdWriter zstd(bytes, pool_.threads());
      encode(stream, [&](std::span<const char> block, bool last) { zstd.write(block, last); });
      const std::string part = zstd.take();
      put(toc, uint64_t(part.size()));
      put(toc, bytes);
      packed += part;
      ++streams;
    }
    std::string start = header(antialiased, streams);
    put(start, kHeaderBytes);
    start.resize(kHeaderBytes, '\0');
    file.write(start + toc);
    file.write(packed);
  }

 private:
  std::string header(bool antialiased, uint8_t streams) const {
    std::string bytes;
    put(bytes, kSpzMagic);
    put(bytes, layout_.version);
    put(bytes, uint32_t(rows_.size()));
    for (const uint8_t byte :
         {uint8_t(layout_.sh_degree), uint8_t(layout_.fractional_bits), uint8_t(antialiased), streams})
      put(bytes, byte);
    return bytes;
  }

  template <class Sink>
  void encode(SpzStream stream, Sink&& sink) {
    const size_t row_bytes = layout_.row_bytes(stream);
    std::vector<char> block(std::min(kBlockRows, rows_.size()) * row_bytes);
    for (size_t row = 0; row < rows_.size() && row_bytes > 0;) {
      const size_t count = std::min(kBlockRows, rows_.size() - row);
      pool_.for_chunks(count, kChunkRows, [&](size_t begin, size_t end, int) {
        encode_spz(layout_, stream, model_, rows_, row + begin, row + end,
                   reinterpret_cast<uint8_t*>(block.data()) + begin * row_bytes);
      });
      row += count;
      sink(std::span<const char>(block.data(), count * row_bytes), row == rows_.size());
      done_ += count * row_bytes;
      if (options_.progress) options_.progress(double(done_) / double(rows_.size() * layout_.row_bytes()));
    }
  }

  const SpzLayout& layout_;
  const Gaussians& model_;
  const WritableRows& rows_;
  const SplatWriteOptions& options_;
  splat::ThreadPool pool_;
  size_t done_ = 0;
};

// What all versions begin with; notes in the report what is lost.
SpzLayout layout_for(int version, const Gaussians& model, const WritableRows& rows, const SplatFileInfo& info,
                     const SplatWriteOptions& options, SplatWriteReport& report) {
  SpzLayout layout;
  layout.version = uint32_t(version);
  layout.sh_degree = std::min(model.sh_degree, options.max_sh_degree);
  layout.fractional_bits = choose_fractional_bits(model, rows, report);
  note_clamped(model, rows, held_by_spz(layout.sh_degree), "SPZ", report);
  note_lost_info(info, {.antialiased = true}, "SPZ", report);
  return layout;
}

}  // namespace

Result<SplatWriteReport> write_spz(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                   const SplatWriteOptions& options) {
  if (options.spz_version != 3 && options.spz_version != 4)
    return Error{"hipsplat writes SPZ version 3 or 4, not " + std::to_string(options.spz_version)};
  const WritableRows rows(model);
  SplatWriteReport report = rows.report();
  const SpzLayout layout = layout_for(options.spz_version, model, rows, info, options, report);
  AtomicFile file(path);
  SpzWriter writer(layout, model, rows, options);
  const auto to_file = [&](std::string_view bytes) {
    file.write(bytes);
    return !file.failed();
  };
  if (layout.version == 3)
    writer.write_version_3(to_file, info.antialiased);
  else
    writer.write_version_4(file, info.antialiased);
  SPLAT_TRY(file.commit());
  return report;
}

SplatWriteReport pack_spz(const SpzSink& sink, const Gaussians& model, const SplatFileInfo& info,
                          const SplatWriteOptions& options) {
  const WritableRows rows(model);
  SplatWriteReport report = rows.report();
  const SpzLayout layout = layout_for(3, model, rows, info, options, report);
  SpzWriter(layout, model, rows, options).write_version_3(sink, info.antialiased);
  return report;
}

}  // namespace io
