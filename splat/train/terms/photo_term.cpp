#include "splat/train/terms/photo_term.h"

#include <cstdio>

namespace splat {

std::string two_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

}  // namespace splat
