#include "mesh/texture/mesh_view.h"

#include <algorithm>
#include <cmath>

#include "mesh/texture/triangle_raster.h"

namespace mesh {
namespace {

constexpr float kNear = 1e-4f;  // world units; nothing nearer is drawn

struct OnScreen {
  std::array<float, 2> at{};  // px
  float depth = 0;
};

std::vector<OnScreen> project(const TriangleMesh& mesh, const splat::View& view) {
  std::vector<OnScreen> points(mesh.positions.size());
  const auto& camera = view.camera;
  for (size_t v = 0; v < points.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    const auto s = view.cam_from_world * std::array<double, 3>{p[0], p[1], p[2]};
    points[v].depth = float(s[2]);
    if (s[2] > kNear)
      points[v].at = {float(camera.fx * s[0] / s[2] + camera.cx), float(camera.fy * s[1] / s[2] + camera.cy)};
  }
  return points;
}

// seen(pixel, face, share of the first corner, of the second) for each pixel that is nearer than what was there.
template <class Seen>
void draw(const TriangleMesh& mesh, const splat::View& view, std::vector<float>& depth, Seen&& seen) {
  const std::vector<OnScreen> points = project(mesh, view);
  const int width = view.camera.width, height = view.camera.height;
  depth.assign(size_t(width) * size_t(height), 0);
  for (uint32_t f = 0; f < mesh.faces.size(); ++f) {
    const OnScreen &a = points[mesh.faces[f][0]], &b = points[mesh.faces[f][1]], &c = points[mesh.faces[f][2]];
    if (!(std::min({a.depth, b.depth, c.depth}) > kNear)) continue;
    for_each_covered({a.at, b.at, c.at}, width, height, [&](int x, int y, float s, float t, float u) {
      // Straight on the screen: one over the depth.
      const float i = s / a.depth, j = t / b.depth, k = u / c.depth, z = 1 / (i + j + k);
      const size_t at = size_t(y) * size_t(width) + size_t(x);
      if (depth[at] > 0 && depth[at] <= z) return;
      depth[at] = z;
      seen(at, f, i * z, j * z);
    });
  }
}

Vec3 texel_at(const splat::Image8& texture, const Uv& uv) {
  const float x = std::clamp(uv[0] * float(texture.width) - 0.5f, 0.0f, float(texture.width - 1));
  const float y = std::clamp(uv[1] * float(texture.height) - 0.5f, 0.0f, float(texture.height - 1));
  const int left = std::min(int(x), texture.width - 2), top = std::min(int(y), texture.height - 2);
  const float s = x - float(left), t = y - float(top);
  const size_t stride = 3 * size_t(texture.width);
  const uint8_t* p = texture.pixels.data() + size_t(top) * stride + 3 * size_t(left);
  Vec3 colour;
  for (size_t c = 0; c < 3; ++c)
    colour[c] =
        ((1 - t) * ((1 - s) * p[c] + s * p[c + 3]) + t * ((1 - s) * p[stride + c] + s * p[stride + c + 3])) / 255;
  return colour;
}

}  // namespace

MeshView look_at(const TriangleMesh& mesh, const splat::View& view) {
  const size_t pixels = size_t(view.camera.width) * size_t(view.camera.height);
  MeshView seen{view, {}, std::vector<uint32_t>(pixels, kNoFace), std::vector<std::array<float, 2>>(pixels)};
  draw(mesh, view, seen.depth, [&](size_t at, uint32_t face, float a, float b) {
    seen.faces[at] = face;
    seen.shares[at] = {a, b};
  });
  return seen;
}

std::vector<float> mesh_depth(const TriangleMesh& mesh, const splat::View& view) {
  std::vector<float> depth;
  draw(mesh, view, depth, [](size_t, uint32_t, float, float) {});
  return depth;
}

splat::ImageF picture_of(const TriangleMesh& mesh, const splat::Image8& texture, const MeshView& seen) {
  const int width = seen.view.camera.width, height = seen.view.camera.height;
  const size_t pixels = size_t(width) * size_t(height);
  splat::ImageF image{width, height, std::vector<float>(3 * pixels, 0)};
  for (size_t i = 0; i < pixels; ++i) {
    if (seen.faces[i] == kNoFace) continue;
    const Face& face = mesh.faces[seen.faces[i]];
    const float shares[3] = {seen.shares[i][0], seen.shares[i][1], 1 - seen.shares[i][0] - seen.shares[i][1]};
    Uv uv{};
    Vec3 colour{};
    for (size_t k = 0; k < 3; ++k) {
      for (size_t d = 0; d < 2 && !mesh.uvs.empty(); ++d) uv[d] += shares[k] * mesh.uvs[face[k]][d];
      for (size_t c = 0; c < 3 && mesh.uvs.empty() && !mesh.colours.empty(); ++c)
        colour[c] += shares[k] * mesh.colours[face[k]][c];
    }
    if (!mesh.uvs.empty()) colour = texel_at(texture, uv);
    for (size_t c = 0; c < 3; ++c) image.rgb[c * pixels + i] = colour[c];
  }
  return image;
}

}  // namespace mesh
