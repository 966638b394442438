// Every kernel on twelve small scenes against the reference, where the whole parity suite would take many minutes:
// under the sanitizers, and for the kinds of device that run the suite's code in another combination.
#include "splat/backend/surface_settings.h"
#include "tests/splat/backend/gpu/emulated_case.h"

namespace splat::test {
namespace {

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (int degree = 0; degree <= 3; ++degree)
    all.push_back(make_scene({.seed = 10 + uint64_t(degree), .splats = 70, .sh_degree = degree}));
  all.push_back(make_scene({.seed = 2, .splats = 30, .width = 131, .height = 35, .min_px = 10, .max_px = 60}));
  all.push_back(make_scene({.seed = 3, .splats = 400, .width = 17, .height = 16, .max_px = 3, .max_opacity = 0.2}));
  all.push_back(make_scene({.seed = 4, .splats = 0, .width = 33, .height = 15}));
  all.push_back(make_scene({.seed = 5, .splats = 30, .width = 1, .height = 1}));
  all.push_back(make_scene({.seed = 6, .splats = 60, .width = 40, .height = 30, .mask = true}));
  all.back().settings.antialias = true;
  all.push_back(make_scene({.seed = 7}));
  add_broken_rows(all.back());
  all.push_back(make_scene({.seed = 8, .splats = 60}));
  all.back().view.cam_from_world.translation[0] += 1000;  // nothing is visible
  all.push_back(nearly_full_scene());
  return all;
}

// Forward, loss, backward; a step of Adam with regularisers; row operations, and a picture of what is left.
TEST_P(TwelveScenes, AgreeWithTheReference) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(testing::Message() << scene.model.size() << " splats, " << scene.view.camera.width << " px");
    ReferenceBackend reference;
    const auto tested = make();
    Backend* const backends[2] = {&reference, tested.get()};
    LossValue loss[2];
    Contributions contributions[2];
    std::vector<float> depth[2];
    for (int b = 0; b < 2; ++b) {
      backends[b]->upload(scene.model);
      backends[b]->forward(scene.view, scene.settings);
      backends[b]->read_contributions({}, contributions[b]);
      backends[b]->read_depth(DepthKind::kMoments, depth[b]);
      loss[b] = backends[b]->loss(scene.target, {});
      backends[b]->backward();
    }
    expect_pictures_match(reference, *tested);
    EXPECT_NEAR(loss[1].total, loss[0].total, 5e-6);
    expect_values_match("contributions", contributions[1].weight_sum, contributions[0].weight_sum,
                        {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
    expect_values_match("depth", depth[1], depth[0], {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
    expect_same_gradients(reference, *tested, {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
    for (Backend* backend : backends) {
      backend->update({.iteration = 1, .opacity_regularizer = 0.01f, .scale_regularizer = 0.01f});
      std::vector<uint32_t> kept;
      for (uint32_t i = 0; i < scene.model.size(); ++i)
        if (i % 3) kept.push_back(i);
      if (scene.model.size() > 7) {
        const Ellipsoids copies = make_scene({.seed = 8, .splats = 2}).model;
        backend->copy_rows(std::vector<uint32_t>{5, 5}, std::vector<uint32_t>{5, 7}, copies, true);
        backend->keep_and_copy_rows(kept, std::vector<uint32_t>{3, 4}, copies);
      } else {
        backend->keep_rows(kept);
      }
      backend->append_rows(make_scene({.seed = 9, .splats = 30, .sh_degree = scene.model.sh_degree}).model);
      backend->limit_opacity(0.3f);
      backend->sort_rows_in_space();
      backend->forward(turned_view(scene.view, 0.1), scene.settings);
    }
    ASSERT_EQ(tested->size(), reference.size());
    expect_pictures_match(reference, *tested, {.interior = 1e-3});
    iterate(*tested, scene, scene.view, {.iteration = 2});
  }
}

// With the terms that make splats a surface, whose gradients kernels of their own sum: a wall of large splats.
TEST_P(TwelveScenes, AWallIsTheSameSurface) {
  const Scene wall = make_scene({.seed = 200,
                                 .splats = 90,
                                 .sh_degree = 1,
                                 .min_px = 6,
                                 .max_px = 14,
                                 .min_opacity = 0.6,
                                 .min_depth = 3.9,
                                 .max_depth = 4.1});
  ReferenceBackend reference;
  const auto tested = make();
  for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()}) {
    backend->upload(wall.model);
    backend->forward(wall.view, wall.settings);
    backend->loss(wall.target, {});
    backend->add_surface_loss({.normal_weight = 3, .distortion_weight = 100});
    backend->backward();
  }
  EXPECT_GT(reference.surface_loss(), 0.01) << "pixels count";
  expect_same_gradients(reference, *tested, {.relative_l2 = 5e-4, .cosine = 1 - 2e-7, .signed_bias = 2e-4});
}

}  // namespace
}  // namespace splat::test
