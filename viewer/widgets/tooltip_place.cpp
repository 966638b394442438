#include "viewer/widgets/tooltip_place.h"

#include <algorithm>

namespace viewer {

TooltipPlace tooltip_place(const Edges& window, const Edges& panel, const Edges& item, float width, float height) {
  constexpr float kGap = 6, kLowItems = 3;  // px; a panel at most as high as these is a strip
  const auto within = [](float at, float low, float high) { return std::max(low, std::min(at, high)); };
  const float x = within(item.left, window.left, std::min(window.right, panel.right) - width),
              y = within(item.top, window.top, window.bottom - height);
  const bool strip = panel.height() <= kLowItems * item.height() && panel.width() > panel.height();
  if (!strip && panel.right + kGap + width <= window.right) return {panel.right + kGap, y};
  if (!strip && panel.left - kGap - width >= window.left) return {panel.left - kGap - width, y};
  const Edges& from = strip ? panel : item;
  const float below = from.bottom + kGap, above = from.top - kGap - height;
  const bool fits_below = below + height <= window.bottom, fits_above = above >= window.top;
  return {x, strip ? (fits_below || !fits_above ? below : above) : (fits_above || !fits_below ? above : below)};
}

}  // namespace viewer
