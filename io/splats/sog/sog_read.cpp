#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "io/images/codecs.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/sog/sog.h"
#include "io/splats/sog/sog_container.h"
#include "io/splats/sog/sog_meta.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/memory_guard.h"
#include "splat/model/gaussian_rows.h"

namespace io {

using splat::Image8;

namespace {

// A few bytes of lossless WebP can hold any number of equal pixels. Real bundles have 10 to 30 bytes a splat.
constexpr uint64_t kPixelsPerByte = 128, kPixelSlack = 65536;
constexpr size_t kCentroidsPerRow = 64;

class SogReader {
 public:
  // is_part: of a streamed SOG, whose archive holds other files as well.
  SogReader(const SogContainer& container, SogMeta meta, bool is_part)
      : container_(container), meta_(std::move(meta)), is_part_(is_part) {}

  Result<SplatFile> read() {
    SPLAT_TRY(load_pictures());
    if (meta_.count > max_pixels_) return wrong("claims more splats than its pictures can hold");
    SPLAT_ASSIGN_OR_RETURN(const Palette palette, read_palette());
    Gaussians& model = file_.gaussians;
    model.sh_degree = palette.degree;
    splat::MemoryGuard::ask_for_model(meta_.count, model.sh_degree);
    model.resize(meta_.count);
    SPLAT_TRY(read_means());
    SPLAT_TRY(read_scales());
    SPLAT_TRY(read_rotations());
    SPLAT_TRY(read_colours());
    SPLAT_TRY(read_higher_bands(palette));
    describe();
    return std::move(file_);
  }

 private:
  struct Palette {
    int degree = 0;
    size_t entries = 0;
    std::vector<float> values;  // [entries, K-1, 3]
  };

  static std::string shown(const std::string& text) {  // without what would garble a terminal
    const std::string quoted = in_quotes(text);
    return quoted.substr(1, quoted.size() - 2);
  }
  Error wrong(const std::string& what) const { return Error{"'" + container_.name() + "' " + what}; }

  Status load_pictures() {
    uint64_t total = container_.meta().size();
    for (const std::string* file : {&meta_.means_low, &meta_.means_high, &meta_.scales, &meta_.quats, &meta_.sh0,
                                    &meta_.centroids, &meta_.labels}) {
      if (file->empty() && meta_.sh_degree == 0) continue;
      SPLAT_ASSIGN_OR_RETURN(std::string bytes, container_.read(*file));
      total += bytes.size();
      pictures_[*file] = std::move(bytes);
    }
    max_pixels_ = kPixelsPerByte * total + kPixelSlack;
    return {};
  }

  // Decodes a picture and forgets its bytes.
  Result<Image8> picture(const std::string& file, size_t needed_pixels) {
    const std::string name = container_.name() + "/" + shown(file);
    const std::string bytes = std::move(pictures_[file]);
    const bool webp = codec::is_webp(bytes);
    if (!webp && !codec::is_png_bmp_tga(bytes)) return Error{"'" + name + "' is neither a WebP nor a PNG picture"};
    SPLAT_ASSIGN_OR_RETURN(const ImageSize size,
                           webp ? codec::webp_size(bytes, name) : codec::png_bmp_tga_size(bytes, name));
    if (uint64_t(size.width) * uint64_t(size.height) > max_pixels_)
      return Error{"'" + name + "' claims more pixels than the whole file can hold"};
    if (size_t(size.width) * size_t(size.height) < needed_pixels)
      return Error{"'" + name + "' has " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                   " pixels, too few for " + std::to_string(needed_pixels) + " splats"};
    WebPBitstreamFeatures features;
    constexpr int kLossy = 1;
    if (webp &&
        WebPGetFeatures(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), &features) == VP8_STATUS_OK &&
        features.format == kLossy && !lossy_)
      lossy_ = file;
    return webp ? codec::decode_webp(bytes, name) : codec::decode_png_bmp_tga(bytes, name);
  }

  Status read_means() {
    SPLAT_ASSIGN_OR_RETURN(const Image8 low, picture(meta_.means_low, meta_.count));
    SPLAT_ASSIGN_OR_RETURN(const Image8 high, picture(meta_.means_high, meta_.count));
    for (size_t i = 0; i < meta_.count; ++i)
      for (size_t c = 0; c < 3; ++c) {
        const unsigned step =
            low.pixels[i * size_t(low.channels) + c] | unsigned(high.pixels[i * size_t(high.channels) + c]) << 8;
        const double v = meta_.mean_low[c] + (meta_.mean_high[c] - meta_.mean_low[c]) * step / 65535;
        file_.gaussians.means[3 * i + c] = float(std::copysign(std::expm1(std::abs(v)), v));
      }
    return {};
  }

  // A codebook may be shorter than 256 values, but not than what is used of it.
  Status check_meaning(std::span<const float> values, const char* part) const {
    if (std::none_of(values.begin(), values.end(), [](float value) { return std::isnan(value); })) return {};
    return wrong("is damaged: its pictures use more values than the list '" + std::string(part) +
                 ".codebook' of meta.json has");
  }

  Status read_scales() {
    SPLAT_ASSIGN_OR_RETURN(const Image8 image, picture(meta_.scales, meta_.count));
    for (size_t i = 0; i < meta_.count; ++i)
      for (size_t c = 0; c < 3; ++c)
        file_.gaussians.log_scales[3 * i + c] = meta_.log_scale[c][image.pixels[i * size_t(image.channels) + c]];
    return check_meaning(file_.gaussians.log_scales, "scales");
  }

  // Three components of the unit quaternion (times sqrt 2, which the largest leaves within +-1) and, in alpha, which
  // of w, x, y, z is the fourth, the largest.
  Status read_rotations() {
    SPLAT_ASSIGN_OR_RETURN(const Image8 image, picture(meta_.quats, meta_.count));
    if (image.channels != 4) return wrong("is damaged: its rotations have no alpha channel");
    constexpr int kFirstTag = 252;
    for (size_t i = 0; i < meta_.count; ++i) {
      const uint8_t* pixel = image.pixels.data() + 4 * i;
      float* quat = file_.gaussians.quats.data() + 4 * i;
      const int largest = pixel[3] - kFirstTag;
      untagged_ += largest < 0;
      double rest = 1;
      for (int k = 0, next = 0; k < 4 && largest >= 0; ++k) {
        if (k == largest) continue;
        const double component = (pixel[next++] / 255.0 * 2 - 1) * (std::numbers::sqrt2 / 2);
        quat[k] = float(component);
        rest -= component * component;
      }
      quat[std::max(largest, 0)] = largest < 0 ? 1.0f : float(std::sqrt(std::max(rest, 0.0)));
    }
    return {};
  }

  Status read_colours() {
    SPLAT_ASSIGN_OR_RETURN(const Image8 image, picture(meta_.sh0, meta_.count));
    const size_t channels = size_t(image.channels), stride = size_t(file_.gaussians.coefficients()) * 3;
    for (size_t i = 0; i < meta_.count; ++i) {
      const uint8_t* pixel = image.pixels.data() + channels * i;
      for (size_t c = 0; c < 3; ++c) file_.gaussians.sh[stride * i + c] = meta_.dc[c][pixel[c]];
      SPLAT_TRY(check_meaning({&file_.gaussians.sh[stride * i], 3}, "sh0"));
      file_.gaussians.logit_opacities[i] = meta_.logit_opacity[channels == 4 ? pixel[3] : 255];
    }
    return {};
  }

  // 64 entries a row, each K-1 pixels wide.
  Result<Palette> read_palette() {
    Palette palette;
    if (meta_.sh_degree == 0) return palette;
    SPLAT_ASSIGN_OR_RETURN(const Image8 image, picture(meta_.centroids, 0));
    const size_t rest = size_t(image.width) / kCentroidsPerRow;
    palette.degree = rest == 3 ? 1 : rest == 8 ? 2 : rest == 15 ? 3 : 0;
    const bool fits = size_t(image.width) == rest * kCentroidsPerRow && palette.degree > 0 &&
                      (meta_.sh_degree < 0 || meta_.sh_degree == palette.degree);
    if (!fits)
      return wrong("is damaged: the picture of its colour sets is " + std::to_string(image.width) +
                   " pixels wide, which fits no degree of spherical harmonics");
    const size_t held = kCentroidsPerRow * size_t(image.height);
    palette.entries = meta_.palette_entries > 0 ? meta_.palette_entries : held;
    if (palette.entries > held) return wrong("is damaged: it has fewer colour sets than it claims");
    palette.values.resize(palette.entries * rest * 3);
    for (size_t i = 0; i < palette.entries * rest; ++i)
      for (size_t c = 0; c < 3; ++c) palette.values[3 * i + c] = meta_.sh[image.pixels[i * size_t(image.channels) + c]];
    return palette;
  }

  Status read_higher_bands(const Palette& palette) {
    if (palette.degree == 0) return {};
    SPLAT_ASSIGN_OR_RETURN(const Image8 image, picture(meta_.labels, meta_.count));
    Gaussians& model = file_.gaussians;
    const size_t stride = size_t(model.coefficients()) * 3, width = stride - 3;
    for (size_t i = 0; i < meta_.count; ++i) {
      const uint8_t* pixel = image.pixels.data() + i * size_t(image.channels);
      const size_t label = pixel[0] | size_t(pixel[1]) << 8;
      if (label >= palette.entries)
        return wrong("is damaged: splat " + std::to_string(i) + " uses colour set " + std::to_string(label) + " of " +
                     std::to_string(palette.entries));
      const std::span set(palette.values.data() + label * width, width);
      SPLAT_TRY(check_meaning(set, "shN"));
      std::copy(set.begin(), set.end(), model.sh.begin() + ptrdiff_t(i * stride + 3));
    }
    return {};
  }

  void describe() {
    file_.kind = SplatFormat::kSog;
    file_.format = "SOG version " + std::to_string(meta_.version);
    file_.antialiased = meta_.antialiased;
    file_.flat = meta_.flat;
    file_.producer = shown(meta_.generator);
    file_.stored_sh_degree = file_.gaussians.sh_degree;
    if (lossy_)
      file_.warnings.push_back("the picture '" + shown(*lossy_) +
                               "' was saved with lossy compression, which garbles splats; export it again, lossless");
    if (untagged_ > 0)
      file_.warnings.push_back(splat::counted(untagged_, "rotation does", "rotations do") +
                               " not say which of its parts is left out (alpha below 252): such splats are not turned");
    file_.unread = meta_.unread;
    if (!is_part_) {
      const std::vector<std::string> others = container_.others(
          {meta_.means_low, meta_.means_high, meta_.scales, meta_.quats, meta_.sh0, meta_.centroids, meta_.labels});
      file_.unread.insert(file_.unread.end(), others.begin(), others.end());
      check_splats(file_);
    }
  }

  const SogContainer& container_;
  SogMeta meta_;
  bool is_part_;
  SplatFile file_;
  std::map<std::string, std::string> pictures_;  // encoded, until they are needed
  uint64_t max_pixels_ = 0;
  size_t untagged_ = 0;
  std::optional<std::string> lossy_;
};

Result<SplatFile> read_part(const SogContainer& container, bool is_part) {
  SPLAT_ASSIGN_OR_RETURN(SogMeta meta, parse_sog_meta(container.meta(), container.name()));
  return SogReader(container, std::move(meta), is_part).read();
}

// What reading the parts found, by file: the warnings of the first that has any, and what each passed over, once.
void add_findings(const std::map<size_t, SplatFile>& parts, const std::vector<std::string>& files, SplatFile& all) {
  size_t more = 0;
  for (const auto& [index, part] : parts) {
    for (const std::string& name : part.unread)
      if (std::find(all.unread.begin(), all.unread.end(), name) == all.unread.end()) all.unread.push_back(name);
    more += !part.warnings.empty() && !all.warnings.empty();
    if (more == 0)
      for (const std::string& warning : part.warnings) all.warnings.push_back(in_quotes(files[index]) + ": " + warning);
  }
  if (more > 0)
    all.warnings.push_back(
        splat::counted(more, "more of its files has such warnings", "more of its files have such warnings"));
}

// The finest level of a streamed SOG: what of which file belongs to it, the leaves of its tree one after another.
Result<SplatFile> read_streamed(const SogContainer& container) {
  SPLAT_ASSIGN_OR_RETURN(const SogLevel level, parse_lod_meta(container.meta(), container.name()));
  std::map<size_t, SplatFile> parts;
  for (const SogRows& rows : level.rows) {
    if (parts.contains(rows.file)) continue;
    SPLAT_ASSIGN_OR_RETURN(const SogContainer part, container.at(level.files[rows.file]));
    SPLAT_ASSIGN_OR_RETURN(parts[rows.file], read_part(part, true));
  }
  SplatFile all = parts.begin()->second;
  int degree = 0;
  for (const auto& [index, part] : parts) degree = std::max(degree, part.gaussians.sh_degree);
  all.gaussians = {};
  all.gaussians.sh_degree = degree;
  uint64_t total = 0, held = 0;
  for (const auto& [index, part] : parts) held += part.gaussians.size();
  for (const SogRows& rows : level.rows) {
    const Gaussians& from = parts[rows.file].gaussians;
    if (rows.offset > from.size() || rows.count > from.size() - rows.offset || (total += rows.count) > held)
      return Error{"'" + container.name() + "': lod-meta.json claims more splats than " +
                   in_quotes(level.files[rows.file]) + " has"};
    std::vector<uint32_t> kept(rows.count);
    std::iota(kept.begin(), kept.end(), uint32_t(rows.offset));
    splat::append_rows(splat::with_sh_degree(splat::gather_rows(from, kept), degree), all.gaussians);
  }
  all.stored_sh_degree = degree;
  all.format = "streamed SOG, the finest of " + std::to_string(level.levels) + " levels";
  all.warnings.clear();
  all.unread = level.unread;
  add_findings(parts, level.files, all);
  check_splats(all);
  return all;
}

}  // namespace

bool looks_like_sog(std::string_view start) {
  if (start.starts_with("PK\x03\x04") || is_streamed_sog(start)) return true;
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && start[first] == '{' && start.find("\"means\"") != std::string_view::npos &&
         (start.find("_l.webp") != std::string_view::npos || start.find("\"quats\"") != std::string_view::npos);
}

Result<SplatFile> read_sog(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const SogContainer container, SogContainer::open(stream));
  Result<SplatFile> file = container.is_streamed() ? read_streamed(container) : read_part(container, false);
  if (file) file->bytes = container.bytes_beside();
  return file;
}

}  // namespace io
