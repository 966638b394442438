#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "io/atomic_file.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/gltf/gltf.h"
#include "io/text.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/math/sh_rotation.h"
#include "splat/math/srgb.h"
#include "splat/model/transform.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Similarity;

namespace {

constexpr size_t kBlockRows = 4096;
constexpr uint32_t kMagic = 0x46546c67, kVersion = 2, kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;
constexpr int kFloat = 5126, kUint8 = 5121, kArrayBuffer = 34962;

// One attribute: its place in the JSON, and how a row of it is made.
struct Attribute {
  std::string name;
  const char* type;  // "VEC3"
  size_t components;
  bool bytes = false;  // normalized bytes instead of floats
  size_t row_bytes() const { return components * (bytes ? 1 : sizeof(float)); }
};

// What is computed here may be larger than any float; a file holds none that is infinite.
float within_float(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return float(std::clamp(value, -kLargest, kLargest));
}

class GlbWriter {
 public:
  GlbWriter(const Gaussians& model, const SplatFileInfo& info, const SplatWriteOptions& options)
      : model_(model),
        info_(info),
        options_(options),
        rows_(model),
        degree_(std::min(model.sh_degree, options.max_sh_degree)),
        metres_(info.frame.to_metres()) {
    const std::array<double, 3> up = info.view_up.value_or(std::array<double, 3>{0, -1, 0});  // PLY's habit
    turn_.rotation = splat::turn_to_y_up(up);
    for (size_t c = 0; c < 3; ++c) {  // column c of the rotation
      std::array<double, 3> axis{};
      axis[c] = 1;
      const std::array<double, 3> turned = turn_.turned(axis);
      for (size_t r = 0; r < 3; ++r) rotation_.m[r][c] = turned[r];
    }
    sh_turn_ = splat::math::sh_rotation(rotation_);
    const std::string prefix = "KHR_gaussian_splatting:";
    attributes_ = {{"POSITION", "VEC3", 3},
                   {prefix + "ROTATION", "VEC4", 4},
                   {prefix + "SCALE", "VEC3", 3},
                   {prefix + "OPACITY", "SCALAR", 1},
                   {"COLOR_0", "VEC4", 4, true}};
    for (int l = 0; l <= degree_; ++l)
      for (int m = 0; m < 2 * l + 1; ++m)
        attributes_.push_back({prefix + "SH_DEGREE_" + std::to_string(l) + "_COEF_" + std::to_string(m), "VEC3", 3});
  }

  Result<SplatWriteReport> write(const fs::path& path) {
    if (path.extension() == ".gltf")
      return Error{"hipsplat writes glTF as one file only: end '" + path.string() + "' in .glb"};
    if (rows_.size() == 0)
      return Error{"'" + path.string() + "' was not written: no splats are left, and glTF cannot hold an empty list"};
    std::string text = document().dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const uint64_t total = 12 + 8 + text.size() + 8 + binary_bytes();
    if (total > std::numeric_limits<uint32_t>::max())
      return Error{
          "'" + path.string() + "' would have " + std::to_string(total) +
          " bytes, but a GLB can have 4294967295: lower --sh-degree or --max-splats, or choose another format"};
    AtomicFile file(path);
    const auto put = [&](uint32_t value) { file.write(std::as_bytes(std::span(&value, 1))); };
    for (const uint32_t value : {kMagic, kVersion, uint32_t(total), uint32_t(text.size()), kJsonChunk}) put(value);
    file.write(text);
    put(uint32_t(binary_bytes()));
    put(kBinaryChunk);
    for (size_t a = 0; a < attributes_.size() && !file.failed(); ++a) {
      if (options_.progress) options_.progress(double(a) / double(attributes_.size()));
      write_attribute(file, a);
    }
    SPLAT_TRY(file.commit());
    return rows_.report();
  }

 private:
  uint64_t binary_bytes() const {
    uint64_t bytes = 0;
    for (const Attribute& attribute : attributes_) bytes += attribute.row_bytes() * rows_.size();
    return bytes;
  }

  json document() const {
    json views = json::array(), accessors = json::array(), names = json::object();
    uint64_t offset = 0;
    for (const Attribute& attribute : attributes_) {
      const uint64_t length = attribute.row_bytes() * rows_.size();
      names[attribute.name] = accessors.size();
      json accessor{{"bufferView", views.size()},
                    {"componentType", attribute.bytes ? kUint8 : kFloat},
                    {"count", rows_.size()},
                    {"type", attribute.type}};
      if (attribute.bytes) accessor["normalized"] = true;
      if (attribute.name == "POSITION") add_bounds(accessor);
      views.push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}, {"target", kArrayBuffer}});
      accessors.push_back(std::move(accessor));
      offset += length;
    }
    json asset{{"version", "2.0"}, {"generator", "hipsplat"}};
    if (info_.antialiased) asset["extras"]["antialiased"] = true;
    if (info_.flat) asset["extras"]["flat"] = true;
    if (info_.low_pass != splat::kUsualLowPass)
      asset["extras"]["low_pass"] = json::parse(shortest_text(info_.low_pass));
    if (info_.view_up) asset["extras"]["up"] = *info_.view_up;  // by which reading turns back
    if (info_.frame.metres_per_unit != 0 && !info_.frame.says_something()) asset["extras"]["metres"] = true;
    const json extension{{"kernel", "ellipse"},
                         {"colorSpace", "srgb_rec709_display"},
                         {"projection", "perspective"},
                         {"sortingMethod", "cameraDistance"}};
    json root{{"asset", asset}, {"extensionsUsed", {"KHR_gaussian_splatting"}}, {"scene", 0}};
    root["scenes"] = json::array({{{"nodes", {0}}}});
    root["nodes"] = json::array({{{"mesh", 0}}});
    root["meshes"] = json::array(
        {{{"primitives",
           json::array(
               {{{"attributes", names}, {"mode", 0}, {"extensions", {{"KHR_gaussian_splatting", extension}}}}})}}});
    root["buffers"] = json::array({{{"byteLength", offset}}});
    root["bufferViews"] = std::move(views);
    root["accessors"] = std::move(accessors);
    return root;
  }

  void add_bounds(json& accessor) const {
    std::array<float, 3> low, high;
    low.fill(std::numeric_limits<float>::max());
    high.fill(std::numeric_limits<float>::lowest());
    for (size_t i = 0; i < rows_.size(); ++i) {
      std::array<float, 3> mean;
      put_position(rows_[i], mean.data());
      for (size_t c = 0; c < 3; ++c) {
        low[c] = std::min(low[c], mean[c]);
        high[c] = std::max(high[c], mean[c]);
      }
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }

  void write_attribute(AtomicFile& file, size_t index) const {
    const Attribute& attribute = attributes_[index];
    std::vector<float> floats(attribute.bytes ? 0 : kBlockRows * attribute.components);
    std::vector<uint8_t> bytes(attribute.bytes ? kBlockRows * attribute.components : 0);
    for (size_t first = 0; first < rows_.size() && !file.failed(); first += kBlockRows) {
      const size_t count = std::min(kBlockRows, rows_.size() - first);
      for (size_t i = 0; i < count; ++i) {
        const size_t row = rows_[first + i];
        if (attribute.bytes)
          put_colour(row, bytes.data() + 4 * i);
        else
          put_row(index, row, floats.data() + attribute.components * i);
      }
      if (attribute.bytes)
        file.write(std::as_bytes(std::span(bytes.data(), count * attribute.components)));
      else
        file.write(std::as_bytes(std::span(floats.data(), count * attribute.components)));
    }
  }

  void put_row(size_t index, size_t row, float* out) const {
    constexpr size_t kFirstCoefficient = 5;
    switch (index) {
      case 0:
        return put_position(row, out);
      case 1:
        return put_rotation(row, out);
      case 2:
        for (size_t c = 0; c < 3; ++c)
          out[c] = within_float(metres_ * std::exp(double(without_infinity(model_.log_scales[3 * row + c]))));
        return;
      case 3:
        *out = splat::math::sigmoid(model_.logit_opacities[row]);
        return;
      default:
        return put_coefficient(int(index - kFirstCoefficient), row, out);
    }
  }

  void put_position(size_t row, float* out) const {
    const float* mean = model_.means.data() + 3 * row;
    for (size_t r = 0; r < 3; ++r)
      out[r] = within_float(metres_ *
                            (rotation_.m[r][0] * mean[0] + rotation_.m[r][1] * mean[1] + rotation_.m[r][2] * mean[2]));
  }

  void put_rotation(size_t row, float* out) const {  // xyzw, of length 1
    const float* q = model_.quats.data() + 4 * row;
    const splat::math::Quat<double> turned = (turn_ * Similarity{1, unit({q[0], q[1], q[2], q[3]}), {}}).rotation;
    out[0] = float(turned.x), out[1] = float(turned.y), out[2] = float(turned.z), out[3] = float(turned.w);
  }
  static splat::math::Quat<double> unit(const splat::math::Quat<double>& q) {
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0)) return {1, 0, 0, 0};  // drawn unturned
    return {q.w / length, q.x / length, q.y / length, q.z / length};
  }

  const float* sh_of(size_t row) const { return model_.sh.data() + row * size_t(model_.coefficients()) * 3; }

  // Row `order` of the band's matrix times the band: what the coefficient is after the turn.
  template <int kOrders>
  static void put_turned(const double (&matrix)[kOrders][kOrders], int order, const float* band, float* out) {
    for (int channel = 0; channel < 3; ++channel) {
      double sum = 0;
      for (int n = 0; n < kOrders; ++n) sum += matrix[order][n] * band[3 * n + channel];
      out[channel] = within_float(sum);
    }
  }
  void put_coefficient(int k, size_t row, float* out) const {
    const float* sh = sh_of(row);
    if (k == 0)
      std::copy_n(sh, 3, out);
    else if (k < 4)
      put_turned(sh_turn_.band1, k - 1, sh + 3, out);
    else if (k < 9)
      put_turned(sh_turn_.band2, k - 4, sh + 12, out);
    else
      put_turned(sh_turn_.band3, k - 9, sh + 27, out);
  }

  // What programs without the extension show: linear, as glTF has it.
  void put_colour(size_t row, uint8_t* out) const {
    const auto byte = [](double value) { return uint8_t(std::lround(255 * value)); };
    for (size_t c = 0; c < 3; ++c) {
      const double shown = std::clamp(0.5 + splat::math::kSh0 * double(sh_of(row)[c]), 0.0, 1.0);
      out[c] = byte(splat::math::linear_from_srgb(shown));
    }
    out[3] = byte(splat::math::sigmoid(double(model_.logit_opacities[row])));
  }

  const Gaussians& model_;
  const SplatFileInfo& info_;
  const SplatWriteOptions& options_;
  WritableRows rows_;
  int degree_;
  double metres_;    // a unit of the model, which glTF counts in
  Similarity turn_;  // from the model's frame to glTF's
  splat::math::Mat3<double> rotation_;
  splat::math::ShRotation<double> sh_turn_;
  std::vector<Attribute> attributes_;
};

}  // namespace

Result<SplatWriteReport> write_glb(const fs::path& path, const Gaussians& gaussians, const SplatFileInfo& info,
                                   const SplatWriteOptions& options) {
  return GlbWriter(gaussians, info, options).write(path);
}

}  // namespace io
