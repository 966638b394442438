#include <imgui/imgui.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "studio/edit/align_tool.h"
#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

const std::string& name_of(const Workspace& work, uint32_t object) {
  return work.edit.scene->objects[object].object.name;
}

// A list of all objects that have splats.
void object_choice(Workspace& work, AlignTool& align, const char* label, const char* tip, uint32_t& object) {
  Row row(label, tip);
  if (ImGui::BeginCombo(("##" + std::string(label)).c_str(), name_of(work, object).c_str())) {
    const std::vector<SceneObject>& objects = work.edit.scene->objects;
    for (uint32_t one = 0; one < objects.size(); ++one) {
      if (objects[one].rows == 0) continue;
      ImGui::PushID(int(one));
      if (ImGui::Selectable(objects[one].object.name.c_str(), one == object)) {
        object = one;
        align.clear();
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  note_place(label);
}

void align_kinds(Workspace& work, AlignTool& align) {
  EvenRow row(work.appearance, 2);
  const auto kind = [&](bool with_scale, const char* label, const char* tip) {
    if (row.button(label, tip, align.with_scale() == with_scale)) align.set_with_scale(with_scale);
  };
  kind(false, "Rigid", "It is moved and turned");
  kind(true, "With scale", "It is moved, turned and made larger or smaller");
}

// In the order of AlignStep.
constexpr AlignStep kAlignSteps[] = {AlignStep::kRefine, AlignStep::kShow, AlignStep::kTake, AlignStep::kPutBack};
constexpr Offer kAlignOffers[] = {
    {"Refine",
     "Lays its surface on the other's (ICP), from where the pairs lay it, or from where it lies: it must be about "
     "right. Nothing moves before Apply",
     "Align: refine", "Shift+Enter"},
    {"Show", "Draws it where it would lie; nothing moves before Apply", "Align: show where it would lie", "Enter"},
    {"Apply", "It lies there from now on: one step", "Align: apply what is shown", "Enter"},
    {"Cancel", "It is shown where it lies", "Align: cancel what is shown", "Escape"},
};
const Offer& offer_of(AlignStep step) { return kAlignOffers[size_t(step)]; }

std::string length_text(const Workspace& work, double units) { return work.edit.measure.text(units); }

}  // namespace

bool AlignTool::can(const Workspace& work, AlignStep step) const {
  const bool shows = shown_.moves();
  if (&work.edit.tool() != this || !work.edit.scene || waiting_) return false;
  switch (step) {
    case AlignStep::kRefine:
      return work.edit.scene->objects.size() > 1;
    case AlignStep::kShow:
      return !shows && motion();
    case AlignStep::kTake:
    case AlignStep::kPutBack:
      return shows;
  }
  return false;
}

void AlignTool::take(Workspace& work, AlignStep step) {
  if (!can(work, step)) return;
  switch (step) {
    case AlignStep::kRefine:
      return send_edit(work, refine());
    case AlignStep::kShow:
      return send_edit(work, show());
    case AlignStep::kPutBack:
      work.look.changed = true;
      return cancel();
    case AlignStep::kTake:
      break;
  }
  if (work.edit.scene->objects[moving].object.locked)
    return work.say("'" + name_of(work, moving) + "' is locked: unlock it in the list of objects, then align it");
  send_edit(work, {accept()});
}

void AlignTool::draw_results(Workspace& work) const {
  const auto fitted = fit();
  fact("Pairs", count_text(pairs_.size()));
  if (fitted)
    fact("Residual", length_text(work, fitted->rms), "Between the pairs once it is aligned: root of the mean square");
  if (!fitted && pairs_.size() >= 3) coloured_text(work.appearance.colours().warning, fitted.error().message + ".");
  if (refined_) {
    fact("Refined", length_text(work, refined_->rms),
         "Between the surfaces, where they lie on each other: root of the mean square");
    fact("In common", number_text(100 * refined_->share, "%.0f %%"), "Share of the moved object that matched");
    if (doubtful())
      coloured_text(work.appearance.colours().warning, "Looks wrong? Set three pairs of points, then refine.");
  }
}

bool AlignTool::take_pointer(Workspace& work, const InputEvent& event, double /*scale*/) {
  if (!is_press(event) || shown_.moves()) return false;  // what is shown is looked at from all sides
  work.ask(PickPoint{work.look.navigator.view(), event.x, event.y, offer.label, next_object()});
  return true;
}

void AlignTool::picked(Workspace&, const PickedPoint& found) {
  if (found.object) add(*found.object, *found.point);
}

float AlignTool::panel_rows(const Workspace& work) const { return work.edit.scene->objects.size() < 2 ? 2 : 6; }

void AlignTool::draw_panel(Workspace& work) {
  if (!choose(work.edit.scene->objects, work.edit.objects.looked_at))
    return faint_text(work.appearance, "There is one object: add a file or separate a part.");
  object_choice(work, *this, "Move", "The object that is moved", moving);
  object_choice(work, *this, "Onto", "The object that stays", onto);
  if (!choose(work.edit.scene->objects, {})) return;
  align_kinds(work, *this);
  draw_results(work);
}

void AlignTool::draw_strip(Workspace& work) {
  for (const AlignStep step : kAlignSteps) {
    ImGui::SameLine();
    ImGui::BeginDisabled(!can(work, step));
    if (button(offer_of(step).label, offer_of(step).tooltip().c_str())) take(work, step);
    ImGui::EndDisabled();
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(empty());
  if (button("Clear pairs", "Removes the points (Escape); Backspace removes the last one")) clear();
  ImGui::EndDisabled();
  const bool several = choose(work.edit.scene->objects, work.edit.objects.looked_at);
  strip_text(work, !several         ? "There is one object: add a file or separate a part."
                   : waiting_       ? "Refining..."
                   : shown_.moves() ? "Shown where it would lie. Nothing has moved yet."
                                    : (first_ ? "Click the same point on '" : "Click a point on '") +
                                          name_of(work, next_object()) + "'.");
}

bool AlignTool::take_keys(Workspace& work, const std::string& keys) {
  const std::string key = without_shift(keys);
  if (Tool::take_keys(work, keys)) return true;
  if (key == "Backspace") return remove_last(), true;
  if (key == "Escape" && !empty()) return clear(), true;
  return false;
}

void AlignTool::add_actions(Workspace& work, std::vector<Action>& actions) {
  for (const AlignStep step : kAlignSteps)
    actions.push_back(
        {offer_of(step).name, offer_of(step).keys, can(work, step), [this, &work, step] { take(work, step); }});
}

void AlignTool::draw_over_scene(Workspace& work, const ScenePlace& scene) {
  if (empty()) return;
  const splat::View view = work.look.navigator.view();
  const float thick = 1.5f * work.appearance.scale;
  const ImU32 line = packed(work.appearance.colours().accent), text = ImGui::GetColorU32(ImGuiCol_Text);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  const auto mark = [&](const Vec3& point, const std::string& name, bool filled) {
    const auto at = scene.at(view, point);
    if (!at) return;
    filled ? list.AddCircleFilled(*at, 3 * thick, line) : list.AddCircle(*at, 3 * thick, line, 0, thick);
    list.AddText({at->x + 4 * thick, at->y + 2 * thick}, text, name.c_str());
  };
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const auto& pair = pairs_[i];
    const Vec3 moved = vec3(shown_.by * pair.from);
    const auto from = scene.at(view, moved), to = scene.at(view, vec3(pair.to));
    if (from && to) list.AddLine(*from, *to, line, thick);
    mark(moved, std::to_string(i + 1), true);
    mark(vec3(pair.to), shown_.moves() ? length_text(work, length(moved - vec3(pair.to))) : std::to_string(i + 1),
         false);
  }
  if (first_) mark(*first_, std::to_string(pairs_.size() + 1), true);
  list.PopClipRect();
}

void AlignTool::add_state(const Workspace& work, nlohmann::json& state) const {
  if (!work.edit.scene) return;
  state["pairs"] = {{"points", 2 * pairs_.size() + (first_ ? 1 : 0)}, {"landed", shown_.moves()}};
  if (refined_) state["pairs"]["refined"] = refined_->rms;
}

}  // namespace studio
