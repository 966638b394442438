// Looks of rows: every backend draws them as if the rows had been changed, and forgets them when rows move.
#include <algorithm>

#include "splat/math/sh.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

constexpr math::Tints kTints{
    {{1.0f, 0.62f, 0.1f, 0.6f}, {}, {0.1f, 0.2f, 0.9f, 0.8f}, {}, {}, {}, {}, {0, 1, 0, 0.3f}}};
constexpr uint8_t kInTurns[] = {
    0, math::kTinted, math::kNotDrawn, math::tinted_look(7), 0, math::tinted_look(2), math::kTinted | math::kNotDrawn};

std::vector<uint8_t> looks_of(const Gaussians& model) {
  std::vector<uint8_t> looks(model.size());
  for (size_t row = 0; row < looks.size(); ++row) looks[row] = kInTurns[row % std::size(kInTurns)];
  return looks;
}

// The rows with these looks in their own values.
Gaussians changed(Gaussians model, const std::vector<uint8_t>& looks) {
  const size_t width = 3 * size_t(model.coefficients());
  for (size_t row = 0; row < looks.size(); ++row) {
    if (looks[row] & math::kNotDrawn) model.logit_opacities[row] = -20;
    if (!(looks[row] & math::kTinted)) continue;
    const math::Tint& tint = kTints.of[math::tint_number(looks[row])];
    const float colour[3] = {tint.red, tint.green, tint.blue};
    float* sh = &model.sh[row * width];
    for (size_t k = 0; k < width; ++k) sh[k] *= 1 - tint.share;
    for (size_t c = 0; c < 3; ++c) sh[c] += tint.share * (colour[c] - 0.5f) / float(math::kSh0);
  }
  return model;
}

std::vector<float> picture(Backend& backend) {
  ImageF image;
  backend.read_image(image);
  std::vector<float> values = std::move(image.rgb), final_t;
  backend.read_transmittance(final_t);
  values.insert(values.end(), final_t.begin(), final_t.end());
  return values;
}

std::vector<float> drawn(Backend& backend, const Scene& scene) {
  backend.forward(scene.view, scene.settings);
  return picture(backend);
}

TEST_P(BackendParity, LooksAreDrawnAsChangedRows) {
  std::vector<Scene> scenes{make_scene({.seed = 130}), make_scene({.seed = 131, .splats = 700, .sh_degree = 0}),
                            make_scene({.seed = 132})};
  add_broken_rows(scenes[2]);
  for (const Scene& scene : scenes) {
    const std::vector<uint8_t> looks = looks_of(scene.model);
    ReferenceBackend reference;
    reference.upload(changed(scene.model, looks));
    reference.forward(scene.view, scene.settings);
    const auto tested = make();
    tested->upload(scene.model);
    const std::vector<float> plain = drawn(*tested, scene);
    tested->set_looks({looks, kTints});
    EXPECT_NE(drawn(*tested, scene), plain);
    expect_pictures_match(reference, *tested);
    tested->set_looks({});
    EXPECT_EQ(drawn(*tested, scene), plain) << "to the last bit";
  }
}

// A change of tints may save work, and is seen from no picture.
TEST_P(BackendParity, LooksDrawTheSameWhateverWasDrawnBefore) {
  const Scene scene = make_scene({.seed = 133, .splats = 900}), wider = make_scene({.seed = 133, .width = 90});
  std::vector<uint8_t> first(scene.model.size()), second(scene.model.size()), hidden(scene.model.size());
  std::fill_n(first.begin(), 300, uint8_t(math::kTinted));
  std::fill_n(second.begin() + 200, 600, uint8_t(math::kTinted));
  std::fill_n(hidden.begin() + 100, 50, uint8_t(math::kNotDrawn));
  const auto fresh = [&](const std::vector<uint8_t>& looks, const math::Tints& tints, const Scene& seen) {
    const auto backend = make();
    backend->upload(scene.model);
    backend->set_looks({looks, tints});
    return drawn(*backend, seen);
  };
  const auto tested = make();
  tested->upload(scene.model);
  const std::vector<float> plain = drawn(*tested, scene);
  tested->set_looks({first, kTints});
  EXPECT_EQ(picture(*tested), plain) << "of the forward before";
  Contributions seen, seen_before;
  tested->read_contributions({}, seen);
  EXPECT_EQ(drawn(*tested, scene), fresh(first, kTints, scene));
  tested->read_contributions({}, seen_before);
  EXPECT_EQ(seen.weight_sum, seen_before.weight_sum) << "tints change no weights";
  tested->set_looks({first, kTints});
  tested->set_looks({second, kTints});
  EXPECT_EQ(drawn(*tested, scene), fresh(second, kTints, scene));
  constexpr math::Tints kOther{{{0, 0, 1, 0.3f}}};
  tested->set_looks({second, kOther});
  EXPECT_EQ(drawn(*tested, wider), fresh(second, kOther, wider));
  const std::vector<uint8_t> renumbered(second.size(), math::tinted_look(2));
  tested->set_looks({renumbered, kTints});
  EXPECT_EQ(drawn(*tested, wider), fresh(renumbered, kTints, wider));
  tested->set_looks({second, kTints});
  tested->set_looks({hidden, kTints});
  EXPECT_EQ(drawn(*tested, wider), fresh(hidden, kTints, wider));
  tested->set_looks({first, kTints});
  tested->limit_opacity(0.5f);
  tested->set_looks({second, kTints});
  const auto limited = make();
  limited->upload(scene.model);
  limited->limit_opacity(0.5f);
  limited->set_looks({second, kTints});
  EXPECT_EQ(drawn(*tested, wider), drawn(*limited, wider));
}

TEST_P(BackendParity, LooksEndWhereRowsMove) {
  const Scene scene = make_scene({.seed = 134, .splats = 90});
  std::vector<uint32_t> rows(80);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = uint32_t(i);
  const std::vector<std::function<void(Backend&)>> moves{
      [&](Backend& b) { b.upload(scene.model); }, [&](Backend& b) { b.keep_rows(rows); },
      [&](Backend& b) { b.append_rows(scene.model); }, [](Backend& b) { b.sort_rows_in_space(); }};
  for (const auto& move : moves) {
    const auto tested = make(), plain = make();
    tested->upload(scene.model), plain->upload(scene.model);
    tested->set_looks({looks_of(scene.model), kTints});
    drawn(*tested, scene);
    tested->set_looks({std::vector<uint8_t>(scene.model.size(), math::kTinted), kTints});
    move(*tested), move(*plain);
    EXPECT_EQ(drawn(*tested, scene), drawn(*plain, scene));
    const std::vector<uint8_t> looks(tested->size(), math::kTinted);
    tested->set_looks({looks, kTints}), plain->set_looks({looks, kTints});
    EXPECT_EQ(drawn(*tested, scene), drawn(*plain, scene));
  }
}

TEST_P(BackendParity, NothingIsTrainedOnLooksDeathTest) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const Scene scene = make_scene({.seed = 135, .splats = 20});
  EXPECT_DEATH(
      {
        const auto tested = make();
        tested->upload(scene.model);
        tested->set_looks({looks_of(scene.model), kTints});
        tested->forward(scene.view, scene.settings);
        tested->loss(scene.target, {});
      },
      "looks_");
}

}  // namespace
}  // namespace splat::test
