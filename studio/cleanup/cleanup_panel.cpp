#include "studio/cleanup/cleanup_panel.h"

#include <string>
#include <utility>
#include <vector>

#include "splat/clean/proposal.h"
#include "studio/cleanup/cleanup_boxes.h"
#include "studio/edit/send_edit.h"
#include "viewer/widgets/widgets.h"

namespace studio {

namespace clean = splat::clean;

namespace {

constexpr float kSurest = 64;  // score at the right end of the slider

void select_proposed(Workspace& work) {
  send_edit(work, {splat::edit::SelectProposed{work.edit.cleanup.least, work.edit.cleanup.reasons}});
}

bool can_propose(const Workspace& work) { return work.received.splats->has_photos && !work.edit.cleanup.waiting; }

void propose(Workspace& work) {
  when_work_may_end(work, [&work] {
    work.edit.cleanup.waiting = true;
    work.bridge.requests.put(ProposeCleanup{});
  });
}

void propose_button(Workspace& work) {
  const bool photos = work.received.splats->has_photos;
  ImGui::BeginDisabled(!can_propose(work));
  const char* tip =
      photos ? "Looks at the photos for splats that do not belong: floaters, needles, what nothing holds up. "
               "Nothing is deleted before you do"
             : "Needs the photos: open the folder of a run whose dataset is still where it was";
  if (button(work.edit.cleanup.proposal ? "Propose again" : "Propose", tip, -1)) propose(work);
  ImGui::EndDisabled();
}

bool strengths(const Appearance& look, Cleanup& cleanup) {
  bool changed = false;
  {
    EvenRow row(look, int(clean::kStrengths));
    for (size_t i = 0; i < clean::kStrengths; ++i) {
      const auto strength = clean::Strength(i);
      const float least = least_score(strength);
      const std::string title = as_title(name_of(strength)), tip = as_title(sentence_of(strength));
      if (!row.button(title.c_str(), tip.c_str(), cleanup.least == least)) continue;
      cleanup.least = least;
      changed = true;
    }
  }
  Row row("How sure", "Least score of a splat that is selected; a right click: normal");
  const float strong = least_score(clean::Strength::kStrong), normal = least_score(clean::Strength::kNormal);
  return slider("##sure", &cleanup.least, {strong, kSurest, normal, "%.2f", true}) || changed;
}

// The colour of its splats and boxes, and its name with how many splats it speaks against; marked while the mouse
// points at one of its boxes. True: it counts now where it did not, or the other way round.
bool reason_row(Workspace& work, size_t index) {
  Cleanup& cleanup = work.edit.cleanup;
  const auto reason = clean::Reason(index);
  const ImVec2 low = ImGui::GetCursorScreenPos(),
               high{low.x + ImGui::GetContentRegionAvail().x, low.y + ImGui::GetFrameHeight()};
  const bool box_pointed = cleanup.pointed_group && work.edit.scene->groups[*cleanup.pointed_group].reason == index;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (box_pointed) list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_HeaderHovered), 3 * work.appearance.scale);
  const float side = 0.55f * ImGui::GetFrameHeight(), inset = (ImGui::GetFrameHeight() - side) / 2;
  list.AddRectFilled({low.x + inset, low.y + inset}, {low.x + inset + side, low.y + inset + side},
                     packed(colour_of_reason(index)), 2 * work.appearance.scale);
  ImGui::Dummy({ImGui::GetFrameHeight(), ImGui::GetFrameHeight()});
  ImGui::SameLine();
  const std::string name(name_of(reason)), count = count_text(cleanup.proposal->count(index, cleanup.least));
  bool on = cleanup.counts(index);
  const bool changed =
      checkbox((as_title(name) + ": " + count + "###" + name).c_str(), &on, as_title(sentence_of(reason)).c_str());
  note_place(("Reason " + name).c_str());
  if (ImGui::IsMouseHoveringRect(low, high) && ImGui::IsWindowHovered()) cleanup.pointed_reason = index;
  if (changed) cleanup.reasons ^= 1u << index;
  return changed;
}

bool reasons(Workspace& work) {
  work.edit.cleanup.pointed_reason.reset();
  bool changed = false;
  const auto& scores = work.edit.cleanup.proposal->scores;
  for (size_t i = 0; i < scores.size(); ++i)
    if (!scores[i].empty()) changed |= reason_row(work, i);
  return changed;
}

// True: those photos fit less well without what is selected.
bool effect(const Cleanup& cleanup, uint64_t scene) {
  constexpr double kNothing = 0.005;  // dB: reads the same
  if (cleanup.proposal->held_out == 0) return false;
  const bool known = cleanup.effect && cleanup.effect->scene == scene;
  fact(
      "Held out",
      known ? number_text(cleanup.effect->psnr_before, "%.2f") + number_text(cleanup.effect->psnr_after, " to %.2f dB")
            : "...",  // of one line, too, so that what is below stays in sight
      "PSNR on the photos that neither training nor the proposal saw: with all splats, then without the selected ones");
  return known && cleanup.effect->psnr_after < cleanup.effect->psnr_before - kNothing;
}

bool take_arrived(Workspace& work) {
  Cleanup& cleanup = work.edit.cleanup;
  if (!cleanup.arrived) return false;
  CleanupProposal proposal = std::move(*cleanup.arrived);
  cleanup.arrived.reset();
  cleanup.waiting = false;
  if (proposal.scores.empty() || proposal.splats != work.received.splats->path) return false;
  cleanup.take(std::move(proposal));
  select_proposed(work);
  return true;
}

void want_effect(Workspace& work) {
  Cleanup& cleanup = work.edit.cleanup;
  if (!cleanup.proposal || cleanup.proposal->held_out == 0 || cleanup.measured == work.edit.scenes) return;
  cleanup.measured = work.edit.scenes;
  work.ask(MeasureCleanup{cleanup.measured});
}

}  // namespace

void add_cleanup_actions(Workspace& work, std::vector<Action>& actions) {
  actions.push_back({"Clean up: propose what to take out", "", can_propose(work), [&work] {
                       work.edit.cleanup.unfold = true;
                       propose(work);
                     }});
  for (size_t i = 0; i < clean::kStrengths; ++i) {
    const auto strength = clean::Strength(i);
    actions.push_back(
        {"Clean up: " + std::string(name_of(strength)), "", work.edit.cleanup.proposal.has_value(), [&work, strength] {
           work.edit.cleanup.unfold = true;
           work.edit.cleanup.least = least_score(strength);
           select_proposed(work);
         }});
  }
}

void draw_cleanup_panel(Workspace& work) {
  const bool arrived = take_arrived(work);
  Cleanup& cleanup = work.edit.cleanup;
  if (std::exchange(cleanup.unfold, false)) ImGui::SetNextItemOpen(true);
  const bool was_shown = std::exchange(cleanup.shown, section("Clean up", false));
  if (!cleanup.shown) return;
  if (!was_shown && cleanup.proposal) send_edit(work, {});  // for its groups
  propose_button(work);
  if (!was_shown && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(1);
  if (!cleanup.proposal) return;
  want_effect(work);
  const bool changed = strengths(work.appearance, cleanup);
  if (reasons(work) || changed) select_proposed(work);
  faint_text(work.appearance,
             effect(cleanup, work.edit.scenes)
                 ? "Those photos fit less well without it: some of it shows what is there. Careful takes less."
                 : "What is proposed is selected: look at it, change the selection, then Delete.");
  if ((arrived || !was_shown) && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(1);  // it is longer than the panel
}

}  // namespace studio
