#include "studio/edit/align_panel.h"

#include <imgui/imgui.h>

#include <cmath>
#include <string>
#include <vector>

#include "studio/edit/tools.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

const std::string& name_of(const Workspace& work, uint32_t object) {
  return work.edit.scene->objects[object].object.name;
}

// A list of all objects that have splats.
void object_choice(Workspace& work, const char* label, const char* tip, uint32_t& object) {
  Row row(label, tip);
  if (ImGui::BeginCombo(("##" + std::string(label)).c_str(), name_of(work, object).c_str())) {
    const std::vector<SceneObject>& objects = work.edit.scene->objects;
    for (uint32_t one = 0; one < objects.size(); ++one) {
      if (objects[one].rows == 0) continue;
      ImGui::PushID(int(one));
      if (ImGui::Selectable(objects[one].object.name.c_str(), one == object)) {
        object = one;
        work.edit.align.clear();
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

// What the buttons and the keys do, and how they are offered, in this order.
enum class AlignStep : uint8_t { kRefine, kShow, kTake, kPutBack };
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

bool can_align(const Workspace& work, AlignStep step) {
  const AlignTool& align = work.edit.align;
  const bool shown = align.shown().moves();
  if (work.edit.tool != EditTool::kAlign || !work.edit.scene || align.waiting()) return false;
  switch (step) {
    case AlignStep::kRefine:
      return work.edit.scene->objects.size() > 1;
    case AlignStep::kShow:
      return !shown && align.motion();
    case AlignStep::kTake:
    case AlignStep::kPutBack:
      return shown;
  }
  return false;
}

void take_align_step(Workspace& work, AlignStep step) {
  AlignTool& align = work.edit.align;
  if (!can_align(work, step)) return;
  switch (step) {
    case AlignStep::kRefine:
      return send_edit(work, align.refine());
    case AlignStep::kShow:
      return send_edit(work, align.show());
    case AlignStep::kPutBack:
      work.look.changed = true;
      return align.put_back();
    case AlignStep::kTake:
      break;
  }
  if (work.edit.scene->objects[align.moving].object.locked)
    return work.say("'" + name_of(work, align.moving) + "' is locked: unlock it in the list of objects, then align it");
  send_edit(work, {align.accept()});
}

std::string length_text(const Workspace& work, double units) { return work.edit.measure.text(units); }

void results(Workspace& work, AlignTool& align) {
  const auto fit = align.fit();
  fact("Pairs", count_text(align.pairs().size()));
  if (fit)
    fact("Residual", length_text(work, fit->rms), "Between the pairs once it is aligned: root of the mean square");
  if (!fit && align.pairs().size() >= 3) coloured_text(work.appearance.colours().warning, fit.error().message + ".");
  if (const auto& refined = align.refined()) {
    fact("Refined", length_text(work, refined->rms),
         "Between the surfaces, where they lie on each other: root of the mean square");
    fact("In common", number_text(100 * refined->share, "%.0f %%"), "Share of the moved object that matched");
    if (align.doubtful())
      coloured_text(work.appearance.colours().warning, "Looks wrong? Set three pairs of points, then refine.");
  }
}

}  // namespace

void draw_align_panel(Workspace& work) {
  AlignTool& align = work.edit.align;
  if (!align.choose(work.edit.scene->objects, work.edit.objects.looked_at))
    return faint_text(work.appearance, "There is one object: add a file or separate a part.");
  object_choice(work, "Move", "The object that is moved", align.moving);
  object_choice(work, "Onto", "The object that stays", align.onto);
  if (!align.choose(work.edit.scene->objects, {})) return;
  align_kinds(work, align);
  results(work, align);
}

void draw_align_options(Workspace& work) {
  AlignTool& align = work.edit.align;
  for (const AlignStep step : {AlignStep::kRefine, AlignStep::kShow, AlignStep::kTake, AlignStep::kPutBack}) {
    ImGui::SameLine();
    ImGui::BeginDisabled(!can_align(work, step));
    if (button(offer_of(step).label, offer_of(step).tooltip().c_str())) take_align_step(work, step);
    ImGui::EndDisabled();
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(align.empty());
  if (button("Clear pairs", "Removes the points (Escape); Backspace removes the last one")) align.clear();
  ImGui::EndDisabled();
  const bool several = align.choose(work.edit.scene->objects, work.edit.objects.looked_at);
  strip_text(work, !several                ? "There is one object: add a file or separate a part."
                   : align.waiting()       ? "Refining..."
                   : align.shown().moves() ? "Shown where it would lie. Nothing has moved yet."
                                           : (align.first() ? "Click the same point on '" : "Click a point on '") +
                                                 name_of(work, align.next_object()) + "'.");
}

bool align_key(Workspace& work, const std::string& key) {
  AlignTool& align = work.edit.align;
  if (work.edit.tool != EditTool::kAlign) return false;
  if (key == "Backspace") return align.remove_last(), true;
  if (key == "Escape" && !align.empty()) return align.clear(), true;
  return false;
}

void add_align_actions(Workspace& work, std::vector<Action>& actions) {
  for (const AlignStep step : {AlignStep::kRefine, AlignStep::kShow, AlignStep::kTake, AlignStep::kPutBack})
    actions.push_back({offer_of(step).name, offer_of(step).keys, can_align(work, step),
                       [&work, step] { take_align_step(work, step); }});
}

void draw_aligned_points(const Workspace& work, const ScenePlace& scene) {
  const AlignTool& align = work.edit.align;
  if (!work.edits() || work.edit.tool != EditTool::kAlign || align.empty()) return;
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
  for (size_t i = 0; i < align.pairs().size(); ++i) {
    const auto& pair = align.pairs()[i];
    const Vec3 moved = vec3(align.shown().by * pair.from);
    const auto from = scene.at(view, moved), to = scene.at(view, vec3(pair.to));
    if (from && to) list.AddLine(*from, *to, line, thick);
    mark(moved, std::to_string(i + 1), true);
    mark(vec3(pair.to),
         align.shown().moves() ? length_text(work, length(moved - vec3(pair.to))) : std::to_string(i + 1), false);
  }
  if (align.first()) mark(*align.first(), std::to_string(align.pairs().size() + 1), true);
  list.PopClipRect();
}

}  // namespace studio
