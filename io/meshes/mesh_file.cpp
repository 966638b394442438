#include "io/meshes/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "io/atomic_file.h"
#include "io/companion.h"
#include "io/image_file.h"
#include "splat/core/lower_case.h"
#include "splat/math/srgb.h"
#include "splat/model/transform.h"

namespace io {

namespace fs = std::filesystem;
using mesh::Face;
using mesh::TriangleMesh;
using mesh::Vec3;
using nlohmann::json;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr size_t kBlock = 4096;
constexpr int kJpegQuality = 95;
// In an .obj, of each file that was written with it: the end of its name, and its stamp.
constexpr std::array<const char*, 2> kWith{"\n# with .mtl ", "\n# with .texture.jpg "};

std::string extension_of(const fs::path& path) { return splat::lower_case(path.extension().string()); }

uint8_t byte_of(float value) { return uint8_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)); }

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Status write_ply(const fs::path& path, const TriangleMesh& mesh) {
  AtomicFile file(path);
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment made by hipsplat\n";
  text += fmt::format("element vertex {}\n", mesh.positions.size());
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) text += fmt::format("property float {}\n", name);
  if (!mesh.colours.empty())
    for (const char* name : {"red", "green", "blue"}) text += fmt::format("property uchar {}\n", name);
  text += fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n", mesh.faces.size());
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    append(text, mesh.positions[v]);
    append(text, mesh.normals[v]);
    for (size_t c = 0; c < 3 && !mesh.colours.empty(); ++c) append(text, byte_of(mesh.colours[v][c]));
    if (v % kBlock == 0) file.write(text), text.clear();
  }
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    append(text, uint8_t(3));
    append(text, mesh.faces[f]);
    if (f % kBlock == 0) file.write(text), text.clear();
  }
  file.write(text);
  return file.commit();
}

// The material of an OBJ and its picture, before the OBJ that names them. What the OBJ says of them.
Result<std::string> write_material(const fs::path& path, const splat::Image8& texture) {
  const std::vector<fs::path> files = texture_files(path);
  const std::string picture = encode_jpeg(texture, kJpegQuality);
  const std::string material =
      fmt::format("# made by hipsplat\nnewmtl surface\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {}\n",
                  files[1].filename().string());
  SPLAT_TRY(write_file_atomically(files[1], picture));
  SPLAT_TRY(write_file_atomically(files[0], material));
  return fmt::format("{}{}{}{}\nmtllib {}\nusemtl surface\n", kWith[0], stamp_of(material), kWith[1], stamp_of(picture),
                     files[0].filename().string());
}

// What an OBJ without a texture says of the files of an earlier one, which stay.
std::string earlier_material(const fs::path& path) {
  std::string text;
  const std::vector<fs::path> files = texture_files(path);
  for (size_t i = 0; i < files.size(); ++i)
    if (const std::string stamp = noted_in(path, kWith[i], '\n'); !stamp.empty()) text += kWith[i] + stamp;
  return text + "\n";
}

Status write_obj(const fs::path& path, const TriangleMesh& mesh, const splat::Image8& texture, const Beside& beside) {
  const bool textured = !texture.pixels.empty();
  std::string text = "# made by hipsplat";
  if (textured) {
    SPLAT_TRY(check_beside_mesh(path, beside));
    SPLAT_ASSIGN_OR_RETURN(const std::string material, write_material(path, texture));
    text += material;
  } else {
    text += earlier_material(path);
  }
  AtomicFile file(path);
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    text += fmt::format("v {} {} {}", p[0], p[1], p[2]);
    if (!mesh.colours.empty() && !textured)
      text += fmt::format(" {:.4f} {:.4f} {:.4f}", mesh.colours[v][0], mesh.colours[v][1], mesh.colours[v][2]);
    text += '\n';
    if (v % kBlock == 0) file.write(text), text.clear();
  }
  for (const Vec3& n : mesh.normals) text += fmt::format("vn {:.5f} {:.5f} {:.5f}\n", n[0], n[1], n[2]);
  // OBJ counts upwards from the picture's lower edge.
  for (size_t v = 0; textured && v < mesh.uvs.size(); ++v)
    text += fmt::format("vt {:.7f} {:.7f}\n", mesh.uvs[v][0], 1 - mesh.uvs[v][1]);
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    const Face& face = mesh.faces[f];
    text += fmt::format(
        fmt::runtime(textured ? "f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}\n" : "f {0}//{0} {1}//{1} {2}//{2}\n"),
        face[0] + 1, face[1] + 1, face[2] + 1);
    if (f % kBlock == 0) file.write(text), text.clear();
  }
  file.write(text);
  return file.commit();
}

struct Glb {
  json document{{"asset", {{"version", "2.0"}, {"generator", "hipsplat"}}},
                {"scene", 0},
                {"scenes", {{{"nodes", {0}}}}},
                {"nodes", {{{"mesh", 0}}}},
                {"accessors", json::array()},
                {"bufferViews", json::array()}};
  std::string binary;

  // Its index.
  size_t add_bytes(const std::string& bytes) {
    document["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}});
    binary += bytes;
    binary.resize((binary.size() + 3) / 4 * 4);
    return document["bufferViews"].size() - 1;
  }

  // Adds an array; its accessor's index.
  size_t add(const std::string& bytes, int target, int component, const char* type, size_t count,
             const json& more = json::object()) {
    const size_t view = add_bytes(bytes);
    document["bufferViews"][view]["target"] = target;
    json accessor{{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}};
    accessor.update(more);
    document["accessors"].push_back(std::move(accessor));
    return document["accessors"].size() - 1;
  }
};

// Photos hold their light already: the material is drawn as it is where a program knows KHR_materials_unlit.
void add_material(Glb& glb, const splat::Image8& texture) {
  constexpr int kLinear = 9729, kMipmaps = 9987, kClamp = 33071;
  json surface{{"metallicFactor", 0}, {"roughnessFactor", 1}};
  json material{{"doubleSided", true}};
  if (!texture.pixels.empty()) {
    const size_t view = glb.add_bytes(encode_jpeg(texture, kJpegQuality));
    glb.document["images"] = {{{"bufferView", view}, {"mimeType", "image/jpeg"}}};
    glb.document["samplers"] = {
        {{"magFilter", kLinear}, {"minFilter", kMipmaps}, {"wrapS", kClamp}, {"wrapT", kClamp}}};
    glb.document["textures"] = {{{"source", 0}, {"sampler", 0}}};
    glb.document["extensionsUsed"] = {"KHR_materials_unlit"};
    surface["baseColorTexture"] = {{"index", 0}};
    material["extensions"] = {{"KHR_materials_unlit", json::object()}};
  }
  material["pbrMetallicRoughness"] = std::move(surface);
  glb.document["materials"] = json::array({std::move(material)});
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<Vec3> turned(const std::vector<Vec3>& from, const std::array<double, 3>& up) {
  splat::Similarity turn;
  turn.rotation = splat::turn_to_y_up(up);
  std::vector<Vec3> to(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    const auto v = turn.turned({from[i][0], from[i][1], from[i][2]});
    to[i] = {float(v[0]), float(v[1]), float(v[2])};
  }
  return to;
}

Status write_glb(const fs::path& path, const TriangleMesh& mesh, const std::array<double, 3>& up,
                 const splat::Image8& texture, double to_metres) {
  constexpr int kFloat = 5126, kUint32 = 5125, kArray = 34962, kElements = 34963;
  std::vector<Vec3> positions = turned(mesh.positions, up);
  if (to_metres != 1)
    for (Vec3& p : positions)
      for (float& x : p) x = float(to_metres * double(x));
  constexpr float kLargest = std::numeric_limits<float>::max();
  Vec3 low{kLargest, kLargest, kLargest}, high{-kLargest, -kLargest, -kLargest};
  for (const Vec3& p : positions)
    for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  Glb glb;
  glb.document["asset"]["extras"] = {{"up", up},
                                     {"metres_per_unit", to_metres}};  // to be read back in the scene's frame
  json attributes;
  attributes["POSITION"] =
      glb.add(bytes_of(positions), kArray, kFloat, "VEC3", positions.size(), {{"min", low}, {"max", high}});
  attributes["NORMAL"] = glb.add(bytes_of(turned(mesh.normals, up)), kArray, kFloat, "VEC3", positions.size());
  if (!texture.pixels.empty()) {
    attributes["TEXCOORD_0"] = glb.add(bytes_of(mesh.uvs), kArray, kFloat, "VEC2", mesh.uvs.size());
  } else if (!mesh.colours.empty()) {
    std::vector<Vec3> colours = mesh.colours;
    for (Vec3& colour : colours)  // glTF has linear ones
      for (float& c : colour) c = splat::math::linear_from_srgb(std::clamp(c, 0.0f, 1.0f));
    attributes["COLOR_0"] = glb.add(bytes_of(colours), kArray, kFloat, "VEC3", positions.size());
  }
  const size_t indices = glb.add(bytes_of(mesh.faces), kElements, kUint32, "SCALAR", 3 * mesh.faces.size());
  add_material(glb, texture);
  glb.document["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", indices}, {"material", 0}}}}}};
  glb.document["buffers"] = {{{"byteLength", glb.binary.size()}}};

  std::string text = glb.document.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const uint64_t total = 12 + 8 + text.size() + 8 + glb.binary.size();
  if (total > std::numeric_limits<uint32_t>::max())
    return Error{"'" + path.string() + "' would be larger than a .glb can be (4 GB): ask for fewer faces"};
  std::string head;
  for (uint32_t word : {0x46546c67u, 2u, uint32_t(total), uint32_t(text.size()), 0x4e4f534au}) append(head, word);
  AtomicFile file(path);
  file.expect(total);
  file.write(head);
  file.write(text);
  head.clear();
  for (uint32_t word : {uint32_t(glb.binary.size()), 0x004e4942u}) append(head, word);
  file.write(head);
  file.write(glb.binary);
  return file.commit();
}

}  // namespace

std::vector<fs::path> texture_files(const fs::path& path) {
  if (extension_of(path) != ".obj") return {};
  return {fs::path(path).replace_extension(".mtl"), fs::path(path).replace_extension(".texture.jpg")};
}

Status check_beside_mesh(const fs::path& path, const Beside& beside) {
  const std::vector<fs::path> files = texture_files(path);
  for (size_t i = 0; i < files.size(); ++i)
    SPLAT_TRY(check_companion(files[i], path, noted_in(path, kWith[i], '\n'), beside));
  return {};
}

std::string writable_mesh_formats() { return ".glb, .obj, .ply"; }

bool is_mesh_name(const fs::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".glb" || extension == ".obj" || extension == ".ply";
}

bool holds_texture(const fs::path& path) { return extension_of(path) != ".ply"; }

Status write_mesh(const fs::path& path, const TriangleMesh& mesh, const std::array<double, 3>& up,
                  const splat::Image8& texture, double to_metres, const Beside& beside) {
  const std::string extension = extension_of(path);
  if (extension == ".ply") return write_ply(path, mesh);
  if (extension == ".obj") return write_obj(path, mesh, texture, beside);
  if (extension == ".glb") return write_glb(path, mesh, up, texture, to_metres);
  return Error{"a mesh cannot be written as '" + path.string() + "': use " + writable_mesh_formats()};
}

}  // namespace io
