#include "splat/path/picture_rate.h"

#include <charconv>
#include <cmath>

namespace splat {

namespace {

constexpr int kWhole[] = {12, 15, 24, 30, 48, 60, 72, 90, 96, 120, 144, 240};

double less_a_thousandth(int whole) { return whole * 1000. / 1001; }

}  // namespace

double picture_rate(double per_second) {
  constexpr double kRounded = 3e-4;  // relative; a thousandth is between two neighbours
  for (const int whole : kWhole)
    if (std::abs(per_second - less_a_thousandth(whole)) < kRounded * whole) return less_a_thousandth(whole);
  return per_second;
}

std::string rate_text(double rate) {
  for (const int whole : kWhole)
    if (rate == less_a_thousandth(whole)) return std::to_string(whole) + "000/1001";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, rate).ptr};
}

}  // namespace splat
