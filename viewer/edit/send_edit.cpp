#include "viewer/edit/send_edit.h"

#include <utility>

namespace viewer {

void edit_step(Workspace& work, EditStep step) {
  EditRequest request;
  request.step = step;
  request.distance = work.edit.near;
  send_edit(work, std::move(request));
}

void send_edit(Workspace& work, EditRequest request) {
  if (!request.measure) request.measure = histogram_measure(work);
  // What is selected by a value is what the histogram shows.
  if (request.step != EditStep::kSelectByValue) work.edit.seen_from = work.look.navigator.view();
  request.seen_from = work.edit.seen_from;
  request.antialias = work.look.display.antialias;
  request.wants_extent = work.edit.tool == EditTool::kTransform;
  request.wants_groups = work.edit.cleanup.looked_at();
  if (work.edit.tool == EditTool::kAlign) request.marked = work.edit.align.moving;
  work.app.commands.put(EditScene{std::move(request)});
}

std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work) {
  if (!work.edit.histogram_shown || !work.received.splats) return std::nullopt;
  const Vec3 centre = work.received.splats->bounds.empty() ? Vec3{} : work.received.splats->bounds.centre();
  return splat::edit::RowMeasure(work.edit.value, {centre.x, centre.y, centre.z});
}

}  // namespace viewer
