// Scenes of exact geometry, to train on, and how near a mesh made of them is to it. See docs/benchmarks.md.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "tests/quality/shapes/mesh_score.h"
#include "tests/quality/shapes/scene.h"

namespace {

int fail(const std::string& sentence) {
  fmt::print(stderr, "{}\n", sentence);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const shapes::Shape* shape = argc > 2 ? shapes::find_shape(argv[2]) : nullptr;
  if (argc < 4 || !shape || (verb != "make" && verb != "score"))
    return fail(
        "usage: mesh_shapes make sphere|torus|box|stairs FOLDER [VIEWS SIZE]\n"
        "       mesh_shapes score sphere|torus|box|stairs MESH.ply");
  if (verb == "make") {
    const int views = argc > 5 ? std::stoi(argv[4]) : shapes::kViews,
              size = argc > 5 ? std::stoi(argv[5]) : shapes::kSize;
    const auto status = shapes::write_scene(*shape, argv[3], views, size);
    return status ? 0 : fail(status.error().message);
  }
  const auto mesh = shapes::read_mesh_ply(argv[3]);
  if (!mesh) return fail(mesh.error().message);
  if (mesh->faces.empty()) return fail("the mesh has no faces");
  const shapes::Score score = shapes::score_mesh(*shape, *mesh);
  fmt::print(
      "{}: chamfer {:.3f} % of the diagonal, F-score {:.4f} (precision {:.4f}, recall {:.4f}), "
      "normals {:.2f} degrees, {} faces\n",
      shape->name, 100 * score.chamfer, score.f_score, score.precision, score.recall, score.normal_degrees,
      mesh->faces.size());
  return 0;
}
