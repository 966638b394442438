#include "io/splats/spz/spz_codec.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/bytes.h"
#include "io/names.h"
#include "io/splats/common/codec.h"
#include "splat/core/half.h"

namespace io {

namespace {

constexpr float kColourSteps = 0.15f * 255;  // a step for each 1/38 of f_dc, so that colours a bit outside 0..1 fit
constexpr float kLogScaleSteps = 16, kLogScaleOffset = 10;
constexpr float kMagnitudeSteps = 511;  // of a quaternion component: 9 bits and a sign
constexpr int32_t kFixedEnd = 1 << 23;  // positions are 24-bit integers

// How coefficient k of the spherical harmonics changes when the axes change by `frame`'s signs: by the parity of the
// powers of x, y and z in its polynomial.
float harmonic_sign(size_t k, const SpzFrame& frame) {
  // Odd powers in the order of the bands' coefficients m = -l..l: bit 0 x, bit 1 y, bit 2 z.
  constexpr std::array<uint8_t, 16> kOdd{0, 2, 4, 1, 3, 6, 0, 5, 0, 2, 7, 2, 4, 1, 4, 1};
  float sign = 1;
  for (size_t axis = 0; axis < 3; ++axis)
    if (kOdd[k] >> axis & 1) sign *= frame[axis];
  return sign;
}

using HarmonicSigns = std::array<float, 16>;
HarmonicSigns harmonic_signs(const SpzFrame& frame) {
  HarmonicSigns signs{};
  for (size_t k = 0; k < signs.size(); ++k) signs[k] = harmonic_sign(k, frame);
  return signs;
}

// The same for the quaternion's xyz.
std::array<float, 3> turn_signs(const SpzFrame& f) { return {f[1] * f[2], f[0] * f[2], f[0] * f[1]}; }

float position_of(const uint8_t* bytes, const SpzLayout& layout) {
  if (layout.version == 1) {
    return splat::float_from_half(load<uint16_t>(reinterpret_cast<const char*>(bytes)));
  }
  const uint32_t word = uint32_t(bytes[0]) << 8 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 24;
  return std::ldexp(float(int32_t(word) >> 8), -layout.fractional_bits);
}

void decode_rotation(const SpzLayout& layout, const uint8_t* bytes, float* wxyz) {
  std::array<float, 4> q{};  // xyzw
  if (layout.version < 3) {
    for (size_t i = 0; i < 3; ++i) q[i] = float(bytes[i]) / 127.5f - 1.0f;
    q[3] = missing_component(q[0], q[1], q[2]);
  } else {
    uint32_t word = load<uint32_t>(reinterpret_cast<const char*>(bytes));
    const size_t largest = word >> 30;
    float squares = 0;
    for (size_t i = 4; i-- > 0;) {
      if (i == largest) continue;
      q[i] = float(word & 511u) / kMagnitudeSteps * kSqrtHalf * ((word >> 9 & 1u) ? -1.0f : 1.0f);
      squares += q[i] * q[i];
      word >>= 10;
    }
    q[largest] = std::sqrt(std::fmax(0.0f, 1.0f - squares));
  }
  const std::array<float, 3> sign = turn_signs(layout.frame);
  wxyz[0] = q[3];
  for (size_t i = 0; i < 3; ++i) wxyz[1 + i] = sign[i] * q[i];
}

uint32_t pack_rotation(const float* wxyz, const SpzFrame& frame) {
  const std::array<float, 4> unit = normalised(wxyz);
  const std::array<float, 3> sign = turn_signs(frame);
  const std::array<float, 4> q{sign[0] * unit[1], sign[1] * unit[2], sign[2] * unit[3], unit[0]};
  const size_t largest = largest_of(q);
  const bool negate = q[largest] < 0;
  uint32_t word = uint32_t(largest);
  for (size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    const uint32_t negative = (q[i] < 0) != negate;
    word = word << 10 | negative << 9 | to_steps(std::abs(q[i]) / kSqrtHalf, uint32_t(kMagnitudeSteps));
  }
  return word;
}

uint8_t clamped(float steps) { return uint8_t(std::fmin(std::fmax(std::round(steps), 0.0f), 255.0f)); }

// To 5 bits for degree 1 and 4 above, in the middle of a bucket: as the reference does, for the compressor's sake.
uint8_t pack_harmonic(float value, bool degree_1) {
  const int bucket = degree_1 ? 8 : 16;
  const int steps = int(std::round(std::clamp(value, -2.0f, 2.0f) * 128.0f)) + 128;
  return uint8_t(std::clamp((std::max(steps, 0) + bucket / 2) / bucket * bucket, 0, 255));
}

void pack_position(const SpzLayout& layout, const float* mean, uint8_t* bytes) {
  for (size_t i = 0; i < 3; ++i) {
    const float steps = std::round(std::ldexp(layout.frame[i] * mean[i], layout.fractional_bits));
    const int32_t fixed = int32_t(std::clamp(steps, float(-kFixedEnd), float(kFixedEnd - 1)));
    for (int byte = 0; byte < 3; ++byte) *bytes++ = uint8_t(fixed >> (8 * byte));
  }
}

void encode_row(const SpzLayout& layout, const HarmonicSigns& signs, SpzStream stream, const Gaussians& model,
                size_t row, uint8_t* bytes) {
  const float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
  const float* scale = model.log_scales.data() + 3 * row;
  switch (stream) {
    case SpzStream::kPositions:
      return pack_position(layout, model.means.data() + 3 * row, bytes);
    case SpzStream::kOpacities:
      *bytes = to_byte(sigmoid(model.logit_opacities[row]));
      return;
    case SpzStream::kColours:
      for (size_t i = 0; i < 3; ++i) bytes[i] = clamped(sh[i] * kColourSteps + 127.5f);
      return;
    case SpzStream::kScales:
      for (size_t i = 0; i < 3; ++i) bytes[i] = clamped((scale[i] + kLogScaleOffset) * kLogScaleSteps);
      return;
    case SpzStream::kRotations: {
      const uint32_t word = pack_rotation(model.quats.data() + 4 * row, layout.frame);
      std::memcpy(bytes, &word, sizeof word);
      return;
    }
    case SpzStream::kHarmonics:
      for (size_t i = 3; i < 3 * size_t(splat::sh_coefficients(layout.sh_degree)); ++i)
        bytes[i - 3] = pack_harmonic(signs[i / 3] * sh[i], i < 12);
      return;
  }
}

}  // namespace

HeldRanges held_by_spz(int sh_degree) {
  constexpr float kHalfBucket = 8;  // of the coarser ones
  return {.colour = {-127.5f / kColourSteps, 127.5f / kColourSteps, 0.5f / kColourSteps},
          .harmonics = {-1, 1, kHalfBucket / 128},
          .log_scale = {-kLogScaleOffset, 255 / kLogScaleSteps - kLogScaleOffset, 0.5f / kLogScaleSteps},
          .sh_degree = sh_degree};
}

const char* name_of(SpzStream stream) {
  constexpr std::array kNames{"the positions", "the opacities", "the colours",
                              "the scales",    "the rotations", "the spherical harmonics"};
  return kNames[size_t(stream)];
}

size_t SpzLayout::row_bytes(SpzStream stream) const {
  switch (stream) {
    case SpzStream::kPositions:
      return version == 1 ? 6 : 9;
    case SpzStream::kOpacities:
      return 1;
    case SpzStream::kColours:
    case SpzStream::kScales:
      return 3;
    case SpzStream::kRotations:
      return version < 3 ? 3 : 4;
    case SpzStream::kHarmonics:
      return 3 * size_t(splat::sh_coefficients(sh_degree) - 1);
  }
  return 0;
}

size_t SpzLayout::row_bytes() const {
  size_t sum = 0;
  for (const SpzStream stream : kSpzStreams) sum += row_bytes(stream);
  return sum;
}

void decode_spz(const SpzLayout& layout, SpzStream stream, const uint8_t* bytes, size_t begin, size_t end,
                Gaussians& model) {
  const size_t row_bytes = layout.row_bytes(stream), coefficients = size_t(model.coefficients());
  const HarmonicSigns signs = harmonic_signs(layout.frame);
  for (size_t row = begin; row < end; ++row, bytes += row_bytes) {
    float* sh = model.sh.data() + row * coefficients * 3;
    switch (stream) {
      case SpzStream::kPositions:
        for (size_t i = 0; i < 3; ++i)
          model.means[3 * row + i] =
              layout.frame[i] * position_of(bytes + i * (row_bytes / 3), layout) + 0.0f;  // no -0
        break;
      case SpzStream::kOpacities:
        model.logit_opacities[row] =
            logit_of_byte(layout.halved_opacities ? uint8_t(std::min(255, 2 * int(*bytes))) : *bytes);
        break;
      case SpzStream::kColours:
        for (size_t i = 0; i < 3; ++i) sh[i] = (float(bytes[i]) - 127.5f) / kColourSteps;
        break;
      case SpzStream::kScales:
        for (size_t i = 0; i < 3; ++i)
          model.log_scales[3 * row + i] = float(bytes[i]) / kLogScaleSteps - kLogScaleOffset;
        break;
      case SpzStream::kRotations:
        decode_rotation(layout, bytes, model.quats.data() + 4 * row);
        break;
      case SpzStream::kHarmonics:
        for (size_t i = 3; i < 3 * coefficients; ++i) sh[i] = signs[i / 3] * (float(bytes[i - 3]) - 128.0f) / 128.0f;
        break;
    }
  }
}

void encode_spz(const SpzLayout& layout, SpzStream stream, const Gaussians& model, const WritableRows& rows,
                size_t begin, size_t end, uint8_t* bytes) {
  const HarmonicSigns signs = harmonic_signs(layout.frame);
  for (size_t i = begin; i < end; ++i, bytes += layout.row_bytes(stream))
    encode_row(layout, signs, stream, model, rows[i], bytes);
}

}  // namespace io
