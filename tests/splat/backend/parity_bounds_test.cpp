// Rows that lie outside the view are not read, on any backend: whatever changes rows, pictures are those of a backend
// that was just given them, and the steps of Adam that a row misses are made up for when it is visible again.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "splat/model/gaussian_rows.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/identical.h"

namespace splat::test {
namespace {

constexpr size_t kSplats = 1100;

// Half of the rows lie outside the view, far to its right; `in` has them in it.
struct Halves {
  Scene scene = make_scene({.seed = 120, .splats = int(kSplats), .sh_degree = 0});
  Gaussians in = scene.model, out = scene.model;
  std::vector<uint32_t> rows;

  Halves() {
    for (uint32_t row = kSplats / 2; row < kSplats; ++row) rows.push_back(row), out.means[3 * row] += 500;
  }
  Gaussians rows_in() const { return gather_rows(in, rows); }
};

ImageF picture(Backend& backend, const Scene& scene, double angle) {
  ImageF image;
  backend.forward(turned_view(scene.view, angle), scene.settings);
  backend.read_image(image);
  return image;
}

TEST_P(BackendParity, RowsThatChangeComeIntoView) {
  if (make()->info().name == "reference") GTEST_SKIP() << "its rows are of double precision, and it reads all of them";
  const Halves halves;
  const Scene& scene = halves.scene;
  std::vector<uint32_t> all(kSplats);
  std::iota(all.begin(), all.end(), 0u);
  const Gaussians copies = halves.rows_in();
  const std::vector<std::pair<const char*, std::function<void(Backend&)>>> changes{
      {"write_rows", [&](Backend& b) { b.write_rows(halves.rows, halves.rows_in(), false); }},
      {"copy_rows", [&](Backend& b) { b.copy_rows(halves.rows, halves.rows, copies, true); }},
      {"keep_and_copy_rows", [&](Backend& b) { b.keep_and_copy_rows(all, halves.rows, copies); }},
      {"append_rows", [&](Backend& b) { b.append_rows(halves.rows_in()); }},
      {"upload", [&](Backend& b) { b.upload(halves.in); }},
      {"sort_rows_in_space", [](Backend& b) { b.sort_rows_in_space(); }},
      {"add_noise", [](Backend& b) { b.add_noise({.strength = 3e4f, .seed = 1, .iteration = 1}); }},
      {"update", [&](Backend& b) { iterate(b, scene, scene.view, {.mean_rate = 4}); }},
      {"update of all", [&](Backend& b) { iterate(b, scene, scene.view, {.mean_rate = 4, .scale_regularizer = 1}); }}};
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    const auto tested = make(), fresh = make();
    tested->upload(halves.out);
    const ImageF before = picture(*tested, scene, 0);
    change(*tested);
    Gaussians now;
    tested->download(now);
    fresh->upload(now);
    bool changed = false;
    for (const double angle : {0.0, 0.5, -0.5, 1.2, 3.1}) {
      const ImageF drawn = picture(*tested, scene, angle);
      EXPECT_EQ(drawn.rgb, picture(*fresh, scene, angle).rgb) << angle;
      changed |= angle == 0 && drawn.rgb != before.rgb;
    }
    EXPECT_TRUE(changed || std::string(name) == "sort_rows_in_space");
  }
}

struct Rows {
  Gaussians model;
  AdamMoments moments;
};
Rows rows_of(const Backend& backend) {
  Rows rows;
  backend.download(rows.model);
  backend.download_moments(rows.moments);
  return rows;
}
Gaussians difference(Gaussians a, const Gaussians& b) {
  visit_arrays(
      a,
      [](const char*, std::vector<float>& values, const std::vector<float>& other, size_t) {
        for (size_t i = 0; i < values.size(); ++i) values[i] -= other[i];
      },
      b);
  return a;
}

TEST_P(BackendParity, WhatIsNotVisibleMakesUpForItsStepsLater) {
  const Scene scene = make_scene({.seed = 121, .splats = 50});
  View away = scene.view;
  away.cam_from_world.translation[0] += 1000;
  ReferenceBackend reference;
  const auto tested = make();
  Rows after[2];
  Backend* const backends[2] = {&reference, tested.get()};
  for (int b = 0; b < 2; ++b) {
    Backend& backend = *backends[b];
    backend.upload(scene.model);
    for (int iteration = 1; iteration <= 3; ++iteration) iterate(backend, scene, scene.view, {.iteration = iteration});
    const Rows before = rows_of(backend);
    for (int iteration = 4; iteration <= 9; ++iteration) iterate(backend, scene, away, {.iteration = iteration});
    after[b] = rows_of(backend);
    expect_identical(after[b].model, before.model);
    expect_identical(after[b].moments.first, before.moments.first);
    expect_identical(after[b].moments.second, before.moments.second);
    EXPECT_EQ(after[b].moments.last_step, before.moments.last_step);
    iterate(backend, scene, scene.view, {.iteration = 10});
    after[b] = rows_of(backend);
  }
  EXPECT_GT(std::count(after[0].moments.last_step.begin(), after[0].moments.last_step.end(), 10u), 20);
  EXPECT_EQ(after[1].moments.last_step, after[0].moments.last_step);
  const GradientLimits limits{.relative_l2 = 5e-3, .cosine = 1 - 1.3e-5, .signed_bias = 1e-3};
  expect_groups_match(difference(after[1].model, scene.model), difference(after[0].model, scene.model), limits);
  expect_groups_match(after[1].moments.first, after[0].moments.first, limits);
  expect_groups_match(after[1].moments.second, after[0].moments.second, limits);
}

AdamSettings changing_rates(int iteration) {
  AdamSettings at{.iteration = iteration};
  const int phase = iteration % 50;
  at.mean_rate *= std::pow(0.93f, float(phase));
  if (phase > 8) at.opacity_rate *= 0.05f;
  if (phase > 5) at.sh0_rate *= 8;
  at.quat_rate *= phase % 2 ? 3.0f : 0.1f;
  return at;
}

// From the first iteration on and later, with rates that fall and jump: against a reference that takes every step. And
// the same where the run goes on in another backend meanwhile.
TEST_P(BackendParity, MissedStepsHaveTheirOwnRates) {
  const Scene scene = make_scene({.seed = 123, .splats = 40, .width = 24, .height = 20});
  View away = scene.view;
  away.cam_from_world.translation[0] += 1000;
  for (const int first : {1, 1000}) {
    SCOPED_TRACE(first);
    ReferenceBackend reference;
    const auto tested = make(), resumed = make();
    for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()}) {
      backend->upload(scene.model);
      iterate(*backend, scene, scene.view, changing_rates(first));
      for (int i = first + 1; i < first + 30; ++i) iterate(*backend, scene, away, changing_rates(i));
    }
    const Rows before = rows_of(*tested);
    resumed->upload(before.model);
    resumed->upload_moments(before.moments);
    resumed->recall(tested->adam_history());
    for (Backend* backend : {static_cast<Backend*>(&reference), tested.get(), resumed.get()})
      iterate(*backend, scene, scene.view, changing_rates(first + 30));
    const Gaussians expected = difference(rows_of(reference).model, scene.model);
    for (const Backend* backend : {tested.get(), resumed.get()})
      expect_groups_match(difference(rows_of(*backend).model, scene.model), expected,
                          {.relative_l2 = 5e-3, .cosine = 1 - 1.3e-5, .signed_bias = 1e-3});
  }
}

// The last steps move with their rows, and come back with the moments of a checkpoint.
TEST_P(BackendParity, LastStepsBelongToTheirRows) {
  const Scene scene = make_scene({.seed = 122, .splats = 300});
  const auto tested = make(), restored = make();
  tested->upload(scene.model);
  iterate(*tested, scene, scene.view, {.iteration = 5});
  const Rows before = rows_of(*tested);
  std::vector<uint32_t> kept;
  for (uint32_t row = 0; row < 300; row += 3) kept.push_back(row);
  const std::vector<uint32_t> sources{0, 7};
  tested->keep_and_copy_rows(kept, sources, gather_rows(scene.model, sources));
  const Rows after = rows_of(*tested);
  ASSERT_EQ(after.moments.last_step.size(), kept.size() + 2);
  for (size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(after.moments.last_step[i], before.moments.last_step[kept[i]]) << i;
  EXPECT_EQ(after.moments.last_step[kept.size()], 0u);
  tested->sort_rows_in_space();
  const Rows sorted = rows_of(*tested);
  restored->upload(sorted.model);
  restored->upload_moments(sorted.moments);
  EXPECT_EQ(rows_of(*restored).moments.last_step, sorted.moments.last_step);
  for (Backend* backend : {tested.get(), restored.get()}) iterate(*backend, scene, scene.view, {.iteration = 30});
  expect_groups_match(rows_of(*restored).model, rows_of(*tested).model, {.relative_l2 = 1e-5});
}

}  // namespace
}  // namespace splat::test
