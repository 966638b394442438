// Bounds of rows against the projection of every one of them: what bounds rule out holds nothing that is visible, and
// most of what is not visible is ruled out.
#include "splat/math/row_bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "splat/math/dropout.h"
#include "splat/math/parameter_chain.h"
#include "splat/model/camera.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

struct Row {
  Vec3<float> place, log_scale;
  Quat<float> turn;
  float strength;

  Vec3<float> mean() const { return place; }
  Vec3<float> scale() const { return {exp(log_scale.x), exp(log_scale.y), exp(log_scale.z)}; }
  Quat<float> quat() const { return turn; }
  float opacity() const { return strength; }
};

struct Case {
  ViewParams<float> view;
  bool antialias = false;
  float opacity_factor = 1;
  std::vector<Row> rows;
};

bool any_visible(const Case& c) {
  for (const Row& row : c.rows)
    if (footprint(c.view, c.antialias, c.opacity_factor, row).in_view) return true;
  return false;
}
bool ruled_out(const Case& c) {
  RowBounds<float> bounds = bounds_of_no_rows<float>();
  for (const Row& row : c.rows) include(row.place, row.log_scale, bounds);
  return !may_be_visible(sides_of(c.view, double(c.opacity_factor)), bounds);
}

Vec3<float> narrowed(const Vec3<double>& v) { return {float(v.x), float(v.y), float(v.z)}; }

// far: how far the world's origin lies from what is seen, world units.
Case random_view(RandomValues& random, double far) {
  View view;
  const int width = 1 + int(random.below(900)), height = 1 + int(random.below(900));
  const double focal = std::exp(random.uniform(std::log(20.0), std::log(4000.0)));
  view.camera = {width,
                 height,
                 float(focal),
                 float(focal * random.uniform(0.7, 1.4)),
                 float(random.uniform(-0.3, 1.3) * width),
                 float(random.uniform(-0.3, 1.3) * height)};
  const Mat3<double> rotation = rotation_from_quat(random.quat());
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c) view.cam_from_world.rotation[3 * r + c] = rotation.m[r][c];
  for (double& t : view.cam_from_world.translation) t = random.uniform(-far, far);
  Case c;
  const float low_passes[] = {0.3f, 0.3f, 0.1f, 0.001f, 2, 100};
  c.view = make_view_params<float>(view, low_passes[random.below(6)]);
  c.antialias = random.below(2) == 1;
  if (random.below(3) == 0) c.opacity_factor = dropout_factor({.share = random.below(255)});
  return c;
}

// Around a place that lies anywhere about the view, often close to its border or around the camera.
void add_rows(RandomValues& random, size_t count, Case& c) {
  const double depth = random.below(4) == 0 ? random.uniform(-0.1, 0.1) : std::exp(random.uniform(-3, 5));
  const auto across = [&](float c0, float size, float f) {
    const double px = random.below(2) ? random.uniform(-3, 4) * double(size) : (random.below(2) ? double(size) : 0);
    return (px - double(c0)) / double(f) * depth;
  };
  const Vec3<double> in_camera{across(c.view.cx, c.view.width, c.view.fx), across(c.view.cy, c.view.height, c.view.fy),
                               depth};
  const double spread = std::abs(depth) * std::exp(random.uniform(-6, 0)), size = std::exp(random.uniform(-9, 1));
  for (size_t i = 0; i < count; ++i) {
    const Vec3<double> at = in_camera + random.uniform(0, spread) * random.unit();
    const Vec3<float> shifted = narrowed(at) - c.view.translation;
    Row row{transposed_times(c.view.rotation, shifted), {}, {}, float(random.uniform(0.003, 1))};
    Vec3<double> sizes = random.vec3(-4, 0);
    if (random.below(4) == 0) sizes = {random.uniform(0, 3), -14, -14};  // a needle
    const double longest = std::log(size * std::abs(depth));
    row.log_scale = narrowed({longest + sizes.x, longest + sizes.y, longest + sizes.z});
    const Quat<double> q = random.quat();
    row.turn = {float(q.w), float(q.x), float(q.y), float(q.z)};
    c.rows.push_back(row);
  }
}

void spoil(RandomValues& random, Row& row) {
  const float values[] = {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          1e30f,
                          -1e38f,
                          0};
  const float value = values[random.below(6)];
  float* parts[] = {&row.place.x,     &row.place.y,     &row.place.z, &row.log_scale.x,
                    &row.log_scale.y, &row.log_scale.z, &row.turn.w,  &row.turn.z};
  *parts[random.below(8)] = value;
}

struct Counts {
  int visible = 0, ruled_out = 0, invisible = 0;
};
Counts check(uint64_t seed, int cases, size_t rows, double far, int spoiled) {
  RandomValues random(seed);
  Counts counts;
  for (int i = 0; i < cases; ++i) {
    Case c = random_view(random, far);
    add_rows(random, rows, c);
    for (int s = 0; s < spoiled; ++s) spoil(random, c.rows[random.below(uint32_t(rows))]);
    const bool visible = any_visible(c), out = ruled_out(c);
    EXPECT_FALSE(visible && out) << "case " << i;
    counts.visible += visible, counts.ruled_out += out, counts.invisible += !visible;
  }
  return counts;
}

TEST(RowBounds, RuleOutNothingThatIsVisible) {
  for (const double far : {0.0, 3.0, 1000.0}) {
    SCOPED_TRACE(far);
    const Counts one = check(1, 150000, 1, far, 0), some = check(2, 4000, 40, far, 0);
    EXPECT_GT(one.visible, 15000);
    EXPECT_GT(one.ruled_out, 0.7 * one.invisible);
    EXPECT_GT(some.visible, 400);
    EXPECT_GT(some.ruled_out, 0.6 * some.invisible);
  }
}
TEST(RowBounds, RuleOutNothingThatIsVisibleAmongBrokenRows) {
  EXPECT_GT(check(3, 20000, 4, 3, 1).ruled_out, 1000);
  EXPECT_GT(check(4, 20000, 2, 3, 6).visible, 100);
}

Case looking_along_z() {
  View view;
  view.camera = {100, 80, 100, 100, 50, 40};
  return {make_view_params<float>(view), false, 1, {}};
}
Row small_at(float x, float y, float z) { return {{x, y, z}, {-6, -6, -6}, {1, 0, 0, 0}, 0.9f}; }

TEST(RowBounds, LieBehindAndBesideTheView) {
  const std::array<Row, 6> beside{small_at(0, 0, -1), small_at(0, 0, 0),  small_at(-2, 0, 3),
                                  small_at(2, 0, 3),  small_at(0, -2, 3), small_at(0, 2, 3)};
  for (const Row& row : beside) {
    Case c = looking_along_z();
    c.rows = {row};
    EXPECT_TRUE(ruled_out(c));
  }
  Case c = looking_along_z();
  c.rows = {small_at(0, 0, 3)};
  EXPECT_FALSE(ruled_out(c));
  c.rows = {beside[2], beside[3]};  // a box across the view
  EXPECT_FALSE(ruled_out(c));
  c.rows = {beside[2]};
  c.rows[0].log_scale.y = 0;  // long enough to reach into it
  EXPECT_FALSE(ruled_out(c));
}

TEST(RowBounds, WhatIsNotKnownMayBeVisible) {
  const Case c = looking_along_z();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(may_be_visible(sides_of(c.view, 1), RowBounds<float>{{nan, nan, nan}, {nan, nan, nan}, nan}));
}

}  // namespace
}  // namespace splat::test
