#include "viewer/widgets/plot.h"

#include <implot/implot.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

// There is one point at least.
const std::array<float, 2>& nearest_to(const CurvePoints& points, float iteration) {
  return *std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return std::abs(a[0] - iteration) < std::abs(b[0] - iteration);
  });
}

// At the iteration that is pointed at, else the latest.
std::string value_text(const PlotStyle& style, const CurvePoints& points, const CurveHover& hover) {
  if (points.empty()) return "not yet";
  const float value = (hover.at ? nearest_to(points, *hover.at) : points.back())[1];
  if (std::string_view(style.format) == "%.0f" && value >= 0) return count_text(uint64_t(std::lround(value)));
  return number_text(value, style.format);
}

void title_row(const PlotStyle& style, const CurvePoints& points, const CurveHover& hover) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::TextDisabled("%s", style.title);
  ImGui::SameLine();
  const std::string value = value_text(style, points, hover);
  ImGui::SetCursorPosX(ImGui::GetCursorStartPos().x + width - ImGui::CalcTextSize(value.c_str()).x);
  points.empty() ? ImGui::TextDisabled("%s", value.c_str()) : ImGui::TextUnformatted(value.c_str());
}

void set_limits(const PlotStyle& style, const CurvePoints& points, bool follow) {
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  const double bottom = style.from_zero ? 0 : (*low)[1], top = (*high)[1];
  const double margin = top > bottom ? 0.06 * (top - bottom) : std::max(0.1 * std::abs(top), 1e-6);
  const double first = style.last > 0 ? 0 : points.front()[0];
  const double last = std::max<double>({points.back()[0], style.last, first + 1});
  ImPlot::SetupAxesLimits(first, last, style.from_zero ? 0 : bottom - margin, top + margin,
                          follow ? ImPlotCond_Always : ImPlotCond_Once);
}

void say_iteration(float iteration) {
  if (!ImGui::IsAnyMouseDown()) ImGui::SetTooltip("Iteration %s", count_text(uint64_t(iteration)).c_str());
}

void read_value(const Appearance& look, const CurvePoints& points, CurveHover& hover) {
  if (ImPlot::IsPlotHovered()) {
    hover.found(nearest_to(points, float(ImPlot::GetPlotMousePos().x))[0]);
    say_iteration(*hover.at);
  }
  if (!hover.at) return;
  const std::array<float, 2>& point = nearest_to(points, *hover.at);
  ImPlot::GetPlotDrawList()->AddCircleFilled(ImPlot::PlotToPixels(point[0], point[1]), 3 * look.scale,
                                             packed(look.colours().accent));
}

ImVec4 colour(const std::array<float, 4>& c) { return {c[0], c[1], c[2], c[3]}; }

}  // namespace

void plot(const Appearance& look, const PlotStyle& style, const CurvePoints& points, CurveHover& hover) {
  title_row(style, points, hover);
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
    read_value(look, points, hover);
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleColor(2);
  ImPlot::PopStyleVar(2);
}

// A title, the curve in a box between 0 and the last iteration, its value.
void sparkline(const Appearance& look, const PlotStyle& style, const CurvePoints& points, CurveHover& hover) {
  const float em = ImGui::GetFontSize(), height = 1.7f * em, left = 6.5f * em, right = 5.5f * em;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, left + right + em), text = low.y + 0.35f * em;
  const ImVec2 from{low.x + left, low.y + 2 * look.scale}, to{low.x + width - right, low.y + height - 2 * look.scale};
  ImGui::InvisibleButton(style.id, {width, height});
  const float last = std::max({style.last, points.empty() ? 0.0f : points.back()[0], 1.0f});
  if (ImGui::IsItemHovered() && !points.empty()) {
    const float share = std::clamp((ImGui::GetMousePos().x - from.x) / (to.x - from.x), 0.0f, 1.0f);
    hover.found(nearest_to(points, share * last)[0]);
    say_iteration(*hover.at);
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 faint = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  list.AddText({low.x, text}, faint, style.title);
  const std::string value = value_text(style, points, hover);
  list.AddText({low.x + width - ImGui::CalcTextSize(value.c_str()).x, text},
               points.empty() ? faint : ImGui::GetColorU32(ImGuiCol_Text), value.c_str());
  if (points.empty()) return;
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  const float bottom = style.from_zero ? 0 : (*least)[1], range = std::max((*most)[1] - bottom, 1e-12f);
  const auto place = [&](const std::array<float, 2>& point) {
    return ImVec2{from.x + (to.x - from.x) * point[0] / last, to.y - (to.y - from.y) * (point[1] - bottom) / range};
  };
  std::vector<ImVec2> line;
  for (const std::array<float, 2>& point : points) line.push_back(place(point));
  list.AddPolyline(line.data(), int(line.size()), packed(look.colours().plot_line), 1.5f * look.scale);
  if (line.size() == 1 || hover.at)
    list.AddCircleFilled(hover.at ? place(nearest_to(points, *hover.at)) : line[0], 3 * look.scale,
                         packed(look.colours().accent));
}

}  // namespace viewer
