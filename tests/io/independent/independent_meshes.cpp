// Writes a painted globe as globe.glb, globe.obj (both with a texture), coloured.glb and coloured.ply (colours at the
// vertices) for other programs to read; its y axis points up in all. Usage: independent_meshes FOLDER
#include <cstdio>
#include <filesystem>

#include "io/meshes/mesh_file.h"
#include "mesh/texture/atlas.h"
#include "mesh/texture/bake.h"
#include "tests/mesh/texture/shapes.h"

namespace {

using mesh::TriangleMesh;

constexpr int kViews = 16, kSize = 256, kSide = 1024;

splat::Image8 texture_of(TriangleMesh& globe) {
  splat::ThreadPool pool;
  const TriangleMesh plain = globe;
  std::vector<mesh::TextureView> views;
  for (int i = 0; i < kViews; ++i) views.push_back({mesh::test::view_around(i, kViews, kSize), true});
  const auto at_vertices = mesh::find_best_views(globe, views, 0.02f, pool);
  const auto atlas = mesh::lay_out(globe, kSide, pool);
  std::vector<mesh::VertexViews> best;
  for (uint32_t v : atlas->origin) best.push_back(at_vertices[v]);
  return mesh::bake_texture(
      {globe, best, views, std::vector<mesh::Vec3>(views.size(), {1, 1, 1}), kSide},
      [&](size_t i) { return mesh::test::photo_of(plain, views[i].view); }, pool);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  TriangleMesh coloured = mesh::test::globe(), textured = coloured;
  for (const mesh::Vec3& p : coloured.positions) coloured.colours.push_back(mesh::test::paint(p));
  const splat::Image8 texture = texture_of(textured);
  const std::array<double, 3> up{0, 1, 0};
  for (const auto& status :
       {io::write_mesh(folder / "globe.glb", textured, up, texture),
        io::write_mesh(folder / "globe.obj", textured, up, texture),
        io::write_mesh(folder / "coloured.glb", coloured, up), io::write_mesh(folder / "coloured.ply", coloured, up)}) {
    if (status) continue;
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
}
