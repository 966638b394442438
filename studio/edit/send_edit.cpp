#include "studio/edit/send_edit.h"

#include <algorithm>
#include <string_view>
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
  wants.extent = edit.tool == EditTool::kTransform;
  wants.groups = edit.cleanup.looked_at();
  if (edit.tool == EditTool::kAlign) wants.marked = edit.align.moving;
  request.filter = work.look.display.filter;
  work.ask(EditScene{std::move(request)});
}

std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work) {
  if (!work.edit.histogram_shown || !work.received.splats) return std::nullopt;
  const Vec3 centre = work.received.splats->bounds.empty() ? Vec3{} : work.received.splats->bounds.centre();
  return splat::edit::RowMeasure(work.edit.value, {centre.x, centre.y, centre.z});
}

std::string Offer::first_keys() const {
  const std::string_view all = keys;
  return std::string(all.substr(0, all.find(" or ")));
}

std::string Offer::button() const {
  const std::string key = first_keys();
  return key.size() == 1 ? std::string(label) + " " + key : label;
}

std::string Offer::tooltip() const { return std::string(tip) + " (" + keys + ")"; }

bool Offer::has(const std::string& pressed) const {
  return !pressed.empty() && (" or " + std::string(keys) + " or ").find(" or " + pressed + " or ") != std::string::npos;
}

std::string without_shift(const std::string& keys) {
  const size_t at = keys.find("Shift+");
  return at == std::string::npos ? keys : keys.substr(0, at) + keys.substr(at + 6);
}

bool run_offered(const std::vector<Action>& actions, const std::string& keys) {
  const auto has = [](const std::string& wanted) { return [&](const Action& one) { return one.keys == wanted; }; };
  const bool known = std::any_of(actions.begin(), actions.end(), has(keys));
  const std::string wanted = known ? keys : without_shift(keys);
  for (const Action& one : actions)
    if (one.possible && !wanted.empty() && one.keys == wanted) return one.run(), true;
  return false;
}

}  // namespace studio
