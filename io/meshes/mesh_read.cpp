#include "io/meshes/mesh_read.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/meshes/mesh_readers.h"
#include "io/text.h"
#include "splat/core/float_step.h"
#include "splat/core/lower_case.h"

namespace io {

namespace fs = std::filesystem;
using mesh::Face;
using mesh::TriangleMesh;
using mesh::Vec3;
using splat::Error;
using splat::Result;

namespace {

constexpr size_t kStartBytes = size_t(64) << 10;

std::string ending_of(const fs::path& path) { return splat::lower_case(path.extension().string()); }

// From the faces around each vertex, by their areas.
void make_normals(TriangleMesh& mesh) {
  mesh.normals.assign(mesh.positions.size(), Vec3{});
  for (const Face& face : mesh.faces) {
    const Vec3 &a = mesh.positions[face[0]], &b = mesh.positions[face[1]], &c = mesh.positions[face[2]];
    Vec3 u{}, v{};
    for (size_t k = 0; k < 3; ++k) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    const Vec3 n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (const uint32_t corner : face)
      for (size_t k = 0; k < 3; ++k) mesh.normals[corner][k] += n[k];
  }
}

void normalise(std::vector<Vec3>& normals) {
  for (Vec3& n : normals) {
    const float length = std::hypot(n[0], n[1], n[2]);
    n = length > 0 && std::isfinite(length) ? Vec3{n[0] / length, n[1] / length, n[2] / length} : Vec3{0, 0, 1};
  }
}

bool finite(const Vec3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

// As meshes of surveys are.
void warn_of_steps(MeshFile& file) {
  float farthest = 0, extent = 0;
  for (size_t c = 0; c < 3; ++c) {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (const Vec3& p : file.mesh.positions) low = std::min(low, p[c]), high = std::max(high, p[c]);
    extent = std::max(extent, high - low);
    farthest = std::max({farthest, std::abs(low), std::abs(high)});
  }
  if (splat::floats_are_coarse(farthest, extent))
    file.warnings.push_back("the corners lie so far from 0 that floats, in which they are read, step by " +
                            shortest_text(float(splat::float_step(farthest))) +
                            ": export them counted from a place nearby");
}

// What is common to all formats: indices are those of vertices, places are numbers, arrays are whole.
Result<MeshFile> checked(MeshFile file, const std::string& name) {
  TriangleMesh& mesh = file.mesh;
  const size_t vertices = mesh.positions.size();
  for (const Face& face : mesh.faces)
    for (const uint32_t corner : face)
      if (corner >= vertices)
        return Error{"'" + name + "': a face names vertex " + std::to_string(corner) + " of " +
                     std::to_string(vertices) + " (corrupt)"};
  const size_t before = mesh.faces.size();
  std::erase_if(mesh.faces, [&](const Face& face) {
    return !finite(mesh.positions[face[0]]) || !finite(mesh.positions[face[1]]) || !finite(mesh.positions[face[2]]);
  });
  if (mesh.faces.size() < before)
    file.warnings.push_back(std::to_string(before - mesh.faces.size()) +
                            " faces whose corners are no numbers were left out");
  if (mesh.faces.empty()) return Error{"'" + name + "' holds no triangles"};
  warn_of_steps(file);
  for (Vec3& p : mesh.positions)
    if (!finite(p)) p = {};
  if (mesh.normals.size() != vertices) make_normals(mesh);
  normalise(mesh.normals);
  if (mesh.colours.size() != vertices) mesh.colours.clear();
  if (mesh.uvs.size() != vertices || file.texture.pixels.empty()) mesh.uvs.clear(), file.texture = {};
  return file;
}

Result<MeshFile> read_by_ending(std::string_view bytes, const fs::path& path) {
  const std::string name = path.string(), ending = ending_of(path);
  if (ending == ".obj") return read_obj_mesh(bytes, path);
  if (bytes.starts_with("ply")) return read_ply_mesh(bytes, name);
  ByteStream stream(bytes, name);
  return read_gltf_mesh(stream);
}

}  // namespace

splat::Image8 rgb_of(splat::Image8 picture) {
  if (picture.channels == 3) return picture;
  splat::Image8 rgb{picture.width, picture.height, 3, {}};
  rgb.pixels.resize(size_t(picture.width) * size_t(picture.height) * 3);
  const size_t channels = size_t(picture.channels);
  for (size_t i = 0; i < rgb.pixels.size(); ++i)
    rgb.pixels[i] = picture.pixels[i / 3 * channels + (channels < 3 ? 0 : i % 3)];
  return rgb;
}

bool is_mesh_file(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;
  const std::string ending = ending_of(path);
  if (ending == ".obj") return true;
  if (ending != ".ply" && ending != ".glb" && ending != ".gltf") return false;
  auto stream = ByteStream::open(path);
  if (!stream) return false;
  if (ending != ".ply") return is_gltf_mesh(*stream);
  const auto start = stream->peek(kStartBytes);
  return start && is_ply_mesh(*start, path.string());
}

Result<MeshFile> read_mesh(std::string_view bytes, const fs::path& name) {
  SPLAT_ASSIGN_OR_RETURN(MeshFile file, read_by_ending(bytes, name));
  return checked(std::move(file), name.string());
}

Result<MeshFile> read_mesh(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return read_mesh(bytes, path);
}

}  // namespace io
