#include "viewer/widgets/plot.h"

#include <implot/implot.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

using Points = std::vector<std::array<float, 2>>;

void title_row(const PlotStyle& style, const Points& points) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::TextDisabled("%s", style.title);
  ImGui::SameLine();
  if (points.empty()) return ImGui::TextDisabled("  not yet");
  const std::string latest = number_text(points.back()[1], style.format);
  ImGui::SetCursorPosX(ImGui::GetCursorStartPos().x + width - ImGui::CalcTextSize(latest.c_str()).x);
  ImGui::TextUnformatted(latest.c_str());
}

void set_limits(const PlotStyle& style, const Points& points, bool follow) {
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  const double bottom = style.from_zero ? 0 : (*low)[1], top = (*high)[1];
  const double margin = top > bottom ? 0.06 * (top - bottom) : std::max(0.1 * std::abs(top), 1e-6);
  const double first = points.front()[0], last = std::max<double>(points.back()[0], first + 1);
  ImPlot::SetupAxesLimits(first, last, style.from_zero ? 0 : bottom - margin, top + margin,
                          follow ? ImPlotCond_Always : ImPlotCond_Once);
}

void read_value(const Appearance& look, const PlotStyle& style, const Points& points) {
  if (!ImPlot::IsPlotHovered()) return;
  const double at = ImPlot::GetPlotMousePos().x;
  const auto nearest = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return std::abs(a[0] - at) < std::abs(b[0] - at);
  });
  const ImVec2 place = ImPlot::PlotToPixels((*nearest)[0], (*nearest)[1]);
  ImPlot::GetPlotDrawList()->AddCircleFilled(place, 3 * look.scale, packed(look.colours().accent));
  if (!ImGui::IsAnyMouseDown())
    ImGui::SetTooltip("iteration %.0f: %s", double((*nearest)[0]), number_text((*nearest)[1], style.format).c_str());
}

ImVec4 colour(const std::array<float, 4>& c) { return {c[0], c[1], c[2], c[3]}; }

}  // namespace

void plot(const Appearance& look, const PlotStyle& style, const Points& points) {
  title_row(style, points);
  if (points.empty()) return;
  // All of it is shown until the user has chosen a part.
  bool* chosen = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(style.id), false);
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2(2 * look.scale, 4 * look.scale));
  ImPlot::PushStyleVar(ImPlotStyleVar_LabelPadding, ImVec2(4 * look.scale, 2 * look.scale));
  ImPlot::PushStyleColor(ImPlotCol_PlotBorder, ImVec4(0, 0, 0, 0));
  ImPlot::PushStyleColor(ImPlotCol_PlotBg, ImVec4(0, 0, 0, 0));
  const std::string id = std::string("##") + style.id;
  constexpr ImPlotFlags kFlags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText;
  if (ImPlot::BeginPlot(id.c_str(), {-1, style.height * look.scale}, kFlags)) {
    ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoTickMarks,
                      ImPlotAxisFlags_NoTickMarks);
    ImPlot::SetupAxisFormat(ImAxis_Y1, style.format);
    set_limits(style, points, !*chosen);
    ImPlotSpec line;
    line.LineColor = colour(look.colours().plot_line);
    line.LineWeight = 1.5f * look.scale;
    line.FillColor = colour(look.colours().plot_fill);
    line.Stride = sizeof(points[0]);
    if (points.size() > 1) {
      ImPlot::PlotShaded("##fill", &points[0][0], &points[0][1], int(points.size()), style.from_zero ? 0 : -INFINITY,
                         line);
      ImPlot::PlotLine("##line", &points[0][0], &points[0][1], int(points.size()), line);
    } else {
      line.Marker = ImPlotMarker_Circle;
      ImPlot::PlotScatter("##point", &points[0][0], &points[0][1], 1, line);
    }
    const ImGuiIO& io = ImGui::GetIO();
    const bool dragged =
        ImGui::IsMouseDragging(ImGuiMouseButton_Left) || ImGui::IsMouseDragging(ImGuiMouseButton_Right);
    if (ImPlot::IsPlotHovered() && (io.MouseWheel != 0 || dragged)) *chosen = true;
    if (ImPlot::IsPlotHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) *chosen = false;
    read_value(look, style, points);
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleColor(2);
  ImPlot::PopStyleVar(2);
}

}  // namespace viewer
