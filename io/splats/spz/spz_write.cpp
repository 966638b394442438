#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "io/atomic_file.h"
#include "io/gzip.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/outliers.h"
#include "io/splats/spz/spz.h"
#include "io/splats/spz/spz_codec.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"
#include "splat/core/percentile.h"
#include "splat/model/robust_extent.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr size_t kBlockRows = size_t(1) << 16;  // encoded together
constexpr size_t kChunkRows = size_t(1) << 12;  // by one thread at a time
constexpr int kFractionalBits = 12;             // as other programs write: steps of 1/4096
constexpr int kMostBits = 24;
constexpr double kStepsAcross = 4096;  // of a scene's extent, at least, as long as there are bits
constexpr int kZstdLevel = 5;          // within 3 % of the size at 12, in a quarter of the time
constexpr double kOutliers = 1e-3;     // the share of splats that may be clamped for the sake of finer steps

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// How far from 0 splats lie on any axis.
class Distances {
 public:
  Distances(const Gaussians& model, const WritableRows& rows) : of_row_(rows.size()) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const float* mean = model.means.data() + 3 * rows[i];
      of_row_[i] = std::max({std::abs(mean[0]), std::abs(mean[1]), std::abs(mean[2])});
    }
    if (of_row_.empty()) return;
    std::vector<float> sorted = of_row_;
    const float usual = splat::nth_value(sorted, size_t(kUsualShare * double(sorted.size() - 1)));
    if (usual > 0) absurd_ = kAbsurd * usual;
  }

  // Whether steps that reach as far as this serve nearly all. What is absurdly far away has no say.
  bool within(double limit) const {
    const auto beyond = [&](float distance) { return distance >= limit && distance < absurd_; };
    return double(std::count_if(of_row_.begin(), of_row_.end(), beyond)) <= kOutliers * double(of_row_.size());
  }
  size_t beyond(double limit) const {
    return size_t(std::count_if(of_row_.begin(), of_row_.end(), [&](float distance) { return distance >= limit; }));
  }

 private:
  static constexpr double kUsualShare = 0.9;
  static constexpr float kAbsurd = 1000;  // times as far as nine of ten
  std::vector<float> of_row_;
  float absurd_ = std::numeric_limits<float>::infinity();
};

// The longest side of nearly all of the scene: what the middle nine tenths of splats span, or what shows.
double extent_of(const Gaussians& model, const WritableRows& rows) {
  double side = 0, shown = 0;
  const auto extent = splat::robust_extent(model);
  for (size_t c = 0; c < 3; ++c) {
    std::vector<float> values(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) values[i] = model.means[3 * rows[i] + c];
    const SaneRange middle = sane_range(values, 0, 0);
    if (!rows.size()) continue;
    side = std::max(side, double(middle.high) - double(middle.low));
    if (extent) shown = std::max(shown, extent->high[c] - extent->low[c]);
  }
  return side > 0 && shown > 0 ? std::min(side, shown) : std::max(side, shown);
}

double reach_of(int fractional_bits) { return std::ldexp(1.0, 23 - fractional_bits); }

// The steps that other programs write, or finer ones where the scene is small, as far as 24 bits reach nearly all.
int choose_fractional_bits(double extent, const Distances& distances) {
  int bits = kFractionalBits;
  if (extent > 0) bits = int(std::clamp(std::ceil(std::log2(kStepsAcross / extent)), double(bits), double(kMostBits)));
  while (bits > 0 && !distances.within(reach_of(bits))) --bits;
  return bits;
}

void note_steps(int bits, double extent, const Distances& distances, SplatWriteReport& report) {
  if (const size_t beyond = distances.beyond(reach_of(bits)))
    report.losses.push_back(splat::counted(beyond, "splat") + " farther than " + shortest_text(float(reach_of(bits))) +
                            " units from the origin " + splat::noun(beyond, "was", "were") +
                            " moved to that border, where SPZ ends");
  const double across = std::ldexp(extent, bits);
  if (bits < kFractionalBits)
    report.losses.push_back("the scene is large for SPZ: positions are rounded to " +
                            (bits > 0 ? "1/" + std::to_string(1 << bits) + " of a unit" : "whole units"));
  else if (across > 0 && across < kStepsAcross)
    report.losses.push_back(
        "the scene is small for SPZ, at least for how far it lies from 0: positions are rounded to "
        "1/" +
        std::to_string(size_t(std::max(1.0, across))) + " of its extent");
}

// The middle one of the largest sizes of splats, as its logarithm; 0 without splats.
float usual_log_scale(const Gaussians& model, const WritableRows& rows) {
  std::vector<float> largest(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const float* scale = model.log_scales.data() + 3 * rows[i];
    largest[i] = std::max({scale[0], scale[1], scale[2]});
  }
  return splat::median(std::move(largest));
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
  const Distances distances(model, rows);
  const double extent = extent_of(model, rows);
  layout.fractional_bits = choose_fractional_bits(extent, distances);
  note_steps(layout.fractional_bits, extent, distances, report);
  note_clamped(model, rows, held_by_spz(layout.sh_degree), "SPZ", report);
  note_lost_info(info, {.antialiased = true}, "SPZ", report);
  return layout;
}

}  // namespace

Status check_spz_holds(const fs::path& path, const Gaussians& model) {
  const WritableRows rows(model);
  constexpr double kMostGrowth = 1.4;  // of the logarithm: four times
  constexpr double kFewestSteps = 64;
  const HeldRange held = held_by_spz(0).log_scale;
  const double usual = usual_log_scale(model, rows), extent = extent_of(model, rows);
  const Distances distances(model, rows);
  const int bits = choose_fractional_bits(extent, distances);
  const bool small = usual < held.low - kMostGrowth || (extent > 0 && std::ldexp(extent, bits) < kFewestSteps);
  const bool large = usual > held.high + kMostGrowth || 2 * distances.beyond(reach_of(bits)) > rows.size();
  if (!small && !large) return {};
  return Error{"'" + path.string() + "' was not written: the scene is too " + (small ? "small" : "large") +
               " for SPZ, whose sizes reach from 0.000045 to 380 units and whose positions have 24 bits; --transform "
               "\"scale " +
               (small ? "1000" : "0.001") + "\" makes one that fits, and .ply, .sog and .glb hold it as it is"};
}

Result<SplatWriteReport> write_spz(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                   const SplatWriteOptions& options) {
  if (options.spz_version != 3 && options.spz_version != 4)
    return Error{"hipsplat writes SPZ version 3 or 4, not " + std::to_string(options.spz_version)};
  const WritableRows rows(model);
  SPLAT_TRY(check_spz_holds(path, model));
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
