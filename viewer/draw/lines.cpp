#include "viewer/draw/lines.h"

#include <cmath>
#include <cstddef>

namespace viewer {
namespace {

constexpr int kGridHalf = 10;  // lines on either side of the middle
constexpr float kFadedEdge = 0.1f;

std::array<float, 3> position(const Vec3& v) { return {float(v.x), float(v.y), float(v.z)}; }

void add_line(std::vector<LineVertex>& lines, const Vec3& a, const Vec3& b, const Rgba& from, const Rgba& to) {
  lines.push_back({position(a), from});
  lines.push_back({position(b), to});
}

Rgba faded(Rgba colour, double by) {
  colour[3] *= float(by);
  return colour;
}

}  // namespace

std::vector<LineVertex> grid_lines(const Vec3& centre, const Vec3& up, double step, const Rgba& colour) {
  std::vector<LineVertex> lines;
  if (!(step > 0)) return lines;
  const Vec3 x = any_perpendicular(up), y = cross(up, x);
  const double end = step * kGridHalf;
  for (int i = -kGridHalf; i <= kGridHalf; ++i) {
    const double fade = 1 - double(std::abs(i)) / (kGridHalf + 1);
    for (const auto& [along, across] : {std::pair(x, y), std::pair(y, x)}) {
      const Vec3 middle = centre + (i * step) * across;
      add_line(lines, middle - end * along, middle, faded(colour, kFadedEdge * fade), faded(colour, fade));
      add_line(lines, middle, middle + end * along, faded(colour, fade), faded(colour, kFadedEdge * fade));
    }
  }
  return lines;
}

std::vector<LineVertex> frustum_lines(std::span<const PhotoCamera> cameras, double size, int current,
                                      const FrustumColours& colours) {
  std::vector<LineVertex> lines;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const splat::View& view = cameras[i].view;
    const Rgba& colour = int(i) == current     ? colours.current
                         : cameras[i].held_out ? colours.held_out
                                               : colours.training;
    const double w = view.camera.width, h = view.camera.height;
    const Vec3 apex = vec3(view.cam_from_world.origin_in_source());
    const Vec3 corner[4] = {point_at(view, 0, 0, size), point_at(view, w, 0, size), point_at(view, w, h, size),
                            point_at(view, 0, h, size)};
    for (int c = 0; c < 4; ++c) {
      add_line(lines, apex, corner[c], colour, colour);
      add_line(lines, corner[c], corner[(c + 1) % 4], colour, colour);
    }
    const Vec3 tip = point_at(view, w / 2, -h * 0.22, size);  // which way is up
    add_line(lines, point_at(view, w * 0.38, 0, size), tip, colour, colour);
    add_line(lines, tip, point_at(view, w * 0.62, 0, size), colour, colour);
  }
  return lines;
}

void add_box_lines(const std::array<Vec3, 4>& floor, const std::array<Vec3, 4>& ceiling, const Rgba& colour,
                   std::vector<LineVertex>& lines) {
  for (size_t c = 0; c < 4; ++c) {
    add_line(lines, floor[c], floor[(c + 1) % 4], colour, colour);
    add_line(lines, ceiling[c], ceiling[(c + 1) % 4], colour, colour);
    add_line(lines, floor[c], ceiling[c], colour, colour);
  }
}

std::vector<LineVertex> point_vertices(const splat::PointCloud& points, size_t begin, size_t end) {
  std::vector<LineVertex> vertices(end - begin);
  for (size_t i = begin; i < end; ++i)
    vertices[i - begin] = {
        {points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]},
        {points.rgb[3 * i] / 255.0f, points.rgb[3 * i + 1] / 255.0f, points.rgb[3 * i + 2] / 255.0f, 1}};
  return vertices;
}

void LineSet::set(std::span<const LineVertex> vertices) {
  reserve(vertices.size());
  append(vertices);
}

void LineSet::append(std::span<const LineVertex> vertices) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  glBufferSubData(GL_ARRAY_BUFFER, GLintptr(count_ * sizeof(LineVertex)), GLsizeiptr(vertices.size_bytes()),
                  vertices.data());
  count_ += vertices.size();
}

void LineSet::reserve(size_t vertices) {
  count_ = 0;
  const bool fresh = array_.empty();
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices * sizeof(LineVertex)), nullptr, GL_STATIC_DRAW);
  if (fresh) {
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(LineVertex), nullptr);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(
        1, 4, GL_FLOAT, GL_FALSE, sizeof(LineVertex),
        reinterpret_cast<const void*>(offsetof(LineVertex, rgba)));  // NOLINT(performance-no-int-to-ptr)
  }
  glBindVertexArray(0);
}

void LineSet::draw(GLenum kind) {
  if (count_ == 0) return;
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(array_.get());
  glDrawArrays(kind, 0, GLsizei(count_));
  glBindVertexArray(0);
}

void LineSet::draw_lines(Shader& shader) {
  shader.set("point_px", 1.0f);
  draw(GL_LINES);
}

void LineSet::draw_points(Shader& shader) {
  shader.set("point_px", 2.0f);
  glEnable(GL_PROGRAM_POINT_SIZE);
  draw(GL_POINTS);
  glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace viewer
