#include "studio/edit/edit_histogram.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "studio/edit/send_edit.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

using splat::edit::RowValue;
using splat::edit::ValueHistogram;

constexpr float kHeight = 110;  // px at scale 1
// In the order of RowValue.
const std::vector<const char*> kNames{"opacity",     "size",          "elongation",   "thickness",
                                      "position X",  "position Y",    "position Z",   "distance",
                                      "colour, red", "colour, green", "colour, blue", "contribution"};

float share(size_t count, size_t most, bool logarithmic) {
  if (most == 0) return 0;
  return logarithmic ? float(std::log1p(double(count)) / std::log1p(double(most))) : float(count) / float(most);
}

void select_range(Workspace& work, double low, double high, Modifiers modifiers) {
  const splat::edit::SelectMode mode = mode_of(modifiers);
  if (work.edit.value == RowValue::kContribution)
    return send_edit(work, {splat::edit::SelectByContribution{work.edit.seen_from, low, high, mode}});
  if (const auto measure = histogram_measure(work))
    send_edit(work, {splat::edit::SelectByValue{*measure, low, high, mode}});
}

void select_bins(Workspace& work, const ValueHistogram& histogram, int a, int b) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto [first, last] = std::minmax(a, b);
  work.edit.range = {histogram.edge(size_t(first)), histogram.edge(size_t(last) + 1)};
  select_range(work, histogram.from(size_t(first)), histogram.to(size_t(last)), {io.KeyShift, io.KeyCtrl, io.KeyAlt});
}

// What a drag over it does, in numbers.
void range_fields(Workspace& work, const ValueHistogram& histogram) {
  EditMode& edit = work.edit;
  if (!std::exchange(edit.range_known, true)) edit.range = {histogram.low, histogram.high};
  bool selects = false;
  const auto bound = [&](const char* label, const char* tip, double& value) {
    Row row(label, tip);
    ImGui::InputDouble(("##" + std::string(label)).c_str(), &value, 0, 0, "%.6g");
    note_place(label);
    selects |= entered();
  };
  bound("From", "Least value that is selected. Enter selects; a drag over the histogram sets it", edit.range[0]);
  bound("To", "Largest value that is selected. Enter selects", edit.range[1]);
  selects |= button("Select the range", "Selects the splats from the one value to the other, both inside", -1);
  if (!selects) return;
  if (edit.range[0] <= edit.range[1])
    select_range(work, edit.range[0], edit.range[1], {});
  else
    work.say("a range goes from the smaller to the larger number");
}

void bars(const Appearance& look, const EditMode& edit, const ValueHistogram& histogram, ImVec2 low, ImVec2 high) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 4 * look.scale);
  const size_t most = *std::max_element(histogram.all.begin(), histogram.all.end());
  const float step = (high.x - low.x) / float(histogram.all.size()), tall = high.y - low.y - 4 * look.scale;
  constexpr ImU32 kSelected = IM_COL32(255, 160, 30, 255);
  for (size_t i = 0; i < histogram.all.size(); ++i) {
    const float x = low.x + float(i) * step;
    const auto bar = [&](size_t count, ImU32 colour) {
      const float height = std::max(tall * share(count, most, edit.log_counts), count > 0 ? look.scale : 0.0f);
      if (height > 0) list.AddRectFilled({x, high.y - height}, {x + step, high.y}, colour);
    };
    bar(histogram.all[i], packed(look.colours().plot_line));
    bar(histogram.selected[i], kSelected);
  }
}

void plot(Workspace& work, const ValueHistogram& histogram) {
  EditMode& edit = work.edit;
  const float width = ImGui::GetContentRegionAvail().x, height = kHeight * work.appearance.scale;
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + width, low.y + height};
  ImGui::InvisibleButton("##histogram", {width, height});
  note_place("Histogram");
  const int bins = int(histogram.all.size());
  const int here = std::clamp(int((ImGui::GetIO().MousePos.x - low.x) / width * float(bins)), 0, bins - 1);
  if (ImGui::IsItemActivated()) edit.first_bin = here;
  bars(work.appearance, edit, histogram, low, high);
  const bool dragging = ImGui::IsItemActive() && edit.first_bin >= 0;
  if (dragging) {
    const float step = width / float(bins);
    const auto [first, last] = std::minmax(edit.first_bin, here);
    ImGui::GetWindowDrawList()->AddRectFilled({low.x + float(first) * step, low.y},
                                              {low.x + float(last + 1) * step, high.y}, IM_COL32(255, 160, 30, 60));
  }
  if (ImGui::IsItemHovered() || dragging) {
    const size_t from = size_t(dragging ? std::min(edit.first_bin, here) : here),
                 to = size_t(dragging ? std::max(edit.first_bin, here) : here);
    size_t count = 0;
    for (size_t i = from; i <= to; ++i) count += histogram.all[i];
    ImGui::SetTooltip("%.4g to %.4g: %s splats\nDrag to select. Shift adds, Ctrl removes, both intersect",
                      histogram.edge(from), histogram.edge(to + 1), count_text(count).c_str());
  }
  if (ImGui::IsItemDeactivated() && edit.first_bin >= 0) {
    select_bins(work, histogram, edit.first_bin, here);
    edit.first_bin = -1;
  }
  const std::string left = number_text(histogram.low, "%.3g"), right = number_text(histogram.high, "%.3g");
  ImGui::TextDisabled("%s", left.c_str());
  ImGui::SameLine(ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(right.c_str()).x);
  ImGui::TextDisabled("%s", right.c_str());
}

// Contributions are those to the view, and are read anew once it stands still: not in every frame of a turn.
void follow_view(Workspace& work) {
  EditMode& edit = work.edit;
  const splat::View view = work.look.navigator.view();
  const bool still = view == std::exchange(edit.last_view, view) && !ImGui::IsAnyMouseDown();
  if (edit.value != RowValue::kContribution || !still || view == edit.seen_from) return;
  send_edit(work, {});
}

}  // namespace

void draw_edit_histogram(Workspace& work) {
  EditMode& edit = work.edit;
  const bool was_shown = edit.histogram_shown;
  edit.histogram_shown = section("Select by value", false);
  if (!edit.histogram_shown) return;
  if (!was_shown) edit.scroll_to_histogram = true;
  int value = int(edit.value);
  {
    Row row("Value",
            "Distance: from the middle of the scene. Sizes, positions and distances in world units. Contribution: the "
            "largest share that a splat has in a pixel of the present view, 0 where it is not seen; counted anew when "
            "the view stands still");
    choice("##value", &value, kNames);
  }
  const bool changed = value != int(edit.value);
  edit.value = RowValue(value);
  if (changed) edit.range_known = false, edit.scroll_to_histogram = true, edit.scene->histogram.reset();
  if (changed || !was_shown)
    send_edit(work, {});
  else
    follow_view(work);
  if (!edit.scene->histogram)
    faint_text(work.appearance, "Counting...");
  else if (edit.scene->histogram->all.empty())
    faint_text(work.appearance, "No splat that is shown has this value.");
  else
    plot(work, *edit.scene->histogram), range_fields(work, *edit.scene->histogram);
  checkbox("Logarithmic counts", &edit.log_counts, "Makes rare splats visible. Default on");
  if (!edit.scene->histogram) return;
  if (edit.scroll_to_histogram && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(1);
  edit.scroll_to_histogram = false;
}

}  // namespace studio
