// What each filter takes out, their order, and the row operations below them.
#include "splat/edit/filters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "splat/edit/merge.h"
#include "splat/edit/rows.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"
#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

using namespace edit;

// Splat i stands at (i, 0, 0), has log scale -1, opacity (i + 1) / (n + 1) and no rotation; sh is all i.
Gaussians row_of_splats(size_t n, int degree = 1) {
  Gaussians model;
  model.sh_degree = degree;
  model.resize(n);
  for (size_t i = 0; i < n; ++i) {
    model.means[3 * i] = float(i);
    for (size_t c = 0; c < 3; ++c) model.log_scales[3 * i + c] = -1;
    model.quats[4 * i] = 1;
    model.logit_opacities[i] = float(math::logit(double(i + 1) / double(n + 1)));
  }
  const size_t width = size_t(model.coefficients()) * 3;
  for (size_t k = 0; k < model.sh.size(); ++k) {
    const size_t row = k / width;
    model.sh[k] = float(row);
  }
  return model;
}

std::vector<int> left(const Gaussians& model) {
  std::vector<int> rows;
  for (size_t i = 0; i < model.size(); ++i) {
    rows.push_back(int(std::lround(model.means[3 * i])));
    EXPECT_EQ(model.sh[i * size_t(model.coefficients()) * 3], float(rows.back()));
  }
  return rows;
}

FilterReport apply(Gaussians& model, const FilterSettings& settings) {
  ThreadPool pool(2);
  return apply_filters(model, settings, pool);
}

TEST(Filters, NothingAskedChangesNothing) {
  Gaussians model = row_of_splats(5);
  EXPECT_EQ(apply(model, {}).removed(), 0u);
  EXPECT_EQ(left(model), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Filters, InvalidRows) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  Gaussians model = row_of_splats(8);
  model.means[3 * 1 + 1] = kNan;
  model.quats[4 * 2] = 0;
  model.logit_opacities[3] = kNan;
  model.logit_opacities[4] = kInfinity;      // legal
  model.log_scales[3 * 5 + 2] = -kInfinity;  // legal
  model.sh[6 * 12 + 11] = -kInfinity;
  EXPECT_EQ(apply(model, {.drop_invalid = true}).invalid, 4u);
  EXPECT_EQ(left(model), (std::vector<int>{0, 4, 5, 7}));
}

TEST(Filters, OpacityBoxAndSphereKeepTheirBorder) {
  Gaussians model = row_of_splats(9);  // opacities 0.1 .. 0.9
  EXPECT_EQ(apply(model, {.min_opacity = 0.35}).transparent, 3u);
  EXPECT_EQ(left(model), (std::vector<int>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(apply(model, {.crop_box = Box{{4, -1, 0}, {8, 1, 0}}}).outside_box, 1u);
  EXPECT_EQ(left(model), (std::vector<int>{4, 5, 6, 7, 8}));
  EXPECT_EQ(apply(model, {.crop_sphere = Sphere{{8, 0, 0}, 2}}).outside_sphere, 2u);
  EXPECT_EQ(left(model), (std::vector<int>{6, 7, 8}));
}

TEST(Filters, ThoseThatContributeMostStayInTheirOrder) {
  Gaussians model = row_of_splats(6);
  for (size_t c = 0; c < 3; ++c) model.log_scales[c] = 2;  // row 0 is the largest by far
  model.log_scales[3 * 5] = -30;                           // needles and points shadow nothing
  model.log_scales[3 * 5 + 1] = -30;
  EXPECT_EQ(apply(model, {.max_splats = 3}).least, 3u);
  EXPECT_EQ(left(model), (std::vector<int>{0, 3, 4}));
  Gaussians equal = row_of_splats(4);
  for (float& logit : equal.logit_opacities) logit = 0;
  apply(equal, {.max_splats = 2});
  EXPECT_EQ(left(equal), (std::vector<int>{0, 1}));
}

TEST(Filters, RunInTheirDocumentedOrder) {
  Gaussians model = row_of_splats(10, 2);
  FilterSettings settings;
  settings.crop_box = Box{{2, -1, -1}, {8, 1, 1}};  // in the coordinates before the transform
  settings.max_splats = 4;                          // of those in the box: the most opaque, 5 to 8
  settings.max_sh_degree = 1;
  settings.transform = Similarity{10, {1, 0, 0, 0}, {1, 2, 3}};
  const FilterReport report = apply(model, settings);
  EXPECT_EQ(report.outside_box, 3u);
  EXPECT_EQ(report.least, 3u);
  ASSERT_EQ(model.size(), 4u);
  EXPECT_EQ(model.sh_degree, 1);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(model.means[3 * i], float(10 * (i + 5) + 1));
    EXPECT_EQ(model.means[3 * i + 1], 2);
    EXPECT_EQ(model.means[3 * i + 2], 3);
    EXPECT_NEAR(model.log_scales[3 * i], -1 + std::log(10.0), 1e-6);
  }
}

TEST(Filters, ThreadsDoNotChangeTheResult) {
  const Gaussians start = make_scene({.seed = 8, .splats = 20000}).model;
  FilterSettings settings;
  settings.min_opacity = 0.3;
  settings.max_splats = 9000;
  settings.transform = Similarity{1.7, quat_about({1, 2, 3}, 40), {1, 2, 3}};
  settings.morton = true;
  Gaussians one = start, three = start;
  ThreadPool single(1), several(3);
  apply_filters(one, settings, single);
  apply_filters(three, settings, several);
  EXPECT_EQ(one.size(), 9000u);
  EXPECT_EQ(one.means, three.means);
  EXPECT_EQ(one.quats, three.quats);
  EXPECT_EQ(one.sh, three.sh);
}

TEST(Rows, ReorderingInPlaceIsGathering) {
  const Gaussians start = make_scene({.seed = 2, .splats = 500}).model;
  RandomValues random(3);
  std::vector<uint32_t> order(start.size());
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(uint32_t(i + 1))]);
  Gaussians model = start;
  reorder_rows(model, order);
  const Gaussians expected = gather_rows(start, order);
  EXPECT_EQ(model.means, expected.means);
  EXPECT_EQ(model.log_scales, expected.log_scales);
  EXPECT_EQ(model.quats, expected.quats);
  EXPECT_EQ(model.logit_opacities, expected.logit_opacities);
  EXPECT_EQ(model.sh, expected.sh);
}

TEST(Rows, DegreesGoDownInPlace) {
  const Gaussians start = make_scene({.seed = 2, .splats = 50, .sh_degree = 3}).model;
  for (int degree = 0; degree <= 3; ++degree) {
    Gaussians model = start;
    reduce_sh_degree(model, degree);
    EXPECT_EQ(model.sh, with_sh_degree(start, degree).sh);
    EXPECT_EQ(model.sh_degree, degree);
  }
}

TEST(Merge, RowsFollowEachOtherAtTheHighestDegree) {
  std::vector<Gaussians> models;
  for (const auto& [splats, degree] : {std::pair{70000, 1}, std::pair{0, 2}, std::pair{5, 3}, std::pair{40, 0}})
    models.push_back(make_scene({.seed = models.size(), .splats = splats, .sh_degree = degree}).model);
  const std::vector<Gaussians> before = models;
  const Gaussians merged = merge(std::move(models));
  check_shapes(merged, 3);
  ASSERT_EQ(merged.size(), 70045u);
  Gaussians expected = with_sh_degree(before[0], 3);
  for (size_t m = 1; m < before.size(); ++m) append_rows(with_sh_degree(before[m], 3), expected);
  EXPECT_EQ(merged.means, expected.means);
  EXPECT_EQ(merged.log_scales, expected.log_scales);
  EXPECT_EQ(merged.quats, expected.quats);
  EXPECT_EQ(merged.logit_opacities, expected.logit_opacities);
  EXPECT_EQ(merged.sh, expected.sh);
  EXPECT_EQ(merge({}).size(), 0u);
  EXPECT_EQ(merge({before[2]}).sh, before[2].sh);
}

TEST(Merge, FilteringBeforeAndAfterIsFilteringAll) {
  const Gaussians first = make_scene({.seed = 1, .splats = 900}).model,
                  second = make_scene({.seed = 2, .splats = 700}).model;
  FilterSettings settings;
  settings.min_opacity = 0.4;
  settings.crop_sphere = Sphere{{first.means[0], first.means[1], first.means[2]}, 4};
  settings.max_splats = 50;
  settings.max_sh_degree = 1;
  settings.transform = Similarity{2, quat_about({1, 2, 3}, 40), {1, 2, 3}};
  settings.morton = true;
  Gaussians whole = merge({first, second});
  const FilterReport expected = apply(whole, settings);
  std::vector<Gaussians> parts{first, second};
  FilterReport report;
  for (Gaussians& part : parts) report += apply(part, row_by_row(settings));
  Gaussians model = merge(std::move(parts));
  report += apply(model, all_at_once(settings));
  EXPECT_EQ(report.transparent, expected.transparent);
  EXPECT_EQ(report.outside_sphere, expected.outside_sphere);
  EXPECT_EQ(report.least, expected.least);
  EXPECT_GT(report.least, 0u);
  EXPECT_EQ(model.sh_degree, 1);
  EXPECT_EQ(model.means, whole.means);
  EXPECT_EQ(model.quats, whole.quats);
  EXPECT_EQ(model.sh, whole.sh);
}

TEST(Repair, UndoesActivationsAndOrders) {
  const Gaussians good = make_scene({.seed = 4, .splats = 5000}).model;
  Gaussians model = good;
  for (float& value : model.logit_opacities) value = math::sigmoid(value);
  for (float& value : model.log_scales) value = std::exp(value);
  for (size_t i = 0; i < model.size(); ++i) {
    float* q = model.quats.data() + 4 * i;
    std::rotate(q, q + 1, q + 4);
    float* sh = model.sh.data() + i * size_t(model.coefficients()) * 3;
    for (size_t c = 0; c < 3; ++c) sh[c] = float(0.5 + math::kSh0 * sh[c]);
  }
  const Gaussians broken = model;
  apply(model, {.repairs = {.opacity = true, .scale = true, .colour = true, .rotation = true}});
  EXPECT_EQ(model.means, good.means);
  EXPECT_EQ(model.quats, good.quats);
  for (size_t i = 0; i < good.log_scales.size(); ++i) ASSERT_NEAR(model.log_scales[i], good.log_scales[i], 1e-5);
  for (size_t i = 0; i < good.sh.size(); ++i) ASSERT_NEAR(model.sh[i], good.sh[i], 1e-6);
  for (size_t i = 0; i < good.size(); ++i) ASSERT_NEAR(model.logit_opacities[i], good.logit_opacities[i], 1e-4);
  Gaussians rotations = broken;  // each alone
  apply(rotations, {.repairs = {.rotation = true}});
  EXPECT_EQ(rotations.quats, good.quats);
  EXPECT_EQ(rotations.log_scales, broken.log_scales);
}

TEST(Repair, OpacitiesMayBeBytes) {
  Gaussians model;
  model.resize(3);
  model.logit_opacities = {0, 51, 255};
  apply(model, {.repairs = {.opacity = true}});
  EXPECT_NEAR(math::sigmoid(model.logit_opacities[1]), 0.2, 1e-6);
  EXPECT_EQ(math::sigmoid(model.logit_opacities[0]), 0);
  EXPECT_EQ(math::sigmoid(model.logit_opacities[2]), 1);
}

TEST(Repair, ColoursMayBeBytes) {
  for (const int degree : {0, 2}) {
    Gaussians model;
    model.sh_degree = degree;
    model.resize(2);
    const size_t stride = 3 * size_t(model.coefficients());
    model.sh[0] = 255, model.sh[1] = 0, model.sh[2] = 51, model.sh[stride] = 128, model.sh[stride + 1] = 204;
    model.sh[stride + 2] = std::nanf("");
    apply(model, {.repairs = {.colour = true}});
    const auto shown = [&](size_t i) { return 0.5 + math::kSh0 * double(model.sh[i]); };
    EXPECT_NEAR(shown(0), 1, 1e-6);
    EXPECT_NEAR(shown(1), 0, 1e-6);
    EXPECT_NEAR(shown(2), 0.2, 1e-6);
    EXPECT_NEAR(shown(stride), 128.0 / 255, 1e-6);
    EXPECT_NEAR(shown(stride + 1), 0.8, 1e-6);
  }
}

TEST(Repair, ComesBeforeTheFiltersThatLookAtValues) {
  Gaussians model = row_of_splats(9);
  for (float& value : model.logit_opacities) value = math::sigmoid(value);  // 0.1 .. 0.9
  EXPECT_EQ(apply(model, {.repairs = {.opacity = true}, .min_opacity = 0.35}).transparent, 3u);
}

TEST(Morton, NeighboursInTheListAreNeighboursInSpace) {
  RandomValues random(5);
  std::vector<float> means;
  for (int i = 0; i < 6000; ++i) means.push_back(float(random.uniform(-5, 5)));
  means[3 * 7 + 1] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<uint32_t> order = morton_order(means);
  std::vector<uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  EXPECT_EQ(order.back(), 7u);
  const auto length = [&](auto&& row) {
    double sum = 0;
    for (size_t i = 1; i + 1 < order.size(); ++i)
      sum += std::hypot(means[3 * row(i)] - means[3 * row(i - 1)], means[3 * row(i) + 1] - means[3 * row(i - 1) + 1],
                        means[3 * row(i) + 2] - means[3 * row(i - 1) + 2]);
    return sum;
  };
  const double along = length([&](size_t i) { return size_t(order[i]); });
  const double across = length([&](size_t i) { return i < 7 ? i : i + 1; });
  EXPECT_LT(along, across / 4);
}

// The mean of the widest side of the box around 256 neighbours in Morton order; rows from `absurd` on do not count.
double mean_chunk(const std::vector<float>& means, uint32_t absurd) {
  std::vector<uint32_t> order = morton_order(means);
  std::erase_if(order, [&](uint32_t row) { return row >= absurd; });
  double sum = 0;
  const size_t chunks = order.size() / 256;
  for (size_t first = 0; first < 256 * chunks; first += 256) {
    double widest = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto lesser = [&](uint32_t a, uint32_t b) { return means[3 * a + axis] < means[3 * b + axis]; };
      const auto from = order.begin() + ptrdiff_t(first);
      const auto [low, high] = std::minmax_element(from, from + 256, lesser);
      widest = std::max(widest, double(means[3 * *high + axis]) - means[3 * *low + axis]);
    }
    sum += widest;
  }
  return sum / double(chunks);
}

TEST(Morton, AFlatMapIsCutIntoSquaresAndNotIntoLayers) {
  RandomValues random(6);
  std::vector<float> means;
  for (int i = 0; i < 16384; ++i)
    for (const double side : {600.0, 600.0, 2.0}) means.push_back(float(random.uniform(0, side)));
  EXPECT_LT(mean_chunk(means, 16384), 150);  // 64 squares of 75 each; layers would be 600 wide
}

TEST(Morton, AFewAbsurdSplatsDoNotBlindTheOthers) {
  RandomValues random(7);
  std::vector<float> means;
  for (int i = 0; i < 3 * 16384; ++i) means.push_back(float(random.uniform(0, 8)));
  const double alone = mean_chunk(means, 16384);
  EXPECT_LT(alone, 4);  // 64 cubes of 2 would do, but chunks end inside of cells; in no order it is 8
  means.insert(means.end(), {3e38f, 1, -3e38f, 1, 3e38f, 1});
  EXPECT_LT(mean_chunk(means, 16384), 1.3 * alone);
}

}  // namespace
}  // namespace splat::test
