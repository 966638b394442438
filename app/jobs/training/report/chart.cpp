#include "app/jobs/training/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {
namespace {

constexpr double kWidth = 420, kHeight = 240;                       // px of the view box
constexpr double kLeft = 54, kRight = 14, kTop = 14, kBottom = 30;  // margins, px
constexpr size_t kMaxDots = 60;

struct Axis {
  double low = 0, high = 1;          // of the data
  double first_px = 0, last_px = 1;  // where they lie
  double px(double value) const { return first_px + (value - low) / (high - low) * (last_px - first_px); }
};

// "7 000", "0.05": short, and different for neighbouring ticks.
std::string tick_text(double value, double step) {
  if (value != 0 && std::abs(value) >= 1e6) return fmt::format("{:g}M", value * 1e-6);
  if (value != 0 && std::abs(value) >= 1e4) return fmt::format("{:g}k", value * 1e-3);
  const int decimals = std::clamp(int(-std::floor(std::log10(step) + 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", value, decimals);
}

std::string grid_svg(const Axis& x, const Axis& y, const std::vector<double>& x_ticks,
                     const std::vector<double>& y_ticks) {
  std::string svg;
  for (double tick : y_ticks) {
    const double row = y.px(tick);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" class=\"axis "
        "end\">{}</text>",
        x.first_px, row, x.last_px, x.first_px - 8, row + 4, tick_text(tick, y_ticks[1] - y_ticks[0]));
  }
  for (double tick : x_ticks)
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}v4\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" class=\"axis "
        "middle\">{3}</text>",
        x.px(tick), y.first_px, y.first_px + 19, tick_text(tick, x_ticks[1] - x_ticks[0]));
  return svg;
}

std::string curve_svg(const Chart& chart, const Axis& x, const Axis& y) {
  std::string path, dots;
  for (const Chart::Point& point : chart.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.px(point.x), y.px(point.y));
    if (chart.points.size() <= kMaxDots)
      dots += fmt::format(
          "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{:g}: {:.6g} {}</title></circle>",
          x.px(point.x), y.px(point.y), point.x, point.y, chart.unit);
  }
  return fmt::format("<path class=\"curve\" d=\"{}\"/>{}", path, dots);
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  if (!(high > low)) high = low + std::max(std::abs(low) * 0.1, 1e-3);
  const double raw = (high - low) / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0})
    if (factor * power >= raw * (1 - 1e-9)) step = factor * power;
  std::vector<double> ticks;
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string chart_svg(const Chart& chart) {
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kWidth, kHeight, chart.title);
  if (chart.points.empty())
    return svg + fmt::format("<text x=\"{}\" y=\"{}\" class=\"axis middle\">nothing to show</text></svg>", kWidth / 2,
                             kHeight / 2);
  auto [low, high] = std::minmax_element(chart.points.begin(), chart.points.end(),
                                         [](const auto& a, const auto& b) { return a.y < b.y; });
  const std::vector<double> y_ticks = round_ticks(chart.from_zero ? 0 : low->y, high->y, 5);
  const double last_x = std::max(chart.points.back().x, 1.0);
  std::vector<double> x_ticks = round_ticks(0, last_x, 5);
  while (x_ticks.size() > 2 && x_ticks.back() > last_x) x_ticks.pop_back();
  const Axis x{0, std::max(last_x, x_ticks.back()), kLeft, kWidth - kRight};
  const Axis y{y_ticks.front(), y_ticks.back(), kHeight - kBottom, kTop};
  return svg + grid_svg(x, y, x_ticks, y_ticks) + curve_svg(chart, x, y) + "</svg>";
}

}  // namespace app
