// Which call may follow which, of every backend: each of these states with every call that it refuses and that it
// takes.
#include <map>

#include "tests/splat/backend/parity_suite.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

const Scene& scene() {
  static const Scene scene = make_scene({.seed = 82, .splats = 5, .width = 8, .height = 8});
  return scene;
}

using Calls = std::map<std::string, std::function<void(Backend&)>>;

const Calls& calls() {
  static const Calls all{
      {"forward", [](Backend& b) { b.forward(scene().view, scene().settings); }},
      {"read_image",
       [](Backend& b) {
         ImageF image;
         b.read_image(image);
       }},
      {"read_transmittance",
       [](Backend& b) {
         std::vector<float> final_t;
         b.read_transmittance(final_t);
       }},
      {"read_contributions",
       [](Backend& b) {
         Contributions contributions;
         b.read_contributions({}, contributions);
       }},
      {"read_depth",
       [](Backend& b) {
         std::vector<float> depth;
         b.read_depth(DepthKind::kMoments, depth);
       }},
      {"loss", [](Backend& b) { b.loss(scene().target, {}); }},
      {"set_image_gradient",
       [](Backend& b) { b.set_image_gradient({.width = 8, .height = 8, .rgb = std::vector<float>(192, 0.1f)}); }},
      {"backward", [](Backend& b) { b.backward(); }},
      {"read_gradients",
       [](Backend& b) {
         Gaussians v_model;
         std::array<float, 3> v_background;
         b.read_gradients(v_model, v_background);
       }},
      {"read_pose_gradient", [](Backend& b) { b.read_pose_gradient(); }},
      {"update", [](Backend& b) { b.update({}); }},
  };
  return all;
}

// Whatever changes the model: all leave a backend that was just uploaded to in the same state.
const Calls& changes() {
  static const Calls all{
      {"upload", [](Backend& b) { b.upload(scene().model); }},
      {"reserve", [](Backend& b) { b.reserve(10); }},
      {"keep_rows",
       [](Backend& b) {
         b.keep_rows(std::vector<uint32_t>{0, 2, 3});
       }},
      {"keep_and_copy_rows",
       [](Backend& b) {
         b.keep_and_copy_rows(std::vector<uint32_t>{0, 2, 3}, std::vector<uint32_t>{4, 4, 0, 1, 2}, scene().model);
       }},
      {"append_rows", [](Backend& b) { b.append_rows(scene().model); }},
      {"write_rows",
       [](Backend& b) {
         b.write_rows(std::vector<uint32_t>{4, 3, 2, 1, 0}, scene().model, true);
       }},
      {"copy_rows",
       [](Backend& b) {
         b.copy_rows(std::vector<uint32_t>{0, 0, 0, 3, 3}, std::vector<uint32_t>{4, 2, 0, 1, 3}, scene().model, true);
       }},
      {"limit_opacity", [](Backend& b) { b.limit_opacity(0.1f); }},
      {"sort_rows_in_space", [](Backend& b) { b.sort_rows_in_space(); }},
      {"set_looks, and plain again",
       [](Backend& b) {
         const std::vector<uint8_t> looks{0, math::kNotDrawn, 0, 0, math::kTinted};
         b.set_looks({looks, {{{1, 0, 0, 0.5f}}}});
         b.set_looks({});
       }},
  };
  return all;
}

std::unique_ptr<Backend> after(const BackendCase& backend, const std::vector<std::string>& names) {
  auto made = backend.make();
  made->upload(scene().model);
  for (const std::string& name : names) (calls().contains(name) ? calls() : changes()).at(name)(*made);
  return made;
}

struct CallState {
  std::vector<std::string> before, taken;
};

const std::vector<CallState>& states() {
  static const std::vector<CallState> all{
      {{}, {"forward"}},
      {{"forward"},
       {"forward", "read_image", "read_transmittance", "read_contributions", "read_depth", "loss",
        "set_image_gradient"}},
      {{"forward", "loss"},
       {"forward", "read_image", "read_transmittance", "read_contributions", "read_depth", "loss", "set_image_gradient",
        "backward"}},
      {{"forward", "loss", "backward"},
       {"forward", "read_image", "read_transmittance", "read_gradients", "read_pose_gradient", "update"}},
      {{"forward", "loss", "backward", "update"}, {"forward"}},
  };
  return all;
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

TEST_P(BackendParity, CallsInOrderAreTaken) {
  for (const CallState& state : states())
    for (const std::string& name : state.taken) {
      SCOPED_TRACE(text_of(state.before) + ", then " + name);
      calls().at(name)(*after(GetParam(), state.before));
    }
  for (const auto& [name, change] : changes()) {
    SCOPED_TRACE(name);
    after(GetParam(), {"forward", "loss", "backward", name, "forward", "loss", "backward", "read_gradients", "update"});
  }
}

TEST_P(BackendParity, AllOtherCallsAreRefusedDeathTest) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const CallState& state : states())
    for (const auto& [name, call] : calls()) {
      if (std::count(state.taken.begin(), state.taken.end(), name)) continue;
      SCOPED_TRACE(text_of(state.before) + ", then " + name);
      EXPECT_DEATH(call(*after(GetParam(), state.before)), "iteration_state");
    }
  for (const auto& [name, change] : changes()) {
    SCOPED_TRACE(name);
    EXPECT_DEATH(calls().at("read_image")(*after(GetParam(), {"forward", "loss", "backward", name})),
                 "iteration_state");
  }
}

}  // namespace
}  // namespace splat::test
