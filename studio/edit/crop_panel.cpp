#include "studio/edit/crop_panel.h"

#include <imgui/imgui.h>

#include <optional>
#include <string>

#include "studio/edit/scene_marks.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
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

void last_used(Workspace& work, EvenRow& row) {
  ImGui::BeginDisabled(!work.settings.last_box);
  if (row.button("Last used", "The box that something was done with last, in whatever scene"))
    work.edit.crop.set(work.settings.last_box);
  ImGui::EndDisabled();
}

void from_rows(Workspace& work) {
  {
    EvenRow row(work.appearance, 2);
    if (row.button("All##box", "Around everything that is shown")) propose(work, BoxRows::kAll);
    if (row.button("Middle 90 %", "Between the 5th and the 95th of a hundred splats along each side"))
      propose(work, BoxRows::kMiddle);
  }
  EvenRow row(work.appearance, 2);
  ImGui::BeginDisabled(work.edit.scene->selected == 0);
  if (row.button("Selection", "Around the selected splats")) propose(work, BoxRows::kSelected);
  ImGui::EndDisabled();
  last_used(work, row);
}

void crop_presets(Workspace& work) {
  const bool edits = work.edits() && work.edit.scene;
  if (edits) from_rows(work);
  EvenRow row(work.appearance, edits ? 2 : 3);
  ImGui::BeginDisabled(work.received.cameras().empty());
  if (row.button("Photos' view", "Around what the photos look at")) from_cameras(work, CameraBox::kSeen);
  if (row.button("Cameras##box", "Around where the photos were taken")) from_cameras(work, CameraBox::kStands);
  ImGui::EndDisabled();
  if (!edits) last_used(work, row);
}

void crop_kinds(Workspace& work) {
  CropTool& crop = work.edit.crop;
  EvenRow row(work.appearance, 2);
  if (row.button("Move", "Drag an arrow or a square; Ctrl moves in steps (J again: turn)",
                 crop.kind == TransformKind::kMove))
    crop.kind = TransformKind::kMove;
  if (row.button("Turn", "Drag a ring; Ctrl turns by 15 degrees (J again: move)", crop.kind == TransformKind::kTurn))
    crop.kind = TransformKind::kTurn;
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
  std::optional<EvenRow> row;  // of two each
  for (size_t i = 0; i < std::size(kCropOffers); ++i) {
    if (i % 2 == 0) row.emplace(work.appearance, 2);
    const bool on = CropStep(i) == CropStep::kShowInside && work.edit.crop.clips;
    if (row->button(kCropOffers[i].label, kCropOffers[i].tooltip().c_str(), on)) crop_step(work, CropStep(i));
  }
}

void crop_ending(Workspace& work) {
  EvenRow row(work.appearance, 2);
  if (row.button("Save box...", "A small file that --region and --crop-box of the command line read"))
    work.ask_file(FileDialog::Kind::kSaveFile, "Save the crop box", "box.json", [&work](const auto& path) {
      if (!work.edit.crop.box()) return;
      work.settings.last_box = work.edit.crop.box();
      work.ask(SaveBox{path, *work.edit.crop.box()});
    });
  if (row.button("Remove", "The scene has no crop box any more")) {
    if (work.edit.crop.clips) crop_step(work, CropStep::kShowInside);
    work.edit.crop.set(std::nullopt);
  }
}

}  // namespace

void begin_crop_box(Workspace& work) {
  if (work.edits() && work.edit.scene) return propose(work, BoxRows::kMiddle);
  from_cameras(work, CameraBox::kSeen);
  if (!work.edit.crop.box()) work.edit.crop.set(work.settings.last_box);
}

void draw_crop_numbers(Workspace& work) {
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

void draw_crop_panel(Workspace& work) {
  crop_presets(work);
  if (!work.edit.crop.box()) return faint_text(work.appearance, "There is no box: choose one of these.");
  crop_kinds(work);
  draw_crop_numbers(work);
  if (work.edits()) crop_steps(work);
  crop_ending(work);
}

void draw_crop_box(const Workspace& work, const ScenePlace& scene) {
  const CropTool& crop = work.edit.crop;
  if (!work.shows_crop_box()) return;
  const splat::View view = work.look.navigator.view();
  const float thick = 1.5f * work.appearance.scale;
  const auto place = [&](const Vec3& point) { return scene.at(view, point).value_or(ImVec2{-1e4f, -1e4f}); };
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImU32 line = packed(work.appearance.colours().accent);
  const double nearest = 1e-3 * work.look.navigator.scene_radius();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  for (const auto& [from, to] : edges_of(*crop.box(), view, scene, nearest)) list.AddLine(from, to, line, thick);
  for (size_t face = 0; work.crops() && face < kFaces; ++face) {
    const ImVec2 at = place(vec3(face_middle(*crop.box(), face)));
    const float radius = (crop.face() == face ? 6.0f : 4.5f) * work.appearance.scale;
    list.AddRectFilled({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, line);
    list.AddRect({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, IM_COL32_BLACK);
    note_place(("Face " + std::to_string(face)).c_str(), at.x, at.y);
  }
  list.PopClipRect();
}

void follow_crop_box(Workspace& work) {
  CropTool& crop = work.edit.crop;
  if (work.choices.region) work.choices.region = crop.box();
  if (!crop.take_changed()) return;
  work.look.changed = true;
  if (!crop.clips || !crop.box() || !work.edits()) return;
  send_edit(work, {splat::edit::ShowBox{*crop.box()}});
}

void add_crop_actions(Workspace& work, std::vector<Action>& actions) {
  for (size_t i = 0; i < std::size(kCropOffers); ++i)
    actions.push_back({kCropOffers[i].name, kCropOffers[i].keys, work.edit.crop.box().has_value(),
                       [&work, i] { crop_step(work, CropStep(i)); }});
}

}  // namespace viewer
