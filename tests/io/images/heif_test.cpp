// HEIC photos, written by libheif's own encoder where it has one, as phones write them: turned, with Exif.
#include <gtest/gtest.h>

#include "io/dataset/photo_folder.h"
#include "io/image_file.h"
#include "io/images/exif.h"
#include "io/images/heif_references.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

#ifdef HIPSPLAT_HEIF
#include <libheif/heif.h>

#include <algorithm>
#include <cstdlib>

#include "io/bytes.h"
#include "tests/support/test_paths.h"

namespace io {
namespace {

using splat::Image8;

// Orientation: as Exif numbers it. Empty: this libheif writes no HEIC, or no turned ones.
std::string encode_heic(const Image8& image, const std::string& tiff, int orientation, const std::string& icc = "",
                        int primaries = 0) {
  constexpr bool kTurns = LIBHEIF_NUMERIC_VERSION >= 0x010e0000;
  if (orientation != 1 && !kTurns) return "";
  heif_context* context = heif_context_alloc();
  heif_encoder* encoder = nullptr;
  std::string bytes;
  if (heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder).code == heif_error_Ok) {
    heif_encoder_set_lossy_quality(encoder, 95);
    heif_image* picture = nullptr;
    const bool alpha = image.channels == 4;
    heif_image_create(image.width, image.height, heif_colorspace_RGB,
                      alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &picture);
    heif_image_add_plane(picture, heif_channel_interleaved, image.width, image.height, 8);
    int stride = 0;
    uint8_t* rows = heif_image_get_plane(picture, heif_channel_interleaved, &stride);
    const size_t row = size_t(image.width) * size_t(image.channels);
    for (int y = 0; y < image.height; ++y)
      std::copy_n(image.pixels.data() + size_t(y) * row, row, rows + y * ptrdiff_t(stride));
    if (!icc.empty()) heif_image_set_raw_color_profile(picture, "prof", icc.data(), icc.size());
    if (heif_color_profile_nclx* numbers = primaries > 0 ? heif_nclx_color_profile_alloc() : nullptr) {
      numbers->color_primaries = heif_color_primaries(primaries);
      heif_image_set_nclx_color_profile(picture, numbers);
      heif_nclx_color_profile_free(numbers);
    }
    heif_encoding_options* options = heif_encoding_options_alloc();
#if LIBHEIF_NUMERIC_VERSION >= 0x010e0000
    options->macOS_compatibility_workaround_no_nclx_profile = 0;  // which leaves out the numbers of its colours
    options->image_orientation = heif_orientation(orientation);
#endif
    heif_image_handle* handle = nullptr;
    heif_context_encode_image(context, picture, encoder, options, &handle);
    if (!tiff.empty()) heif_context_add_exif_metadata(context, handle, tiff.data(), int(tiff.size()));
    heif_writer writer{1, [](heif_context*, const void* data, size_t size, void* target) {
                         static_cast<std::string*>(target)->append(static_cast<const char*>(data), size);
                         return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                       }};
    heif_context_write(context, &writer, &bytes);
    heif_image_handle_release(handle);
    heif_encoding_options_free(options);
    heif_image_release(picture);
    heif_encoder_release(encoder);
  }
  heif_context_free(context);
  return bytes;
}

double mean_difference(const Image8& a, const Image8& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  double sum = 0;
  for (size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / double(a.pixels.size());
}

// Behind the JPEG's markers: the TIFF structure alone.
std::string some_tiff() {
  const std::string jpeg = *read_file(test_paths::source() / "tests/fuzz/corpus/exif/little");
  return jpeg.substr(jpeg.find(std::string("Exif\0\0", 6)) + 6);
}

uint32_t number_at(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes[at + i]);
  return value;
}
std::string number(uint32_t value) { return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)}; }
size_t box_in(const std::string& bytes, size_t at, size_t end, const std::string& type) {
  while (at + 8 <= end && bytes.substr(at + 4, 4) != type) at += number_at(bytes, at);
  return at + 8 <= end ? at : std::string::npos;
}

// Whose auxiliary picture belongs to `count` items, as the gain map of iPhones does since iOS 18: the first reference
// box becomes that, in a meta box at the end.
std::string with_auxiliary_of(const std::string& heic, char count) {
  const size_t meta = box_in(heic, 0, heic.size(), "meta"), end = meta + number_at(heic, meta);
  const size_t iref = box_in(heic, meta + 12, end, "iref"), behind = iref + number_at(heic, iref);
  const size_t auxl = box_in(heic, iref + 12, behind, "auxl");
  EXPECT_NE(auxl, std::string::npos);
  std::string items;  // of others before the main one
  for (char i = 1; i < count; ++i) items += std::string{'\0', char(90 + i)};
  const std::string reference = number(uint32_t(12 + items.size() + 2)) + "auxl" + heic.substr(auxl + 8, 2) + '\0' +
                                count + items + heic.substr(auxl + 12, 2);
  const std::string references = heic.substr(iref + 8, 4) + heic.substr(iref + 12, auxl - iref - 12) + reference +
                                 heic.substr(auxl + 14, behind - auxl - 14);
  const std::string content = heic.substr(meta + 8, iref - meta - 8) + number(uint32_t(8 + references.size())) +
                              "iref" + references + heic.substr(behind, end - behind);
  std::string file = heic;
  return file.replace(meta + 4, 4, "free") + number(uint32_t(8 + content.size())) + "meta" + content;
}

class Heif : public testing::Test {
 protected:
  void SetUp() override {
    if (file_.empty()) GTEST_SKIP() << "this libheif writes no HEIC";
  }
  const Image8 picture_ = splat::test::wavy_picture(96, 64, 3);
  const std::string file_ = encode_heic(picture_, some_tiff(), 1);
};

TEST_F(Heif, PicturesAreRead) {
  ASSERT_TRUE(reads_heif());
  const auto size = image_size(file_, "a.heic");
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_EQ(size->width, 96);
  EXPECT_EQ(size->height, 64);
  EXPECT_EQ(size->channels, 3);
  const auto read = decode_image(file_, "a.heic");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_LT(mean_difference(*read, picture_), 4);
  const splat::test::TempFolder folder;
  folder.write("IMG_0001.HEIC", file_);
  EXPECT_EQ(PhotoFolder(folder.path()).names(), (std::vector<std::string>{"IMG_0001.HEIC"}));
  EXPECT_EQ(read_image_size(folder.path() / "IMG_0001.HEIC")->width, 96);
}

TEST_F(Heif, ATurnedPictureComesUpright) {
  const std::string turned = encode_heic(picture_, "", 6);
  if (turned.empty()) GTEST_SKIP() << "this libheif writes no turned HEIC";
  const auto size = image_size(turned, "a.heic");
  const auto read = decode_image(turned, "a.heic");
  ASSERT_TRUE(size.ok() && read.ok()) << read.error().message;
  EXPECT_EQ(size->width, 64);
  EXPECT_EQ(size->height, 96);
  Image8 expected{64, 96, 3, {}};
  for (int y = 0; y < 96; ++y)
    for (int x = 0; x < 64; ++x)
      for (int c = 0; c < 3; ++c) expected.pixels.push_back(picture_.pixels[size_t(((63 - x) * 96 + y) * 3 + c)]);
  EXPECT_LT(mean_difference(*read, expected), 4);
}

TEST_F(Heif, ExifIsReadAndHandedOnToAJpeg) {
  const Exif exif = parse_exif(file_);
  EXPECT_EQ(exif.make, "Nikon Corp");
  EXPECT_EQ(exif.focal_mm, 35);
  EXPECT_EQ(exif.orientation, 1);  // 6 in the Exif: decoding has done it
  const std::string jpeg = with_exif_of(file_, encode_jpeg(picture_, 90));
  EXPECT_EQ(parse_exif(jpeg).model, "D90");
  EXPECT_EQ(parse_exif(jpeg).focal_mm, 35);
  EXPECT_TRUE(decode_image(jpeg, "a.jpg").ok());
  EXPECT_EQ(with_exif_of(jpeg, "other"), "other");
}

TEST_F(Heif, AuxiliaryPicturesOfSeveralItemsDoNoHarm) {
  const Image8 picture = splat::test::wavy_picture(96, 64, 4);
  const std::string usual = encode_heic(picture, some_tiff(), 1);
  for (const char items : {2, 3, 7}) {
    const std::string file = with_auxiliary_of(usual, items);
    const auto size = image_size(file, "a.heic");
    const auto read = decode_image(file, "a.heic");
    ASSERT_TRUE(size.ok() && read.ok()) << size.error().message;
    EXPECT_EQ(size->width, 96);
    EXPECT_EQ(size->channels, 4);  // the auxiliary picture is the alpha of this one
    EXPECT_EQ(read->pixels, decode_image(usual, "usual")->pixels);
    EXPECT_EQ(parse_exif(file).model, "D90");
    const splat::test::TempFolder folder;
    EXPECT_EQ(read_image_size(folder.write("IMG_1.HEIC", file))->width, 96);
    const auto mended = codec::with_single_auxiliary_references(file);
    ASSERT_TRUE(mended);
    EXPECT_FALSE(codec::with_single_auxiliary_references(*mended));
    for (size_t length = 0; length < file.size(); length += 1 + file.size() / 300) {
      (void)codec::with_single_auxiliary_references(std::string_view(file).substr(0, length));
      (void)codec::with_single_auxiliary_references(std::string_view(file).substr(length));
    }
  }
  EXPECT_FALSE(codec::with_single_auxiliary_references(usual));
}

TEST_F(Heif, DisplayP3BecomesSrgb) {
  const auto as_photo = [](const std::string& file) {
    auto read = decode_reduced_image(file, "a.heic", 1);
    EXPECT_TRUE(read.ok());
    turn_to_srgb(*read, read->image);
    return std::move(read->image);
  };
  const Image8 red{64, 64, 3, [] {
                     std::vector<uint8_t> pixels;
                     for (int i = 0; i < 64 * 64; ++i) pixels.insert(pixels.end(), {200, 60, 60});
                     return pixels;
                   }()};
  const Image8 plain = as_photo(encode_heic(red, "", 1));
  const bool has_numbers = LIBHEIF_NUMERIC_VERSION >= 0x010e0000;
  const Image8 p3 = has_numbers ? as_photo(encode_heic(red, "", 1, "", 12)) : plain;
  EXPECT_NEAR(plain.pixels[0], 200, 4);
  if (has_numbers) {  // by the matrix between both, 0.955 of 0.578 and so on
    EXPECT_NEAR(p3.pixels[0], 219, 5);
    EXPECT_NEAR(p3.pixels[1], 43, 6);
  }
  EXPECT_TRUE(image_size(encode_heic(red, "", 1, std::string(200, 'x')), "a.heic")->odd_profile);
}

TEST_F(Heif, DamagedFilesGiveASentence) {
  for (size_t length = 0; length + 1 < file_.size(); length += 1 + file_.size() / 200) {
    const auto read = decode_image(std::string_view(file_).substr(0, length), "a.heic");
    ASSERT_FALSE(read.ok()) << length << " of " << file_.size();
    EXPECT_NE(read.error().message.find("a.heic"), std::string::npos) << read.error().message;
  }
  uint32_t state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = file_;
    for (int hit = 0; hit < 3; ++hit) {
      state = state * 1664525u + 1013904223u;
      const size_t range = round % 2 ? std::min<size_t>(400, damaged.size()) : damaged.size();
      damaged[(state >> 8) % range] = char(state >> 3);
    }
    const auto read = decode_image(damaged, "damaged");
    (void)parse_exif(damaged);
    if (!read) continue;
    EXPECT_EQ(read->pixels.size(), size_t(read->width) * size_t(read->height) * size_t(read->channels));
  }
}

}  // namespace
}  // namespace io

#else

TEST(Heif, WithoutTheLibraryASentenceNamesIt) {
  using namespace std::string_literals;
  const auto read = io::decode_image(
      "\0\0\0\x18"
      "ftypheic\0\0\0\0mif1heic"s,
      "IMG_1.HEIC");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("'IMG_1.HEIC' is a HEIC or AVIF picture"), std::string::npos);
  EXPECT_FALSE(io::reads_heif());
}

#endif
