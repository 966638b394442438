// Bit for bit; NaN equals NaN.
#pragma once

#include "splat/backend/backend.h"

namespace splat::test {

void expect_identical(const Gaussians& a, const Gaussians& b);
void expect_identical(const DensifyStatistics& a, const DensifyStatistics& b);

}  // namespace splat::test
