#include "viewer/camera/up_axis.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "splat/model/view_up.h"

namespace viewer {

using splat::math::dot;

namespace {

constexpr double kLeastAgreement = 0.3;  // length of the mean of the cameras' unit up directions
constexpr double kFlat = 0.6;            // extent across a plane, of the next smaller extent, that still makes a plane
constexpr size_t kMostPoints = 100'000;

struct Eigen {
  double values[3];
  Mat3 vectors;  // columns
};

// Eigenvectors of a symmetric matrix, by Jacobi's rotations; ten sweeps leave nothing off the diagonal.
Eigen eigen_of(Mat3 a) {
  Mat3 vectors = identity();
  constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < 10; ++sweep)
    for (const auto& [p, q] : kPairs) {
      if (a.m[p][q] == 0) continue;
      const double angle = 0.5 * std::atan2(2 * a.m[p][q], a.m[q][q] - a.m[p][p]);
      Mat3 turn = identity();
      turn.m[p][p] = turn.m[q][q] = std::cos(angle);
      turn.m[p][q] = std::sin(angle);
      turn.m[q][p] = -std::sin(angle);
      a = transposed(turn) * a * turn;
      vectors = vectors * turn;
    }
  return {{a.m[0][0], a.m[1][1], a.m[2][2]}, vectors};
}

bool inside(const Bounds& box, const Vec3& p) {
  return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
         p.z <= box.high.z;
}

Mat3 covariance_of(std::span<const float> xyz, const Bounds& box) {
  const size_t points = xyz.size() / 3, stride = std::max<size_t>(1, points / kMostPoints);
  const Vec3 centre = box.centre();
  Vec3 sum{0, 0, 0};
  Mat3 products{};
  double count = 0;
  for (size_t i = 0; i < points; i += stride) {
    const Vec3 p{xyz[i * 3], xyz[i * 3 + 1], xyz[i * 3 + 2]};
    if (!inside(box, p)) continue;
    const auto d = array3(p - centre);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) products.m[r][c] += d[size_t(r)] * d[size_t(c)];
    sum = sum + (p - centre);
    count += 1;
  }
  const auto mean = array3((1 / std::max(count, 1.0)) * sum);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      products.m[r][c] = products.m[r][c] / std::max(count, 1.0) - mean[size_t(r)] * mean[size_t(c)];
  return products;
}

// The likelier of the two normals of a plane: -Y as most splat files have it, else +Z, else +X.
Vec3 likelier_side(const Vec3& normal) {
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  const double along = y >= x && y >= z ? -normal.y : z >= x ? normal.z : normal.x;
  return along >= 0 ? normal : -1.0 * normal;
}

}  // namespace

std::optional<Vec3> up_of_cameras(std::span<const PhotoCamera> cameras) {
  if (cameras.empty()) return std::nullopt;
  std::vector<splat::Rigid3> poses;
  for (const PhotoCamera& camera : cameras) poses.push_back(camera.view.cam_from_world);
  const splat::MeanUp up = splat::mean_up(poses);
  if (!(up.agreement > kLeastAgreement)) return std::nullopt;
  return vec3(up.direction);
}

std::optional<Vec3> up_of_points(std::span<const float> xyz) {
  const Bounds box = robust_bounds(xyz);
  if (box.empty()) return std::nullopt;
  const Eigen eigen = eigen_of(covariance_of(xyz, box));
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int a, int b) { return eigen.values[a] < eigen.values[b]; });
  const double across = std::sqrt(std::max(eigen.values[order[0]], 0.0));
  if (!(across < kFlat * std::sqrt(std::max(eigen.values[order[1]], 0.0)))) return std::nullopt;
  return likelier_side(normalized(splat::math::column(eigen.vectors, order[0])));
}

UpGuess guess_up(const std::optional<Vec3>& from_file, std::span<const PhotoCamera> cameras,
                 std::span<const float> points) {
  if (from_file && length(*from_file) > 0) return {normalized(*from_file), UpSource::kFile};
  if (const auto up = up_of_cameras(cameras)) return {*up, UpSource::kCameras};
  if (const auto up = up_of_points(points)) return {*up, UpSource::kShape};
  return {};
}

std::string sentence(UpSource source) {
  switch (source) {
    case UpSource::kFile:
      return "given by the file";
    case UpSource::kCameras:
      return "estimated from the photos' cameras";
    case UpSource::kShape:
      return "estimated from the plane the splats lie around";
    case UpSource::kHabit:
      break;
  }
  return "-Y, as in most splat files";
}

}  // namespace viewer
