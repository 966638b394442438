#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/image_file.h"
#include "io/meshes/mesh_readers.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using mesh::Uv;
using mesh::Vec3;
using splat::Result;
using splat::Status;

namespace {

using Corner = std::array<int64_t, 3>;  // place, uv, normal; -1: none

struct CornerHash {
  size_t operator()(const Corner& c) const {
    uint64_t hash = 0;
    for (const int64_t part : c) hash = (hash ^ uint64_t(part)) * 0x9e3779b97f4a7c15ull;
    return size_t(hash ^ hash >> 32);
  }
};

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const fs::path& name) : lines_(bytes, name.string()), folder_(name.parent_path()) {}

  Result<MeshFile> read() {
    file_.format = "OBJ";
    while (lines_.next()) {
      Fields fields(lines_.line());
      SPLAT_TRY(read_line(fields.next(), fields));
    }
    finish();
    return std::move(file_);
  }

 private:
  Status read_line(std::string_view word, Fields& fields) {
    if (word == "v") return read_vertex(fields);
    if (word == "vt") return read_uv(fields);
    if (word == "vn") return read_normal(fields);
    if (word == "f") return read_face(fields);
    if (word == "mtllib") read_material(std::string(fields.rest()));
    return {};
  }

  Status read_vertex(Fields& fields) {
    std::array<double, 6> value{};
    size_t count = 0;
    while (count < 6 && fields.next(value[count])) ++count;
    if (count < 3) return lines_.error("a vertex has three numbers");
    places_.push_back({float(value[0]), float(value[1]), float(value[2])});
    if (count == 6) colours_.resize(places_.size(), Vec3{1, 1, 1});
    if (count == 6) colours_.back() = {float(value[3]), float(value[4]), float(value[5])};
    return {};
  }
  // OBJ counts upwards from the picture's lower edge.
  Status read_uv(Fields& fields) {
    double u = 0, v = 0;
    if (!fields.next(u)) return lines_.error("a texture's place has two numbers");
    fields.next(v);
    uvs_.push_back({float(u), float(1 - v)});
    return {};
  }
  Status read_normal(Fields& fields) {
    std::array<double, 3> n{};
    for (double& one : n)
      if (!fields.next(one)) return lines_.error("a normal has three numbers");
    normals_.push_back({float(n[0]), float(n[1]), float(n[2])});
    return {};
  }

  // Counted from 1, or backwards from the last one.
  Status read_index(std::string_view text, size_t count, int64_t& index) {
    if (text.empty()) return index = -1, Status();
    if (!parse_number(text, index) || index == 0 || index > int64_t(count) || index < -int64_t(count))
      return lines_.error("a face names " + in_quotes(text) + " of " + std::to_string(count));
    index += index > 0 ? -1 : int64_t(count);
    return {};
  }
  Status read_corner(std::string_view text, Corner& corner) {
    const std::array<size_t, 3> counts{places_.size(), uvs_.size(), normals_.size()};
    corner = {-1, -1, -1};
    for (size_t k = 0; k < 3; ++k) {
      const size_t end = std::min(text.find('/'), text.size());
      SPLAT_TRY(read_index(text.substr(0, end), counts[k], corner[k]));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return corner[0] < 0 ? Status(lines_.error("a face has a corner without a vertex")) : Status();
  }
  uint32_t vertex_of(const Corner& corner) {
    const auto [found, is_new] = vertices_.try_emplace(corner, uint32_t(vertices_.size()));
    if (is_new) corners_.push_back(corner);
    return found->second;
  }
  Status read_face(Fields& fields) {
    uint32_t first = 0, last = 0;
    size_t count = 0;
    for (std::string_view text = fields.next(); !text.empty(); text = fields.next(), ++count) {
      Corner corner;
      SPLAT_TRY(read_corner(text, corner));
      const uint32_t vertex = vertex_of(corner);
      if (count >= 2) file_.mesh.faces.push_back({first, last, vertex});
      (count == 0 ? first : last) = vertex;
    }
    return {};
  }

  // The first picture that a material names.
  void read_material(const std::string& name) {
    if (name.empty() || !stays_below(name) || !file_.texture.pixels.empty()) return;
    const auto text = read_file(folder_ / name);
    if (!text) return file_.warnings.push_back("its materials " + in_quotes(name) + " are not there");
    LineReader lines(*text, name);
    while (lines.next()) {
      Fields fields(lines.line());
      if (fields.next() != "map_Kd") continue;
      const std::string picture(fields.rest());
      if (!stays_below(picture)) continue;
      auto read = read_image(folder_ / picture);
      if (read) return void(file_.texture = rgb_of(std::move(*read)));
      file_.warnings.push_back("its picture " + in_quotes(picture) + " cannot be read");
    }
  }

  void finish() {
    mesh::TriangleMesh& mesh = file_.mesh;
    const auto all_have = [&](size_t part) {
      return std::all_of(corners_.begin(), corners_.end(), [&](const Corner& c) { return c[part] >= 0; });
    };
    const bool uvs = !uvs_.empty() && all_have(1), normals = !normals_.empty() && all_have(2);
    if (!colours_.empty()) colours_.resize(places_.size(), Vec3{1, 1, 1});
    for (const Corner& corner : corners_) {
      mesh.positions.push_back(places_[size_t(corner[0])]);
      if (!colours_.empty()) mesh.colours.push_back(colours_[size_t(corner[0])]);
      if (uvs) mesh.uvs.push_back(uvs_[size_t(corner[1])]);
      if (normals) mesh.normals.push_back(normals_[size_t(corner[2])]);
    }
  }

  LineReader lines_;
  const fs::path folder_;
  MeshFile file_;
  std::vector<Vec3> places_, colours_, normals_;  // as they stand in the file
  std::vector<Uv> uvs_;
  std::unordered_map<Corner, uint32_t, CornerHash> vertices_;
  std::vector<Corner> corners_;  // by vertex
};

}  // namespace

Result<MeshFile> read_obj_mesh(std::string_view bytes, const fs::path& name) { return ObjReader(bytes, name).read(); }

}  // namespace io
