// How SPZ stores a splat: its attributes one by one, in the order of the file's streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "io/splats/common/checks.h"
#include "splat/model/gaussians.h"

namespace io {

inline constexpr uint32_t kSpzMagic = 0x5053474eu;  // "NGSP"
inline constexpr int kMaxSpzDegree = 4;

enum class SpzStream { kPositions, kOpacities, kColours, kScales, kRotations, kHarmonics };
inline constexpr std::array<SpzStream, 6> kSpzStreams{SpzStream::kPositions, SpzStream::kOpacities,
                                                      SpzStream::kColours,   SpzStream::kScales,
                                                      SpzStream::kRotations, SpzStream::kHarmonics};
const char* name_of(SpzStream stream);

// Signs that take a position between the file's frame and ours: (1, -1, -1) unless the file says otherwise.
using SpzFrame = std::array<float, 3>;
inline constexpr SpzFrame kSpzDefaultFrame{1, -1, -1};

struct SpzLayout {
  uint32_t version = 4;
  int sh_degree = 0;  // in the file, 0..4
  int fractional_bits = 12;
  SpzFrame frame = kSpzDefaultFrame;
  bool halved_opacities = false;  // as Spark stores them in files with levels of detail

  size_t row_bytes(SpzStream stream) const;  // 0: the file has no such stream
  size_t row_bytes() const;                  // of all
};

// What its steps reach.
HeldRanges held_by_spz(int sh_degree);

// Rows [begin, end) of one stream; `bytes` points to the first of them. Decoding fills what the model has room for.
void decode_spz(const SpzLayout& layout, SpzStream stream, const uint8_t* bytes, size_t begin, size_t end,
                splat::Gaussians& model);
// Versions 3 and 4. `bytes` takes rows [begin, end) of those that are written.
void encode_spz(const SpzLayout& layout, SpzStream stream, const splat::Gaussians& model, const WritableRows& rows,
                size_t begin, size_t end, uint8_t* bytes);

}  // namespace io
