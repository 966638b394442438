// Splats as planes: what they mean, and their adjoints against central differences.
#include "splat/math/plane.h"

#include <gtest/gtest.h>

#include "splat/model/camera.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

struct PlaneCase {
  ViewParams<double> view;
  Vec3<double> mean, scale;
  Quat<double> quat;
};

PlaneCase random_case(RandomValues& random) {
  View view;
  view.camera = {640, 480, 500, 520, 310, 250};
  const Mat3<double> rotation = rotation_from_quat(random.quat());
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) view.cam_from_world.rotation[3 * r + c] = rotation.m[r][c];
  for (double& t : view.cam_from_world.translation) t = random.uniform(-2, 2);
  PlaneCase out;
  out.view = make_view_params<double>(view);
  const Vec3<double> p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(1.5, 6)};
  out.mean = transposed_times(out.view.rotation, p - out.view.translation);
  out.scale = {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
  out.quat = random.quat();
  return out;
}

TEST(Plane, OfAFlatSplatGivesTheDepthWhereRaysMeetIt) {
  RandomValues random(1);
  int seen = 0;
  for (int i = 0; i < 100; ++i) {
    PlaneCase c = random_case(random);
    const int thin = int(random.below(3));
    (thin == 0 ? c.scale.x : thin == 1 ? c.scale.y : c.scale.z) = 0.01;
    const Vec3<double> q = plane_of(c.view, c.mean, c.quat, c.scale);
    const Vec3<double> p = camera_from_world(c.view, c.mean);
    EXPECT_NEAR(dot(q, p), 1, 1e-12) << "it goes through the mean";
    const Vec3<double> normal = c.view.rotation * column(rotation_from_quat(c.quat), thin);
    if (std::abs(dot(normal, p)) < 0.5 * std::sqrt(dot(p, p))) continue;
    ++seen;
    const Vec3<double> ray{p.x / p.z + 0.02, p.y / p.z - 0.03, 1};
    EXPECT_NEAR(dot(q, ray) * dot(normal, p) / dot(normal, ray), 1, 2e-3);
  }
  EXPECT_GT(seen, 20);
}

TEST(Plane, OnItsEdgeFacesTheCamera) {
  PlaneCase c;
  c.view = make_view_params<double>(View{{640, 480, 500, 500, 320, 240}, {}});
  c.mean = {0, 0, 4}, c.scale = {0.001, 1, 1}, c.quat = {1, 0, 0, 0};
  const Vec3<double> q = plane_of(c.view, c.mean, c.quat, c.scale);
  EXPECT_NEAR(q.x, 0, 1e-12);
  EXPECT_NEAR(q.y, 0, 1e-12);
  EXPECT_NEAR(q.z, 0.25, 1e-12);
}

TEST(Plane, VjpMatchesDifferences) {
  RandomValues random(2);
  for (int i = 0; i < 30; ++i) {
    const PlaneCase c = random_case(random);
    const Vec3<double> v{random.normal(), random.normal(), random.normal()};
    const auto value = [&](const std::vector<double>& x) {
      return dot(v, plane_of(c.view, {x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}, c.scale));
    };
    const PlaneGradient<double> g = plane_of_vjp(c.view, c.mean, c.quat, c.scale, v);
    expect_gradients_near(
        {g.v_mean.x, g.v_mean.y, g.v_mean.z, g.v_quat.w, g.v_quat.x, g.v_quat.y, g.v_quat.z},
        central_differences(value, {c.mean.x, c.mean.y, c.mean.z, c.quat.w, c.quat.x, c.quat.y, c.quat.z}, 1e-5), 1e-6);
  }
}

TEST(Plane, FacingTheCameraHasTheDepthOfTheMean) {
  RandomValues random(4);
  for (int i = 0; i < 10; ++i) {
    const PlaneCase c = random_case(random);
    const Vec3<double> q = facing_plane(c.view, c.mean), v{random.normal(), random.normal(), random.normal()};
    EXPECT_NEAR(dot(q, Vec3<double>{0.3, -0.4, 1}) * camera_from_world(c.view, c.mean).z, 1, 1e-12) << "on any ray";
    const Vec3<double> g = facing_plane_vjp(c.view, c.mean, v);
    const auto value = [&](const std::vector<double>& x) {
      return dot(v, facing_plane(c.view, Vec3<double>{x[0], x[1], x[2]}));
    };
    expect_gradients_near({g.x, g.y, g.z}, central_differences(value, {c.mean.x, c.mean.y, c.mean.z}, 1e-5), 1e-6);
  }
}

TEST(Plane, ADepthMapPullsWhereBothAreKnown) {
  EXPECT_NEAR(prior_inverse_depth(2.0, false, 0.1, 0.05), 0.25, 1e-12);
  EXPECT_NEAR(prior_inverse_depth(2.0, true, 0.1, 0.05), 0.1, 1e-12);
  EXPECT_EQ(prior_inverse_depth(0.0, true, 0.1, 0.05), 0.0);
  EXPECT_EQ(prior_inverse_depth(2.0, false, 0.1, -0.3), 0.0) << "behind the camera";
  EXPECT_EQ(prior_vjp(0.3, 0.25, 2.0), 2.0);
  EXPECT_EQ(prior_vjp(0.2, 0.25, 2.0), -2.0);
  EXPECT_EQ(prior_vjp(0.0, 0.25, 2.0), 0.0);
  EXPECT_EQ(prior_vjp(0.2, 0.0, 2.0), 0.0);
}

TEST(Plane, ThinAxisIsTheShortestAndOfEqualOnesTheFirst) {
  const auto axis = [](double x, double y, double z) {
    const ThinAxis<double> t = thin_axis(Vec3<double>{x, y, z});
    EXPECT_FALSE(t.x && t.y);
    return t.x ? 0 : t.y ? 1 : 2;
  };
  EXPECT_EQ(axis(1, 2, 3), 0);
  EXPECT_EQ(axis(2, 1, 3), 1);
  EXPECT_EQ(axis(2, 3, 1), 2);
  EXPECT_EQ(axis(1, 1, 1), 0);
  EXPECT_EQ(axis(2, 1, 1), 1);
}

// Inverse depths on a screen are those of a plane: its q comes back.
TEST(Plane, OfDepthsOnTheScreen) {
  const Vec3<double> q{0.11, -0.07, 0.4}, ray{0.3, -0.2, 1};
  const double fx = 500, fy = 520;
  const auto at = [&](double dx, double dy) { return dot(q, Vec3<double>{ray.x + dx / fx, ray.y + dy / fy, 1}); };
  const DepthStencil<double> s{at(0, 0), at(-1, 0), at(1, 0), at(0, -1), at(0, 1)};
  EXPECT_TRUE(is_smooth(s));
  const Vec3<double> found = plane_of_depths(s, ray, fx / 2, fy / 2);
  EXPECT_NEAR(found.x, q.x, 1e-12);
  EXPECT_NEAR(found.y, q.y, 1e-12);
  EXPECT_NEAR(found.z, q.z, 1e-12);
  EXPECT_NEAR(normal_difference(found, q), 0, 1e-12);
  DepthStencil<double> edge = s;
  edge.right *= 1.06;
  EXPECT_FALSE(is_smooth(edge));
  edge.right = 0;
  EXPECT_FALSE(is_smooth(edge));
}

TEST(Plane, NormalDifferenceVjpMatchesDifferences) {
  RandomValues random(3);
  for (int i = 0; i < 30; ++i) {
    const Vec3<double> a{random.normal(), random.normal(), random.normal()},
        b{random.normal(), random.normal(), random.normal()};
    const Vec3<double> v = normal_difference_vjp(a, b, 0.7);
    expect_gradients_near({v.x, v.y, v.z},
                          central_differences(
                              [&](const std::vector<double>& x) {
                                return 0.7 * normal_difference(Vec3<double>{x[0], x[1], x[2]}, b);
                              },
                              {a.x, a.y, a.z}, 1e-5),
                          1e-6);
  }
}

TEST(Plane, InverseDepthCountsWhatIsDrawnAlone) {
  const Vec3<double> q{0, 0, 0.2}, ray{0.1, 0.1, 1};
  EXPECT_NEAR(inverse_depth(q, ray, 0.2), 0.25, 1e-12);
  EXPECT_EQ(inverse_depth(q, ray, 0.6), 0.0) << "mostly background";
  EXPECT_EQ(inverse_depth(Vec3<double>{0, 0, -0.2}, ray, 0.2), 0.0);
}

}  // namespace
}  // namespace splat::test
