// The decoders behind image_file.h, one format family a file. `name` begins every error sentence. recognise functions
// look at the first bytes only; sizes are read from headers, of which the first kHeaderBytes of a file hold enough
// almost always (a JPEG may carry more metadata in front: then the whole file is asked for).
#pragma once

#include <string>
#include <string_view>

#include "io/image_file.h"

namespace io::codec {

struct ColourSpace;  // colour_profile.h

inline constexpr size_t kHeaderBytes = size_t(1) << 16;

bool is_jpeg(std::string_view bytes);
splat::Result<ImageSize> jpeg_size(std::string_view bytes, const std::string& name);
splat::Result<ReducedImage> decode_jpeg(std::string_view bytes, const std::string& name, int max_reduction);

bool is_webp(std::string_view bytes);
splat::Result<ImageSize> webp_size(std::string_view bytes, const std::string& name);
splat::Result<splat::Image8> decode_webp(std::string_view bytes, const std::string& name);

// HEIC and AVIF; without libheif, when built (io::reads_heif()) or now, they are recognised, and refused.
bool is_heif(std::string_view bytes);
splat::Result<ImageSize> heif_size(std::string_view bytes, const std::string& name);
splat::Result<splat::Image8> decode_heif(std::string_view bytes, const std::string& name,
                                         ColourSpace* colours = nullptr);  // what its numbers mean, too
std::string exif_of_heif(std::string_view bytes);                          // the TIFF structure; empty: none

// PNG and BMP by their signature, TGA (which has none) by a header that makes sense.
bool is_png_bmp_tga(std::string_view bytes);
splat::Result<ImageSize> png_bmp_tga_size(std::string_view bytes, const std::string& name);
splat::Result<splat::Image8> decode_png_bmp_tga(std::string_view bytes, const std::string& name);

// Grey PNG of 16 bits. Sentences are about "it".
splat::Result<ImageSize> grey16_size(std::string_view bytes);
splat::Result<Grey16> decode_grey16(std::string_view bytes);

// Bounds on a size read from a header: sides, pixels, and what `bytes` could hold at most at `pixels_per_byte`.
splat::Status check_size(const ImageSize& size, const std::string& name);
splat::Status check_content(const ImageSize& size, size_t bytes, int64_t pixels_per_byte, const std::string& name);

splat::Error broken(const std::string& name, const char* format, const std::string& why);

}  // namespace io::codec
