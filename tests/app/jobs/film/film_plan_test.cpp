// Ready-made paths round splats whose photos nobody knows.
#include "app/jobs/film/film_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/core/random.h"
#include "splat/model/pixel.h"

namespace app::test {
namespace {

// A board of opaque splats, 6 x 1 x 2, and as opaque ones strewn far around it: 6 of 100.
SplatInput board_among_strays() {
  SplatInput input;
  splat::Gaussians& model = input.file.gaussians;
  model.resize(4000);
  splat::random::Sequence values(5, splat::random::kTest);
  for (size_t row = 0; row < model.size(); ++row) {
    const float reach = row % 50 < 3 ? 30.0f : 1.0f, sides[] = {3 * reach, 0.5f * reach, reach};
    for (size_t c = 0; c < 3; ++c) model.means[3 * row + c] = sides[c] * (2 * float(values.uniform()) - 1);
    model.logit_opacities[row] = 3;
    model.quats[4 * row] = 1;
  }
  return input;
}

// How far the box of a first look reaches from the middle of the picture to its border, in any picture of the film.
double reach_of(const splat::CameraPath& path, const splat::Extent& box, int width, int height) {
  double reach = 0;
  for (const splat::CameraPose& pose : splat::PathCurve(path).sampled(20)) {
    const splat::View view = splat::view_of(pose, width, height);
    for (int corner = 0; corner < 8; ++corner) {
      std::array<double, 3> at{};
      for (size_t c = 0; c < 3; ++c) at[c] = (corner >> c) & 1 ? box.high[c] : box.low[c];
      const auto pixel = splat::pixel_of(view, {at[0], at[1], at[2]});
      if (!pixel) return 9;
      reach =
          std::max({reach, std::abs(2 * double(pixel->x) / width - 1), std::abs(2 * double(pixel->y) / height - 1)});
    }
  }
  return reach;
}

TEST(FilmPlan, AnOrbitFramesTheBoxOfAFirstLookAllTheWayRound) {
  const SplatInput input = board_among_strays();
  const auto box = splat::framed_extent(input.file.gaussians);
  ASSERT_TRUE(box);
  EXPECT_LT(box->high[0], 4) << "strays do not count";
  for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{540, 960}}) {
    RenderTask task;
    task.film.path = "orbit";
    task.film.width = width, task.film.height = height;
    FilmPlan plan;
    const Outcome outcome = plan_film(task, input, plan);
    ASSERT_TRUE(outcome) << outcome.sentence;
    EXPECT_NEAR(reach_of(plan.path, *box, width, height), 1 / 1.1, 0.01) << width;
  }
  PathChoice page;
  page.path = "orbit";
  io::PathFile file;
  ASSERT_TRUE(choose_path(page, input, file));
  EXPECT_NEAR(reach_of(file.path, *box, 1000, 1000), 1 / 1.1, 0.01) << "of pages, in a square";
}

TEST(FilmPlan, OfAnEnlargedSceneIsTheSameFilm) {
  FilmPlan plan;
  plan.path.keys = {{0, {{1, 2, 3}, {1, 0, 0, 0}, 50}}, {1, {{2, 2, 3}, {1, 0, 0, 0}, 40}}};
  plan.path.target = {0, 0, 5};
  plan.focus = {0, 1, 0};
  plan.depth_unit = 0.5;
  const FilmPlan large = enlarged(plan, 8);
  EXPECT_EQ(large.path.keys[1].pose.position, (std::array<double, 3>{16, 16, 24}));
  EXPECT_EQ(large.path.keys[1].pose.fov_y_deg, 40);
  EXPECT_EQ(*large.path.target, (std::array<double, 3>{0, 0, 40}));
  EXPECT_EQ(large.focus, (std::array<double, 3>{0, 8, 0}));
  EXPECT_EQ(large.depth_unit, 4);
}

// Its front faces +z in glTF, -z in other files.
TEST(FilmPlan, AnOrbitBeginsBeforeTheFront) {
  SplatInput input = board_among_strays();
  PathChoice choice;
  choice.path = "orbit";
  io::PathFile file;
  ASSERT_TRUE(choose_path(choice, input, file));
  EXPECT_LT(file.path.keys[0].pose.position[2], -1);
  input.file.front_at_z = true;
  ASSERT_TRUE(choose_path(choice, input, file));
  EXPECT_GT(file.path.keys[0].pose.position[2], 1);
}

}  // namespace
}  // namespace app::test
