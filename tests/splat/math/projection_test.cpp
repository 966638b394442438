// Quaternion, covariance and projection: values against brute force, adjoints against central differences.
#include "splat/math/project.h"

#include <gtest/gtest.h>

#include "splat/math/activation.h"
#include "splat/math/parameter_chain.h"
#include "splat/model/rigid_motion.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

View random_view(RandomValues& random) {
  View view;
  view.camera = {640,
                 480,
                 float(random.uniform(400, 700)),
                 float(random.uniform(400, 700)),
                 float(random.uniform(250, 390)),
                 float(random.uniform(180, 300))};
  const Mat3<double> rotation = rotation_from_quat(random.quat());
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) view.cam_from_world.rotation[3 * r + c] = rotation.m[r][c];
  for (double& t : view.cam_from_world.translation) t = random.uniform(-2, 2);
  return view;
}

// A world point that projects within `margin` image sizes around the image, at depth 0.5 to 10.
Vec3<double> random_mean(RandomValues& random, const ViewParams<double>& view, double margin) {
  const double z = random.uniform(0.5, 10);
  const double x = (random.uniform(-margin, 1 + margin) * view.width - view.cx) / view.fx * z;
  const double y = (random.uniform(-margin, 1 + margin) * view.height - view.cy) / view.fy * z;
  return transposed_times(view.rotation, Vec3<double>{x, y, z} - view.translation);
}

TEST(Quat, RotationIsOrthonormalAndRightHanded) {
  RandomValues random(1);
  for (int i = 0; i < 100; ++i) {
    const Mat3<double> r = rotation_from_quat(random.quat());
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(dot(row(r, a), row(r, b)), a == b, 1e-14);
    EXPECT_NEAR(dot(cross(row(r, 0), row(r, 1)), row(r, 2)), 1, 1e-14);
  }
}

TEST(Quat, TurnsAsTextbooksSay) {
  const double half = M_PI / 6;  // 60 degrees around z takes x to (cos 60, sin 60)
  const Vec3<double> x = rotation_from_quat(Quat<double>{std::cos(half), 0, 0, std::sin(half)}) * Vec3<double>{1, 0, 0};
  EXPECT_NEAR(x.x, 0.5, 1e-15);
  EXPECT_NEAR(x.y, std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(x.z, 0, 1e-15);
}

TEST(Quat, VjpMatchesDifferences) {
  RandomValues random(2);
  for (int i = 0; i < 50; ++i) {
    const Quat<double> q = random.quat();
    Mat3<double> weight;
    for (auto& r : weight.m)
      for (double& value : r) value = random.normal();
    auto loss = [&](const std::vector<double>& x) {
      const Mat3<double> r = rotation_from_quat(Quat<double>{x[0], x[1], x[2], x[3]});
      double sum = 0;
      for (int a = 0; a < 3; ++a) sum += dot(row(r, a), row(weight, a));
      return sum;
    };
    const Quat<double> v = rotation_from_quat_vjp(q, weight);
    expect_gradients_near({v.w, v.x, v.y, v.z}, central_differences(loss, {q.w, q.x, q.y, q.z}), 1e-8);
    EXPECT_NEAR(v.w * q.w + v.x * q.x + v.y * q.y + v.z * q.z, 0, 1e-12);  // length does not matter
  }
}

TEST(Quat, ZeroIsNoRotationWithZeroGradient) {
  const Quat<float> zero{0, 0, 0, 0};
  const Mat3<float> r = rotation_from_quat(zero);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_EQ(r.m[a][b], float(a == b));
  const Quat<float> v = rotation_from_quat_vjp(zero, Mat3<float>{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}});
  EXPECT_EQ(v.w, 0.0f);
  EXPECT_EQ(v.x, 0.0f);
  EXPECT_EQ(v.y, 0.0f);
  EXPECT_EQ(v.z, 0.0f);
}

TEST(Activation, SigmoidVjpAndInverse) {
  for (double x : {-8.0, -1.0, 0.0, 0.3, 6.0}) {
    const double y = sigmoid(x);
    EXPECT_NEAR(logit(y), x, 1e-11);
    auto f = [](const std::vector<double>& p) { return sigmoid(p[0]); };
    expect_gradients_near({sigmoid_vjp(y, 1.0)}, central_differences(f, {x}), 1e-9);
  }
  EXPECT_EQ(sigmoid(-200.0f), 0.0f);
  EXPECT_EQ(sigmoid(200.0f), 1.0f);
}

// Sigma = R S S^T R^T.
Sym3<double> covariance(const Mat3<double>& rotation, const Vec3<double>& scale) {
  const Mat3<double> factor = covariance_factor(rotation, scale);
  const Vec3<double> r0 = row(factor, 0), r1 = row(factor, 1), r2 = row(factor, 2);
  return {dot(r0, r0), dot(r0, r1), dot(r0, r2), dot(r1, r1), dot(r1, r2), dot(r2, r2)};
}

// J W Sigma W^T J^T + low-pass, with J the numeric Jacobian of the pinhole map and plain matrix products.
TEST(Project, MatchesBruteForce) {
  RandomValues random(4);
  for (int i = 0; i < 100; ++i) {
    const View camera = random_view(random);
    const auto view = make_view_params<double>(camera);
    const Vec3<double> mean = random_mean(random, view, 0.1), scale = random.vec3(0.01, 0.5);
    const Quat<double> q = random.quat();
    auto pixel = [&](const std::vector<double>& x) {
      const auto p = camera.cam_from_world * std::array<double, 3>{x[0], x[1], x[2]};
      return std::array<double, 2>{camera.camera.fx * p[0] / p[2] + camera.camera.cx,
                                   camera.camera.fy * p[1] / p[2] + camera.camera.cy};
    };
    const std::vector<double> at{mean.x, mean.y, mean.z};
    const auto jx = central_differences([&](const std::vector<double>& x) { return pixel(x)[0]; }, at);
    const auto jy = central_differences([&](const std::vector<double>& x) { return pixel(x)[1]; }, at);
    const Sym3<double> s = covariance(rotation_from_quat(q), scale);
    const double sigma[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    auto form = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum += a[r] * sigma[r][c] * b[c];
      return sum;
    };
    const double xx = form(jx, jx) + kLowPass, xy = form(jx, jy), yy = form(jy, jy) + kLowPass;
    const double sharp = (xx - kLowPass) * (yy - kLowPass) - xy * xy, det = xx * yy - xy * xy;

    const Projection<double> p = project(view, mean, q, scale);
    ASSERT_TRUE(p.valid);
    EXPECT_NEAR(p.mean_px.x, pixel(at)[0], 1e-9);
    EXPECT_NEAR(p.mean_px.y, pixel(at)[1], 1e-9);
    EXPECT_NEAR(p.covariance.xx, xx, 1e-7 * xx);
    EXPECT_NEAR(p.covariance.xy, xy, 1e-7 * (xx + yy));
    EXPECT_NEAR(p.covariance.yy, yy, 1e-7 * yy);
    EXPECT_NEAR(p.determinant, det, 1e-7 * xx * yy);
    EXPECT_NEAR(p.conic.xx * xx + p.conic.xy * xy, 1, 1e-6);
    EXPECT_NEAR(p.conic.xy * xx + p.conic.yy * xy, 0, 1e-6 * xx);
    EXPECT_NEAR(p.compensation, std::sqrt(std::max(0.0, sharp / det)), 1e-5);
  }
}

TEST(Project, DepthAndPixelConvention) {
  View camera;
  camera.camera = {8, 6, 4, 4, 4, 3};
  const auto view = make_view_params<double>(camera);
  // A point seen in the centre of the top-left pixel: (0.5, 0.5).
  const auto p =
      project(view, {(0.5 - 4) / 4 * 2, (0.5 - 3) / 4 * 2, 2.0}, Quat<double>{1, 0, 0, 0}, Vec3<double>{0.1, 0.1, 0.1});
  EXPECT_NEAR(p.mean_px.x, 0.5, 1e-12);
  EXPECT_NEAR(p.mean_px.y, 0.5, 1e-12);
  EXPECT_EQ(p.depth, 2.0);
}

// The reference implementation's conventions as numbers: 0.3 px^2 on the diagonal, and beyond 1.3 tan(fov/2) the
// covariance is that of a splat on the limit.
TEST(Project, LowPassAndLimitOfTheJacobianAreTheReferenceOnes) {
  View camera;
  camera.camera = {64, 48, 50, 40, 32, 24};
  const auto view = make_view_params<double>(camera);
  const Quat<double> q{1, 0, 0, 0};
  const auto point = project(view, {0.1, 0.1, 2.0}, q, Vec3<double>{1e-9, 1e-9, 1e-9});
  EXPECT_NEAR(point.covariance.xx, 0.3, 1e-12);
  EXPECT_NEAR(point.covariance.xy, 0, 1e-12);
  EXPECT_NEAR(point.covariance.yy, 0.3, 1e-12);
  const double tan_x = 32 / 50.0, tan_y = 24 / 40.0;  // of half the field of view
  EXPECT_NEAR(view.u_max, 1.3 * tan_x, 1e-7);
  EXPECT_NEAR(view.u_min, -1.3 * tan_x, 1e-7);
  EXPECT_NEAR(view.v_max, 1.3 * tan_y, 1e-7);
  EXPECT_NEAR(view.v_min, -1.3 * tan_y, 1e-7);
  const Vec3<double> scale{0.2, 0.1, 0.3};
  auto xx_at = [&](double u) { return project(view, {2 * u, 0.0, 2.0}, q, scale).covariance.xx; };
  EXPECT_NEAR(xx_at(1.9 * tan_x), xx_at(1.3 * tan_x), 1e-5);
  EXPECT_GT(xx_at(1.29 * tan_x), xx_at(1.2 * tan_x) + 0.1);
}

void check_project_vjp(uint64_t seed, double margin, int wanted_clamped) {
  RandomValues random(seed);
  int clamped = 0;
  for (int i = 0; i < 100; ++i) {
    const auto view = make_view_params<double>(random_view(random));
    const Vec3<double> mean = random_mean(random, view, margin), log_scale = random.vec3(-4, -0.5);
    const Quat<double> q = random.quat();
    const Vec2<double> v_mean_px{random.normal(), random.normal()};
    const Sym2<double> v_conic{300 * random.normal(), 300 * random.normal(), 300 * random.normal()};
    const double v_compensation = 10 * random.normal();
    const Vec3<double> p_cam = camera_from_world(view, mean);
    const double u = p_cam.x / p_cam.z, v = p_cam.y / p_cam.z;
    auto close = [](double a, double b) { return std::abs(a - b) < 5e-3; };
    if (close(u, view.u_min) || close(u, view.u_max) || close(v, view.v_min) || close(v, view.v_max)) continue;
    clamped += u < view.u_min || u > view.u_max || v < view.v_min || v > view.v_max;
    auto loss = [&](const std::vector<double>& x) {
      const auto p = project(view, Vec3<double>{x[0], x[1], x[2]}, Quat<double>{x[3], x[4], x[5], x[6]},
                             Vec3<double>{exp(x[7]), exp(x[8]), exp(x[9])});
      return p.mean_px.x * v_mean_px.x + p.mean_px.y * v_mean_px.y + p.conic.xx * v_conic.xx + p.conic.xy * v_conic.xy +
             p.conic.yy * v_conic.yy + p.compensation * v_compensation;
    };
    const auto g = project_vjp(view, mean, q, Vec3<double>{exp(log_scale.x), exp(log_scale.y), exp(log_scale.z)},
                               v_mean_px, v_conic, v_compensation);
    const auto numeric = central_differences(
        loss, {mean.x, mean.y, mean.z, q.w, q.x, q.y, q.z, log_scale.x, log_scale.y, log_scale.z}, 2e-5);
    expect_gradients_near({g.v_mean.x, g.v_mean.y, g.v_mean.z}, {numeric[0], numeric[1], numeric[2]});
    expect_gradients_near({g.v_quat.w, g.v_quat.x, g.v_quat.y, g.v_quat.z},
                          {numeric[3], numeric[4], numeric[5], numeric[6]});
    expect_gradients_near({g.v_log_scale.x, g.v_log_scale.y, g.v_log_scale.z}, {numeric[7], numeric[8], numeric[9]});
  }
  EXPECT_GE(clamped, wanted_clamped);
}

TEST(Project, VjpMatchesDifferencesInsideTheImage) { check_project_vjp(5, 0.1, 0); }
TEST(Project, VjpMatchesDifferencesWhereTheJacobianIsClamped) { check_project_vjp(6, 0.8, 30); }

// One splat as parameter_chain.h reads it.
struct OneSplat {
  Vec3<double> at, size;
  Quat<double> turn;
  double opaque;
  std::array<Vec3<double>, kMaxCoefficients> coefficients;

  Vec3<double> mean() const { return at; }
  Vec3<double> scale() const { return size; }
  Quat<double> quat() const { return turn; }
  double opacity() const { return opaque; }
  Vec3<double> sh(int k) const { return coefficients[size_t(k)]; }
};

// Place, covariance, opacity and colour, all of which move with the camera.
void check_pose_gradient(uint64_t seed, double margin, bool antialias, int wanted_clamped) {
  RandomValues random(seed);
  int clamped = 0;
  for (int i = 0; i < 60; ++i) {
    const View start = random_view(random);
    const auto view = make_view_params<double>(start);
    OneSplat splat{random_mean(random, view, margin), random.vec3(0.02, 0.4), random.quat(), 0.7, {}};
    for (Vec3<double>& c : splat.coefficients) c = random.vec3(-0.02, 0.02);
    const Vec3<double> p_cam = camera_from_world(view, splat.at);
    const double u = p_cam.x / p_cam.z, v = p_cam.y / p_cam.z;
    auto close = [](double a, double b) { return std::abs(a - b) < 5e-3; };
    if (close(u, view.u_min) || close(u, view.u_max) || close(v, view.v_min) || close(v, view.v_max)) continue;
    clamped += u < view.u_min || u > view.u_max || v < view.v_min || v > view.v_max;
    SplatGradient<double> g;
    g.v_mean_px = {random.normal(), random.normal()};
    g.v_conic = {300 * random.normal(), 300 * random.normal(), 300 * random.normal()};
    g.v_opacity = 10 * random.normal();
    g.v_colour = {100 * random.normal(), 100 * random.normal(), 100 * random.normal()};
    auto loss = [&](const std::vector<double>& x) {
      View at = start;
      at.cam_from_world = moved(start.cam_from_world, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
      const auto params = make_view_params<double>(at);
      const auto f = footprint(params, antialias, 0.9, splat);
      const Projection<double>& p = f.projection;
      return p.mean_px.x * g.v_mean_px.x + p.mean_px.y * g.v_mean_px.y + p.conic.xx * g.v_conic.xx +
             p.conic.xy * g.v_conic.xy + p.conic.yy * g.v_conic.yy + f.opacity * g.v_opacity +
             dot(unclamped_colour_of(params, 3, splat), g.v_colour);
    };
    const Twist<double> got = pose_gradient(view, antialias, 0.9, 3, splat, g, true);
    const auto numeric = central_differences(loss, std::vector<double>(6), 1e-5);
    expect_gradients_near({got.translation.x, got.translation.y, got.translation.z},
                          {numeric[0], numeric[1], numeric[2]}, 2e-6);
    expect_gradients_near({got.rotation.x, got.rotation.y, got.rotation.z}, {numeric[3], numeric[4], numeric[5]}, 2e-6);
    const auto left_out = pose_gradient(view, antialias, 0.9, 3, splat, g, false);
    EXPECT_TRUE(left_out.translation.x == 0 && left_out.rotation.z == 0);
  }
  EXPECT_GE(clamped, wanted_clamped);
}

TEST(Project, GradientByThePoseMatchesDifferences) {
  check_pose_gradient(15, 0.1, false, 0);
  check_pose_gradient(16, 0.1, true, 0);
}
TEST(Project, GradientByThePoseMatchesDifferencesWhereTheJacobianIsClamped) { check_pose_gradient(17, 0.8, true, 15); }

TEST(Project, ThinSplatsKeepAPositiveDeterminantInFloat) {
  RandomValues random(7);
  for (int i = 0; i < 200; ++i) {
    const auto camera = random_view(random);
    const auto view = make_view_params<double>(camera);
    const Vec3<double> mean = random_mean(random, view, 0.1), scale{random.uniform(1, 30), 1e-4, 1e-4};
    const Quat<double> q = random.quat();
    const auto exact = project(view, mean, q, scale);
    const auto rounded =
        project(make_view_params<float>(camera), Vec3<float>{float(mean.x), float(mean.y), float(mean.z)},
                Quat<float>{float(q.w), float(q.x), float(q.y), float(q.z)},
                Vec3<float>{float(scale.x), float(scale.y), float(scale.z)});
    ASSERT_TRUE(rounded.valid);
    EXPECT_NEAR(rounded.determinant, exact.determinant, 1e-3 * exact.determinant);
  }
}

TEST(Project, FloatAgreesWithDouble) {
  RandomValues random(8);
  for (int i = 0; i < 300; ++i) {
    const auto camera = random_view(random);
    const auto view = make_view_params<double>(camera);
    const Vec3<double> mean = random_mean(random, view, 0.2), scale = random.vec3(0.01, 0.2);
    const Quat<double> q = random.quat();
    const auto a = project(view, mean, q, scale);
    const auto b = project(make_view_params<float>(camera), Vec3<float>{float(mean.x), float(mean.y), float(mean.z)},
                           Quat<float>{float(q.w), float(q.x), float(q.y), float(q.z)},
                           Vec3<float>{float(scale.x), float(scale.y), float(scale.z)});
    EXPECT_NEAR(b.mean_px.x, a.mean_px.x, 2e-3);
    EXPECT_NEAR(b.mean_px.y, a.mean_px.y, 2e-3);
    EXPECT_NEAR(b.conic.xx, a.conic.xx, 1e-4 * (a.conic.xx + a.conic.yy));
    EXPECT_NEAR(b.conic.xy, a.conic.xy, 1e-4 * (a.conic.xx + a.conic.yy));
    EXPECT_NEAR(b.compensation, a.compensation, 1e-4);
  }
}

TEST(Project, RefusesWhatCannotBeDrawn) {
  View camera;
  camera.camera = {64, 48, 50, 50, 32, 24};
  const auto view = make_view_params<float>(camera);
  const float nan = std::nanf(""), inf = HUGE_VALF;
  const Quat<float> q{1, 0, 0, 0};
  const Vec3<float> scale{0.1f, 0.1f, 0.1f};
  auto valid = [&](Vec3<float> mean, Quat<float> quat, Vec3<float> s) { return project(view, mean, quat, s).valid; };
  EXPECT_TRUE(valid({0, 0, 0.02f}, q, scale));
  EXPECT_FALSE(valid({0, 0, 0.005f}, q, scale));
  EXPECT_FALSE(valid({0, 0, -1}, q, scale));
  EXPECT_FALSE(valid({0, 0, 0}, q, scale));
  EXPECT_FALSE(valid({nan, 0, 1}, q, scale));
  EXPECT_FALSE(valid({0, 0, nan}, q, scale));
  EXPECT_FALSE(valid({0, 0, inf}, q, scale));
  EXPECT_FALSE(valid({inf, 0, 1}, q, scale));
  EXPECT_FALSE(valid({0, 0, 1}, {nan, 0, 0, 0}, scale));
  EXPECT_FALSE(valid({0, 0, 1}, {1, 0, 0, nan}, scale));
  EXPECT_FALSE(valid({0, 0, 1}, {1, inf, 0, 0}, scale));
  EXPECT_FALSE(valid({0, 0, 1}, q, {nan, 0.1f, 0.1f}));
  EXPECT_FALSE(valid({0, 0, 1}, q, {inf, inf, inf}));
  EXPECT_FALSE(valid({1e7f, 0, 1}, q, scale));
}

}  // namespace
}  // namespace splat::test
