#include <algorithm>
#include <cfloat>
#include <string>
#include <utility>

#include "studio/window/clicked.h"
#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// Where blocks train beside what is edited. next: to be opened; empty: the window is to be closed.
void ask_about_edits(Workspace& work, const std::filesystem::path& next) {
  work.dialogs.show_close_question = false;
  work.dialogs.opening_after_question = next;
  work.dialogs.show_edits_question = true;
  work.dialogs.confirmed = false;  // it answered the first question alone
  ImGui::CloseCurrentPopup();
}

void close_question(Workspace& work) {
  if (!begin_modal("Training is running", work.dialogs.show_close_question)) return;
  ImGui::TextWrapped("%s", work.dialogs.closing
                               ? "Writing a checkpoint..."
                               : "Stop it and close? A checkpoint is written first, so that the run can be continued.");
  ImGui::Spacing();
  ImGui::BeginDisabled(work.dialogs.closing);
  if (main_button(work.appearance, "Save and close", "Write a checkpoint, then close", 0) || work.dialogs.confirmed)
    work.edit.unsaved() ? ask_about_edits(work, {}) : work.close_now();
  ImGui::SameLine();
  if (button("Keep training", "Back to the window (Escape)") || (work.dialogs.escaped && !work.dialogs.closing)) {
    work.dialogs.show_close_question = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndDisabled();
  ImGui::EndPopup();
}

// Until it has come to its end by itself.
void work_question(Workspace& work) {
  const WorkProgress& going_on = work.received.progress;
  work.dialogs.show_work_question &= !going_on.if_closed.empty();
  if (!begin_modal("Close before it is done?", work.dialogs.show_work_question)) return;
  ImGui::TextWrapped("%s", going_on.if_closed.c_str());
  ImGui::Spacing();
  if (main_button(work.appearance, "Close", "End it, and the window", 0) || work.dialogs.confirmed) work.close_now();
  ImGui::SameLine();
  if (button("Keep going", "Back to the window (Escape)") || work.dialogs.escaped)
    work.dialogs.show_work_question = false;
  if (!work.dialogs.show_work_question) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

// Before something else ends it. What has come to its end by itself has lost nothing.
void end_work_question(Workspace& work) {
  const std::string going_on = work.received.progress.if_closed;
  bool asks = !work.dialogs.after_work.empty(), goes_on = asks && going_on.empty();
  if (goes_on) asks = false;
  const bool shown = begin_modal("End what is being made?", asks);
  if (shown && asks) {
    ImGui::TextWrapped("What you asked for takes its place. %s", going_on.c_str());
    ImGui::Spacing();
    const bool end = main_button(work.appearance, "End it and go on", "Give it up for what was asked for now", 0) ||
                     std::exchange(work.dialogs.confirmed, false);
    ImGui::SameLine();
    const bool keep = button("Let it finish", "Nothing else is begun (Escape)") || work.dialogs.escaped;
    goes_on = end;
    if (keep) work.dialogs.after_work.clear();
    asks = !end && !keep;
  }
  if (shown) {
    if (!asks) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  if (!goes_on) return;
  for (const auto& then : std::exchange(work.dialogs.after_work, {})) then();
}

void open_question(Workspace& work) {
  if (!begin_modal("End the training run?", work.dialogs.show_open_question)) return;
  ImGui::TextWrapped("Opening '%s' ends the training run. A checkpoint is written first.",
                     work.dialogs.opening_after_question.filename().c_str());
  ImGui::Spacing();
  const bool yes = main_button(work.appearance, "Save and open", "Write a checkpoint, then open the other scene", 0) ||
                   work.dialogs.confirmed;
  ImGui::SameLine();
  const bool no = button("Keep training", "Back to the window (Escape)") || work.dialogs.escaped;
  if (yes && work.edit.unsaved())
    ask_about_edits(work, work.dialogs.opening_after_question);
  else if (yes)
    work.open_now(work.dialogs.opening_after_question, work.dialogs.adding_after_question);
  if (yes || no) {
    work.dialogs.show_open_question = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void edits_question(Workspace& work) {
  if (!begin_modal("Edits are not saved", work.dialogs.show_edits_question)) return;
  const std::filesystem::path next = work.dialogs.opening_after_question;
  const std::string what = next.empty() ? "Closing" : "Opening '" + next.filename().string() + "'";
  ImGui::TextWrapped("%s loses the edits that are not saved: %s.", what.c_str(),
                     work.edit.scene ? work.edit.scene->unsaved_what.c_str() : "");
  ImGui::Spacing();
  const bool save = main_button(work.appearance, "Save the splats...", "Choose a format and a file (Enter)", 0) ||
                    work.dialogs.confirmed;
  ImGui::SameLine();
  const bool lose = button(next.empty() ? "Close without saving" : "Open without saving", "The edits are lost");
  ImGui::SameLine();
  const bool back = button("Keep editing", "Back to the window (Escape)") || work.dialogs.escaped;
  if (save) work.dialogs.export_wanted = true, work.dialogs.export_object.reset();
  if (lose && next.empty()) work.close_now();
  if (lose && !next.empty()) work.open_now(next, work.dialogs.adding_after_question);
  if (save || lose || back) {
    work.dialogs.show_edits_question = work.dialogs.confirmed = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

struct KeyLine {
  const char* keys;
  const char* what;
};
constexpr KeyLine kMouse[] = {{"left drag", "orbit (or look, in fly mode)"},
                              {"right drag", "look around; with the wheel: flight speed"},
                              {"middle drag", "pan"},
                              {"wheel", "to and from what is under the cursor"},
                              {"double click", "orbit around that point"},
                              {"click a camera", "look from where the photo was taken"},
                              {"right click", "what can be done with what lies there"},
                              {"on a slider", "right click: default; Ctrl+click: type a value"}};
constexpr KeyLine kMove[] = {{"W A S D, Q E", "fly; Shift 5x faster, Alt 5x slower"},
                             {"V", "orbit or fly"},
                             {"+  -", "flight speed"},
                             {"numpad 1 3 7", "front, side, top; Ctrl: opposite; 5: ortho"},
                             {"1 to 9", "bookmarks; Ctrl stores"}};
constexpr KeyLine kPhotos[] = {{"[  ]", "previous, next photo"}, {"C", "nearest photo"}, {"G", "blend the photo in"}};
constexpr KeyLine kEditing[] = {
    {"R L P B", "rectangle, lasso, polygon, brush"},      {"O N Y", "flood an area, sphere, box"},
    {"C, M, V", "pick a colour; measure; look around"},   {"Shift, Ctrl", "add, remove; both: intersect"},
    {"T", "handles; again: move, turn, scale"},           {"X", "what is seen, or everything behind"},
    {"Ctrl+A, I", "select all (Shift: nothing), invert"}, {"+  -", "grow, shrink the selection"},
    {"H, K", "hide, lock (Shift: show, unlock all)"},     {"Ctrl+D, Ctrl+J", "duplicate, separate"},
    {"Delete, Ctrl+Z", "delete, undo (Shift: redo)"},     {"J, U", "crop box; lay objects on each other"},
    {"Arrows, Space", "the tool without a mouse"}};
void key_line(const char* keys, const char* what) {
  ImGui::TextUnformatted(keys);
  ImGui::SameLine(ImGui::GetFontSize() * 9);  // from the column's start
  ImGui::TextWrapped("%s", what);
}

template <size_t count>
void key_table(const char* title, const KeyLine (&lines)[count]) {
  ImGui::TextDisabled("%s", title);
  for (const KeyLine& line : lines) key_line(line.keys, line.what);
  ImGui::Spacing();
}

void key_table_of_actions(Workspace& work) {
  ImGui::TextDisabled("Window");
  std::string last;
  for (const Action& action : window_actions(work)) {
    if (!action.keys.empty() && action.keys != last) key_line(action.keys.c_str(), action.name.c_str());
    last = action.keys;
  }
  key_line("F6; F10, Alt", "into the panels; the menus; there Tab, arrows, Space");
}

void key_sheet(Workspace& work) {
  if (!begin_modal("Keys and mouse", work.dialogs.show_keys, 54)) return;
  const float most = ImGui::GetMainViewport()->Size.y - 6 * ImGui::GetFrameHeightWithSpacing();
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, most});  // it scrolls in a low window
  ImGui::BeginChild("lines", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    key_table("Mouse", kMouse);
    key_table("Moving", kMove);
    work.edits() ? key_table("Editing", kEditing) : key_table("Photos", kPhotos);
    ImGui::TableNextColumn();
    key_table_of_actions(work);
    ImGui::EndTable();
  }
  ImGui::EndChild();
  if (main_button(work.appearance, "Close", "Back to the window (Escape)", 7 * ImGui::GetFontSize()) ||
      !work.dialogs.show_keys) {
    work.dialogs.show_keys = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void about(Workspace& work) {
  if (!begin_modal("About hipsplat", work.dialogs.show_about)) return;
  ImGui::TextWrapped("hipsplat %s trains, views and converts 3D Gaussian splats. Apache-2.0.",
                     work.program.version.c_str());
  ImGui::TextWrapped("Icons: Material Design Icons by Pictogrammers, Apache-2.0.");
  faint_text(work.appearance,
             "OpenGL: " + work.program.gl_renderer + (work.program.software_gl ? " (on the processor)" : ""));
  ImGui::Spacing();
  if (main_button(work.appearance, "Close", "Back to the window", 7 * ImGui::GetFontSize()) ||
      !work.dialogs.show_about) {
    work.dialogs.show_about = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

float strips_of(const Workspace& work) {
  float strips = 0;
  for (const auto& feature : work.features) strips += feature->strip_height();
  return strips;
}

// Progress of work in the background, over the scene.
void work_box(Workspace& work) {
  work.dialogs.work_box_top = 0;
  if (work.received.progress.what.empty()) return;
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, size.y * 0.9f - strips_of(work)}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(24 * ImGui::GetFontSize(), size.x * 0.9f), 0});
  if (ImGui::Begin("##work", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav)) {
    ImGui::TextWrapped("%s", as_sentence(work.received.progress.what).c_str());
    const float room = work.received.progress.can_cancel ? 6 * ImGui::GetFontSize() : 0;
    const bool known = work.received.progress.fraction >= 0;
    const float share = known ? work.received.progress.fraction : -float(work.now);  // below 0: a part that wanders
    ImGui::ProgressBar(share, {-1 - room, 0}, known ? number_text(100 * share, "%.0f %%").c_str() : "");
    if (work.received.progress.can_cancel) {
      ImGui::SameLine();
      if (button("Cancel", "Stop this; what was open stays", -1)) work.ask(CancelWork{});
    }
    work.dialogs.work_box_top = ImGui::GetWindowPos().y;
  }
  ImGui::End();
}

}  // namespace

void when_work_may_end(Workspace& work, std::function<void()> then) {
  if (work.received.progress.if_closed.empty() && work.dialogs.after_work.empty()) return then();
  work.dialogs.after_work.push_back(std::move(then));
}

float notices_end(const Workspace& work) {
  if (work.dialogs.work_box_top > 0) return work.dialogs.work_box_top - ImGui::GetStyle().ItemSpacing.y;
  return ImGui::GetMainViewport()->Size.y - 2 * ImGui::GetFrameHeight() - strips_of(work);
}

void draw_popups(Workspace& work) {
  if (std::exchange(work.dialogs.export_wanted, false)) work.ask_export(work.dialogs.export_object);
  draw_clicked_menu(work);
  work_box(work);
  draw_said(work);
  if (work.dialogs.escaped) work.dialogs.file.cancel();
  if (auto path = work.dialogs.file.poll(); path && work.dialogs.file_answer) work.dialogs.file_answer(*path);
  draw_error(work);
  open_question(work);
  close_question(work);
  work_question(work);
  end_work_question(work);
  edits_question(work);
  work.all([](Feature& feature) { feature.draw_dialogs(); });
  draw_picture_dialog(work);
  draw_export_dialog(work);
  draw_palette(work);
  draw_preferences(work);
  key_sheet(work);
  about(work);
  work.dialogs.confirmed = work.dialogs.escaped = false;
}

}  // namespace studio
