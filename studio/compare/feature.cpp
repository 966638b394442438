#include "studio/compare/feature.h"

#include <utility>

#include "viewer/widgets/widgets.h"

namespace studio {

CompareFeature::CompareFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<Comparison>([this](Comparison&& arrived) { take(std::move(arrived)); });
}

void CompareFeature::scene_left(bool) {
  comparison_.reset();
  mode_.forget();
}

// A photo that is not held out any more is not the one to compare, unless it is being looked at.
void CompareFeature::photos_changed() {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  if (mode_.view >= 0 && !cameras[size_t(mode_.view)].held_out && !mode_.on) mode_.view = -1;
  mode_.choose(cameras);
}

void CompareFeature::run_began() {
  mode_.figures.clear();  // of a run before
  comparison_.reset();
}

// Only the pictures of the photo that is looked at: others come while all are measured.
void CompareFeature::take(Comparison&& arrived) {
  request(mode_.note(arrived));
  if (arrived.view != mode_.view || arrived.render.pixels.empty()) return;
  render_.set(arrived.render);
  photo_.set(arrived.photo);
  error_.set(arrived.error);
  difference_.set(difference(arrived.render, arrived.photo));
  arrived.render.pixels = arrived.photo.pixels = arrived.error.pixels = {};
  comparison_ = std::move(arrived);
}

bool CompareFeature::can_compare() const {
  const Received& received = work.received;
  return mode_.view >= 0 && received.has_photos() && (received.splats || received.live());
}

void CompareFeature::request(std::optional<int> view) {
  if (view) work.ask(WantComparison{*view});
}

void CompareFeature::set_on(bool on) {
  mode_.on = on && may_show();
  if (mode_.on && !comparison_) request(mode_.view);
}

void CompareFeature::choose(int view) {
  mode_.view = view;
  comparison_.reset();
  request(view);
}

void CompareFeature::next(int by) {
  mode_.step(by, int(work.received.cameras().size()));
  choose(mode_.view);
}

void CompareFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  const bool dataset = work.received.dataset.has_value(), right = column == Column::kRight;
  if (mode_.view < 0 || dataset != right || (right && !work.received.shows_run())) return;
  sections.push_back({30, "comparison", "Comparison", [this, right] { draw_section(right); }});
}

void CompareFeature::add_actions(const std::string& menu, std::vector<Action>& actions) {
  if (menu == "View")
    actions.push_back({.name = "Comparison",
                       .keys = "K",
                       .possible = may_show(),
                       .run = [this] { set_on(!mode_.on); },
                       .menu = "View",
                       .ticked = mode_.on,
                       .rule = true,
                       .on_scene = true});
  if (menu == menu_of(Thing::kPhoto))
    actions.push_back({.name = "Compare with the splats",
                       .possible = may_show(),
                       .run = [this, view = work.dialogs.clicked->number] { choose(view), mode_.on = true; },
                       .menu = "Photo"});
  if (!menu.empty() || !mode_.on) return;
  actions.push_back({.name = "Previous photo to compare", .keys = "[", .run = [this] { next(-1); }});
  actions.push_back({.name = "Next photo to compare", .keys = "]", .run = [this] { next(1); }});
  actions.push_back({.name = "Wipe, blink or difference", .keys = "X", .run = [this] { mode_.next_style(); }});
}

std::string CompareFeature::figures_of_photo(int view) const {
  const auto found = mode_.figures.find(view);
  if (found == mode_.figures.end() || found->second.failed) return {};
  return number_text(found->second.psnr, "PSNR %.2f dB, ") + number_text(found->second.ssim, "SSIM %.4f");
}

void CompareFeature::add_state(nlohmann::json& state) const {
  if (mode_.on)
    state["compare"] = {{"view", mode_.view},
                        {"split", mode_.split},
                        {"style", int(mode_.style)},
                        {"psnr", comparison_ ? comparison_->psnr : 0.0}};
  state["figures"] = mode_.figures.size();
}

}  // namespace studio
