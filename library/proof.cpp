#include "library/proof.h"

#include <cstdio>

#include "devices/self_test.h"
#include "splat/backend/reference/reference_backend.h"

namespace library {

Proof prove(splat::Backend& backend) {
  constexpr int kSide = 32;  // px
  const double largest = splat::largest_difference(backend, *splat::make_reference_backend(), kSide);
  char text[128];
  std::snprintf(text, sizeof text, "a picture of %dx%d differs from the reference's by at most %.1e of 1", kSide, kSide,
                largest);
  return {largest <= splat::kLargestDifference, text};
}

}  // namespace library
