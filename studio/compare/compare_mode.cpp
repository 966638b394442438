#include "studio/compare/compare_mode.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace studio {
namespace {

constexpr double kBlinkSeconds = 0.6;  // that each picture is seen

}  // namespace

void CompareMode::forget() {
  on = false;
  view = -1;
  figures.clear();
  waiting.clear();
}

void CompareMode::choose(const std::vector<PhotoCamera>& cameras) {
  if (view >= 0 && size_t(view) < cameras.size()) return;
  const auto held_out = std::find_if(cameras.begin(), cameras.end(), [](const auto& c) { return c.held_out; });
  view = held_out != cameras.end() ? int(held_out - cameras.begin()) : cameras.empty() ? -1 : 0;
}

void CompareMode::step(int by, int views) {
  if (views > 0) view = ((view + by) % views + views) % views;
}

void CompareMode::next_style() { style = CompareStyle((int(style) + 1) % 3); }

bool CompareMode::shows_right(double now) const { return int(std::floor(now / kBlinkSeconds)) % 2 != 0; }

std::optional<int> CompareMode::measure(std::vector<int> views) {
  if (views.empty()) return std::nullopt;
  std::reverse(views.begin(), views.end());
  waiting = std::move(views);
  return waiting.back();
}

std::optional<int> CompareMode::note(const Comparison& comparison) {
  figures[comparison.view] = {comparison.iteration, comparison.psnr, comparison.ssim, comparison.render.pixels.empty()};
  const size_t before = waiting.size();
  std::erase(waiting, comparison.view);
  // The mailbox keeps the newest answer alone: another one may have taken the place of the one that is awaited.
  if (before == 0 || waiting.empty()) return std::nullopt;
  return waiting.back();
}

splat::Image8 difference(const splat::Image8& a, const splat::Image8& b) {
  constexpr int kBrighter = 4;
  splat::Image8 result{a.width, a.height, 3, std::vector<uint8_t>(a.pixels.size())};
  for (size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i)
    result.pixels[i] = uint8_t(std::min(kBrighter * std::abs(int(a.pixels[i]) - int(b.pixels[i])), 255));
  return result;
}

std::vector<int> ordered(const CompareMode& compare, const std::vector<PhotoCamera>& cameras, PhotoOrder order,
                         bool descending) {
  const auto figure = [&](int view) -> std::optional<double> {
    const auto found = compare.figures.find(view);
    if (found == compare.figures.end() || found->second.failed) return std::nullopt;
    return order == PhotoOrder::kPsnr ? found->second.psnr : found->second.ssim;
  };
  std::vector<int> views(cameras.size());
  std::iota(views.begin(), views.end(), 0);
  std::sort(views.begin(), views.end(), [&](int a, int b) {
    const std::string &first = cameras[size_t(a)].name, &second = cameras[size_t(b)].name;
    if (order == PhotoOrder::kName) return descending ? second < first : first < second;
    const auto x = figure(a), y = figure(b);
    if (x.has_value() != y.has_value()) return x.has_value();
    if (!x || *x == *y) return first < second;
    return descending ? *y < *x : *x < *y;
  });
  return views;
}

}  // namespace studio
