#include "io/splats/ply/generated_object.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace io {
namespace {

constexpr size_t kEnough = 500;        // splats; fewer show nothing
constexpr float kUnit = 1e-3f;         // by how much the length of a quaternion differs from 1 that was made a unit
constexpr float kFloor = -7.0131159f;  // ln 0.0009: TRELLIS adds this size in squares to each
constexpr float kAtFloor = 0.1f;       // the smallest of its many splats is as near, and none is below
constexpr float kRounding = 1e-3f;
constexpr float kLeast = 0.005f;        // LGM leaves out what is more transparent
constexpr float kSmallest = -5.2933f;   // its logit
constexpr float kColours = 1.7725f;     // 0.5 / Y00: its colours are within 0..1
constexpr float kTrellisReach = 0.55f;  // of means from the middle: a cube of side 1, and offsets within its voxels
constexpr float kLgmReach = 1.0001f, kDreamGaussianReach = 1.5f;

struct Range {
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();

  void add(std::span<const float> values) {
    for (const float value : values) low = std::min(low, value), high = std::max(high, value);
  }
  bool within(float least, float most) const { return low >= least && high <= most; }
};

struct Marks {
  Range means, scales, opacities, colours, lengths;  // lengths: of quaternions
};

Marks marks_of(const splat::Gaussians& model) {
  Marks marks;
  marks.means.add(model.means);
  marks.scales.add(model.log_scales);
  marks.opacities.add(model.logit_opacities);
  marks.colours.add(model.sh);
  for (size_t row = 0; row < model.size(); ++row) {
    const float* q = model.quats.data() + 4 * row;
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    marks.lengths.add({&length, 1});
  }
  return marks;
}

// All of the properties and no others, in this order.
bool has_properties(const PlyElement& vertices, std::span<const std::string_view> names) {
  return std::equal(vertices.properties.begin(), vertices.properties.end(), names.begin(), names.end(),
                    [](const PlyProperty& property, std::string_view name) {
                      return property.name == name && property.type == PlyScalar::kFloat32 && !property.list;
                    });
}

constexpr std::array<std::string_view, 17> kWithNormals{"x",       "y",      "z",      "nx",      "ny",      "nz",
                                                        "f_dc_0",  "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1",
                                                        "scale_2", "rot_0",  "rot_1",  "rot_2",   "rot_3"};
constexpr std::array<std::string_view, 14> kWithout{"x",      "y",       "z",       "f_dc_0",  "f_dc_1",
                                                    "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2",
                                                    "rot_0",  "rot_1",   "rot_2",   "rot_3"};

bool is_lgm(const Marks& marks) {
  const bool activated = marks.opacities.within(kLeast, 1) && marks.scales.low > 0 && marks.colours.within(0, 1);
  const bool usual =
      marks.opacities.low >= kSmallest && marks.scales.high < 0 && marks.colours.within(-kColours, kColours);
  return marks.means.within(-kLgmReach, kLgmReach) && (activated || usual);
}

}  // namespace

void recognise_generated_object(const PlyHeader& header, SplatFile& file) {
  if (header.elements.size() != 1 || !header.comments.empty() || header.encoding != PlyEncoding::kLittleEndian ||
      file.gaussians.size() < kEnough)
    return;
  const PlyElement& vertices = header.elements.front();
  const bool normals = has_properties(vertices, kWithNormals);
  if (!normals && !has_properties(vertices, kWithout)) return;
  const Marks marks = marks_of(file.gaussians);
  const bool units = marks.lengths.within(1 - kUnit, 1 + kUnit);
  if (normals && units && marks.means.within(-kTrellisReach, kTrellisReach) &&
      marks.scales.within(kFloor - kRounding, std::numeric_limits<float>::max()) &&
      marks.scales.low < kFloor + kAtFloor) {
    file.generator = "TRELLIS";
    file.view_up = {0, -1, 0};  // it turns its z-up objects when it writes
    file.antialiased = true;    // it draws them with the compensation, and with this
    file.low_pass = 0.1f;
  } else if (!normals && units && is_lgm(marks)) {
    file.resembles = "LGM";
  } else if (normals && !units && marks.means.within(-kDreamGaussianReach, kDreamGaussianReach)) {
    file.resembles = "DreamGaussian";
  }
}

}  // namespace io
