#include "io/image_file.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <turbojpeg.h>
#include <webp/encode.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace {

using splat::Image8, splat::test::flat_picture, splat::test::TempFolder, splat::test::wavy_picture;

void append_le(std::string& bytes, uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += char(value >> (8 * i));
}

std::string encode_webp(const Image8& image, bool lossless) {
  uint8_t* data = nullptr;
  const int stride = image.width * image.channels;
  const auto encode_lossless = image.channels == 4 ? WebPEncodeLosslessRGBA : WebPEncodeLosslessRGB;
  const size_t size = lossless ? encode_lossless(image.pixels.data(), image.width, image.height, stride, &data)
                               : WebPEncodeRGB(image.pixels.data(), image.width, image.height, stride, 90, &data);
  std::string bytes(reinterpret_cast<char*>(data), size);
  WebPFree(data);
  return bytes;
}

std::string encode_bmp(const Image8& image) {  // 24 bit, bottom row first
  std::string bytes = "BM";
  const uint32_t row = uint32_t(image.width * 3 + 3) / 4 * 4;
  append_le(bytes, 54 + row * uint32_t(image.height), 4);
  append_le(bytes, 0, 4);
  append_le(bytes, 54, 4);
  append_le(bytes, 40, 4);
  append_le(bytes, uint32_t(image.width), 4);
  append_le(bytes, uint32_t(image.height), 4);
  append_le(bytes, 1, 2);
  append_le(bytes, 24, 2);
  bytes.append(24, '\0');
  for (int y = image.height - 1; y >= 0; --y) {
    const size_t begin = bytes.size();
    for (int x = 0; x < image.width; ++x)
      for (int c = 2; c >= 0; --c) bytes += char(image.pixels[size_t((y * image.width + x) * 3 + c)]);
    bytes.resize(begin + row);
  }
  return bytes;
}

// The same rows from the top, which a negative height says.
std::string encode_bmp_from_top(const Image8& image) {
  Image8 turned = image;
  const size_t row = size_t(image.width) * 3;
  for (size_t y = 0; y < size_t(image.height); ++y)
    std::copy_n(&image.pixels[y * row], row, &turned.pixels[(size_t(image.height) - 1 - y) * row]);
  std::string bytes = encode_bmp(turned), height;
  append_le(height, uint32_t(-image.height), 4);
  return bytes.replace(22, 4, height);
}

std::string encode_tga(const Image8& image, bool run_length_coded) {  // 24 bit, top row first
  std::string bytes;
  append_le(bytes, 0, 2);
  append_le(bytes, run_length_coded ? 10 : 2, 1);
  bytes.append(9, '\0');
  append_le(bytes, uint32_t(image.width), 2);
  append_le(bytes, uint32_t(image.height), 2);
  append_le(bytes, 24, 1);
  append_le(bytes, 0x20, 1);
  const int pixels = image.width * image.height;
  for (int i = 0; i < pixels; ++i) {
    if (run_length_coded) bytes += char(0x80);  // runs of one pixel
    for (int c = 2; c >= 0; --c) bytes += char(image.pixels[size_t(i * 3 + c)]);
  }
  return bytes;
}

std::string encode_cmyk_jpeg(const Image8& cmyk) {
  tjhandle handle = tjInitCompress();
  unsigned char* data = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(
      tjCompress2(handle, cmyk.pixels.data(), cmyk.width, 0, cmyk.height, TJPF_CMYK, &data, &size, TJSAMP_444, 95, 0),
      0);
  std::string bytes(reinterpret_cast<char*>(data), size);
  tjFree(data);
  tjDestroy(handle);
  return bytes;
}

int largest_difference(const Image8& a, const Image8& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  int largest = 0;
  for (size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i)
    largest = std::max(largest, std::abs(int(a.pixels[i]) - int(b.pixels[i])));
  return largest;
}

// What a decoder took is given back by the same library.
TEST(ImageFile, PicturesThatAreDecodedKeepNoMemory) {
  const std::string jpeg = io::encode_jpeg(wavy_picture(64, 48, 3), 90);
  const auto in_use = [] { return ::mallinfo2().uordblks; };
  const auto decode = [&](int times) {
    for (int i = 0; i < times; ++i) ASSERT_TRUE(io::decode_image(jpeg, "a.jpg").ok());
  };
  decode(3);  // what is taken once
  const size_t before = in_use();
  decode(100);
  EXPECT_LT(in_use(), before + 20'000);
}

TEST(ImageFile, PngRoundTripIsExactForEveryChannelCount) {
  for (int channels = 1; channels <= 4; ++channels) {
    const Image8 image = wavy_picture(37, 23, channels);
    const std::string bytes = io::encode_png(image);
    const auto read = io::decode_image(bytes, "a.png");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(largest_difference(image, *read), 0);
    const auto size = io::image_size(bytes, "a.png");
    ASSERT_TRUE(size.ok());
    EXPECT_EQ(size->width, 37);
    EXPECT_EQ(size->height, 23);
    EXPECT_EQ(size->channels, channels);
    EXPECT_EQ(size->has_alpha(), channels % 2 == 0);
  }
}

TEST(ImageFile, JpegRoundTripIsClose) {
  for (int channels : {1, 3}) {
    const Image8 image = wavy_picture(64, 48, channels);
    const auto read = io::decode_image(io::encode_jpeg(image, 95), "a.jpg");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_LE(largest_difference(image, *read), 12);
  }
}

TEST(ImageFile, WebpBmpTgaAreRead) {
  const Image8 image = wavy_picture(41, 30, 3);
  EXPECT_EQ(largest_difference(image, *io::decode_image(encode_webp(image, true), "a")), 0);
  EXPECT_LE(largest_difference(image, *io::decode_image(encode_webp(image, false), "a")), 25);
  EXPECT_EQ(largest_difference(image, *io::decode_image(encode_bmp(image), "a")), 0);
  const auto from_top = io::decode_image(encode_bmp_from_top(image), "a");
  ASSERT_TRUE(from_top.ok()) << from_top.error().message;
  EXPECT_EQ(largest_difference(image, *from_top), 0);
  EXPECT_FALSE(io::decode_image(encode_bmp_from_top(image).substr(0, 3000), "a").ok());
  EXPECT_EQ(largest_difference(image, *io::decode_image(encode_tga(image, false), "a")), 0);
  EXPECT_EQ(largest_difference(image, *io::decode_image(encode_tga(image, true), "a")), 0);
  Image8 with_alpha = wavy_picture(20, 10, 4);
  EXPECT_EQ(io::decode_image(encode_webp(with_alpha, true), "a")->channels, 4);
  EXPECT_TRUE(io::image_size(encode_webp(with_alpha, true), "a")->has_alpha());
}

TEST(ImageFile, ContentDecidesNotTheName) {
  const TempFolder folder;
  const Image8 image = wavy_picture(16, 16, 3);
  const auto path = folder.write("really a png.jpg", io::encode_png(image));
  const auto read = io::read_image(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(largest_difference(image, *read), 0);
}

TEST(ImageFile, CmykJpegBecomesRgb) {
  Image8 cmyk = flat_picture(16, 16, 4, 255);
  for (size_t i = 0; i < 256; ++i) cmyk.pixels[4 * i] = 100;  // inverted cyan: red 100, green and blue 255
  const auto read = io::decode_image(encode_cmyk_jpeg(cmyk), "a.jpg");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->channels, 3);
  EXPECT_NEAR(read->pixels[0], 100, 2);
  EXPECT_NEAR(read->pixels[1], 255, 2);
  EXPECT_NEAR(read->pixels[2], 255, 2);
}

TEST(ImageFile, ReducedJpegCoversWholeBlocksOfPixels) {
  const Image8 image = wavy_picture(101, 67, 3);
  const std::string bytes = io::encode_jpeg(image, 98);
  for (int reduction : {1, 2, 4, 8}) {
    const auto read = io::decode_reduced_image(bytes, "a.jpg", reduction);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->reduction, reduction);
    EXPECT_EQ(read->full_width, 101);
    EXPECT_EQ(read->full_height, 67);
    EXPECT_EQ(read->image.width, (101 + reduction - 1) / reduction);
    EXPECT_EQ(read->image.height, (67 + reduction - 1) / reduction);
    for (int y = 1; y < 67 / reduction - 1; ++y) {  // pixels that the picture covers wholly: close to the box mean
      for (int x = 1; x < 101 / reduction - 1; ++x) {
        double mean = 0;
        for (int v = 0; v < reduction; ++v)
          for (int u = 0; u < reduction; ++u)
            mean += image.pixels[size_t(((y * reduction + v) * 101 + x * reduction + u) * 3 + 1)];
        mean /= reduction * reduction;
        EXPECT_NEAR(read->image.pixels[size_t((y * read->image.width + x) * 3 + 1)], mean, 9) << reduction;
      }
    }
  }
  EXPECT_EQ(io::decode_reduced_image(bytes, "a.jpg", 7)->reduction, 4);
  EXPECT_EQ(io::decode_reduced_image(io::encode_png(image), "a.png", 8)->reduction, 1);
}

TEST(ImageFile, SizeOfAJpegBehindMuchMetadata) {
  const std::string bytes = io::encode_jpeg(wavy_picture(33, 21, 3), 90);
  std::string metadata;
  for (int i = 0; i < 3; ++i) {  // three full APP15 segments: 196 kB before the picture's header
    metadata += "\xFF\xEF\xFF\xFF";
    metadata.append(0xFFFD, char(i));
  }
  const TempFolder folder;
  const auto path = folder.write("a.jpg", bytes.substr(0, 2) + metadata + bytes.substr(2));
  const auto size = io::read_image_size(path);
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_EQ(size->width, 33);
  EXPECT_EQ(size->height, 21);
}

TEST(ImageFile, ExifOrientationIsNotApplied) {
  const std::string bytes = io::encode_jpeg(wavy_picture(40, 24, 3), 90);
  // APP1 "Exif": big-endian TIFF with one entry, orientation (0x112) = 6, a quarter turn.
  const char exif[] =
      "\xFF\xE1\x00\x22"
      "Exif\0\0"
      "MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
  static_assert(sizeof exif - 1 == 2 + 0x22);
  const std::string turned = bytes.substr(0, 2) + std::string(exif, sizeof exif - 1) + bytes.substr(2);
  const auto read = io::decode_image(turned, "a.jpg");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->width, 40);
  EXPECT_EQ(largest_difference(*read, *io::decode_image(bytes, "a.jpg")), 0);
}

TEST(ImageFile, StrayBytesBetweenSegmentsDoNoHarm) {
  std::string bytes = io::encode_jpeg(wavy_picture(32, 32, 3), 90);
  bytes.insert(20, "stray");  // behind the JFIF segment
  const auto read = io::decode_image(bytes, "a.jpg");
  EXPECT_TRUE(read.ok());
}

TEST(ImageFile, TruncatedFilesGiveASentenceAtEveryLength) {
  const Image8 image = wavy_picture(48, 40, 3);
  const std::pair<const char*, std::string> files[] = {
      {"a.jpg", io::encode_jpeg(image, 90)}, {"a.png", io::encode_png(image)},
      {"a.webp", encode_webp(image, false)}, {"lossless.webp", encode_webp(image, true)},
      {"a.bmp", encode_bmp(image)},          {"a.tga", encode_tga(image, false)},
      {"runs.tga", encode_tga(image, true)},
  };
  for (const auto& [name, bytes] : files) {
    ASSERT_TRUE(io::decode_image(bytes, name).ok()) << name;
    const size_t step = std::max<size_t>(1, bytes.size() / 300);
    for (size_t length = 0; length + 1 < bytes.size(); length += step) {
      const auto read = io::decode_image(std::string_view(bytes).substr(0, length), name);
      ASSERT_FALSE(read.ok()) << name << " cut to " << length << " of " << bytes.size();
      EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
      (void)io::image_size(std::string_view(bytes).substr(0, length), name);
    }
  }
}

TEST(ImageFile, DamagedFilesNeverCrash) {
  const Image8 image = wavy_picture(40, 32, 3);
  const std::string files[] = {io::encode_jpeg(image, 90), io::encode_png(image), encode_webp(image, false),
                               encode_webp(image, true),   encode_bmp(image),     encode_tga(image, false),
                               encode_tga(image, true)};
  uint32_t state = 1;
  for (const std::string& bytes : files) {
    for (int round = 0; round < 300; ++round) {
      std::string damaged = bytes;
      for (int hit = 0; hit < 3; ++hit) {
        state = state * 1664525u + 1013904223u;
        const size_t range = round % 2 ? std::min<size_t>(64, damaged.size()) : damaged.size();
        damaged[(state >> 8) % range] = char(state >> 3);
      }
      const auto read = io::decode_image(damaged, "damaged");
      if (!read.ok()) continue;
      EXPECT_EQ(read->pixels.size(), size_t(read->width) * size_t(read->height) * size_t(read->channels));
    }
  }
}

TEST(ImageFile, HostileSizesAreRefusedBeforeAllocation) {
  std::string png = io::encode_png(flat_picture(8, 8, 3, 7));
  png.replace(16, 8, std::string("\x00\x00\xFF\x00\x00\x00\xFF\x00", 8));  // 65280 x 65280
  const auto huge = io::decode_image(png, "huge.png");
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.error().message.find("65280x65280"), std::string::npos) << huge.error().message;
  png.replace(16, 8,
              std::string("\x00\x00\x3F\x00\x00\x00\x3F\x00", 8));  // 16128 x 16128: allowed, but not in 70 bytes
  const auto thin = io::decode_image(png, "thin.png");
  ASSERT_FALSE(thin.ok());
  EXPECT_NE(thin.error().message.find("cannot hold"), std::string::npos) << thin.error().message;
}

TEST(ImageFile, APngChunkThatClaimsMoreThanTheFileIsRefused) {
  std::string png = io::encode_png(flat_picture(12, 9, 3, 7));
  const size_t length = png.find("IDAT") - 4;
  png.replace(length, 4, std::string("\x24\x00\x00\x00", 4));  // 600 MB, which the decoder would make room for
  const auto claimed = io::decode_image(png, "claims.png");
  ASSERT_FALSE(claimed.ok());
  EXPECT_NE(claimed.error().message.find("cut short"), std::string::npos) << claimed.error().message;
}

TEST(ImageFile, WhatIsQuotedFromTheFileStaysOnOneLine) {
  std::string png = io::encode_png(flat_picture(12, 9, 3, 7));
  png.replace(png.find("IDAT"), 4, "I\nAT");
  const auto strange = io::decode_image(png, "strange.png");
  ASSERT_FALSE(strange.ok());
  EXPECT_EQ(strange.error().message.find('\n'), std::string::npos) << strange.error().message;
}

TEST(ImageFile, EmptyForeignAndMissingFilesAreNamed) {
  const TempFolder folder;
  const auto empty = io::read_image(folder.write("empty é.png", ""));
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message.find("empty é.png' is empty"), std::string::npos) << empty.error().message;
  const auto text = io::read_image_size(folder.write("text.jpg", "this is not a picture at all, it is a text"));
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message.find("text.jpg' is not a picture"), std::string::npos) << text.error().message;
  const auto missing = io::read_image_size(folder.path() / "missing.jpg");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("missing.jpg"), std::string::npos);
  EXPECT_FALSE(io::read_image(folder.path()).ok());
}

// A PNG with a transparent colour: its header alone must tell of the alpha channel that decoding makes.
TEST(ImageFile, AColourKeyIsAlpha) {
  std::string png = io::encode_png(flat_picture(4, 3, 3, 7));
  const std::string key("\0\0\0\6tRNS\0\7\0\7\0\7\0\0\0\0", 18);
  png.insert(png.find("IDAT") - 4, key);
  const auto size = io::image_size(png, "a.png");
  const auto read = io::decode_image(png, "a.png");
  ASSERT_TRUE(size.ok() && read.ok());
  EXPECT_EQ(read->channels, 4);
  EXPECT_EQ(read->pixels[3], 0);
  EXPECT_EQ(size->channels, 4);
}

TEST(ImageFile, SixteenBitPngKeepsItsUpperBytes) {
  // 2x1 grey, 16 bit, values 0x12AB and 0xFE01; made by hand, deflate stored.
  const unsigned char bytes[] = {0x89, 'P', 'N',  'G',  '\r', '\n', 0x1A, '\n', 0,    0,    0,    13, 'I', 'H',
                                 'D',  'R', 0,    0,    0,    2,    0,    0,    0,    1,    16,   0,  0,   0,
                                 0,    0,   0,    0,    0,  // CRC: not checked by the decoder
                                 0,    0,   0,    16,   'I',  'D',  'A',  'T',  0x78, 0x01, 0x01, 5,  0,   0xFA,
                                 0xFF, 0,   0x12, 0xAB, 0xFE, 0x01, 0x0B, 0x90, 0x01, 0xBD, 0,    0,  0,   0,
                                 0,    0,   0,    0,    'I',  'E',  'N',  'D',  0,    0,    0,    0};
  const auto read = io::decode_image({reinterpret_cast<const char*>(bytes), sizeof bytes}, "a.png");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->channels, 1);
  EXPECT_EQ(read->pixels[0], 0x12);
  EXPECT_EQ(read->pixels[1], 0xFE);
}

TEST(ImageFile, Grey16PngsComeBack) {
  io::Grey16 image{37, 21, {}};
  for (int i = 0; i < 37 * 21; ++i) image.pixels.push_back(uint16_t(i * 4111 % 65536));
  const TempFolder folder;
  folder.write("depth.png", io::encode_grey16_png(image));
  const auto back = io::read_grey16(folder.path() / "depth.png");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->width, 37);
  EXPECT_EQ(back->pixels, image.pixels);
}

}  // namespace
