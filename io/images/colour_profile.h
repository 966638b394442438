// What the numbers of a picture mean: an ICC profile inside the file, or primaries and a curve, and how they become
// those of sRGB, relative to the white (Little CMS). Phones photograph in Display P3, cameras and photo programs in
// Adobe RGB or ProPhoto RGB. What says nothing is sRGB already, and so is what cannot be read or is made for HDR.
// Profiles that differ from sRGB by no more than rounding change no byte. Cost: docs/benchmarks.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "splat/model/image.h"

namespace io::codec {

inline constexpr int kMostProfileBytes = 1 << 22;

struct RgbColours {
  std::array<double, 2> white, red, green, blue;  // CIE x and y
  double exponent = 0;                            // of the curve; 0: sRGB's own
};

struct ColourSpace {
  std::string icc;                // empty: there is none
  std::optional<RgbColours> rgb;  // where there is none
  bool says_something() const { return !icc.empty() || rgb; }
};

// By ITU-T H.273, as HEIC, AVIF and PNG name them; none: sRGB, or nothing that can be turned.
std::optional<RgbColours> rgb_of_code_points(int primaries, int transfer);

// The colours of a JPEG, PNG or WebP by its bytes, or their beginning; a HEIC's is asked of its decoder.
ColourSpace colour_space_of(std::string_view bytes);

bool can_turn_to_srgb(const ColourSpace& colours, int channels);  // false: a profile that cannot be read
void turn_to_srgb(const ColourSpace& colours, splat::Image8& image);

}  // namespace io::codec
