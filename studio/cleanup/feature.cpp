#include "studio/cleanup/feature.h"

#include <optional>
#include <utility>

#include "splat/clean/proposal.h"
#include "studio/cleanup/cleanup_boxes.h"

namespace studio {

CleanupFeature::CleanupFeature(Workspace& shared) : Feature(shared) {
  Bus& reports = work.bridge.reports;
  reports.on<CleanupProposal>([this](CleanupProposal&& found) { work.edit.cleanup.arrived = std::move(found); });
  reports.on<CleanupEffect>([this](CleanupEffect&& effect) { work.edit.cleanup.effect = effect; });
}

void CleanupFeature::draw_over_scene(const ScenePlace& scene) { draw_cleanup_boxes(work, scene); }

void CleanupFeature::add_state(nlohmann::json& state) const {
  const Cleanup& cleanup = work.edit.cleanup;
  if (!work.edit.scene || !cleanup.looked_at()) return;
  const auto& groups = work.edit.scene->groups;
  const std::optional<size_t> reason =
      cleanup.pointed_group ? std::optional(groups[*cleanup.pointed_group].reason) : cleanup.pointed_reason;
  state["cleanup"] = {{"groups", groups.size()}, {"pointed", name_of(splat::clean::Reason(reason.value_or(0)))}};
}

}  // namespace studio
