// Lines and points in the world, drawn over (or under) the splats: the ground grid, the photos' cameras, the points a
// dataset starts from. Building them needs no OpenGL; a LineSet keeps them on the GPU.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/dataset.h"
#include "viewer/camera/geometry.h"
#include "viewer/camera/navigator.h"
#include "viewer/draw/gl_objects.h"

namespace viewer {

struct LineVertex {
  std::array<float, 3> position;  // world
  std::array<float, 4> rgba;      // [0,1], not premultiplied
};

using Rgba = std::array<float, 4>;

// A square of lines across `up` through `centre`, `step` apart, world units.
std::vector<LineVertex> grid_lines(const Vec3& centre, const Vec3& up, double step, const Rgba& colour);

// A pyramid for every camera; `size`: its depth, world units.
struct FrustumColours {
  Rgba training, held_out, current;
};
std::vector<LineVertex> frustum_lines(std::span<const PhotoCamera> cameras, double size, int current,
                                      const FrustumColours& colours);

// The edges of a box: the corners of its floor one after another, and those above them.
void add_box_lines(const std::array<Vec3, 4>& floor, const std::array<Vec3, 4>& ceiling, const Rgba& colour,
                   std::vector<LineVertex>& lines);

std::vector<LineVertex> point_vertices(const splat::PointCloud& points, size_t begin, size_t end);  // [begin, end)

class LineSet {
 public:
  void set(std::span<const LineVertex> vertices);
  void reserve(size_t vertices);                      // then append() them in portions; until then there are none
  void append(std::span<const LineVertex> vertices);  // at most what was reserved, all together
  void clear() { count_ = 0; }
  bool empty() const { return count_ == 0; }
  void draw_lines(Shader& shader);
  void draw_points(Shader& shader);

 private:
  void draw(GLenum kind);
  GlBuffer buffer_;
  GlVertexArray array_;
  size_t count_ = 0;
};

}  // namespace viewer
