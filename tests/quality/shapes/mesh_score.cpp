#include "tests/quality/shapes/mesh_score.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nanoflann.hpp>
#include <random>

#include "io/bytes.h"
#include "splat/core/parallel.h"

namespace shapes {
namespace {

using mesh::Face;
using mesh::TriangleMesh;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<Point, 3> corners_of(const TriangleMesh& mesh, size_t face) {
  std::array<Point, 3> corners;
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) corners[i][k] = mesh.positions[mesh.faces[face][i]][k];
  return corners;
}

// Points evenly over the faces.
struct Samples {
  std::vector<Point> points;
  std::vector<uint32_t> faces;

  size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(size_t i, size_t axis) const { return points[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Samples>, Samples, 3>;

Samples samples_of(const TriangleMesh& mesh, size_t count) {
  std::vector<double> up_to;
  double area = 0;
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto c = corners_of(mesh, f);
    up_to.push_back(area += norm(cross(minus(c[1], c[0]), minus(c[2], c[0]))));
  }
  std::mt19937_64 random(11);
  const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  Samples samples;
  for (size_t i = 0; i < count; ++i) {
    const double at = area * (double(i) + uniform()) / double(count);
    const size_t f =
        std::min(size_t(std::upper_bound(up_to.begin(), up_to.end(), at) - up_to.begin()), mesh.faces.size() - 1);
    const auto c = corners_of(mesh, f);
    const double r = std::sqrt(uniform()), s = uniform();
    Point p;
    for (size_t k = 0; k < 3; ++k) p[k] = (1 - r) * c[0][k] + r * (1 - s) * c[1][k] + r * s * c[2][k];
    samples.points.push_back(p);
    samples.faces.push_back(uint32_t(f));
  }
  return samples;
}

double to_segment(const Point& p, const Point& a, const Point& b) {
  const Point along = minus(b, a), to = minus(p, a);
  const double size = dot(along, along), t = size > 0 ? std::clamp(dot(to, along) / size, 0.0, 1.0) : 0;
  return norm({to[0] - t * along[0], to[1] - t * along[1], to[2] - t * along[2]});
}

double to_triangle(const Point& p, const std::array<Point, 3>& c) {
  const Point n = cross(minus(c[1], c[0]), minus(c[2], c[0]));
  double nearest = 1e30;
  bool inside = true;
  for (size_t i = 0; i < 3; ++i) {
    nearest = std::min(nearest, to_segment(p, c[i], c[(i + 1) % 3]));
    inside = inside && dot(cross(minus(c[(i + 1) % 3], c[i]), minus(p, c[i])), n) >= 0;
  }
  return inside && norm(n) > 0 ? std::abs(dot(minus(p, c[0]), n)) / norm(n) : nearest;
}

// From a point on the shape to the mesh: to the faces of the samples nearest to it.
double to_mesh(const Point& p, const TriangleMesh& mesh, const Samples& samples, const Tree& tree) {
  constexpr size_t kNearest = 8;
  uint32_t found[kNearest];
  double squared[kNearest];
  const size_t count = tree.knnSearch(p.data(), kNearest, found, squared);
  double nearest = 1e30;
  for (size_t i = 0; i < count; ++i)
    nearest = std::min(nearest, to_triangle(p, corners_of(mesh, samples.faces[found[i]])));
  return nearest;
}

}  // namespace

Score score_mesh(const Shape& shape, const TriangleMesh& mesh, size_t count) {
  const double diagonal = shape.diagonal(), bound = 0.01 * diagonal;
  const Samples samples = samples_of(mesh, count);
  const Tree tree(3, samples, nanoflann::KDTreeSingleIndexAdaptorParams(16));
  splat::ThreadPool pool;
  std::vector<double> there(count), back(count), degrees(count);
  const std::vector<Point> points = points_on(shape, count);
  pool.for_each(count, [&](size_t i, int) {
    const Point& p = samples.points[i];
    there[i] = std::abs(shape.distance(p));
    const auto c = corners_of(mesh, samples.faces[i]);
    const Point n = cross(minus(c[1], c[0]), minus(c[2], c[0]));
    degrees[i] = std::acos(std::clamp(dot(n, shape.normal(p)) / norm(n), -1.0, 1.0)) * 180 / M_PI;
    back[i] = to_mesh(points[i], mesh, samples, tree);
  });
  Score score;
  const auto near = [&](double distance) { return distance <= bound; };
  score.precision = double(std::count_if(there.begin(), there.end(), near)) / double(count);
  score.recall = double(std::count_if(back.begin(), back.end(), near)) / double(count);
  for (size_t i = 0; i < count; ++i) score.chamfer += 0.5 * (there[i] + back[i]) / double(count) / diagonal;
  const double both = score.precision + score.recall;
  score.f_score = both > 0 ? 2 * score.precision * score.recall / both : 0;
  const auto middle = degrees.begin() + ptrdiff_t(count / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  score.normal_degrees = *middle;
  return score;
}

splat::Result<TriangleMesh> read_mesh_ply(const std::filesystem::path& path) {
  auto bytes = io::read_file(path);
  if (!bytes) return bytes.error();
  const size_t end = bytes->find("end_header\n");
  if (end == std::string::npos) return splat::Error{"'" + path.string() + "' is no PLY"};
  const std::string head = bytes->substr(0, end);
  const auto count_of = [&](const std::string& what) {
    const size_t at = head.find("element " + what + " ");
    return at == std::string::npos ? size_t(0) : size_t(std::stoull(head.substr(at + what.size() + 9)));
  };
  size_t row = 0;
  for (size_t at = 0; (at = head.find("property ", at)) != std::string::npos; ++at)
    row += head.compare(at + 9, 5, "float") == 0 ? 4 : head.compare(at + 9, 5, "uchar") == 0 ? 1 : 0;
  const size_t vertices = count_of("vertex"), faces = count_of("face");
  const char* data = bytes->data() + end + 11;
  if (bytes->size() - end - 11 != vertices * row + faces * 13)
    return splat::Error{"'" + path.string() + "' is not a mesh as --mesh writes it"};
  TriangleMesh mesh;
  mesh.positions.resize(vertices), mesh.faces.resize(faces);
  for (size_t v = 0; v < vertices; ++v) std::memcpy(&mesh.positions[v], data + v * row, 12);
  for (size_t f = 0; f < faces; ++f) std::memcpy(&mesh.faces[f], data + vertices * row + 13 * f + 1, 12);
  return mesh;
}

}  // namespace shapes
