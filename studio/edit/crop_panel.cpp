#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "studio/edit/crop_tool.h"
#include "studio/edit/gizmo.h"
#include "studio/edit/scene_marks.h"
#include "studio/edit/send_edit.h"
#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

using splat::edit::BoxRows;

enum class CropStep { kSelectInside, kSelectOutside, kDeleteOutside, kShowInside };

void crop_step(Workspace& work, CropStep step) {
  CropTool& crop = work.edit.crop;
  if (!crop.box()) return;
  work.settings.last_box = crop.box();
  const splat::Box& box = *crop.box();
  switch (step) {
    case CropStep::kSelectInside:
      return send_edit(work, {splat::edit::SelectByBox{box, false}});
    case CropStep::kSelectOutside:
      return send_edit(work, {splat::edit::SelectByBox{box, true}});
    case CropStep::kDeleteOutside:
      return send_edit(work, {splat::edit::DeleteByBox{box, true}});
    case CropStep::kShowInside:
      crop.clips = !crop.clips;
      if (crop.clips) return send_edit(work, {splat::edit::ShowBox{box}});
      return send_edit(work, {splat::edit::UnhideAll{}});
  }
}

// In the order of CropStep.
constexpr Offer kCropOffers[] = {
    {"Select inside", "Splats with their centre in the box", "Select inside the crop box", "Enter"},
    {"Select outside", "All other splats", "Select outside the crop box", "Shift+Enter"},
    {"Delete outside", "All splats with their centre outside; Ctrl+Z brings them back", "Delete outside the crop box",
     "Shift+Delete"},
    {"Show only inside", "Hides all others, which are saved all the same, and follows the box",
     "Show only inside the crop box", "Shift+J"},
};

splat::math::Quat<double> upright_turn(const Workspace& work) { return upright(work.look.navigator.up()); }

// Answered by an EditedScene; where there are no splats to edit, from the points.
void propose(Workspace& work, BoxRows rows) {
  EditRequest request;
  request.wants.box = BoxAround{rows, upright_turn(work)};
  send_edit(work, std::move(request));
}

void from_cameras(Workspace& work, CameraBox what) {
  if (auto box = box_of_cameras(work.received.cameras(), what, upright_turn(work))) work.edit.crop.set(box);
}

struct Preset {
  const char *label, *tip;
  bool possible;
  std::function<void()> set;
};

// Those of the splats are first, where they are edited.
std::vector<Preset> presets(Workspace& work) {
  std::vector<Preset> all;
  if (work.edits() && work.edit.scene)
    all = {{"All##box", "Around everything that is shown", true, [&] { propose(work, BoxRows::kAll); }},
           {"Middle 90 %", "Between the 5th and the 95th of a hundred splats along each side", true,
            [&] { propose(work, BoxRows::kMiddle); }},
           {"Selection", "Around the selected splats", work.edit.scene->selected > 0,
            [&] { propose(work, BoxRows::kSelected); }}};
  const bool cameras = !work.received.cameras().empty();
  all.push_back(
      {"Photos' view", "Around what the photos look at", cameras, [&] { from_cameras(work, CameraBox::kSeen); }});
  all.push_back(
      {"Cameras##box", "Around where the photos were taken", cameras, [&] { from_cameras(work, CameraBox::kStands); }});
  all.push_back({"Last used", "The box that something was done with last, in whatever scene",
                 work.settings.last_box.has_value(), [&] { work.edit.crop.set(work.settings.last_box); }});
  return all;
}

void crop_presets(Workspace& work) {
  constexpr float kNarrowEms = 19;
  const size_t columns = ImGui::GetContentRegionAvail().x < kNarrowEms * ImGui::GetFontSize() ? 2 : 3;
  std::optional<EvenRow> row;
  size_t at = 0;
  for (const Preset& preset : presets(work)) {
    if (at++ % columns == 0) row.emplace(work.appearance, int(columns));
    ImGui::BeginDisabled(!preset.possible);
    if (row->button(preset.label, preset.tip)) preset.set();
    ImGui::EndDisabled();
  }
}

void crop_kinds(Workspace& work) {
  CropTool& crop = work.edit.crop;
  const auto kind = [&](TransformKind one, const char* icon, const char* name, const char* tip) {
    if (icon_button(work.appearance, icon, name, tip, crop.kind == one, ImGui::GetFrameHeight())) crop.kind = one;
  };
  kind(TransformKind::kMove, icon::kMove, "Move",
       "Move: drag an arrow or a square; Ctrl moves in steps (J again: turn)");
  ImGui::SameLine();
  kind(TransformKind::kTurn, icon::kTurn, "Turn", "Turn: drag a ring; Ctrl turns by 15 degrees (J again: move)");
}

// Three of them in a row; true once they have been typed.
bool typed_numbers(const char* label, const char* tip, std::array<double, 3>& values, const char* format) {
  constexpr float kLabelEms = 4.2f;           // less than other rows have, for three numbers to be seen whole
  for (double& value : values) value += 0.0;  // no -0
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(kLabelEms * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(-1);
  ImGui::InputScalarN(("##" + std::string(label)).c_str(), ImGuiDataType_Double, values.data(), 3, nullptr, nullptr,
                      format);
  note_place(label);
  const bool typed = ImGui::IsItemDeactivatedAfterEdit();
  tooltip(tip);
  return typed;
}

void crop_steps(Workspace& work) {
  constexpr const char* kIcons[] = {icon::kInside, icon::kOutside, icon::kCut, icon::kShow};
  static_assert(std::size(kIcons) == std::size(kCropOffers));
  for (size_t i = 0; i < std::size(kCropOffers); ++i) {
    const bool on = CropStep(i) == CropStep::kShowInside && work.edit.crop.clips;
    const std::string tip = std::string(kCropOffers[i].label) + ": " + kCropOffers[i].tooltip();
    ImGui::SameLine();
    if (icon_button(work.appearance, kIcons[i], kCropOffers[i].label, tip, on, ImGui::GetFrameHeight()))
      crop_step(work, CropStep(i));
  }
}

void remove_box(Workspace& work) {
  if (work.edit.crop.clips) crop_step(work, CropStep::kShowInside);
  work.edit.crop.set(std::nullopt);
}

void crop_ending(Workspace& work) {
  const auto ending = [&](const char* icon, const char* name, const char* tip) {
    ImGui::SameLine();
    return icon_button(work.appearance, icon, name, tip, false, ImGui::GetFrameHeight());
  };
  if (ending(icon::kSave, "Save box...",
             "Save box: a small file that --region and --crop-box of the command line read"))
    work.edit.crop.ask_save(work);
  if (ending(icon::kRemove, "Remove", "Remove: the scene has no crop box any more")) remove_box(work);
}

void crop_numbers(Workspace& work) {
  CropTool& crop = work.edit.crop;
  if (!crop.box()) return;
  const splat::Box& box = *crop.box();
  std::array<double, 3> centre = box.centre(), sides = box.half(), turn = turn_degrees(box.rotation);
  for (double& side : sides) side *= 2;
  bool typed = typed_numbers("Middle", "Centre of the box, in the coordinates of the scene: x, y, z", centre, "%.4g");
  typed |= typed_numbers("Sides", "Lengths along the box's own axes, units of the scene", sides, "%.4g");
  typed |= typed_numbers("Turned", "Degrees about x, then y, then z", turn, "%.4g");
  if (!typed) return;
  for (double& side : sides) side /= 2;
  const splat::Box next = splat::box_about(centre, sides, turn_from(turn));
  if (!splat::is_usable(next)) return work.say("a box needs three sides longer than 0");
  crop.set(next);
}

}  // namespace

void CropTool::ask_save(Workspace& work) {
  work.ask_file(FileDialog::Kind::kSaveFile, "Save the crop box", "box.json", [this, &work](const auto& path) {
    if (!box_) return;
    work.settings.last_box = box_;
    work.ask(SaveBox{path, *box_});
  });
}

void CropTool::begin(Workspace& work) {
  if (work.edits() && work.edit.scene) return propose(work, BoxRows::kMiddle);
  from_cameras(work, CameraBox::kSeen);
  if (!box_) set(work.settings.last_box);
}

void CropTool::chosen(Workspace& work, bool again) {
  if (again && !dragging()) next_kind();
  if (!box_) begin(work);
}

bool CropTool::take_pointer(Workspace& work, const InputEvent& event, double scale) {
  return work.crops() && handle(event, work.look.navigator.view(), scale);
}

bool CropTool::take_keys(Workspace& work, const std::string& keys) {
  const std::string key = without_shift(keys);
  if (dragging() && key == "Escape") return cancel(), true;
  if (work.edits()) return work.edit.scene && Tool::take_keys(work, keys);
  if (!work.crops() || !offer.has(key)) return false;
  next_kind();
  return true;
}

void CropTool::draw_panel(Workspace& work) {
  crop_presets(work);
  if (!box_) return faint_text(work.appearance, "There is no box: choose one of these.");
  crop_numbers(work);
  if (work.edits()) return;
  crop_kinds(work);
  crop_ending(work);
}

void CropTool::draw_strip(Workspace& work) {
  ImGui::BeginDisabled(!box_);
  ImGui::SameLine();
  crop_kinds(work);
  crop_steps(work);
  crop_ending(work);
  ImGui::EndDisabled();
  if (!box_) strip_text(work, "There is no box: choose one in the panel.");
}

void CropTool::draw_box(Workspace& work, const ScenePlace& scene) {
  follow(work);
  if (work.shows_crop_box()) draw_edges(work, scene);
  if (work.crops()) drag_handles(work, scene);
}

void CropTool::draw_edges(const Workspace& work, const ScenePlace& scene) const {
  const splat::View view = work.look.navigator.view();
  const float thick = 1.5f * work.appearance.scale;
  const auto place = [&](const Vec3& point) { return scene.at(view, point).value_or(ImVec2{-1e4f, -1e4f}); };
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImU32 line = packed(work.appearance.colours().accent);
  const double nearest = 1e-3 * work.look.navigator.scene_radius();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  for (const auto& [from, to] : edges_of(*box_, view, scene, nearest)) list.AddLine(from, to, line, thick);
  for (size_t face = 0; work.crops() && face < kFaces; ++face) {
    const ImVec2 at = place(vec3(face_middle(*box_, face)));
    const float radius = (face_ == face ? 6.0f : 4.5f) * work.appearance.scale;
    list.AddRectFilled({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, line);
    list.AddRect({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, IM_COL32_BLACK);
    note_place(("Face " + std::to_string(face)).c_str(), at.x, at.y);
  }
  list.PopClipRect();
}

void CropTool::follow(Workspace& work) {
  if (work.choices.has_region()) work.choices.train.region = *box_;
  if (!take_changed()) return;
  work.look.changed = true;
  if (clips && box_ && work.edits()) send_edit(work, {splat::edit::ShowBox{*box_}});
}

void CropTool::drag_handles(Workspace& work, const ScenePlace& scene) {
  if (face_) return;  // one of its faces is dragged
  const std::array<double, 3> half = box_->half();
  const double size = 2 * *std::max_element(half.begin(), half.end());
  splat::Similarity by;
  const HandleEvent event = take_handles(
      work, scene, {kind, (before_ ? before_ : box_)->centre(), box_->centre(), size, dragging(), true}, by);
  if (event == HandleEvent::kDragged) begin_drag(), drag(by);
  if (event == HandleEvent::kReleased) end_drag();
}

void CropTool::add_actions(Workspace& work, std::vector<Action>& actions) {
  for (size_t i = 0; i < std::size(kCropOffers); ++i)
    actions.push_back(
        {kCropOffers[i].name, kCropOffers[i].keys, box_.has_value(), [&work, i] { crop_step(work, CropStep(i)); }});
}

void CropTool::add_state(const Workspace&, nlohmann::json& state) const {
  if (box_ && !dragging())
    state["crop"] = {{"middle", box_->centre()},
                     {"half", box_->half()},
                     {"turn", 2 * std::acos(std::min(1.0, std::abs(box_->rotation.w)))}};
}

}  // namespace studio
