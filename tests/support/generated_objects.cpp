#include "tests/support/generated_objects.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"

namespace splat::test {
namespace {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;  // w, x, y, z

constexpr double kLeastSize = 0.0009;  // of TRELLIS
constexpr double kFlat = 0.0002;

// A sphere from `from`, or one drawn out to `to`.
struct Part {
  Vec from, to;
  double radius;
  Vec colour;
};
constexpr std::array<Part, 3> kParts{{{{0, -0.2, 0}, {0, -0.2, 0}, 0.26, {0.1, 0.2, 0.8}},
                                      {{0, 0.2, 0}, {0, 0.2, 0}, 0.16, {0.9, 0.1, 0.1}},
                                      {{0.2, -0.15, 0}, {0.44, -0.15, 0}, 0.04, {0.1, 0.8, 0.2}}}};

double along(const Part& part, const Vec& p) {
  const double length = part.to[0] - part.from[0];
  return length > 0 ? std::clamp((p[0] - part.from[0]) / length, 0.0, 1.0) : 0;
}

double distance_to(const Part& part, const Vec& p) {
  const double t = along(part, p), x = part.from[0] + t * (part.to[0] - part.from[0]);
  return std::hypot(p[0] - x, p[1] - part.from[1], p[2] - part.from[2]) - part.radius;
}

struct Disc {  // y up
  Vec mean, normal, colour;
};

// On the surface of one part and in none of the others.
Disc next_disc(random::Sequence& random) {
  for (;;) {
    const double pick = random.uniform();
    const Part& part = kParts[pick < 0.65 ? 0 : pick < 0.9 ? 1 : 2];
    const double z = 2 * random.uniform() - 1, angle = 2 * M_PI * random.uniform(), r = std::sqrt(1 - z * z);
    const Vec normal{r * std::cos(angle), r * std::sin(angle), z};
    const double length = part.to[0] - part.from[0], t = random.uniform();
    Disc disc{{}, normal, part.colour};
    if (length > 0 && random.uniform() < 0.7) {  // its side
      disc.normal = {0, std::cos(angle), std::sin(angle)};
      disc.mean = {part.from[0] + t * length, part.from[1], part.from[2]};
    } else {
      disc.mean = normal[0] > 0 ? part.to : part.from;
    }
    for (size_t k = 0; k < 3; ++k) disc.mean[k] += part.radius * disc.normal[k];
    if (distance_to_object(disc.mean) > -1e-6) return disc;
  }
}

// From z to n.
Quat turn_to(const Vec& n) {
  Quat q = n[2] > -0.999999 ? Quat{1 + n[2], -n[1], n[0], 0} : Quat{0, 1, 0, 0};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  for (double& value : q) value /= length;
  return q;
}

// By a quarter about x: (x, y, z) -> (x, -z, y), as y-up becomes z-up, and as TRELLIS turns what it writes.
Vec quarter(const Vec& p) { return {p[0], -p[2], p[1]}; }
Quat quarter(const Quat& q) {
  return {M_SQRT1_2 * (q[0] - q[1]), M_SQRT1_2 * (q[1] + q[0]), M_SQRT1_2 * (q[2] - q[3]), M_SQRT1_2 * (q[3] + q[2])};
}

void put(std::string& bytes, std::span<const double> values) {
  for (const double value : values) {
    const auto stored = float(value);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
  }
}

std::string header(size_t splats, bool normals) {
  std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(splats) + "\n";
  for (const std::string_view name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity",
                                      "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
    if (normals || name[0] != 'n') text += "property float " + std::string(name) + "\n";
  return text + "end_header\n";
}

}  // namespace

double distance_to_object(const std::array<double, 3>& point) {
  double nearest = 1e9;
  for (const Part& part : kParts) nearest = std::min(nearest, distance_to(part, point));
  return nearest;
}

std::string generated_object(Generator generator, size_t splats) {
  const bool trellis = generator == Generator::kTrellis, activated = generator == Generator::kLgmActivated;
  const bool normals = trellis || generator == Generator::kDreamGaussian;
  std::string bytes = header(splats, normals);
  random::Sequence random(7, random::kTest);
  for (size_t i = 0; i < splats; ++i) {
    Disc disc = next_disc(random);
    Quat turn = turn_to(disc.normal);
    Vec sizes{0.008, 0.008, kFlat};
    double opacity = 0.9 + 0.099 * random.uniform();
    if (trellis) {
      disc.mean = quarter(quarter(disc.mean));  // into its own frame, then as it writes
      turn = quarter(quarter(turn));
      for (double& size : sizes) size = std::hypot(size, kLeastSize);
    }
    if (generator == Generator::kDreamGaussian) {
      const double length = 0.5 + random.uniform();
      for (double& value : turn) value *= length;
    }
    if (!activated) {
      opacity = math::logit(opacity);
      for (double& value : disc.colour) value = (value - 0.5) / math::kSh0;
      for (double& size : sizes) size = std::log(size + (trellis || normals ? 0 : 1e-8));
    }
    put(bytes, disc.mean);
    if (normals) put(bytes, Vec{});
    put(bytes, disc.colour);
    put(bytes, {&opacity, 1});
    put(bytes, sizes);
    put(bytes, turn);
  }
  return bytes;
}

}  // namespace splat::test
