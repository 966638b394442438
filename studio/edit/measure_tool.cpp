#include "studio/edit/measure_tool.h"

#include <imgui/imgui.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "studio/edit/scene_marks.h"
#include "studio/edit/send_edit.h"
#include "viewer/widgets/icons.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void known_length(Workspace& work, Measure& measure) {
  Row row("Known length",
          "How long the last line is in truth, metres, and Enter: lengths are shown in metres from then on");
  double metres = measure.last_length() * measure.metres_per_unit().value_or(0);
  const bool entered = ImGui::InputDouble("##length", &metres, 0, 0, "%.6g m", ImGuiInputTextFlags_EnterReturnsTrue);
  note_place("Known length");
  if (entered && !measure.set_length(metres)) work.say("a length is a number of metres above 0");
}

void scale(Measure& measure) {
  if (!measure.metres_per_unit()) return;
  const std::string metres = number_text(*measure.metres_per_unit(), "%.6g");
  fact("One unit", metres + " m",
       ("It is kept with the splats where they are saved; .glb, which counts in metres, is written in them. hipsplat "
        "convert FILE OUT --transform 'scale " +
        metres + "' makes a unit a metre")
           .c_str());
  if (button("Forget the scale", "Lengths are shown in units of the scene again")) measure.set_scale(std::nullopt);
}

// The camera goes along, so that the picture stays.
void move_origin(Workspace& work, Measure& measure) {
  const Vec3 point = measure.points().back();
  send_edit(work, {splat::edit::MoveAll{{1, {1, 0, 0, 0}, array3(-1.0 * point)}}});
  CameraState camera = work.look.navigator.camera();
  camera.position = camera.position - point;
  work.look.navigator.set_camera(camera);
  measure.clear();
}

void find_ground(Workspace& work) {
  EditRequest request;
  request.wants.ground = array3(work.look.navigator.up());
  send_edit(work, std::move(request));
}

std::optional<Vec3> up_of_points(const Workspace& work) {
  return work.edit.measure.up(work.look.navigator.camera().position);
}

void set_up(Workspace& work, const Vec3& up) {
  work.look.navigator.set_up(up);
  work.look.changed = true;
}

}  // namespace

MeasureTool::MeasureTool()
    : Tool({"Measure", "Click points on the scene: the lengths between them are shown. Backspace removes the last one",
            "Measure tool", "M"},
           icon::kMeasure, Presses::kClicks) {}

bool MeasureTool::take_pointer(Workspace& work, const InputEvent& event, double /*scale*/) {
  if (!is_press(event)) return false;
  work.ask(PickPoint{work.look.navigator.view(), event.x, event.y, offer.label});
  return true;
}

void MeasureTool::picked(Workspace& work, const PickedPoint& found) { work.edit.measure.add(*found.point); }

void MeasureTool::draw_strip(Workspace& work) {
  Measure& measure = work.edit.measure;
  const size_t points = measure.points().size();
  ImGui::SameLine();
  ImGui::BeginDisabled(points == 0);
  if (button("Clear", "Removes the points (Escape); Backspace removes the last one")) measure.clear();
  ImGui::EndDisabled();
  std::string text = points == 0 ? "Click two points." : "Click the second point.";
  if (points >= 2) text = "Length " + measure.text(measure.last_length());
  if (points > 2) text += ", all lines " + measure.text(measure.path_length());
  strip_text(work, text);
}

void MeasureTool::draw_panel(Workspace& work) {
  Measure& measure = work.edit.measure;
  const size_t points = measure.points().size();
  ImGui::BeginDisabled(points < 2);
  known_length(work, measure);
  ImGui::EndDisabled();
  if (button("Up from the ground", "Finds the plane that most splats lie on under the scene: it lies level from now on",
             -1))
    find_ground(work);
  const auto up = up_of_points(work);
  ImGui::BeginDisabled(!up);
  if (button("Up from the last three points", "The plane through them lies level from now on", -1)) set_up(work, *up);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(points == 0);
  const bool origin = button("Origin to the last point",
                             "Moves everything that is not locked so that it lies at 0, 0, 0: one step, which Ctrl+Z "
                             "takes back",
                             -1);
  ImGui::EndDisabled();
  if (origin) move_origin(work, measure);
  scale(measure);
}

bool MeasureTool::take_keys(Workspace& work, const std::string& keys) {
  Measure& measure = work.edit.measure;
  const std::string key = without_shift(keys);
  if (key == "Backspace") return measure.remove_last(), true;
  if (key == "Escape" && !measure.points().empty()) return measure.clear(), true;
  return false;
}

void MeasureTool::add_actions(Workspace& work, std::vector<Action>& actions) {
  const auto up = up_of_points(work);
  actions.push_back({"Up from the ground", "", true, [&work] { find_ground(work); }});
  actions.push_back({"Up from the last three points", "", up.has_value(), [&work, up] { set_up(work, *up); }});
  actions.push_back({"Origin to the last point", "", !work.edit.measure.points().empty(),
                     [&work] { move_origin(work, work.edit.measure); }});
}

void MeasureTool::draw_over_scene(Workspace& work, const ScenePlace& scene) {
  const Measure& measure = work.edit.measure;
  if (measure.points().empty()) return;
  const splat::View view = work.look.navigator.view();
  const float thick = 1.5f * work.appearance.scale;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImU32 line = packed(work.appearance.colours().accent);
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  std::optional<ImVec2> before;
  for (size_t i = 0; i < measure.points().size(); ++i) {
    const auto here = scene.at(view, measure.points()[i]);
    if (here) list.AddCircleFilled(*here, 2.5f * thick, line);
    if (here && before) {
      list.AddLine(*before, *here, line, thick);
      const std::string text = measure.text(length(measure.points()[i] - measure.points()[i - 1]));
      draw_text_mark(list, {(before->x + here->x) / 2, (before->y + here->y) / 2}, text, work.appearance.scale);
    }
    before = here;
  }
  list.PopClipRect();
}

void MeasureTool::add_state(const Workspace& work, nlohmann::json& state) const {
  const Measure& measure = work.edit.measure;
  if (!measure.points().empty() || measure.metres_per_unit())
    state["measure"] = {{"points", measure.points().size()},
                        {"scale", measure.metres_per_unit().value_or(0)},
                        {"length", measure.last_length()}};
}

}  // namespace studio
