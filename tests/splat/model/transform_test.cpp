// Moving a model: pictures stay what they were when the camera moves along, and turns compose.
#include "splat/model/transform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

using Vector = std::array<double, 3>;

Similarity random_similarity(RandomValues& random) {
  const math::Quat<double> q = random.quat();
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {random.uniform(0.3, 3),
          {q.w / length, q.x / length, q.y / length, q.z / length},
          {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}};
}

// The camera that sees the moved scene as `view` saw it: distances in its frame grow by the scale.
View moved(const View& view, const Similarity& to_from) {
  const math::Mat3<double> rotation = math::rotation_from_quat(to_from.rotation);
  View result = view;
  Rigid3& pose = result.cam_from_world;
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c) {
      pose.rotation[3 * r + c] = 0;
      for (size_t k = 0; k < 3; ++k)
        pose.rotation[3 * r + c] += view.cam_from_world.rotation[3 * r + k] * rotation.m[c][k];
    }
  for (size_t r = 0; r < 3; ++r) {
    pose.translation[r] = to_from.scale * view.cam_from_world.translation[r];
    for (size_t c = 0; c < 3; ++c) pose.translation[r] -= pose.rotation[3 * r + c] * to_from.translation[c];
  }
  return result;
}

ImageF render(const Gaussians& model, const View& view) {
  ReferenceBackend backend;
  backend.upload(model);
  backend.forward(view, {});
  ImageF image;
  backend.read_image(image);
  return image;
}

double largest_difference(const ImageF& a, const ImageF& b) {
  EXPECT_EQ(a.rgb.size(), b.rgb.size());
  double largest = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(double(a.rgb[i]) - b.rgb[i]));
  return largest;
}

TEST(Transform, AMovedSceneLooksTheSameToACameraThatMovesAlong) {
  RandomValues random(4);
  for (int degree = 0; degree <= 3; ++degree) {
    const Scene scene = make_scene({.seed = uint64_t(degree) + 1, .sh_degree = degree});
    const Similarity similarity = random_similarity(random);
    ThreadPool pool(2);
    Gaussians model = scene.model;
    transform(model, similarity, pool);
    const ImageF before = render(scene.model, scene.view);
    EXPECT_LE(largest_difference(before, render(model, moved(scene.view, similarity))), 1.0 / 255) << degree;
    EXPECT_GT(largest_difference(before, render(model, scene.view)), 10.0 / 255);
  }
}

TEST(Transform, ColoursAreTurnedToo) {
  const Scene scene = make_scene({.seed = 9, .sh_degree = 3});
  RandomValues random(5);
  const Similarity similarity = random_similarity(random);
  ThreadPool pool(1);
  Gaussians model = scene.model;
  transform(model, similarity, pool);
  model.sh = scene.model.sh;
  EXPECT_GT(largest_difference(render(scene.model, scene.view), render(model, moved(scene.view, similarity))),
            10.0 / 255);
}

TEST(Transform, HalfTurnsAreExactAndUndoThemselves) {
  const Scene scene = make_scene({.seed = 3, .sh_degree = 3});
  ThreadPool pool(1);
  for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}) {
    const Similarity turn{1, quat_about(axis, 180), {}};
    Gaussians model = scene.model;
    transform(model, turn, pool);
    for (size_t i = 0; i < model.means.size(); ++i)
      EXPECT_EQ(model.means[i], axis[i % 3] == 1 ? scene.model.means[i] : -scene.model.means[i]);
    transform(model, turn, pool);
    EXPECT_EQ(model.means, scene.model.means);
    EXPECT_EQ(model.sh, scene.model.sh);
    for (size_t i = 0; i < model.quats.size(); ++i) EXPECT_EQ(std::abs(model.quats[i]), std::abs(scene.model.quats[i]));
  }
}

// Covariance of a row, [3,3].
std::array<double, 9> covariance(const Gaussians& model, size_t row) {
  const float* q = model.quats.data() + 4 * row;
  const math::Mat3<double> r = math::rotation_from_quat(math::Quat<double>{q[0], q[1], q[2], q[3]});
  std::array<double, 9> s{};
  for (size_t i = 0; i < 9; ++i)
    for (size_t k = 0; k < 3; ++k)
      s[i] += r.m[i / 3][k] * std::exp(2.0 * model.log_scales[3 * row + k]) * r.m[i % 3][k];
  return s;
}

TEST(LinearMap, ShapesBecomeMSMTransposedMirroredOrNot) {
  RandomValues random(11);
  ThreadPool pool(2);
  int mirrors = 0;
  for (int round = 0; round < 20; ++round) {
    const Scene scene = make_scene({.seed = uint64_t(round) + 1, .sh_degree = 0});
    LinearMap map{{}, {random.uniform(-2, 2), 0, 1}};
    for (double& value : map.linear) value = random.uniform(-2, 2);
    if (std::abs(determinant(map)) < 0.1) continue;
    mirrors += determinant(map) < 0;
    Gaussians model = scene.model;
    EXPECT_FALSE(transform_linearly(model, map, pool));
    for (size_t row = 0; row < model.size(); ++row) {
      const auto before = covariance(scene.model, row), after = covariance(model, row);
      double largest = 0;
      for (const double value : after) largest = std::max(largest, std::abs(value));
      for (size_t i = 0; i < 9; ++i) {
        double expected = 0;
        for (size_t k = 0; k < 9; ++k)
          expected += map.linear[i / 3 * 3 + k / 3] * before[k] * map.linear[i % 3 * 3 + k % 3];
        EXPECT_NEAR(after[i], expected, 1e-5 * largest) << row;
      }
      for (size_t i = 0; i < 3; ++i) {
        double expected = map.translation[i];
        for (size_t k = 0; k < 3; ++k) expected += map.linear[3 * i + k] * scene.model.means[3 * row + k];
        EXPECT_NEAR(model.means[3 * row + i], expected, 1e-5 * (1 + std::abs(expected)));
      }
    }
  }
  EXPECT_GT(mirrors, 3);
}

// Seen in a mirror, colours included: the picture of the mirrored camera is the picture from right to left.
TEST(LinearMap, AMirroredSceneIsTheMirroredPicture) {
  ThreadPool pool(1);
  for (int degree = 0; degree <= 3; ++degree) {
    const Scene scene = make_scene({.seed = uint64_t(degree) + 21, .sh_degree = degree});
    const LinearMap mirror{{0, -2, 0, -2, 0, 0, 0, 0, 2}, {1, 2, 3}};  // turned and scaled as well
    Gaussians model = scene.model;
    EXPECT_TRUE(transform_linearly(model, mirror, pool));
    // cam' = P cam mirror^-1, P: x becomes -x; a rotation again.
    View view = scene.view;
    Rigid3& pose = view.cam_from_world;
    const std::array<double, 9> r = pose.rotation;
    for (size_t i = 0; i < 3; ++i) {
      const double sign = i == 0 ? -1 : 1;
      pose.rotation[3 * i] = -sign * r[3 * i + 1];
      pose.rotation[3 * i + 1] = -sign * r[3 * i];
      pose.rotation[3 * i + 2] = sign * r[3 * i + 2];
      pose.translation[i] = sign * 2 * scene.view.cam_from_world.translation[i];
      for (size_t k = 0; k < 3; ++k) pose.translation[i] -= pose.rotation[3 * i + k] * mirror.translation[k];
    }
    view.camera.cx = view.camera.width - view.camera.cx;
    const ImageF expected = render(scene.model, scene.view), got = render(model, view);
    double largest = 0;
    const size_t width = size_t(view.camera.width);
    for (size_t i = 0; i < got.rgb.size(); ++i) {
      const size_t mirrored = i / width * width + (width - 1 - i % width);
      largest = std::max(largest, std::abs(double(got.rgb[i]) - expected.rgb[mirrored]));
    }
    EXPECT_LE(largest, 1.0 / 255) << degree;
  }
}

TEST(Similarity, TurnsAnyUpToYAndLikeOnesAlike) {
  const auto turned = [](const Vector& up, const Vector& x) { return Similarity{1, turn_to_y_up(up), {}}.turned(x); };
  RandomValues random(7);
  for (int i = 0; i < 50; ++i) {
    const auto up = random.unit();
    const Vector got = turned({up.x, up.y, up.z}, {up.x, up.y, up.z});
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(got[c], c == 1 ? 1 : 0, 1e-12);
  }
  const Vector x{1, 2, 3};
  EXPECT_EQ(turned({0, -3, 0}, x), (Vector{-1, -2, 3}));
  EXPECT_EQ(turned({0, 1, 0}, x), x);
  for (const Vector& up : {Vector{0, -1, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}, Vector{1, 0, 0}})
    for (const double noise : {-1e-3, 1e-3})
      for (size_t axis = 0; axis < 3; ++axis) {
        Vector near = up;
        near[axis] += noise;
        for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(turned(near, x)[c], turned(up, x)[c], 0.01) << axis;
      }
}

TEST(Similarity, ComposesAndTurnsDirections) {
  RandomValues random(6);
  const Similarity a = random_similarity(random), b = random_similarity(random);
  const Vector x{0.3, -2, 5}, direct = b * (a * x), composed = (b * a) * x;
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(direct[c], composed[c], 1e-12);
  for (int i = 0; i < 50; ++i) {
    const auto from = random.unit(), to = random.unit();
    const Similarity turn{1, quat_between({from.x, from.y, from.z}, {to.x, to.y, to.z}), {}};
    const Vector got = turn.turned({from.x, from.y, from.z});
    EXPECT_NEAR(got[0], to.x, 1e-12);
    EXPECT_NEAR(got[1], to.y, 1e-12);
    EXPECT_NEAR(got[2], to.z, 1e-12);
  }
  for (const Vector& axis : {Vector{0, -1, 0}, Vector{0, 0, 1}, Vector{1, 0, 0}}) {
    const Vector opposite{-axis[0], -axis[1], -axis[2]};
    EXPECT_EQ((Similarity{1, quat_between(axis, opposite), {}}.turned(axis)), opposite);
  }
  const Vector quarter = Similarity{1, quat_about({0, 0, 2}, 90), {}}.turned({1, 0, 0});
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(quarter[c], c == 1 ? 1 : 0, 1e-15);
}

TEST(Similarity, QuaternionsFromMatricesGiveThemBack) {
  RandomValues random(7);
  for (int i = 0; i < 100; ++i) {
    const math::Mat3<double> m = math::rotation_from_quat(random.quat());
    std::array<double, 9> flat{};
    for (size_t k = 0; k < 9; ++k) flat[k] = m.m[k / 3][k % 3];
    const math::Mat3<double> again = math::rotation_from_quat(quat_from_rotation(flat));
    for (size_t k = 0; k < 9; ++k) EXPECT_NEAR(again.m[k / 3][k % 3], flat[k], 1e-12);
  }
}

TEST(Similarity, AnglesAboutTheAxesGiveTheTurnBack) {
  RandomValues random(8);
  const auto expect_same = [](const math::Quat<double>& a, const math::Quat<double>& b) {
    for (size_t axis = 0; axis < 3; ++axis) {
      Vector direction{};
      direction[axis] = 1;
      const Vector one = Similarity{1, a, {}}.turned(direction), other = Similarity{1, b, {}}.turned(direction);
      for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(one[c], other[c], 1e-6);
    }
  };
  for (int i = 0; i < 100; ++i) {
    const Vector degrees{random.uniform(-180, 180), random.uniform(-89, 89), random.uniform(-180, 180)};
    const math::Quat<double> turn = quat_about_axes(degrees);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(degrees_about_axes(turn)[c], degrees[c], 1e-9);
    const Similarity in_turn =
        Similarity{1, quat_about({0, 0, 1}, degrees[2]), {}} *
        (Similarity{1, quat_about({0, 1, 0}, degrees[1]), {}} * Similarity{1, quat_about({1, 0, 0}, degrees[0]), {}});
    expect_same(turn, in_turn.rotation);
    const math::Quat<double> any = quat_about_axes({random.uniform(-400, 400), random.uniform(-400, 400), 0});
    expect_same(quat_about_axes(degrees_about_axes(any)), any);
  }
  for (const double upright : {90.0, -90.0}) {  // x and z are about one axis then
    const math::Quat<double> turn = quat_about_axes({20, upright, 50});
    EXPECT_EQ(degrees_about_axes(turn)[1], upright);
    expect_same(quat_about_axes(degrees_about_axes(turn)), turn);
  }
  const math::Quat<double> none = quat_about_axes({0, 0, 0});
  EXPECT_TRUE((Similarity{1, none, {}}.is_identity()));
  for (const double zero : degrees_about_axes(none)) EXPECT_FALSE(std::signbit(zero));
}

}  // namespace
}  // namespace splat::test
