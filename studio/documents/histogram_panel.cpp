#include <algorithm>
#include <cmath>

#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kHeight = 72;  // px at scale 1

float height_share(size_t count, size_t most, bool logarithmic) {
  if (most == 0) return 0;
  return logarithmic ? float(std::log1p(double(count)) / std::log1p(double(most))) : float(count) / float(most);
}

void read_bin(const splat::Histogram& histogram, size_t bin, size_t all) {
  const double share = 100.0 * double(histogram.counts[bin]) / double(std::max<size_t>(all, 1));
  ImGui::SetTooltip("%.3g to %.3g: %s splats (%.1f %%)", histogram.edges[bin], histogram.edges[bin + 1],
                    count_text(histogram.counts[bin]).c_str(), share);
}

void bars(const Appearance& appearance, bool log_counts, const char* id, const splat::Histogram& histogram) {
  const float width = ImGui::GetContentRegionAvail().x, gap = 1 * appearance.scale, height = kHeight * appearance.scale;
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + width, low.y + height};
  ImGui::InvisibleButton(id, {width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 4 * appearance.scale);
  const size_t bins = histogram.counts.size();
  const size_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  size_t all = 0;
  for (const size_t count : histogram.counts) all += count;
  const float step = width / float(bins), mouse = ImGui::GetIO().MousePos.x;
  const bool hovered = ImGui::IsItemHovered();
  const Palette& colours = appearance.colours();
  for (size_t i = 0; i < bins; ++i) {
    const float x = low.x + float(i) * step;
    const bool here = hovered && mouse >= x && mouse < x + step;
    const float share = height_share(histogram.counts[i], most, log_counts);
    const float top = high.y - std::max(share * (height - 4 * appearance.scale), histogram.counts[i] > 0 ? 1.0f : 0.0f);
    if (top < high.y)
      list.AddRectFilled({x + gap, top}, {x + step - gap, high.y}, packed(here ? colours.accent : colours.plot_line));
    if (here) read_bin(histogram, i, all);
  }
}

// The first, middle and last edge below the bars.
void scale_of(const splat::Histogram& histogram) {
  const float start = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
  const size_t last = histogram.edges.size() - 1;
  const size_t marked[] = {0, last / 2, last};
  for (const size_t edge : marked) {
    const std::string text = number_text(histogram.edges[edge], "%.3g");
    const float size = ImGui::CalcTextSize(text.c_str()).x;
    const float at = width * float(edge) / float(last) - size / 2;
    if (edge > 0) ImGui::SameLine();
    ImGui::SetCursorPosX(start + std::clamp(at, 0.0f, std::max(width - size, 0.0f)));
    ImGui::TextDisabled("%s", text.c_str());
  }
}

void show(const Appearance& appearance, bool log_counts, const char* title, const char* tip,
          const splat::Histogram& histogram) {
  ImGui::TextUnformatted(title);
  tooltip(tip);
  if (histogram.counts.empty()) return faint_text(appearance, "no splat has one");
  bars(appearance, log_counts, title, histogram);
  scale_of(histogram);
}

}  // namespace

void draw_histogram_panel(Workspace& work) {
  const Received& received = work.received;
  Look& look = work.look;
  const Appearance& appearance = work.appearance;
  if (!(received.splats || received.live()) || !section("Histograms", false)) return;
  if (received.live() && button("Take from the run", "Count the run's splats as they are now"))
    work.ask(PublishModel{});
  if (!received.splats) return faint_text(appearance, "The splats of a run are counted when it ends, or on request.");
  show(appearance, look.log_counts, "Opacity",
       "Number of splats by opacity, 0 to 1. Those near 0 can be removed: hipsplat convert IN OUT --min-opacity",
       received.splats->opacity);
  show(appearance, look.log_counts, "Size",
       "Number of splats by size: standard deviation along the longest axis, world units, in steps of half a power of "
       "ten",
       received.splats->size);
  checkbox("Logarithmic counts", &look.log_counts, "Makes rare splats visible. Default off");
}

}  // namespace studio
