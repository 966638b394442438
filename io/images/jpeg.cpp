// JPEG through TurboJPEG, whose scaled inverse DCT decodes at 1/2, 1/4 or 1/8 of the size.
#include <turbojpeg.h>

#include <algorithm>
#include <memory>
#include <new>

#include "io/images/codecs.h"
#include "splat/core/check.h"

namespace io {

using splat::Image8, splat::Result;

namespace {

struct DestroyTurbo {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using TurboHandle = std::unique_ptr<void, DestroyTurbo>;

constexpr int64_t kPixelsPerByte = 4096;  // 512 with Huffman coding: each 8x8 block takes a bit at least

struct Header {
  int width = 0, height = 0, subsampling = 0, colorspace = 0;
};

const unsigned char* data_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

// Stray bytes between segments do no harm and are common; every other complaint means lost pixels.
bool harmless(tjhandle handle) {
  return tjGetErrorCode(handle) == TJERR_WARNING &&
         std::string_view(tjGetErrorStr2(handle)).find("extraneous bytes") != std::string_view::npos;
}

Result<Header> read_header(tjhandle handle, std::string_view bytes, const std::string& name) {
  Header header;
  const int failed = tjDecompressHeader3(handle, data_of(bytes), bytes.size(), &header.width, &header.height,
                                         &header.subsampling, &header.colorspace);
  if (failed && !harmless(handle)) return codec::broken(name, "JPEG", tjGetErrorStr2(handle));
  return header;
}

bool is_cmyk(const Header& header) { return header.colorspace == TJCS_CMYK || header.colorspace == TJCS_YCCK; }

ImageSize size_of(const Header& header) {
  return {header.width, header.height, header.colorspace == TJCS_GRAY ? 1 : 3};
}

// CMYK as photo programs store it: inverted, 255 is no ink.
void cmyk_to_rgb(std::vector<uint8_t>& pixels) {
  const size_t count = pixels.size() / 4;
  for (size_t i = 0; i < count; ++i)
    for (size_t c = 0; c < 3; ++c)
      pixels[3 * i + c] = uint8_t((unsigned(pixels[4 * i + c]) * pixels[4 * i + 3] + 127) / 255);
  pixels.resize(count * 3);
}

}  // namespace

namespace codec {

bool is_jpeg(std::string_view bytes) { return bytes.substr(0, 3) == "\xFF\xD8\xFF"; }

Result<ImageSize> jpeg_size(std::string_view bytes, const std::string& name) {
  const TurboHandle handle(tjInitDecompress());
  SPLAT_ASSIGN_OR_RETURN(const Header header, read_header(handle.get(), bytes, name));
  return size_of(header);
}

Result<ReducedImage> decode_jpeg(std::string_view bytes, const std::string& name, int max_reduction) {
  const TurboHandle handle(tjInitDecompress());
  SPLAT_ASSIGN_OR_RETURN(const Header header, read_header(handle.get(), bytes, name));
  SPLAT_TRY(check_size(size_of(header), name));
  SPLAT_TRY(check_content(size_of(header), bytes.size(), kPixelsPerByte, name));

  ReducedImage result{{}, header.width, header.height, 1};
  while (result.reduction < 8 && result.reduction * 2 <= max_reduction) result.reduction *= 2;
  const tjscalingfactor scale{1, result.reduction};
  Image8& image = result.image;
  image = {TJSCALED(header.width, scale), TJSCALED(header.height, scale), size_of(header).channels, {}};
  const int format = is_cmyk(header) ? TJPF_CMYK : image.channels == 1 ? TJPF_GRAY : TJPF_RGB;
  image.pixels.resize(size_t(image.width) * size_t(image.height) * size_t(tjPixelSize[format]));
  const int failed = tjDecompress2(handle.get(), data_of(bytes), bytes.size(), image.pixels.data(), image.width, 0,
                                   image.height, format, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS);
  if (failed && !harmless(handle.get())) return broken(name, "JPEG", tjGetErrorStr2(handle.get()));
  if (is_cmyk(header)) cmyk_to_rgb(image.pixels);
  return result;
}

}  // namespace codec

std::string encode_jpeg(const Image8& image, int quality) {
  SPLAT_CHECK(image.channels == 1 || image.channels == 3);
  SPLAT_CHECK_EQ(image.pixels.size(), size_t(image.width) * size_t(image.height) * size_t(image.channels));
  SPLAT_CHECK(std::max(image.width, image.height) <= kMaxSide);
  const TurboHandle handle(tjInitCompress());
  const bool grey = image.channels == 1;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int failed =
      tjCompress2(handle.get(), image.pixels.data(), image.width, 0, image.height, grey ? TJPF_GRAY : TJPF_RGB, &bytes,
                  &size, grey ? TJSAMP_GRAY : TJSAMP_420, quality, TJFLAG_ACCURATEDCT);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> freed(bytes, &tjFree);
  if (failed) throw std::bad_alloc();  // nothing else is left that could fail
  return std::string(reinterpret_cast<const char*>(bytes), size);
}

}  // namespace io
