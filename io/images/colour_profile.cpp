#include "io/images/colour_profile.h"

#include <lcms2.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "io/images/codecs.h"
#include "io/images/exif.h"
#include "io/images/segments.h"

namespace io::codec {

using splat::Image8;

namespace {

constexpr std::array<double, 2> kD65{0.3127, 0.3290};
constexpr RgbColours kAdobeRgb{kD65, {0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, 563.0 / 256};
constexpr const char* kUnreadable = "?";  // in place of a profile

// A profile lies in pieces of up to 64 kB, each with its number and how many there are.
std::string jpeg_profile(std::string_view jpeg) {
  constexpr std::string_view kMark("ICC_PROFILE\0", 12);
  std::map<unsigned, std::string_view> pieces;
  unsigned count = 0;
  for_jpeg_segments(jpeg, [&](uint8_t marker, std::string_view content) {
    if (marker != 0xE2 || !content.starts_with(kMark) || content.size() < kMark.size() + 2) return false;
    count = uint8_t(content[kMark.size() + 1]);
    pieces.emplace(uint8_t(content[kMark.size()]), content.substr(kMark.size() + 2));
    return false;
  });
  if (pieces.empty()) return {};
  if (pieces.size() != count) return jpeg.size() == kHeaderBytes ? "" : kUnreadable;  // the rest lies behind that
  std::string profile;
  for (const auto& [number, piece] : pieces) profile += piece;
  return profile;
}

std::string inflated(std::string_view packed) {
  std::string bytes(size_t(1) << 16, '\0');
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return kUnreadable;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = uInt(packed.size());
  int result = Z_OK;
  while (result == Z_OK && bytes.size() <= size_t(kMostProfileBytes)) {
    if (stream.total_out == bytes.size()) bytes.resize(2 * bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + stream.total_out);
    stream.avail_out = uInt(bytes.size() - stream.total_out);
    result = inflate(&stream, Z_NO_FLUSH);
  }
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return result == Z_STREAM_END ? bytes : kUnreadable;
}

// Primaries (cHRM) and curve (gAMA) by numbers; older programs write those of sRGB, with its curve as a power of 2.2.
std::optional<RgbColours> png_numbers(std::string_view png) {
  constexpr double kUnit = 1e-5, kUsual = 2.2, kNear = 0.02;
  const std::string_view primaries = png_chunk(png, "cHRM"), curve = png_chunk(png, "gAMA");
  if (primaries.size() < 32 && curve.size() < 4) return std::nullopt;
  RgbColours rgb{kD65, {0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, 0};
  const auto at = [&](size_t i) { return kUnit * number_at(primaries, 4 * i, ByteOrder::kBig); };
  if (primaries.size() >= 32) rgb = {{at(0), at(1)}, {at(2), at(3)}, {at(4), at(5)}, {at(6), at(7)}, 0};
  const double stored = curve.size() < 4 ? 0 : kUnit * number_at(curve, 0, ByteOrder::kBig);
  if (stored > 0.2 && stored < 4 && std::abs(1 / stored - kUsual) > kNear) rgb.exponent = 1 / stored;
  return rgb;
}

ColourSpace png_colours(std::string_view png) {
  ColourSpace colours;
  const std::string_view code_points = png_chunk(png, "cICP"), profile = png_chunk(png, "iCCP");
  const size_t name = profile.find('\0');
  if (code_points.size() >= 2)
    colours.rgb = rgb_of_code_points(uint8_t(code_points[0]), uint8_t(code_points[1]));
  else if (name != std::string_view::npos)
    colours.icc = inflated(profile.substr(std::min(name + 2, profile.size())));
  else if (png_chunk(png, "sRGB").empty())
    colours.rgb = png_numbers(png);
  return colours;
}

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;
struct FreeCurve {
  void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
using Curve = std::unique_ptr<cmsToneCurve, FreeCurve>;
struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};

Curve curve_of(double exponent) {
  constexpr cmsFloat64Number kSrgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return Curve(exponent > 0 ? cmsBuildGamma(nullptr, exponent) : cmsBuildParametricToneCurve(nullptr, 4, kSrgb));
}

Profile profile_of(const RgbColours& rgb, bool grey) {
  const Curve curve = curve_of(rgb.exponent);
  if (grey) return Profile(cmsCreateGrayProfile(cmsD50_xyY(), curve.get()));
  const cmsCIExyY white{rgb.white[0], rgb.white[1], 1};
  const cmsCIExyYTRIPLE primaries{
      {rgb.red[0], rgb.red[1], 1}, {rgb.green[0], rgb.green[1], 1}, {rgb.blue[0], rgb.blue[1], 1}};
  cmsToneCurve* const curves[3] = {curve.get(), curve.get(), curve.get()};
  return Profile(cmsCreateRGBProfile(&white, &primaries, curves));
}

using TransformHandle = std::unique_ptr<void, DeleteTransform>;

// Primaries and curves: the light of sRGB's primaries is a sum of what each channel gives, and a curve makes bytes of
// it. 6 cycles a pixel, where Little CMS takes some ten times as long.
class SumOfChannels {
 public:
  // `light` turns three bytes to light, as doubles.
  explicit SumOfChannels(void* light) {
    for (size_t c = 0; c < 3; ++c)
      for (size_t value = 0; value < 256; ++value) {
        uint8_t colour[3] = {0, 0, 0};
        colour[c] = uint8_t(value);
        double sums[3];
        cmsDoTransform(light, colour, sums, 1);
        for (size_t k = 0; k < 3; ++k) {
          const int64_t share = std::lround(std::clamp(sums[k], -2.0, 4.0) * (kOne << kShift));
          const int64_t once = c == 0 ? (kBlack << kShift) + (1 << (kShift - 1)) : 0;
          light_[c][value] += uint64_t(share + once) << (kField * k);
        }
      }
    for (size_t i = 0; i < bytes_.size(); ++i) {
      const double value = std::clamp((double(i) - kBlack) / kOne, 0.0, 1.0);
      bytes_[i] =
          uint8_t(std::lround(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055)));
    }
  }
  void turn(uint8_t* pixel, size_t pixels, size_t channels) const {
    for (size_t i = 0; i < pixels; ++i, pixel += channels) {
      const uint64_t sums = light_[0][pixel[0]] + light_[1][pixel[1]] + light_[2][pixel[2]];
      for (size_t k = 0; k < 3; ++k) pixel[k] = bytes_[uint16_t(sums >> (kField * k + kShift))];
    }
  }

 private:
  // Three sums in one number: fields of 21 bits, of which the upper 16 count 8192ths of white from -3 to 5. Half a
  // level apart where bytes are closest.
  static constexpr int kField = 21, kShift = 5;
  static constexpr int64_t kOne = 8192, kBlack = 3 * kOne;
  uint64_t light_[3][256]{};  // what each channel gives to all three; negative shares borrow from the next field
  std::array<uint8_t, 1 << 16> bytes_{};
};

// From one colour space to sRGB, for pictures of one number of channels. What it does to bytes never changes: threads
// share it.
struct Transform {
  TransformHandle handle;               // null: nothing is to be done
  std::unique_ptr<SumOfChannels> sums;  // in its place, where they do the same
  std::vector<uint8_t> greys;           // [256], likewise
  bool readable = true;

  void turn(uint8_t* pixel, size_t pixels, int channels) const {
    if (sums) return sums->turn(pixel, pixels, size_t(channels));
    if (greys.empty()) return cmsDoTransform(handle.get(), pixel, pixel, cmsUInt32Number(pixels));
    for (size_t i = 0; i < pixels; ++i, pixel += channels) *pixel = greys[*pixel];
  }
};

constexpr int kRounding = 2;  // of curves and matrices

bool same_but_for_rounding(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](uint8_t x, uint8_t y) { return std::abs(x - y) <= kRounding; });
}

// Pixels of all greys, and of colours.
std::vector<uint8_t> sample_pixels(int channels) {
  constexpr int kSteps = 18, kStep = 15;
  std::vector<uint8_t> samples;
  const auto add = [&](int r, int g, int b) {
    samples.push_back(uint8_t(r));
    if (channels >= 3) samples.push_back(uint8_t(g)), samples.push_back(uint8_t(b));
    if (channels % 2 == 0) samples.push_back(255);
  };
  for (int grey = 0; grey < 256; ++grey) add(grey, grey, grey);
  for (int i = 0; channels >= 3 && i < kSteps * kSteps * kSteps; ++i)
    add(i % kSteps * kStep, i / kSteps % kSteps * kStep, i / kSteps / kSteps * kStep);
  return samples;
}

// The quick ways, where they do what Little CMS does.
void hasten(void* source, int channels, Transform& transform) {
  const std::vector<uint8_t> samples = sample_pixels(channels);
  std::vector<uint8_t> turned = samples, quick = samples;
  const size_t pixels = samples.size() / size_t(channels);
  transform.turn(turned.data(), pixels, channels);
  if (same_but_for_rounding(turned, samples)) return transform.handle.reset();
  if (channels < 3) {
    for (int grey = 0; grey < 256; ++grey) transform.greys.push_back(turned[size_t(grey * channels)]);
    return;
  }
  const Profile linear = profile_of({kD65, {0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, 1}, false);
  const TransformHandle light(cmsCreateTransform(source, TYPE_RGB_8, linear.get(), TYPE_RGB_DBL,
                                                 INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE));
  if (!light) return;
  auto sums = std::make_unique<SumOfChannels>(light.get());
  sums->turn(quick.data(), pixels, size_t(channels));
  if (same_but_for_rounding(turned, quick)) transform.sums = std::move(sums);
}

Transform make_transform(const ColourSpace& colours, int channels) {
  constexpr cmsUInt32Number kFormats[] = {TYPE_GRAY_8, TYPE_GRAYA_8, TYPE_RGB_8, TYPE_RGBA_8};
  const bool grey = channels < 3;
  const Profile source = colours.icc.empty()
                             ? profile_of(*colours.rgb, grey)
                             : Profile(cmsOpenProfileFromMem(colours.icc.data(), cmsUInt32Number(colours.icc.size())));
  Transform transform;
  transform.readable = source != nullptr;
  if (!source) return transform;
  if (cmsGetColorSpace(source.get()) != (grey ? cmsSigGrayData : cmsSigRgbData)) return transform;  // not these numbers
  const Profile target = grey ? profile_of({}, true) : Profile(cmsCreate_sRGBProfile());
  const cmsUInt32Number format = kFormats[channels - 1], flags = cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA;
  transform.handle.reset(
      cmsCreateTransform(source.get(), format, target.get(), format, INTENT_RELATIVE_COLORIMETRIC, flags));
  transform.readable = transform.handle != nullptr;
  if (transform.handle) hasten(source.get(), channels, transform);
  return transform;
}

std::string key_of(const ColourSpace& colours, int channels) {
  std::string key(1, char('0' + channels));
  if (!colours.icc.empty() || !colours.rgb) return key + colours.icc;
  const RgbColours& rgb = *colours.rgb;
  for (const auto& [x, y] : {rgb.white, rgb.red, rgb.green, rgb.blue})
    key += ' ' + std::to_string(x) + ' ' + std::to_string(y);
  return key + ' ' + std::to_string(rgb.exponent);
}

// A set of photos has few of them, and each takes a millisecond to make.
std::shared_ptr<const Transform> transform_of(const ColourSpace& colours, int channels) {
  constexpr size_t kMostKept = 32;
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Transform>> kept;
  const std::string key = key_of(colours, channels);
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (kept.size() >= kMostKept) kept.clear();
  return kept.emplace(key, std::make_shared<const Transform>(make_transform(colours, channels))).first->second;
}

}  // namespace

std::optional<RgbColours> rgb_of_code_points(int primaries, int transfer) {
  RgbColours rgb{kD65, {}, {}, {}, 0};
  switch (primaries) {
    case 1:  // BT.709
      rgb.red = {0.64, 0.33}, rgb.green = {0.30, 0.60}, rgb.blue = {0.15, 0.06};
      break;
    case 9:  // BT.2020
      rgb.red = {0.708, 0.292}, rgb.green = {0.170, 0.797}, rgb.blue = {0.131, 0.046};
      break;
    case 12:  // Display P3
      rgb.red = {0.680, 0.320}, rgb.green = {0.265, 0.690}, rgb.blue = {0.150, 0.060};
      break;
    default:
      return std::nullopt;
  }
  switch (transfer) {
    case 4:
      rgb.exponent = 2.2;
      return rgb;
    case 5:
      rgb.exponent = 2.8;
      return rgb;
    case 8:
      rgb.exponent = 1;
      return rgb;
    case 16:  // PQ and HLG, for HDR
    case 18:
      return std::nullopt;
    default:  // sRGB's, or a television's, which is shown likewise
      return rgb;
  }
}

ColourSpace colour_space_of(std::string_view bytes) {
  ColourSpace colours;
  if (is_webp(bytes)) {
    colours.icc = webp_chunk(bytes, "ICCP");
  } else if (is_jpeg(bytes)) {
    colours.icc = jpeg_profile(bytes);
    if (colours.icc.empty() && parse_exif(bytes).adobe_rgb) colours.rgb = kAdobeRgb;
  } else {
    colours = png_colours(bytes);
  }
  if (colours.icc.size() > size_t(kMostProfileBytes)) colours.icc = kUnreadable;
  return colours;
}

bool can_turn_to_srgb(const ColourSpace& colours, int channels) {
  return !colours.says_something() || transform_of(colours, channels)->readable;
}

void turn_to_srgb(const ColourSpace& colours, Image8& image) {
  if (!colours.says_something() || image.pixels.empty()) return;
  const auto transform = transform_of(colours, image.channels);
  if (!transform->handle) return;
  const size_t width = size_t(image.width), row = width * size_t(image.channels);
  for (size_t at = 0; at < image.pixels.size(); at += row) transform->turn(&image.pixels[at], width, image.channels);
}

}  // namespace io::codec
