#include <webp/encode.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "io/atomic_file.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/codebook.h"
#include "io/splats/common/outliers.h"
#include "io/splats/common/palette.h"
#include "io/splats/common/zip_archive.h"
#include "io/splats/sog/sog.h"
#include "io/splats/sog/sog_meta.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"
#include "splat/math/activation.h"
#include "splat/model/morton.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::ThreadPool;

namespace {

constexpr uint64_t kSeed = 1;  // of the palette
constexpr int kEffort = 4;     // of libwebp's lossless encoder, 0..9: higher ones save a few percent for twice the time
constexpr size_t kCentroidsPerRow = 64;
constexpr size_t kRowsLookedAt = size_t(1) << 17;  // at least, to find what is usual
constexpr size_t kMaxSide = WEBP_MAX_DIMENSION;

struct Pixels {
  size_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

Pixels blank(size_t width, size_t height) { return {width, height, std::vector<uint8_t>(width * height * 4, 0)}; }

// A picture with room for `count` pixels, nearly square, with sides that are multiples of 4.
Pixels picture_for(size_t count) {
  const auto rounded_up = [](double value) { return std::max(size_t(std::ceil(value / 4)) * 4, size_t(4)); };
  const size_t width = rounded_up(std::sqrt(double(count)));
  return blank(width, rounded_up(double(count) / double(width)));
}

Result<std::string> encode(const Pixels& pixels) {
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture) || !WebPConfigLosslessPreset(&config, kEffort))
    return Error{"the WebP library does not fit its header"};
  config.exact = 1;  // colours below alpha 0 count as well
  picture.use_argb = 1;
  picture.width = int(pixels.width);
  picture.height = int(pixels.height);
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  const bool good =
      WebPPictureImportRGBA(&picture, pixels.rgba.data(), int(pixels.width * 4)) && WebPEncode(&config, &picture);
  std::string bytes(reinterpret_cast<const char*>(writer.mem), good ? writer.size : 0);
  WebPPictureFree(&picture);
  WebPMemoryWriterClear(&writer);
  if (!good) return Error{"a WebP picture could not be made (error " + std::to_string(picture.error_code) + ")"};
  return bytes;
}

class SogWriter {
 public:
  SogWriter(const Gaussians& model, const SplatFileInfo& info, const SplatWriteOptions& options)
      : model_(model), options_(options), pool_(options.threads), writable_(model) {
    degree_ = std::min(model.sh_degree, options.max_sh_degree);
    meta_["version"] = 2;
    meta_["asset"]["generator"] = "hipsplat";
    if (info.antialiased || info.flat) meta_["model"] = info.flat ? "2dgs" : "antialiased";
  }

  Result<SplatWriteReport> write(const fs::path& path) {
    if (picture_for(writable_.size()).height > kMaxSide)
      return Error{"'" + path.string() + "' cannot be written: a SOG holds at most 268 million splats"};
    order_rows();
    find_sane_ranges();
    report_progress(0.05);
    find_ranges_and_codebooks();
    if (degree_ > 0) find_palette();
    SPLAT_ASSIGN_OR_RETURN(std::vector<ZipEntry> entries, encode_pictures());
    meta_["count"] = rows_.size();
    entries.insert(entries.begin(), {"meta.json", meta_.dump()});
    SPLAT_ASSIGN_OR_RETURN(const std::string bytes, make_zip(entries));
    SPLAT_TRY(write_file_atomically(path, bytes));
    report_progress(1);
    SplatWriteReport report = writable_.report();
    const auto held = [](const SaneRange& range) { return HeldRange{range.low, range.high, 0}; };
    note_clamped(model_, writable_, {held(colour_range_), held(harmonic_range_), held(scale_range_), degree_}, "SOG",
                 report);
    const auto is_far = [this](uint32_t row) {
      for (size_t c = 0; c < 3; ++c)
        if (!mean_range_[c].holds(model_.means[3 * size_t(row) + c])) return true;
      return false;
    };
    if (const size_t far = size_t(std::count_if(rows_.begin(), rows_.end(), is_far)))
      report.losses.push_back(splat::counted(far, "splat") + " absurdly far from all others " +
                              splat::noun(far, "was", "were") + " moved nearer, so that these keep their places");
    return report;
  }

 private:
  void report_progress(double fraction) const {
    if (options_.progress) options_.progress(fraction);
  }

  size_t rest() const { return size_t(splat::sh_coefficients(degree_)) - 1; }
  const float* sh_of(uint32_t row) const { return model_.sh.data() + row * size_t(model_.coefficients()) * 3; }

  void order_rows() {  // along a Morton curve: neighbouring pixels are alike then, and compress
    const std::vector<uint32_t> order = splat::morton_order(model_.means);
    std::vector<bool> keep(model_.size(), false);
    for (size_t i = 0; i < writable_.size(); ++i) keep[writable_[i]] = true;
    rows_.reserve(writable_.size());
    std::copy_if(order.begin(), order.end(), std::back_inserter(rows_), [&](uint32_t row) { return keep[row]; });
  }

  // value(row, c) of every splat and channel, as the nearest of 256.
  template <class Value>
  std::array<float, 256> codebook_of(const Value& value) const {
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (const uint32_t row : rows_)
      for (size_t c = 0; c < 3; ++c) {
        low = std::min(low, value(row, c));
        high = std::max(high, value(row, c));
      }
    CodebookBuilder builder(rows_.empty() ? 0 : low, rows_.empty() ? 0 : high);
    for (const uint32_t row : rows_)
      for (size_t c = 0; c < 3; ++c) builder.add(value(row, c));
    return builder.build();
  }

  // A table of 256 values, or of 65536 positions, is for all splats: what lies absurdly far from nearly all of them has
  // no place of its own in it.
  void find_sane_ranges() {
    constexpr double kFar = 1000, kRoom = 32;
    std::array<std::vector<float>, 3> means;
    std::vector<float> scales, colours, harmonics;
    const size_t stride = std::max<size_t>(1, rows_.size() / kRowsLookedAt);
    for (size_t i = 0; i < rows_.size(); i += stride)
      for (size_t c = 0; c < 3; ++c) {
        means[c].push_back(model_.means[3 * size_t(rows_[i]) + c]);
        scales.push_back(model_.log_scales[3 * size_t(rows_[i]) + c]);
        colours.push_back(sh_of(rows_[i])[c]);
        for (size_t k = 1; k <= rest(); ++k) harmonics.push_back(sh_of(rows_[i])[3 * k + c]);
      }
    double width = 0;
    for (std::vector<float>& axis : means) {
      const SaneRange middle = sane_range(axis, 0, 0);
      width = std::max(width, double(middle.high) - double(middle.low));
    }
    for (size_t c = 0; c < 3 && width > 0; ++c) mean_range_[c] = sane_range(means[c], kFar, width);
    const auto in_table = [](const SaneRange& range) {
      return SaneRange{std::max(range.low, -float(kSogLargest)), std::min(range.high, float(kSogLargest))};
    };
    scale_range_ = in_table(sane_range(scales, kRoom, 1));
    colour_range_ = in_table(sane_range(colours, kRoom, 1));
    harmonic_range_ = in_table(sane_range(harmonics, kRoom, 1));
  }

  double folded(uint32_t row, size_t c) const {  // positions are spaced evenly in sign(x) ln(1 + |x|)
    const double x = mean_range_[c].clamped(model_.means[3 * size_t(row) + c]);
    return std::copysign(std::min(std::log1p(std::abs(x)), kSogLargestLogMean), x);
  }
  float log_scale(uint32_t row, size_t c) const {
    return scale_range_.clamped(without_infinity(model_.log_scales[3 * size_t(row) + c]));
  }
  float colour(uint32_t row, size_t c) const { return colour_range_.clamped(sh_of(row)[c]); }

  void find_ranges_and_codebooks() {
    for (size_t c = 0; c < 3; ++c) {
      mean_low_[c] = rows_.empty() ? 0 : std::numeric_limits<double>::max();
      mean_high_[c] = rows_.empty() ? 0 : std::numeric_limits<double>::lowest();
      for (const uint32_t row : rows_) {
        mean_low_[c] = std::min(mean_low_[c], folded(row, c));
        mean_high_[c] = std::max(mean_high_[c], folded(row, c));
      }
    }
    scales_ = codebook_of([this](uint32_t row, size_t c) { return log_scale(row, c); });
    colours_ = codebook_of([this](uint32_t row, size_t c) { return colour(row, c); });
    meta_["means"] = {{"mins", mean_low_}, {"maxs", mean_high_}, {"files", {"means_l.webp", "means_u.webp"}}};
    meta_["scales"] = {{"codebook", scales_}, {"files", {"scales.webp"}}};
    meta_["quats"] = {{"files", {"quats.webp"}}};
    meta_["sh0"] = {{"codebook", colours_}, {"files", {"sh0.webp"}}};
  }

  void find_palette() {
    // 1024 entries for each 1024 splats, halved until a power of two: the common choice, with 65536 at most.
    const size_t count = rows_.size();
    const size_t all = std::max(count, options_.sample_of);
    size_t most = all < 2048 ? std::min<size_t>(all, 1024) : 1024 * std::min<size_t>(64, std::bit_floor(all / 1024));
    if (all > count) most = std::max<size_t>(1, most * count / all);
    const PaletteInput input{model_.sh.data() + 3, size_t(model_.coefficients()) * 3, rest() * 3, rows_};
    palette_ = make_palette(input, most, kSeed, pool_, [this](double part) { report_progress(0.05 + 0.65 * part); });
    for (float& value : palette_.entries) value = harmonic_range_.clamped(value);
    const auto [low, high] = std::minmax_element(palette_.entries.begin(), palette_.entries.end());
    CodebookBuilder builder(count ? *low : 0, count ? *high : 0);
    for (const float value : palette_.entries) builder.add(value);
    sh_codes_ = builder.build();
    meta_["shN"] = {{"count", palette_.entries.size() / (rest() * 3)},
                    {"bands", degree_},
                    {"codebook", sh_codes_},
                    {"files", {"shN_centroids.webp", "shN_labels.webp"}}};
  }

  // fill(row, i, pixel) for every splat; alpha starts as 255.
  template <class Fill>
  Pixels splat_picture(const Fill& fill) const {
    Pixels picture = picture_for(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      uint8_t* pixel = picture.rgba.data() + 4 * i;
      pixel[3] = 255;
      fill(rows_[i], i, pixel);
    }
    return picture;
  }

  unsigned mean_step(uint32_t row, size_t c) const {
    const double extent = mean_high_[c] - mean_low_[c];
    return extent > 0 ? unsigned(std::lround((folded(row, c) - mean_low_[c]) / extent * 65535)) : 0;
  }
  Pixels means_picture(unsigned shift) const {
    return splat_picture([&](uint32_t row, size_t, uint8_t* pixel) {
      for (size_t c = 0; c < 3; ++c) pixel[c] = uint8_t(mean_step(row, c) >> shift);
    });
  }

  Pixels scales_picture() const {
    return splat_picture([&, encoder = CodebookEncoder(scales_)](uint32_t row, size_t, uint8_t* pixel) {
      for (size_t c = 0; c < 3; ++c) pixel[c] = encoder(log_scale(row, c));
    });
  }

  Pixels quats_picture() const {
    return splat_picture([&](uint32_t row, size_t, uint8_t* pixel) {
      const float* q = model_.quats.data() + 4 * size_t(row);
      double norm2 = 0;
      for (size_t k = 0; k < 4; ++k) norm2 += double(q[k]) * q[k];
      const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
      const size_t largest = norm2 > 0 ? size_t(std::max_element(q, q + 4, larger) - q) : 0;
      const double scale = norm2 > 0 ? std::copysign(std::numbers::sqrt2, q[largest]) / std::sqrt(norm2) : 0;
      for (size_t k = 0, next = 0; k < 4; ++k)
        if (k != largest) pixel[next++] = uint8_t(std::lround(255 * (0.5 + 0.5 * std::clamp(q[k] * scale, -1.0, 1.0))));
      pixel[3] = uint8_t(252 + largest);
    });
  }

  Pixels colours_picture() const {
    return splat_picture([&, encoder = CodebookEncoder(colours_)](uint32_t row, size_t, uint8_t* pixel) {
      for (size_t c = 0; c < 3; ++c) pixel[c] = encoder(colour(row, c));
      pixel[3] = uint8_t(std::lround(255 * splat::math::sigmoid(double(model_.logit_opacities[row]))));
    });
  }

  Pixels labels_picture() const {
    return splat_picture([&](uint32_t, size_t i, uint8_t* pixel) {
      pixel[0] = uint8_t(palette_.labels[i]);
      pixel[1] = uint8_t(palette_.labels[i] >> 8);
    });
  }

  Pixels centroids_picture() const {
    const CodebookEncoder encoder(sh_codes_);
    const size_t entries = palette_.entries.size() / (rest() * 3);
    Pixels picture = blank(kCentroidsPerRow * rest(), std::max<size_t>((entries + 63) / kCentroidsPerRow, 1));
    for (size_t i = 0; i < entries * rest(); ++i) {
      for (size_t c = 0; c < 3; ++c) picture.rgba[4 * i + c] = encoder(palette_.entries[3 * i + c]);
      picture.rgba[4 * i + 3] = 255;
    }
    return picture;
  }

  Pixels picture(size_t index) const {
    switch (index) {
      case 0:
        return means_picture(0);
      case 1:
        return means_picture(8);
      case 2:
        return quats_picture();
      case 3:
        return scales_picture();
      case 4:
        return colours_picture();
      case 5:
        return centroids_picture();
      default:
        return labels_picture();
    }
  }

  Result<std::vector<ZipEntry>> encode_pictures() {
    constexpr std::array<const char*, 7> kNames{"means_l.webp", "means_u.webp",       "quats.webp",     "scales.webp",
                                                "sh0.webp",     "shN_centroids.webp", "shN_labels.webp"};
    const size_t count = degree_ > 0 ? 7 : 5, at_once = size_t(std::max(pool_.threads(), 1));
    std::vector<ZipEntry> entries(count);
    std::vector<std::string> problems(count);
    for (size_t done = 0; done < count; done += at_once) {
      report_progress(0.7 + 0.28 * double(done) / double(count));
      pool_.for_each(std::min(at_once, count - done), [&](size_t i, int) {
        Result<std::string> bytes = encode(picture(done + i));
        entries[done + i].name = kNames[done + i];
        if (bytes)
          entries[done + i].bytes = std::move(*bytes);
        else
          problems[done + i] = bytes.error().message;
      });
    }
    for (const std::string& problem : problems)
      if (!problem.empty()) return Error{problem};
    return entries;
  }

  const Gaussians& model_;
  const SplatWriteOptions& options_;
  ThreadPool pool_;
  WritableRows writable_;
  int degree_ = 0;
  std::vector<uint32_t> rows_;  // pixel i shows row rows_[i]
  std::array<SaneRange, 3> mean_range_{};
  SaneRange scale_range_{}, colour_range_{}, harmonic_range_{};
  std::array<double, 3> mean_low_{}, mean_high_{};
  std::array<float, 256> scales_{}, colours_{}, sh_codes_{};
  Palette palette_;
  json meta_;
};

}  // namespace

Result<SplatWriteReport> write_sog(const fs::path& path, const Gaussians& gaussians, const SplatFileInfo& info,
                                   const SplatWriteOptions& options) {
  SPLAT_ASSIGN_OR_RETURN(SplatWriteReport report, SogWriter(gaussians, info, options).write(path));
  note_lost_info(info, {.antialiased = true, .view_up = false, .flat = true}, "SOG", report);
  return report;
}

}  // namespace io
