#include "viewer/edit/cleanup_panel.h"

#include <algorithm>
#include <cctype>

#include "viewer/edit/edit_panel.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kSurest = 64;  // score at the right end of the slider

void select_proposed(Workspace& work) {
  const Cleanup& cleanup = work.edit.cleanup;
  EditRequest request;
  request.step = EditStep::kSelectProposed;
  request.low = cleanup.least;
  request.reasons = cleanup.reasons;
  send_edit(work, std::move(request));
}

void propose(Workspace& work) {
  const bool photos = work.received.splats->has_photos;
  ImGui::BeginDisabled(!photos || work.edit.cleanup.waiting);
  const char* tip =
      photos ? "Looks at the photos for splats that do not belong: floaters, needles, what nothing holds up. "
               "Nothing is deleted before you do"
             : "Needs the photos: open the folder of a run whose dataset is still where it was";
  if (button(work.edit.cleanup.proposal ? "Propose again" : "Propose", tip, -1)) {
    work.edit.cleanup.waiting = true;
    work.app.commands.put(ProposeCleanup{});
  }
  ImGui::EndDisabled();
}

bool strengths(const Appearance& look, Cleanup& cleanup) {
  static constexpr std::array<std::pair<const char*, const char*>, 3> kNames{
      {{"Careful", "Only what the photos speak against clearly"},
       {"Normal", "What the photos speak against, and suspect splats that no photo holds up"},
       {"Strong", "Weaker reasons as well: look before you delete"}}};
  bool changed = false;
  {
    EvenRow row(look, 3);
    for (size_t i = 0; i < kNames.size(); ++i) {
      const float least = cleanup.proposal->strengths[i];
      if (!row.button(kNames[i].first, kNames[i].second, cleanup.least == least)) continue;
      cleanup.least = least;
      changed = true;
    }
  }
  Row row("How sure", "Least score of a splat that is selected; a right click: normal");
  const auto& [careful, normal, strong] = cleanup.proposal->strengths;
  return slider("##sure", &cleanup.least, {strong, kSurest, normal, "%.2f", true}) || changed;
}

// "against_photos" -> "Against photos"
std::string title(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  if (!name.empty()) name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

bool reasons(Cleanup& cleanup) {
  bool changed = false;
  for (size_t i = 0; i < cleanup.proposal->reasons.size(); ++i) {
    const CleanupReason& reason = cleanup.proposal->reasons[i];
    const size_t count = reason.count(cleanup.least);
    if (reason.scores.empty()) continue;
    bool on = cleanup.counts(i);
    const std::string label = title(reason.name) + ": " + count_text(count) + "###" + reason.name;
    if (checkbox(label.c_str(), &on, title(reason.sentence).c_str())) cleanup.reasons ^= 1u << i, changed = true;
  }
  return changed;
}

void effect(const Cleanup& cleanup, uint64_t scene) {
  if (cleanup.proposal->held_out == 0) return;
  const bool known = cleanup.effect && cleanup.effect->scene == scene;
  fact("Held-out PSNR",
       known ? number_text(cleanup.effect->psnr_before, "%.2f dB") +
                   number_text(cleanup.effect->psnr_after, ", %.2f without")
             : "...",
       "On the photos that neither training nor the proposal saw: with all splats, and without the selected ones");
}

void take_arrived(Workspace& work) {
  Cleanup& cleanup = work.edit.cleanup;
  if (!cleanup.arrived) return;
  CleanupProposal proposal = std::move(*cleanup.arrived);
  cleanup.arrived.reset();
  cleanup.waiting = false;
  if (proposal.reasons.empty() || proposal.splats != work.received.splats->path) return;
  cleanup.take(std::move(proposal));
  select_proposed(work);
}

void want_effect(Workspace& work) {
  Cleanup& cleanup = work.edit.cleanup;
  if (!cleanup.proposal || cleanup.proposal->held_out == 0 || cleanup.measured == work.edit.scenes) return;
  cleanup.measured = work.edit.scenes;
  work.app.commands.put(MeasureCleanup{cleanup.measured});
}

}  // namespace

void draw_cleanup_panel(Workspace& work) {
  take_arrived(work);
  if (!section("Clean up", false)) return;
  Cleanup& cleanup = work.edit.cleanup;
  propose(work);
  if (!cleanup.proposal) return;
  want_effect(work);
  const bool changed = strengths(work.appearance, cleanup);
  if (reasons(cleanup) || changed) select_proposed(work);
  effect(cleanup, work.edit.scenes);
  faint_text(work.appearance, "What is proposed is selected: look at it, change the selection, then Delete.");
}

}  // namespace viewer
