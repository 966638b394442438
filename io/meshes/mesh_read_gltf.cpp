#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/image_file.h"
#include "io/meshes/mesh_readers.h"
#include "io/splats/gltf/gltf_document.h"
#include "io/splats/gltf/gltf_extensions.h"
#include "io/text.h"
#include "splat/math/srgb.h"
#include "splat/model/transform.h"

namespace io {

using mesh::Face;
using mesh::Vec3;
using nlohmann::json;
using splat::LinearMap;
using splat::Result;
using splat::Status;

namespace {

constexpr int kDeepestNode = 64;
constexpr uint64_t kTriangles = 4, kMostCopies = 64, kExactFloats = uint64_t(1) << 24;

template <size_t count>
std::array<double, count> numbers(const json& object, const char* key, std::array<double, count> values) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() || found->size() != count) return values;
  for (size_t i = 0; i < count; ++i)
    if ((*found)[i].is_number()) values[i] = (*found)[i].template get<double>();
  return values;
}

const json* member(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() ? &*found : nullptr;
}

LinearMap placement(const json& node) {
  if (node.contains("matrix")) {  // column-major
    const auto m = numbers<16>(node, "matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    return {{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}, {m[12], m[13], m[14]}};
  }
  const auto q = numbers<4>(node, "rotation", {0, 0, 0, 1});  // xyzw
  const auto t = numbers<3>(node, "translation", {0, 0, 0}), s = numbers<3>(node, "scale", {1, 1, 1});
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double unit = length > 1e-6 ? 1 / length : 0;
  const splat::Similarity turn{1, {unit > 0 ? q[3] * unit : 1, q[0] * unit, q[1] * unit, q[2] * unit}, t};
  return splat::linear_map_of(turn) * LinearMap{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}, {}};
}

Vec3 placed(const LinearMap& map, const Vec3& p) {
  Vec3 to{};
  for (size_t r = 0; r < 3; ++r)
    to[r] = float(map.linear[3 * r] * double(p[0]) + map.linear[3 * r + 1] * double(p[1]) +
                  map.linear[3 * r + 2] * double(p[2]) + map.translation[r]);
  return to;
}

// What normals are turned by: the cofactors, which need no inverse; of a map that mirrors, the other way round.
LinearMap for_normals(const LinearMap& map) {
  const auto& m = map.linear;
  const double sign = splat::determinant(map) < 0 ? -1 : 1;
  return {{sign * (m[4] * m[8] - m[5] * m[7]), sign * (m[5] * m[6] - m[3] * m[8]), sign * (m[3] * m[7] - m[4] * m[6]),
           sign * (m[2] * m[7] - m[1] * m[8]), sign * (m[0] * m[8] - m[2] * m[6]), sign * (m[1] * m[6] - m[0] * m[7]),
           sign * (m[1] * m[5] - m[2] * m[4]), sign * (m[2] * m[3] - m[0] * m[5]), sign * (m[0] * m[4] - m[1] * m[3])},
          {}};
}

class GltfMeshReader {
 public:
  explicit GltfMeshReader(const GltfDocument& document) : document_(document) {}

  Result<MeshFile> read() {
    file_.format = "glTF";
    file_.up = {0, 1, 0};
    SPLAT_TRY(check_required_extensions(document_, GltfUse::kMeshes));
    const LinearMap back = turned_back();
    const json* scene = document_.item("scenes", whole_number(document_.root(), "scene", 0).value_or(0));
    const auto nodes = scene ? scene->find("nodes") : json::const_iterator();
    if (scene && nodes != scene->end() && nodes->is_array())
      for (const json& node : *nodes) SPLAT_TRY(read_node(node, back, 0));
    if (!scene && document_.item("meshes", 0)) SPLAT_TRY(read_mesh(0, back));
    if (normals_missing_) file_.mesh.normals.clear();  // they are made of the faces
    if (others_ > 0)
      file_.warnings.push_back(std::to_string(others_) + " of its parts are no triangles (strips, lines or points)");
    return std::move(file_);
  }

 private:
  // Where hipsplat has turned another up direction to y, and units to metres, both are undone.
  LinearMap turned_back() {
    const auto asset = document_.root().find("asset");
    if (asset == document_.root().end() || !asset->is_object()) return {};
    const auto extras = asset->find("extras");
    if (extras == asset->end() || !extras->is_object() || !extras->contains("up")) return {};
    const auto up = numbers<3>(*extras, "up", {0, 0, 0});
    const double scale =
        extras->value("metres_per_unit", json(1.0)).is_number() ? extras->value("metres_per_unit", 1.0) : 1;
    if (!(std::hypot(up[0], up[1], up[2]) > 1e-6) || !(scale > 0)) return {};
    file_.up = up;
    return splat::linear_map_of(inverse(splat::Similarity{scale, splat::turn_to_y_up(up), {}}));
  }

  Status read_node(const json& index, const LinearMap& parent, int depth) {
    const json* node = index.is_number_unsigned() ? document_.item("nodes", index.get<uint64_t>()) : nullptr;
    if (!node) return document_.error("has a scene that names a node which is not there");
    if (depth > kDeepestNode || !visited_.insert(index.get<uint64_t>()).second)
      return document_.error("has nodes that contain themselves, or two parents");
    const LinearMap world = parent * placement(*node);
    if (const auto mesh = whole_number(*node, "mesh", kNone); mesh && *mesh != kNone)
      SPLAT_TRY(read_mesh(*mesh, world));
    const auto children = node->find("children");
    if (children != node->end() && children->is_array())
      for (const json& child : *children) SPLAT_TRY(read_node(child, world, depth + 1));
    return {};
  }

  Status read_mesh(uint64_t index, const LinearMap& world) {
    const json* mesh = document_.item("meshes", index);
    if (!mesh) return document_.error("has a node whose mesh is not there");
    const auto parts = mesh->find("primitives");
    if (parts == mesh->end() || !parts->is_array()) return {};
    for (const json& part : *parts) SPLAT_TRY(read_part(part, world));
    return {};
  }

  Status read_part(const json& part, const LinearMap& world) {
    const auto attributes = part.is_object() ? part.find("attributes") : part.end();
    if (whole_number(part, "mode", kTriangles) != kTriangles || attributes == part.end() || !attributes->is_object() ||
        !attributes->contains("POSITION"))
      return ++others_, Status();
    std::vector<Vec3> places, normals, colours;
    std::vector<mesh::Uv> uvs;
    SPLAT_TRY(read_attribute(*attributes, "POSITION", places));
    SPLAT_TRY(read_attribute(*attributes, "NORMAL", normals));
    SPLAT_TRY(read_attribute(*attributes, "TEXCOORD_0", uvs));
    SPLAT_TRY(read_colours(*attributes, colours));
    std::vector<float> corners;
    SPLAT_TRY(read_corners(part, places.size(), corners));
    mesh::TriangleMesh& mesh = file_.mesh;
    const size_t first = mesh.positions.size(), all = first + places.size();
    if (std::max(all, mesh.faces.size() + corners.size() / 3) > kMostCopies * document_.bytes())
      return document_.error("repeats its parts absurdly often");
    const LinearMap turn = for_normals(world);
    const bool mirrored = splat::determinant(world) < 0;
    for (const Vec3& p : places) mesh.positions.push_back(placed(world, p));
    join(mesh.normals, first, normals, places.size(), Vec3{});
    for (size_t i = first; i < all; ++i) mesh.normals[i] = placed(turn, mesh.normals[i]);
    join(mesh.colours, first, colours, places.size(), Vec3{1, 1, 1});
    join(mesh.uvs, first, uvs, places.size(), mesh::Uv{});
    normals_missing_ |= normals.empty();
    for (size_t i = 0; i + 2 < corners.size(); i += 3) {
      Face face;
      for (size_t k = 0; k < 3; ++k) {
        if (!(corners[i + k] >= 0 && corners[i + k] < float(places.size())))
          return document_.error("has a face with an impossible vertex");
        face[k] = uint32_t(first + size_t(corners[i + k]));
      }
      if (mirrored) std::swap(face[1], face[2]);
      mesh.faces.push_back(face);
    }
    return read_material(part, first);
  }

  template <class Value>
  static void join(std::vector<Value>& all, size_t first, const std::vector<Value>& more, size_t count, Value none) {
    all.resize(first, none);
    all.insert(all.end(), more.begin(), more.end());
    all.resize(first + count, none);
  }

  template <class Value>
  Status read_attribute(const json& attributes, const char* name, std::vector<Value>& values) const {
    const auto index = whole_number(attributes, name, kNone);
    if (!index || *index == kNone) return {};
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor accessor, document_.accessor(*index));
    if (accessor.components != int(std::tuple_size_v<Value>)) return document_.error_in(name, "has another shape");
    if (accessor.count > kMostCopies * document_.bytes())
      return document_.error("claims more vertices than it has bytes for");
    values.resize(accessor.count);
    return values.empty() ? Status() : document_.read(accessor, values.data()->data(), std::tuple_size_v<Value>);
  }
  Status read_colours(const json& attributes, std::vector<Vec3>& colours) const {
    const auto index = whole_number(attributes, "COLOR_0", kNone);
    if (!index || *index == kNone) return {};
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor accessor, document_.accessor(*index));
    if (accessor.components == 4) {
      std::vector<std::array<float, 4>> with_alpha;
      SPLAT_TRY(read_attribute(attributes, "COLOR_0", with_alpha));
      for (const auto& c : with_alpha) colours.push_back({c[0], c[1], c[2]});
    } else {
      SPLAT_TRY(read_attribute(attributes, "COLOR_0", colours));
    }
    for (Vec3& colour : colours)  // glTF has linear ones
      for (float& c : colour) c = splat::math::srgb_from_linear(c);
    return {};
  }
  Status read_corners(const json& part, size_t vertices, std::vector<float>& corners) const {
    if (vertices > kExactFloats) return document_.error("has a part of more than 16 million vertices");
    const auto index = whole_number(part, "indices", kNone);
    if (!index || *index == kNone) {
      for (size_t i = 0; i < vertices; ++i) corners.push_back(float(i));
      return {};
    }
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor accessor, document_.accessor(*index));
    if (accessor.components != 1) return document_.error("has indices that are no single numbers");
    if (accessor.count > kMostCopies * document_.bytes())
      return document_.error("claims more faces than it has bytes for");
    corners.resize(accessor.count);
    return corners.empty() ? Status() : document_.read(accessor, corners.data(), 1);
  }

  // The picture of the first material that has one; others are said.
  Status read_material(const json& part, size_t first) {
    const auto index = whole_number(part, "material", kNone);
    const json* material = index && *index != kNone ? document_.item("materials", *index) : nullptr;
    const json* surface = material ? member(*material, "pbrMetallicRoughness") : nullptr;
    const json* picture = surface ? member(*surface, "baseColorTexture") : nullptr;
    if (picture) place_picture(*picture, first);
    const auto texture = picture ? whole_number(*picture, "index", kNone) : kNone;
    const json* item = texture && *texture != kNone ? document_.item("textures", *texture) : nullptr;
    const auto source = item ? whole_number(*item, "source", kNone) : kNone;
    if (!source || *source == kNone || source == picture_) return {};
    if (picture_) {
      if (!said_) file_.warnings.push_back("it has several pictures: the first is shown on all of it");
      return said_ = true, Status();
    }
    picture_ = source;
    const json* image = document_.item("images", *source);
    const auto view = image ? whole_number(*image, "bufferView", kNone) : kNone;
    if (!view || *view == kNone)
      return file_.warnings.push_back("its picture lies in a file of its own and is not shown"), Status();
    SPLAT_ASSIGN_OR_RETURN(const std::string bytes, document_.view_bytes(*view));
    SPLAT_ASSIGN_OR_RETURN(splat::Image8 read, decode_image(bytes, document_.name()));
    file_.texture = rgb_of(std::move(read));
    return {};
  }

  // KHR_texture_transform, of which programs that pack vertices make use.
  void place_picture(const json& picture, size_t first) {
    const json* extensions = member(picture, "extensions");
    const json* by = extensions ? member(*extensions, "KHR_texture_transform") : nullptr;
    if (!by || !by->is_object()) return;
    const auto offset = numbers<2>(*by, "offset", {0, 0}), scale = numbers<2>(*by, "scale", {1, 1});
    for (size_t i = first; i < file_.mesh.uvs.size(); ++i)
      for (size_t k = 0; k < 2; ++k) file_.mesh.uvs[i][k] = float(double(file_.mesh.uvs[i][k]) * scale[k] + offset[k]);
    if (by->value("rotation", json(0)) != 0 && !std::exchange(turned_, true))
      file_.warnings.push_back("its picture is turned (KHR_texture_transform), which is not shown");
  }

  static constexpr uint64_t kNone = ~uint64_t(0);
  const GltfDocument& document_;
  MeshFile file_;
  std::set<uint64_t> visited_;
  std::optional<uint64_t> picture_;
  bool said_ = false, turned_ = false, normals_missing_ = false;
  size_t others_ = 0;
};

}  // namespace

// By words of its JSON, which need not be parsed for that.
bool is_gltf_mesh(ByteStream& stream) {
  constexpr size_t kHead = 20, kMost = size_t(16) << 20;
  const auto start = stream.peek(kHead);
  if (!start) return false;
  const bool binary = start->starts_with("glTF") && start->size() == kHead;
  const uint64_t length = binary ? kHead + load<uint32_t>(start->data() + 12) : stream.size();
  const auto text = stream.peek(size_t(std::min<uint64_t>(length, kMost)));
  const auto says = [&](const char* word) { return text->find(word) != std::string_view::npos; };
  return text && says("\"POSITION\"") && says("\"meshes\"") && !says("KHR_gaussian_splatting");
}

Result<MeshFile> read_gltf_mesh(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const GltfDocument document, GltfDocument::open(stream));
  if (!document.root().is_object()) return document.error("is no glTF file");
  return GltfMeshReader(document).read();
}

}  // namespace io
