#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "io/meshes/mesh_readers.h"
#include "io/splats/ply/ply_header.h"
#include "io/splats/ply/ply_layout.h"
#include "io/text.h"

namespace io {

using mesh::Vec3;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

// The numbers behind a header, one after the other, whatever they are stored as.
class PlyNumbers {
 public:
  PlyNumbers(std::string_view bytes, PlyEncoding encoding, std::string name)
      : all_(bytes), rest_(bytes), encoding_(encoding), name_(std::move(name)) {}

  size_t remaining() const { return rest_.size(); }
  Status next(PlyScalar type, double& value) {
    if (encoding_ == PlyEncoding::kAscii) return next_word(value);
    switch (type) {
      case PlyScalar::kInt8:
        return take<int8_t>(value);
      case PlyScalar::kUint8:
        return take<uint8_t>(value);
      case PlyScalar::kInt16:
        return take<int16_t>(value);
      case PlyScalar::kUint16:
        return take<uint16_t>(value);
      case PlyScalar::kInt32:
        return take<int32_t>(value);
      case PlyScalar::kUint32:
        return take<uint32_t>(value);
      case PlyScalar::kFloat32:
        return take<float>(value);
      case PlyScalar::kFloat64:
        return take<double>(value);
    }
    return error("has a type that hipsplat does not know");
  }
  Error error(const std::string& problem) const {
    return Error{"'" + name_ + "' " + problem + ", " + std::to_string(all_.size() - rest_.size()) +
                 " bytes behind its header"};
  }

 private:
  template <class T>
  Status take(double& value) {
    if (rest_.size() < sizeof(T)) return error("ends inside its data (truncated)");
    char bytes[sizeof(T)];
    std::memcpy(bytes, rest_.data(), sizeof(T));
    if (encoding_ == PlyEncoding::kBigEndian)
      for (size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    T number;
    std::memcpy(&number, bytes, sizeof(T));
    value = double(number);
    rest_.remove_prefix(sizeof(T));
    return {};
  }
  Status next_word(double& value) {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    if (length == 0) return error("ends inside its data (truncated)");
    if (!parse_number(rest_.substr(0, length), value)) return error("holds a word that is no number");
    rest_.remove_prefix(length);
    return {};
  }

  const std::string_view all_;
  std::string_view rest_;
  const PlyEncoding encoding_;
  const std::string name_;
};

// What a property of a vertex is to a mesh.
class VertexTarget {
 public:
  VertexTarget(const PlyElement& element, mesh::TriangleMesh& mesh) : mesh_(mesh), colours_(find_colours(element)) {
    constexpr const char *kPlace[] = {"x", "y", "z"}, *kNormal[] = {"nx", "ny", "nz"};
    for (size_t k = 0; k < 3; ++k) place_[k] = element.find(kPlace[k]), normal_[k] = element.find(kNormal[k]);
  }
  bool placed() const { return place_[0] >= 0 && place_[1] >= 0 && place_[2] >= 0; }

  void begin() {
    mesh_.positions.emplace_back();
    if (normal_[0] >= 0 && normal_[1] >= 0 && normal_[2] >= 0) mesh_.normals.emplace_back();
    if (colours_.found()) mesh_.colours.emplace_back();
  }
  void set(int property, double value) {
    for (size_t k = 0; k < 3; ++k) {
      if (property == place_[k]) mesh_.positions.back()[k] = float(value);
      if (property == normal_[k] && !mesh_.normals.empty()) mesh_.normals.back()[k] = float(value);
      if (property == colours_.property[k] && colours_.found()) mesh_.colours.back()[k] = float(value);
    }
  }
  void end() {  // colours are 0..255 until then
    if (mesh_.colours.empty()) return;
    const float scale = colours_.scale_of({mesh_.colours.data()->data(), 3 * mesh_.colours.size()}) / 255;
    for (mesh::Vec3& colour : mesh_.colours)
      for (float& c : colour) c *= scale;
  }

 private:
  mesh::TriangleMesh& mesh_;
  const ColourProperties colours_;
  std::array<int, 3> place_{}, normal_{};
};

Status read_list(PlyNumbers& numbers, const PlyProperty& property, bool corners, mesh::TriangleMesh& mesh) {
  double count = 0;
  SPLAT_TRY(numbers.next(property.count_type, count));
  if (!(count >= 0) || count > double(numbers.remaining())) return numbers.error("has a list longer than the file");
  double first = 0, last = 0;
  for (size_t i = 0; i < size_t(count); ++i) {
    double value = 0;
    SPLAT_TRY(numbers.next(property.type, value));
    if (!corners) continue;
    if (!(value >= 0 && value < 4294967295.0)) return numbers.error("has a face with an impossible vertex");
    if (i >= 2) mesh.faces.push_back({uint32_t(first), uint32_t(last), uint32_t(value)});
    (i == 0 ? first : last) = value;
  }
  return {};
}

Status read_element(PlyNumbers& numbers, const PlyElement& element, mesh::TriangleMesh& mesh) {
  if (element.properties.empty()) return {};
  if (element.count > numbers.remaining()) return numbers.error("lacks most of its '" + element.name + "' (truncated)");
  const bool vertices = element.name == "vertex", faces = element.name == "face";
  VertexTarget target(element, mesh);
  for (uint64_t row = 0; row < element.count; ++row) {
    if (vertices) target.begin();
    for (size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      const bool corners = faces && (property.name == "vertex_indices" || property.name == "vertex_index");
      double value = 0;
      if (property.list)
        SPLAT_TRY(read_list(numbers, property, corners, mesh));
      else
        SPLAT_TRY(numbers.next(property.type, value));
      if (vertices && !property.list) target.set(int(p), value);
    }
  }
  if (vertices) target.end();
  return {};
}

}  // namespace

bool is_ply_mesh(std::string_view start, const std::string& name) {
  if (!start.starts_with("ply")) return false;
  const auto header = parse_ply_header(start, name);
  const PlyElement* faces = header ? header->find("face") : nullptr;
  return faces && faces->count > 0 && !has_splat_properties(*header);
}

Result<MeshFile> read_ply_mesh(std::string_view bytes, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, parse_ply_header(bytes.substr(0, kMaxPlyHeaderBytes), name));
  MeshFile file;
  file.format = "PLY";
  const PlyElement* vertices = header.find("vertex");
  if (!vertices || !VertexTarget(*vertices, file.mesh).placed())
    return Error{"'" + name + "' has no vertices with x, y and z"};
  PlyNumbers numbers(bytes.substr(header.bytes), header.encoding, name);
  for (const PlyElement& element : header.elements) SPLAT_TRY(read_element(numbers, element, file.mesh));
  return file;
}

}  // namespace io
