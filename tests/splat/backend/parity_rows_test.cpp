// Row operations of every backend: parameters, moments and statistics of a splat always move together, bit for bit.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "splat/math/activation.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

struct State {
  Gaussians model;
  AdamMoments moments;
  DensifyStatistics statistics;
};

State read_state(Backend& backend) {
  State state;
  backend.download(state.model);
  backend.download_moments(state.moments);
  backend.read_statistics(state.statistics);
  return state;
}

void expect_same_state(const State& a, const State& b) {
  expect_identical(a.model, b.model);
  expect_identical(a.moments.first, b.moments.first);
  expect_identical(a.moments.second, b.moments.second);
  expect_identical(a.statistics, b.statistics);
}

// Applied to every array of a state with its values per row.
template <class Function>
void for_each_array(State& state, const Function& apply) {
  for (Gaussians* part : {&state.model, &state.moments.first, &state.moments.second}) {
    apply(part->means, 3);
    apply(part->log_scales, 3);
    apply(part->quats, 4);
    apply(part->logit_opacities, 1);
    apply(part->sh, 3 * size_t(part->coefficients()));
  }
  apply(state.statistics.mean2d_gradient_norm, 1);
  apply(state.statistics.visible_count, 1);
  apply(state.statistics.max_radius_px, 1);
}

// A backend with something in all of its rows: three iterations on three views.
std::unique_ptr<Backend> trained(std::unique_ptr<Backend> backend, const Scene& scene) {
  backend->upload(scene.model);
  for (int i = 1; i <= 3; ++i)
    iterate(*backend, scene, turned_view(scene.view, 0.1 * i), {.iteration = i, .mean_rate = 0.01f});
  return backend;
}

// Rows [first, first + count) of every array.
State part_of(State state, size_t first, size_t count) {
  for_each_array(state, [&](auto& values, size_t width) {
    const auto begin = values.begin() + std::ptrdiff_t(first * width);
    values = {begin, begin + std::ptrdiff_t(count * width)};
  });
  return state;
}

TEST_P(BackendParity, BlocksOfRowsAreReadAndWrittenLikeAllAtOnce) {
  const Scene scene = make_scene({.seed = 75, .splats = 41, .sh_degree = 2});
  const auto from = trained(make(), scene);
  const State all = read_state(*from);
  const auto to = make();
  Gaussians none;
  none.sh_degree = 2;
  to->upload(none);
  to->reserve(41);
  for (size_t first = 0; first < 41; first += 16) {
    const size_t count = std::min<size_t>(16, 41 - first);
    State block;
    from->download_rows(first, count, block.model);
    from->download_moment_rows(first, count, block.moments);
    from->read_statistics_rows(first, count, block.statistics);
    expect_same_state(block, part_of(all, first, count));
    to->append_rows(block.model);
    to->upload_moment_rows(first, block.moments);
    to->write_statistics_rows(first, block.statistics);
  }
  expect_same_state(read_state(*to), all);
}

TEST_P(BackendParity, UploadAndDownloadKeepEveryBit) {
  for (int degree = 0; degree <= 3; ++degree) {
    const Scene scene = make_scene({.seed = 70, .splats = 37, .sh_degree = degree});
    const auto tested = make();
    tested->upload(scene.model);
    State state = read_state(*tested);
    expect_identical(state.model, scene.model);
    for (float value : state.moments.first.sh) ASSERT_EQ(value, 0.0f);
    state.moments = {make_scene({.seed = 71, .splats = 37, .sh_degree = degree}).model,
                     make_scene({.seed = 72, .splats = 37, .sh_degree = degree}).model};
    for (size_t i = 0; i < 37; ++i) {
      state.statistics.mean2d_gradient_norm[i] = float(i) / 3;
      state.statistics.visible_count[i] = uint32_t(i * i);
      state.statistics.max_radius_px[i] = float(2 * i);
    }
    tested->upload_moments(state.moments);
    tested->write_statistics(state.statistics);
    expect_same_state(read_state(*tested), state);
    tested->upload(scene.model);  // a new model starts afresh
    EXPECT_EQ(read_state(*tested).moments.second.quats, std::vector<float>(4 * 37, 0.0f));
    EXPECT_EQ(read_state(*tested).statistics.visible_count, std::vector<uint32_t>(37, 0));
  }
}

TEST_P(BackendParity, KeepRowsMovesEverythingTogether) {
  const Scene scene = make_scene({.seed = 73, .splats = 101});
  const auto tested = trained(make(), scene);
  for (const std::vector<uint32_t>& rows :
       {std::vector<uint32_t>{0, 1, 2, 3, 17, 18, 40, 64, 65, 66, 80, 99, 100}, {1, 2, 12}, {}}) {
    State expected = read_state(*tested);
    for_each_array(expected, [&](auto& values, size_t width) {
      std::remove_reference_t<decltype(values)> kept;
      for (uint32_t row : rows)
        kept.insert(kept.end(), values.begin() + std::ptrdiff_t(row * width),
                    values.begin() + std::ptrdiff_t((row + 1) * width));
      values = kept;
    });
    tested->keep_rows(rows);
    ASSERT_EQ(tested->size(), rows.size());
    expect_same_state(read_state(*tested), expected);
  }
}

// Only where a row stands changes, and for all of its parts alike.
TEST_P(BackendParity, SortRowsInSpaceMovesEverythingTogether) {
  const Scene scene = make_scene({.seed = 79, .splats = 203});
  const auto tested = trained(make(), scene);
  State expected = read_state(*tested);
  const std::vector<float>& means = expected.model.means;
  tested->sort_rows_in_space();
  const State sorted = read_state(*tested);
  std::vector<size_t> order;  // row i of the sorted was order[i]
  for (size_t i = 0; i < scene.model.size(); ++i)
    for (size_t row = 0; row < scene.model.size(); ++row)
      if (std::equal(&means[3 * row], &means[3 * row] + 3, &sorted.model.means[3 * i])) order.push_back(row);
  ASSERT_EQ(order.size(), scene.model.size());
  for_each_array(expected, [&](auto& values, size_t width) {
    const auto before = values;
    for (size_t i = 0; i < order.size(); ++i) std::copy_n(&before[order[i] * width], width, &values[i * width]);
  });
  expect_same_state(sorted, expected);
  iterate(*tested, scene, scene.view, {.iteration = 4});  // and training goes on
}

TEST_P(BackendParity, AppendRowsAddsFreshRows) {
  const Scene scene = make_scene({.seed = 74, .splats = 45});
  const auto tested = trained(make(), scene);
  for (int count : {1, 20, 0}) {
    const Gaussians added = make_scene({.seed = 75, .splats = count}).model;
    State expected = read_state(*tested), zeros;
    for (Gaussians* part : {&zeros.moments.first, &zeros.moments.second}) {
      part->sh_degree = added.sh_degree;
      part->resize(size_t(count));
    }
    zeros.model = added;
    zeros.statistics.mean2d_gradient_norm.resize(size_t(count));
    zeros.statistics.visible_count.resize(size_t(count));
    zeros.statistics.max_radius_px.resize(size_t(count));
    std::vector<std::vector<float>> tails;
    for_each_array(zeros, [&](auto& values, size_t) { tails.emplace_back(values.begin(), values.end()); });
    size_t next = 0;
    for_each_array(expected, [&](auto& values, size_t) {
      values.insert(values.end(), tails[next].begin(), tails[next].end());
      ++next;
    });
    tested->append_rows(added);
    expect_same_state(read_state(*tested), expected);
  }
}

// Regularizers pull at every row there is, also at those that only fill up a block of the backend's storage.
TEST_P(BackendParity, AppendedRowsAreFreshAfterRegularizedUpdates) {
  const Scene scene = make_scene({.seed = 74, .splats = 45});
  const auto tested = make();
  tested->upload(scene.model);
  iterate(*tested, scene, scene.view, {.opacity_regularizer = 0.01f, .scale_regularizer = 0.01f});
  const Gaussians added = make_scene({.seed = 75, .splats = 20}).model;
  tested->append_rows(added);
  const State state = read_state(*tested);
  for (const Gaussians* part : {&state.moments.first, &state.moments.second}) {
    EXPECT_NE(part->log_scales[3 * 44], 0.0f);
    EXPECT_EQ(std::vector<float>(part->log_scales.begin() + 3 * 45, part->log_scales.end()), std::vector<float>(60));
    EXPECT_EQ(std::vector<float>(part->logit_opacities.begin() + 45, part->logit_opacities.end()),
              std::vector<float>(20));
  }
  EXPECT_TRUE(std::equal(added.means.begin(), added.means.end(), state.model.means.begin() + 3 * 45));
}

TEST_P(BackendParity, WriteRowsReplacesParametersAndPerhapsMoments) {
  const Scene scene = make_scene({.seed = 76, .splats = 45});
  const std::vector<uint32_t> rows{44, 0, 16, 15, 31};
  const Gaussians written = make_scene({.seed = 77, .splats = 5}).model;
  for (bool reset : {false, true}) {
    const auto tested = trained(make(), scene);
    State expected = read_state(*tested), source;
    source.model = written;
    for (Gaussians* part : {&source.moments.first, &source.moments.second}) {
      part->sh_degree = written.sh_degree;
      part->resize(5);
    }
    auto overwrite = [&](std::vector<float>& to, const std::vector<float>& from, size_t width) {
      for (size_t i = 0; i < rows.size(); ++i)
        std::copy_n(from.begin() + std::ptrdiff_t(i * width), width, to.begin() + std::ptrdiff_t(rows[i] * width));
    };
    auto overwrite_all = [&](Gaussians& to, const Gaussians& from) {
      overwrite(to.means, from.means, 3);
      overwrite(to.log_scales, from.log_scales, 3);
      overwrite(to.quats, from.quats, 4);
      overwrite(to.logit_opacities, from.logit_opacities, 1);
      overwrite(to.sh, from.sh, 48);
    };
    overwrite_all(expected.model, source.model);
    if (reset) {
      overwrite_all(expected.moments.first, source.moments.first);
      overwrite_all(expected.moments.second, source.moments.second);
    }
    tested->write_rows(rows, written, reset);
    expect_same_state(read_state(*tested), expected);
  }
}

TEST_P(BackendParity, EllipsoidsAreRowsWithoutTheirColours) {
  for (int degree = 0; degree <= 3; ++degree) {
    const auto tested = trained(make(), make_scene({.seed = 84, .splats = 37, .sh_degree = degree}));
    for (const auto& [first, count] : {std::pair<size_t, size_t>{0, 37}, {14, 20}, {36, 1}, {37, 0}}) {
      Gaussians rows;
      Ellipsoids ellipsoids = make_scene({.seed = 85, .splats = 3}).model;
      tested->download_rows(first, count, rows);
      tested->download_ellipsoid_rows(first, count, ellipsoids);
      EXPECT_EQ(ellipsoids.means, rows.means);
      EXPECT_EQ(ellipsoids.log_scales, rows.log_scales);
      EXPECT_EQ(ellipsoids.quats, rows.quats);
      EXPECT_EQ(ellipsoids.logit_opacities, rows.logit_opacities);
    }
  }
}

// Row i becomes row from[i] of `state`.
void gather(State& state, const std::vector<uint32_t>& from) {
  for_each_array(state, [&](auto& values, size_t width) {
    const auto before = values;
    values.clear();
    for (const uint32_t row : from)
      values.insert(values.end(), before.begin() + std::ptrdiff_t(row * width),
                    before.begin() + std::ptrdiff_t((row + 1) * width));
  });
}

// Row row(i) of `state` has the ellipsoid i, and no past where `fresh`.
template <class Row>
void put_ellipsoids(State& state, const Gaussians& ellipsoids, const Row& row, bool fresh) {
  Gaussians& model = state.model;
  for (size_t i = 0; i < ellipsoids.size(); ++i) {
    std::copy_n(&ellipsoids.means[3 * i], 3, &model.means[3 * row(i)]);
    std::copy_n(&ellipsoids.log_scales[3 * i], 3, &model.log_scales[3 * row(i)]);
    std::copy_n(&ellipsoids.quats[4 * i], 4, &model.quats[4 * row(i)]);
    model.logit_opacities[row(i)] = ellipsoids.logit_opacities[i];
  }
  if (!fresh) return;
  const Gaussians kept = model;
  for_each_array(state, [&](auto& values, size_t width) {
    for (size_t i = 0; i < ellipsoids.size(); ++i) std::fill_n(&values[width * row(i)], width, 0);
  });
  model = kept;
}

TEST_P(BackendParity, CopiesBehindKeptRowsHaveTheColourOfOldOnes) {
  struct Case {
    std::vector<uint32_t> kept, sources;
  };
  std::vector<uint32_t> all(45), backwards(45), later;
  for (uint32_t i = 0; i < 45; ++i) all[i] = i, backwards[44 - i] = i;
  for (uint32_t i = 20; i < 45; ++i) later.push_back(i);
  const Case cases[] = {{all, {44, 0, 0, 17}},              // nothing goes
                        {later, {3, 3, 21, 44, 0}},         // fewer than before, of rows that go and that stay
                        {{1, 2, 40}, all},                  // more than before
                        {{}, backwards},                    // as many
                        {{0, 1, 2, 30}, {40, 40, 40, 40}},  // far fewer
                        {{16, 17}, {}}};
  for (const int degree : {0, 3})
    for (const Case& c : cases) {
      const auto tested = trained(make(), make_scene({.seed = 86, .splats = 45, .sh_degree = degree}));
      const Gaussians copies = make_scene({.seed = 87, .splats = int(c.sources.size())}).model;
      State expected = read_state(*tested);
      std::vector<uint32_t> rows = c.kept;
      rows.insert(rows.end(), c.sources.begin(), c.sources.end());
      gather(expected, rows);
      put_ellipsoids(
          expected, copies, [&](size_t i) { return c.kept.size() + i; }, true);
      tested->keep_and_copy_rows(c.kept, c.sources, copies);
      ASSERT_EQ(tested->size(), rows.size());
      expect_same_state(read_state(*tested), expected);
    }
}

TEST_P(BackendParity, CopyRowsReplacesEllipsoidsAndPerhapsColoursAndMoments) {
  const std::vector<uint32_t> sources{3, 16, 3, 44, 0}, targets{17, 16, 31, 15, 0};
  const Gaussians copies = make_scene({.seed = 88, .splats = 5}).model;
  for (const bool reset : {false, true}) {
    const auto tested = trained(make(), make_scene({.seed = 89, .splats = 45, .sh_degree = 2}));
    const State before = read_state(*tested);
    State expected = before;
    for (size_t i = 0; i < 5; ++i)
      std::copy_n(&before.model.sh[27 * sources[i]], 27, &expected.model.sh[27 * targets[i]]);
    put_ellipsoids(
        expected, copies, [&](size_t i) { return targets[i]; }, reset);
    expected.statistics = before.statistics;
    tested->copy_rows(sources, targets, copies, reset);
    expect_same_state(read_state(*tested), expected);
  }
}

TEST_P(BackendParity, CopiesThatDependOnTheOrderAreRefusedDeathTest) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const Scene scene = make_scene({.seed = 90, .splats = 5, .width = 8, .height = 8});
  using Rows = std::vector<uint32_t>;
  const auto copy = [&](const Rows& sources, const Rows& targets) {
    const auto tested = make();
    tested->upload(scene.model);
    Ellipsoids copies;
    copies.resize(2);
    tested->copy_rows(sources, targets, copies, false);
  };
  copy({0, 0}, {0, 1});
  EXPECT_DEATH(copy({0, 1}, {1, 2}), "row_copies") << "the colour of a row that gets another one";
  EXPECT_DEATH(copy({0, 0}, {1, 1}), "row_copies");
  EXPECT_DEATH(copy({0, 5}, {1, 2}), "row_copies");
  EXPECT_DEATH(copy({0, 0}, {1, 5}), "row_copies");
  EXPECT_DEATH(copy({0}, {1}), "row_copies");
  const auto keep = [&](const Rows& kept, const Rows& sources, size_t fixed = 0) {
    const auto tested = make();
    tested->upload(scene.model);
    tested->fix_rows(fixed);
    Ellipsoids copies;
    copies.resize(1);
    tested->keep_and_copy_rows(kept, sources, copies);
  };
  keep({0, 1, 4}, {3}, 2);
  EXPECT_DEATH(keep({0, 1, 4}, {3}, 3), "row_copies");
  EXPECT_DEATH(keep({1, 0}, {3}), "row_copies");
  EXPECT_DEATH(keep({4, 5}, {3}), "row_copies");
  EXPECT_DEATH(keep({0}, {5}), "row_copies");
  EXPECT_DEATH(keep({0}, {}), "row_copies");
}

TEST_P(BackendParity, TrainingGoesOnAfterRowOperations) {
  const Scene scene = make_scene({.seed = 78, .splats = 90});
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < 90; ++i)
    if (i % 3) rows.push_back(i);
  ReferenceBackend reference;
  const auto tested = make();
  tested->reserve(500);
  for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()}) {
    backend->upload(scene.model);
    iterate(*backend, scene, scene.view, {.iteration = 1});
    backend->keep_rows(rows);
    backend->append_rows(make_scene({.seed = 78, .splats = 77}).model);
    backend->forward(turned_view(scene.view, 0.05), scene.settings);
    backend->loss(scene.target, {});
    backend->backward();
  }
  ASSERT_EQ(tested->size(), 137u);
  expect_pictures_match(reference, *tested, {.interior = 1e-4});
  expect_same_gradients(reference, *tested, {.relative_l2 = 1e-3, .cosine = 1 - 5e-7, .signed_bias = 3e-4});
}

TEST_P(BackendParity, LimitOpacityCapsOpacityAndForgetsItsMoments) {
  const auto tested = trained(make(), make_scene({.seed = 79}));
  const State before = read_state(*tested);
  tested->limit_opacity(0.3f);
  State after = read_state(*tested);
  const float limit = float(math::logit(0.3));
  size_t capped = 0;
  for (size_t i = 0; i < before.model.size(); ++i) {
    const float was = before.model.logit_opacities[i];
    capped += was > limit;
    if (was <= limit - 1e-5f) {
      EXPECT_EQ(after.model.logit_opacities[i], was);
    } else {
      EXPECT_NEAR(after.model.logit_opacities[i], limit, 1e-5);
    }
  }
  EXPECT_GT(capped, 20u);
  EXPECT_LT(capped, before.model.size() - 20);
  const std::vector<float> zeros(before.model.size(), 0.0f);
  EXPECT_EQ(after.moments.first.logit_opacities, zeros);
  EXPECT_EQ(after.moments.second.logit_opacities, zeros);
  after.model.logit_opacities = before.model.logit_opacities;
  after.moments.first.logit_opacities = before.moments.first.logit_opacities;
  after.moments.second.logit_opacities = before.moments.second.logit_opacities;
  expect_same_state(after, before);
}

TEST_P(BackendParity, LowerOpacityTakesTheSameFromAllAndKeepsMoments) {
  const auto tested = trained(make(), make_scene({.seed = 80}));
  const State before = read_state(*tested);
  tested->lower_opacity(0.2f, 0.01f);
  State after = read_state(*tested);
  size_t lowered = 0, least = 0;
  for (size_t i = 0; i < before.model.size(); ++i) {
    const double was = math::sigmoid(double(before.model.logit_opacities[i]));
    (was > 0.21 ? lowered : least) += 1;
    EXPECT_NEAR(math::sigmoid(double(after.model.logit_opacities[i])), std::max(was - 0.2, 0.01), 1e-6);
  }
  EXPECT_GT(lowered, 20u);
  EXPECT_GT(least, 0u);
  after.model.logit_opacities = before.model.logit_opacities;
  expect_same_state(after, before);
}

// Half of the splats are made almost transparent: only those move, as far and whereto the reference moves them.
TEST_P(BackendParity, NoiseMovesTheTransparentAlongTheirShape) {
  const Scene scene = make_scene({.seed = 81});
  Gaussians model = scene.model;
  for (size_t i = 0; i < model.size(); i += 2)
    model.logit_opacities[i] = float(math::logit(0.002 + 0.0001 * double(i % 50)));
  for (size_t i = 1; i < model.size(); i += 2) model.logit_opacities[i] = 0.5f;
  auto reference = make_reference_backend();
  const auto tested = make();
  for (Backend* backend : {static_cast<Backend*>(reference.get()), tested.get()}) {
    backend->upload(model);
    backend->add_noise({.strength = 3, .seed = 5, .iteration = 70});
  }
  Gaussians expected, moved;
  reference->download(expected);
  tested->download(moved);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < model.size(); ++i)
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t at = 3 * i + axis;
      const float by = expected.means[at] - model.means[at];
      EXPECT_NEAR(moved.means[at], expected.means[at], 1e-6 * std::abs(model.means[at]) + 1e-3 * std::abs(by) + 1e-7);
      if (i % 2 == 1) {
        EXPECT_EQ(moved.means[at], model.means[at]);
      }
      sum += by, squares += by * by;
    }
  EXPECT_GT(squares, 0);
  EXPECT_LT(std::abs(sum), 5 * std::sqrt(squares));  // no direction is preferred
  moved.means = model.means;
  EXPECT_EQ(moved.log_scales, model.log_scales);
  EXPECT_EQ(moved.logit_opacities, model.logit_opacities);
  Gaussians again;
  tested->upload(model);
  tested->add_noise({.strength = 3, .seed = 5, .iteration = 71});
  tested->download(again);
  EXPECT_NE(again.means, expected.means);
}

}  // namespace
}  // namespace splat::test
