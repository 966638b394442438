// The photo that is painted on, and the tools above it.
#include <cmath>
#include <string>
#include <utility>

#include "splat/core/counted.h"
#include "studio/masks/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kChoiceEms = 6, kSizeEms = 8, kReachPx = 8;  // the last: of a first corner, at scale 1

}  // namespace

void MaskFeature::step_buttons() {
  const bool some = !steps_.empty();
  ImGui::BeginDisabled(!paintable());
  ImGui::BeginDisabled(!some && corners_.empty());
  if (next_button("Undo", "Take back what was painted last (Ctrl+Z; Ctrl+Shift+Z paints it again)")) undo();
  ImGui::EndDisabled();
  if (next_button("Invert", "What counts is left out, and what is left out counts")) add({PaintKind::kInvert});
  if (next_button("Clear", "All of the photo counts")) add({PaintKind::kClear});
  ImGui::BeginDisabled(!some);
  if (next_button("Save mask",
                  "Write it for the photo's own pixels, where the next run finds it. A mask from elsewhere is kept "
                  "beside it, with .before at the end of its name"))
    save();
  ImGui::EndDisabled();
  ImGui::EndDisabled();
}

void MaskFeature::tool_row() {
  int tool = int(polygon_);
  ImGui::SetNextItemWidth(kChoiceEms * ImGui::GetFontSize());
  if (choice("##tool", &tool, {"Brush", "Polygon"})) set_polygon(tool == 1);
  note_place("Tool");
  tooltip("Brush: drag. Polygon: click its corners, and the first one again (X switches)");
  go_on(4 * ImGui::GetFontSize());
  checkbox("Erase", &erases_, "What is painted counts again. Default off");
  go_on(kSizeEms * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(kSizeEms * ImGui::GetFontSize());
  ImGui::BeginDisabled(polygon_);
  slider("##brush", &size_, {0.5f, 40, 5, "%.1f %%", true});
  note_place("Size");
  tooltip("Across the brush, in % of the photo's width. Default 5 %");
  ImGui::EndDisabled();
  step_buttons();
  if (next_button("Previous", "The photo before this ([)")) next(-1);
  if (next_button("Next", "The photo after this (])")) next(1);
  if (next_button("Close", "Back to the scene (Escape)")) leave([this] { close(); });
  if (!on_) return;
  const std::string& name = work.received.cameras()[size_t(view_)].name;
  const char* state = saving_ > 0            ? ", being saved"
                      : !photo_              ? ", being read"
                      : !steps_.empty()      ? ", not saved"
                      : photo_->file.empty() ? ", without a mask"
                                             : ", with its mask";
  std::string text = name + state;
  if (!others_.empty()) text += "; " + splat::counted(others_.size(), "other photo") + " not saved";
  go_on(ImGui::CalcTextSize(text.c_str()).x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextWrapped("%s", text.c_str());
}

void MaskFeature::stroke_to(const PaintPoint& at, bool begins) {
  if (begins) {
    add({PaintKind::kStroke, erases_, size_ / 200, {at}});
    in_stroke_ = true;
    return;
  }
  if (!in_stroke_ || steps_.back().points.back() == at) return;
  PaintStep& stroke = steps_.back();
  paint({PaintKind::kStroke, stroke.erases, stroke.radius, {stroke.points.back(), at}}, changes_);
  stroke.points.push_back(at);
  show();
}

void MaskFeature::corner_at(const PaintPoint& at, float reach) {
  const bool closes = corners_.size() > 2 && std::hypot(at[0] - corners_[0][0], at[1] - corners_[0][1]) <= reach;
  if (!closes) return corners_.push_back(at);
  add({PaintKind::kPolygon, erases_, 0, std::exchange(corners_, {})});
}

void MaskFeature::canvas() {
  const PicturePlace place = fitted_picture(float(shown_.width()), float(shown_.height()));
  const float width = place.high.x - place.low.x, scale = work.appearance.scale;
  ImGui::SetCursorScreenPos(place.low);
  ImGui::InvisibleButton("canvas", {width, place.high.y - place.low.y});
  note_place("canvas");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const PaintPoint at{(mouse.x - place.low.x) / width, (mouse.y - place.low.y) / width};
  if (paintable() && polygon_ && ImGui::IsItemActivated()) corner_at(at, kReachPx * scale / width);
  if (paintable() && !polygon_ && (ImGui::IsItemActive() || ImGui::IsItemDeactivated()))  // a quick drag ends there
    stroke_to(at, ImGui::IsItemActivated());
  if (ImGui::IsItemDeactivated() && !steps_.empty()) keep();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddImage(texture_id(shown_.texture()), place.low, place.high);
  const ImU32 colour = packed(work.appearance.colours().accent);
  const auto on_screen = [&](const PaintPoint& p) {
    return ImVec2{place.low.x + p[0] * width, place.low.y + p[1] * width};
  };
  for (size_t i = 0; i < corners_.size(); ++i) {
    list.AddLine(on_screen(corners_[i]), i + 1 < corners_.size() ? on_screen(corners_[i + 1]) : mouse, colour,
                 2 * scale);
    list.AddCircleFilled(on_screen(corners_[i]), (i == 0 ? kReachPx / 2 : 3) * scale, colour);
  }
  if (!polygon_ && ImGui::IsItemHovered()) list.AddCircle(mouse, size_ / 200 * width, colour, 0, 1.5f * scale);
}

// Whether to go on with paint that an earlier window has left.
void MaskFeature::ask_about_found() {
  if (!begin_modal("Go on painting?", found_.has_value())) return;
  if (!found_) {  // another scene has come
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  ImGui::TextWrapped("What was painted on '%s' was not saved when the window ended.", found_->photo.c_str());
  ImGui::Spacing();
  const bool on = main_button(work.appearance, "Go on painting", "Show the photo with its paint (Enter)", 0) ||
                  std::exchange(work.dialogs.confirmed, false);
  ImGui::SameLine();
  const bool lose = button("Discard", "This paint is lost; the mask stays as it is");
  ImGui::SameLine();
  const bool later = button("Ask again later", "When these photos are opened next (Escape)") || work.dialogs.escaped;
  const int view = found_->view;
  if (on || lose || later) {
    found_.reset();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (on) open(view);
  if (lose) work.ask(KeepPaint{view, {}});
}

void MaskFeature::draw_dialogs() {
  ask_about_found();
  const bool fresh = std::exchange(just_asked_, false);  // by Escape, maybe, which is no answer yet
  if (!begin_modal("The mask is not saved", asks_)) return;
  if (!asks_) {  // another scene has come
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  const size_t photos = others_.size() + size_t(!steps_.empty());
  const int one = steps_.empty() ? others_.begin()->first : view_;
  const std::string lost =
      photos > 1 ? splat::counted(photos, "photo") : "'" + work.received.cameras()[size_t(one)].name + "'";
  ImGui::TextWrapped("What was painted on %s would be lost.", lost.c_str());
  ImGui::Spacing();
  const bool save = main_button(work.appearance, photos > 1 ? "Save the masks" : "Save the mask",
                                "Write what was painted, then go on (Enter)", 0) ||
                    std::exchange(work.dialogs.confirmed, false);
  ImGui::SameLine();
  const bool lose = button("Discard", "What was painted since the mask was saved is lost");
  ImGui::SameLine();
  const bool stay = button("Go on painting", "Back to the photo (Escape)") || (work.dialogs.escaped && !fresh);
  if (save || lose || stay) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (stay) then_ = nullptr;
  if (save) save_all();
  if (!lose) return;
  const std::function<void()> then = std::exchange(then_, nullptr);
  discard_all();
  then();
}

void MaskFeature::draw_in_place_of_scene() {
  tool_row();
  if (photo_) canvas();
}

}  // namespace studio
