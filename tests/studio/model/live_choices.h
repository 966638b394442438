// What the small runs of these tests are trained with: they grow, and hold out every fifth photo.
#pragma once

#include <filesystem>

#include "studio/documents/training_choices.h"

namespace studio::test {

inline studio::TrainingChoices choices(const std::filesystem::path& output, int iterations) {
  studio::TrainingChoices c;
  c.train.iterations = iterations;
  c.output = output;
  c.dataset.test_every = 5;
  c.train.seed = 3;
  c.device.backend = "cpu";
  c.fine = {{"strategy", "adc"}, {"densify-from", "50"}, {"densify-every", "50"}, {"densify-gradient", "0.00005"}};
  return c;
}

}  // namespace studio::test
