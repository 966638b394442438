// Photos in other colour spaces, made by Little CMS from pictures in sRGB: read, they look as they did.
#include "io/images/colour_profile.h"

#include <gtest/gtest.h>
#include <lcms2.h>
#include <webp/encode.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

#include "io/image_file.h"
#include "io/images/exif.h"
#include "tests/support/pictures.h"

namespace io {
namespace {

using splat::Image8;
using splat::test::wavy_picture;

std::string big_endian(uint32_t value) { return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)}; }
std::string little_endian(uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += char(value >> (8 * i));
  return text;
}

using Profile = std::unique_ptr<void, int (*)(void*)>;
Profile owned(void* profile) { return {profile, &cmsCloseProfile}; }

Profile rgb_profile(cmsCIExyYTRIPLE primaries, double gamma) {  // gamma 0: sRGB's curve
  const cmsCIExyY white{0.3127, 0.3290, 1};
  const double srgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve* curve = gamma > 0 ? cmsBuildGamma(nullptr, gamma) : cmsBuildParametricToneCurve(nullptr, 4, srgb);
  cmsToneCurve* curves[3] = {curve, curve, curve};
  Profile profile = owned(cmsCreateRGBProfile(&white, &primaries, curves));
  cmsFreeToneCurve(curve);
  return profile;
}
Profile display_p3() { return rgb_profile({{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}}, 0); }
Profile adobe_rgb() { return rgb_profile({{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}}, 563.0 / 256); }
Profile pro_photo() { return rgb_profile({{0.7347, 0.2653, 1}, {0.1596, 0.8404, 1}, {0.0366, 0.0001, 1}}, 1.8); }

std::string bytes_of(const Profile& profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile.get(), nullptr, &size);
  std::string bytes(size, '\0');
  cmsSaveProfileToMem(profile.get(), bytes.data(), &size);
  return bytes;
}

// The picture by the numbers of another space.
Image8 turned(const Profile& from, const Profile& to, Image8 image) {
  const auto format = image.channels == 4 ? TYPE_RGBA_8 : TYPE_RGB_8;
  void* transform =
      cmsCreateTransform(from.get(), format, to.get(), format, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_COPY_ALPHA);
  cmsDoTransform(transform, image.pixels.data(), image.pixels.data(), cmsUInt32Number(image.width * image.height));
  cmsDeleteTransform(transform);
  return image;
}
Image8 in_space(const Profile& profile, const Image8& in_srgb) {
  return turned(owned(cmsCreate_sRGBProfile()), profile, in_srgb);
}

std::string png_chunk(const std::string& type, const std::string& content) {
  const std::string body = type + content;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  return big_endian(uint32_t(content.size())) + body + big_endian(uint32_t(sum));
}
std::string png_with(const Image8& image, const std::string& chunks) {
  constexpr size_t kBehindHeader = 8 + 25;
  return encode_png(image).insert(kBehindHeader, chunks);
}
std::string iccp(const std::string& profile) {
  std::string packed(compressBound(profile.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(profile.data()),
           profile.size());
  packed.resize(size);
  return png_chunk("iCCP", std::string("a name\0\0", 8) + packed);
}

std::string jpeg_segment(char marker, const std::string& content) {
  const size_t length = content.size() + 2;
  return std::string{'\xFF', marker, char(length >> 8), char(length)} + content;
}
// In pieces, the last one first.
std::string jpeg_with(const Image8& image, const std::string& profile, size_t pieces = 1) {
  std::string segments;
  const size_t each = (profile.size() + pieces - 1) / pieces;
  for (size_t i = pieces; i-- > 0;)
    segments += jpeg_segment(
        '\xE2', std::string("ICC_PROFILE\0", 12) + char(i + 1) + char(pieces) + profile.substr(i * each, each));
  return encode_jpeg(image, 100).insert(2, segments);
}

std::string webp_with(const Image8& image, const std::string& profile) {
  uint8_t* data = nullptr;
  const size_t size = WebPEncodeLosslessRGB(image.pixels.data(), image.width, image.height, image.width * 3, &data);
  const std::string picture(reinterpret_cast<char*>(data) + 12, size - 12);  // its chunk
  WebPFree(data);
  const std::string head = std::string("VP8X") + little_endian(10, 4) + little_endian(0x20, 4) +
                           little_endian(uint32_t(image.width - 1), 3) + little_endian(uint32_t(image.height - 1), 3);
  const std::string icc =
      "ICCP" + little_endian(uint32_t(profile.size()), 4) + profile + std::string(profile.size() % 2, '\0');
  const std::string body = "WEBP" + head + icc + picture;
  return "RIFF" + little_endian(uint32_t(body.size()), 4) + body;
}

Image8 read_as_photo(const std::string& bytes) {
  auto read = decode_reduced_image(bytes, "photo", 1);
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message);
  if (!read) return {};
  turn_to_srgb(*read, read->image);
  return std::move(read->image);
}

int largest_difference(const Image8& a, const Image8& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  int most = 0;
  for (size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i)
    most = std::max(most, std::abs(a.pixels[i] - b.pixels[i]));
  return most;
}

const Image8 kPicture = wavy_picture(97, 60, 3);

TEST(ColourProfile, EveryFormatIsTurnedToSrgb) {
  for (const auto& make : {display_p3, adobe_rgb, pro_photo}) {
    const Profile profile = make();
    const std::string icc = bytes_of(profile);
    const Image8 other = in_space(profile, kPicture);
    ASSERT_GT(largest_difference(other, kPicture), 10);
    const Image8 back = turned(profile, owned(cmsCreate_sRGBProfile()), other);  // bytes of a wide space are coarse
    EXPECT_LE(largest_difference(read_as_photo(png_with(other, iccp(icc))), back), 1);
    EXPECT_LE(largest_difference(read_as_photo(webp_with(other, icc)), back), 1);
    for (const size_t pieces : {size_t(1), size_t(3)}) {
      const Image8 stored = *decode_image(encode_jpeg(other, 100), "jpeg");
      const Image8 read = read_as_photo(jpeg_with(other, icc, pieces));
      EXPECT_EQ(read.pixels, read_as_photo(png_with(stored, iccp(icc))).pixels) << pieces;
    }
  }
}

TEST(ColourProfile, WhatLittleCmsMakesOfItIsMade) {
  Image8 all{256, 256, 3, {}};
  for (int i = 0; i < 65536; ++i)
    for (const int value : {i % 256, i / 256, (i * 7) % 256}) all.pixels.push_back(uint8_t(value));
  const Profile profile = display_p3(), srgb = owned(cmsCreate_sRGBProfile());
  Image8 expected = all;
  void* transform =
      cmsCreateTransform(profile.get(), TYPE_RGB_8, srgb.get(), TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC, 0);
  cmsDoTransform(transform, expected.pixels.data(), expected.pixels.data(), 65536);
  cmsDeleteTransform(transform);
  EXPECT_LE(largest_difference(read_as_photo(png_with(all, iccp(bytes_of(profile)))), expected), 1);
}

TEST(ColourProfile, SrgbStaysAsItIs) {
  const std::string icc = bytes_of(owned(cmsCreate_sRGBProfile()));
  const std::string chrm = big_endian(31270) + big_endian(32900) + big_endian(64000) + big_endian(33000) +
                           big_endian(30000) + big_endian(60000) + big_endian(15000) + big_endian(6000);
  for (const std::string& chunks :
       {iccp(icc), png_chunk("sRGB", std::string(1, '\0')) + png_chunk("gAMA", big_endian(100000)),
        png_chunk("gAMA", big_endian(45455)) + png_chunk("cHRM", chrm),
        png_chunk("cICP", std::string("\x01\x0d\0\x01", 4))})
    EXPECT_EQ(read_as_photo(png_with(kPicture, chunks)).pixels, kPicture.pixels);
  EXPECT_EQ(read_as_photo(webp_with(kPicture, icc)).pixels, kPicture.pixels);
  EXPECT_EQ(read_as_photo(encode_jpeg(kPicture, 90)).pixels, decode_image(encode_jpeg(kPicture, 90), "jpeg")->pixels);
}

TEST(ColourProfile, NumbersInPlaceOfAProfileCount) {
  const Image8 p3 = in_space(display_p3(), kPicture);
  EXPECT_LE(
      largest_difference(read_as_photo(png_with(p3, png_chunk("cICP", std::string("\x0c\x0d\0\x01", 4)))), kPicture),
      4);
  const std::string chrm = big_endian(31270) + big_endian(32900) + big_endian(68000) + big_endian(32000) +
                           big_endian(26500) + big_endian(69000) + big_endian(15000) + big_endian(6000);
  EXPECT_LE(largest_difference(read_as_photo(png_with(p3, png_chunk("cHRM", chrm))), kPicture), 4);
  const Image8 linear = in_space(rgb_profile({{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}}, 1 / 0.7), kPicture);
  EXPECT_LE(largest_difference(read_as_photo(png_with(linear, png_chunk("gAMA", big_endian(70000)))), kPicture), 4);
}

// Exif with the mark of Adobe RGB in its interoperability directory, as cameras write it that embed no profile.
std::string exif_of_adobe_rgb() {
  const auto entry = [](uint32_t tag, uint32_t type, uint32_t count, uint32_t value) {
    return little_endian(tag, 2) + little_endian(type, 2) + little_endian(count, 4) + little_endian(value, 4);
  };
  const std::string one = little_endian(1, 2), end = little_endian(0, 4);
  return std::string("Exif\0\0II*\0", 10) + little_endian(8, 4) + one + entry(0x8769, 4, 1, 26) + end + one +
         entry(0xA005, 4, 1, 44) + end + one + entry(1, 2, 4, 'R' | '0' << 8 | '3' << 16) + end;
}

TEST(ColourProfile, CamerasMarkAdobeRgbInExif) {
  const Profile profile = adobe_rgb();
  const Image8 other = in_space(profile, kPicture);
  const std::string marked = encode_jpeg(other, 100).insert(2, jpeg_segment('\xE1', exif_of_adobe_rgb()));
  EXPECT_TRUE(parse_exif(marked).adobe_rgb);
  const Image8 read = read_as_photo(marked);
  EXPECT_LE(largest_difference(read, read_as_photo(jpeg_with(other, bytes_of(profile)))), 1);
  const std::string as_srgb = with_exif_of(png_with(other, png_chunk("eXIf", exif_of_adobe_rgb().substr(6))),
                                           encode_jpeg(read, 100));  // it has become sRGB
  EXPECT_NE(as_srgb.find("R98"), std::string::npos);
  EXPECT_FALSE(parse_exif(as_srgb).adobe_rgb);
}

TEST(ColourProfile, AlphaAndGreysKeepTheirs) {
  const Image8 picture = wavy_picture(40, 30, 4);
  const Image8 read = read_as_photo(png_with(in_space(adobe_rgb(), picture), iccp(bytes_of(adobe_rgb()))));
  EXPECT_LE(largest_difference(read, picture), 4);
  for (size_t i = 3; i < read.pixels.size(); i += 4) ASSERT_EQ(read.pixels[i], picture.pixels[i]);
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 1);
  const Profile linear = owned(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  const Image8 grey{2, 1, 1, {55, 255}};  // 21.6 % of light
  const Image8 turned = read_as_photo(png_with(grey, iccp(bytes_of(linear))));
  EXPECT_NEAR(turned.pixels[0], 128, 2);
  EXPECT_EQ(turned.pixels[1], 255);
}

TEST(ColourProfile, WhatCannotBeReadIsTakenAsSrgb) {
  const std::string icc = bytes_of(display_p3());
  std::string spoiled = icc;
  std::fill(spoiled.begin() + 100, spoiled.end(), '\x7f');
  for (const std::string& file :
       {jpeg_with(kPicture, "no profile"), jpeg_with(kPicture, spoiled), png_with(kPicture, iccp("no profile")),
        png_with(kPicture, png_chunk("iCCP", std::string("name\0\0not packed", 16))), webp_with(kPicture, spoiled)}) {
    EXPECT_TRUE(image_size(file, "photo")->odd_profile);
    EXPECT_EQ(read_as_photo(file).pixels, decode_image(file, "photo")->pixels);
  }
  EXPECT_FALSE(image_size(jpeg_with(kPicture, icc), "photo")->odd_profile);
  for (size_t length = 0; length < icc.size(); length += 7) {
    codec::ColourSpace colours{icc.substr(0, length), {}};
    Image8 image = kPicture;
    codec::turn_to_srgb(colours, image);
    EXPECT_EQ(image.pixels.size(), kPicture.pixels.size());
  }
}

TEST(ColourProfile, MasksAndTexturesKeepTheirNumbers) {
  const std::string file = png_with(kPicture, iccp(bytes_of(adobe_rgb())));
  EXPECT_EQ(decode_image(file, "mask")->pixels, kPicture.pixels);
}

}  // namespace
}  // namespace io
