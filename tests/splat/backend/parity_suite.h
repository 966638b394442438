// One suite for every backend: a file per backend instantiates it, e.g. parity_cpu.cpp.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "splat/backend/backend.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {

struct BackendCase {
  std::string name;  // letters, digits and underscores
  std::function<std::unique_ptr<Backend>()> make;
};
inline std::ostream& operator<<(std::ostream& out, const BackendCase& backend) { return out << backend.name; }

class BackendParity : public ::testing::TestWithParam<BackendCase> {
 protected:
  std::unique_ptr<Backend> make() const { return GetParam().make(); }
};

inline std::string case_name(const ::testing::TestParamInfo<BackendCase>& info) { return info.param.name; }

// One iteration on the given view.
inline void iterate(Backend& backend, const Scene& scene, const View& view, const AdamSettings& settings) {
  backend.forward(view, scene.settings);
  backend.loss(scene.target, {});
  backend.backward();
  backend.update(settings);
}

inline void expect_same_gradients(ReferenceBackend& reference, Backend& tested, const GradientLimits& limits = {}) {
  Gaussians v_expected, v_tested;
  std::array<float, 3> v_background_expected, v_background_tested;
  reference.read_gradients(v_expected, v_background_expected);
  tested.read_gradients(v_tested, v_background_tested);
  expect_groups_match(v_tested, v_expected, limits);
  expect_values_match("background", v_background_tested, v_background_expected, limits);
}

}  // namespace splat::test
