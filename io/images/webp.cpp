// WebP through libwebp: lossy and lossless stills.
#include <webp/decode.h>

#include "io/images/codecs.h"

namespace io::codec {

using splat::Image8, splat::Result;

namespace {

const uint8_t* webp_bytes(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.size() >= 12 && bytes.substr(0, 4) == "RIFF" && bytes.substr(8, 4) == "WEBP";
}

Result<ImageSize> webp_size(std::string_view bytes, const std::string& name) {
  WebPBitstreamFeatures features;
  const VP8StatusCode code = WebPGetFeatures(webp_bytes(bytes), bytes.size(), &features);
  if (code == VP8_STATUS_NOT_ENOUGH_DATA) return broken(name, "WebP", "it ends inside the header");
  if (code != VP8_STATUS_OK) return broken(name, "WebP", "its header makes no sense");
  if (features.has_animation) return broken(name, "WebP", "it is an animation, a still is needed");
  return ImageSize{features.width, features.height, features.has_alpha ? 4 : 3};
}

Result<Image8> decode_webp(std::string_view bytes, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const ImageSize size, webp_size(bytes, name));  // sides are 14 bits: no more than 268 Mpx
  SPLAT_TRY(check_size(size, name));
  Image8 image{size.width, size.height, size.channels, {}};
  image.pixels.resize(size_t(image.width) * size_t(image.height) * size_t(image.channels));
  const int stride = image.width * image.channels;
  const auto decode = image.channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (!decode(webp_bytes(bytes), bytes.size(), image.pixels.data(), image.pixels.size(), stride))
    return broken(name, "WebP", "its data are truncated or corrupt");
  return image;
}

}  // namespace io::codec
