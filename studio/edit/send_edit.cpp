#include "studio/edit/send_edit.h"

#include <utility>

namespace studio {

void send_edit(Workspace& work, EditRequest request) {
  using namespace splat::edit;
  EditMode& edit = work.edit;
  EditWants& wants = request.wants;
  // What is hidden is no longer what the crop box says.
  if (request.step && is_one_of<HideSelected, UnhideAll, Undo, Redo, GoToStep>(*request.step)) edit.crop.clips = false;
  // What is selected by a value is what the histogram shows.
  if (!request.step || !is_one_of<SelectByValue, SelectByContribution>(*request.step))
    edit.seen_from = work.look.navigator.view();
  wants.histogram = histogram_measure(work);
  wants.seen_from = edit.seen_from;
  wants.groups = edit.cleanup.looked_at();
  edit.tool().add_wants(wants);
  request.filter = work.look.display.filter;
  work.ask(EditScene{std::move(request)});
}

std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work) {
  if (!work.edit.histogram_shown || !work.received.splats) return std::nullopt;
  const Vec3 centre = work.received.splats->bounds.empty() ? Vec3{} : work.received.splats->bounds.centre();
  return splat::edit::RowMeasure(work.edit.value, {centre.x, centre.y, centre.z});
}

}  // namespace studio
