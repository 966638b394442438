#include "mesh/texture/mesh_view.h"

#include <algorithm>

#include "splat/core/check.h"
#include "splat/raster/triangles/coverage.h"

namespace mesh {
namespace {

constexpr double kNear = 1e-4;  // world units; nothing nearer is drawn

// seen(pixel, tile, the pixel's place in it) for each pixel that shows a face.
template <class Seen>
void draw(const TriangleMesh& mesh, const splat::View& view, Seen&& seen) {
  using namespace splat::triangles;
  const auto& camera = view.camera;
  const auto corners = [&](size_t face, Corners& c) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3& p = mesh.positions[mesh.faces[face][k]];
      const auto s = view.cam_from_world * std::array<double, 3>{p[0], p[1], p[2]};
      // Ordered by minus one over the depth.
      c.corner[k] = {camera.fx * s[0] + camera.cx * s[2], camera.fy * s[1] + camera.cy * s[2], -1, s[2]};
    }
  };
  const TriangleJob job{camera.width, camera.height, mesh.faces.size(), corners, float(-1 / kNear), 0};
  const splat::Status drawn = draw_triangles(job, nullptr, [&](const DrawnTile& tile) {
    for (int y = 0; y < tile.height; ++y)
      for (int x = 0, at = y * kTileSide; x < tile.width; ++x, ++at)
        if (tile.number(at)) seen(size_t(tile.y0 + y) * size_t(camera.width) + size_t(tile.x0 + x), tile, at);
  });
  SPLAT_CHECK(drawn.ok());
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
  MeshView seen{view, std::vector<float>(pixels, 0), std::vector<uint32_t>(pixels, kNoFace),
                std::vector<std::array<float, 2>>(pixels)};
  draw(mesh, view, [&](size_t pixel, const auto& tile, int at) {
    seen.depth[pixel] = -1 / tile.pixels.depth[at];
    seen.faces[pixel] = tile.number(at) - 1;
    seen.shares[pixel] = {tile.pixels.share[0][at], tile.pixels.share[1][at]};
  });
  return seen;
}

std::vector<float> mesh_depth(const TriangleMesh& mesh, const splat::View& view) {
  std::vector<float> depth(size_t(view.camera.width) * size_t(view.camera.height), 0);
  draw(mesh, view, [&](size_t pixel, const auto& tile, int at) { depth[pixel] = -1 / tile.pixels.depth[at]; });
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
