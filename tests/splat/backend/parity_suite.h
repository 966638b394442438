// One suite for every backend: a file per backend instantiates it, e.g. parity_cpu.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
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

// Sums over the splats, in which much may cancel: measured against the sum of their sizes, by the means' gradients.
inline void expect_same_pose_gradient(ReferenceBackend& reference, Backend& tested, double tolerance) {
  double size = 0, reach = 0;
  const auto &means = reference.model().means, &v_means = reference.gradients().means;
  for (size_t i = 0; i < v_means.size(); ++i)
    if (v_means[i] != 0) size += std::abs(v_means[i]), reach += std::abs(means[i] * v_means[i]);
  const PoseGradient a = reference.read_pose_gradient(), b = tested.read_pose_gradient();
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(b.translation[k], a.translation[k], tolerance * size + 1e-12) << "translation " << k;
    EXPECT_NEAR(b.rotation[k], a.rotation[k], tolerance * (size + reach) + 1e-12) << "rotation " << k;
  }
}

inline void expect_same_gradients(ReferenceBackend& reference, Backend& tested, const GradientLimits& limits = {}) {
  Gaussians v_expected, v_tested;
  std::array<float, 3> v_background_expected, v_background_tested;
  reference.read_gradients(v_expected, v_background_expected);
  tested.read_gradients(v_tested, v_background_tested);
  expect_groups_match(v_tested, v_expected, limits);
  expect_values_match("background", v_background_tested, v_background_expected, limits);
  expect_same_pose_gradient(reference, tested, limits.relative_l2);
}

}  // namespace splat::test
