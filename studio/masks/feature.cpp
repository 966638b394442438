#include "studio/masks/feature.h"

#include <algorithm>
#include <utility>

#include "studio/window/clicked.h"

namespace studio {

MaskFeature::MaskFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<MaskPhoto>([this](MaskPhoto&& arrived) { take(std::move(arrived)); });
  work.bridge.reports.on<PaintFound>([this](PaintFound&& found) {
    if (work.program.attended && !on_) found_ = std::move(found);
  });
  work.bridge.reports.on<MaskSaved>([this](MaskSaved&& saved) { take(saved); });
}

void MaskFeature::scene_left(bool) {
  close();
  found_.reset();
  view_ = -1;
  saving_ = 0;
}

void MaskFeature::close() {
  on_ = asks_ = false;
  steps_.clear();
  others_.clear();
  undone_.clear();
  corners_.clear();
  photo_.reset();
  then_ = nullptr;
}

void MaskFeature::leave(const std::function<void()>& then) {
  if (!unsaved()) return then();
  asks_ = just_asked_ = saving_ == 0;
  if (asks_)
    then_ = then;
  else
    then_ = [this, then] { leave(then); };  // others may be painted on
}

const char* MaskFeature::covering_hint() const {
  return polygon_ ? "click the corners, the first one again to close; Ctrl+Z takes back; Escape gives up or closes"
                  : "drag over what is not to count; Ctrl+Z takes back; [ and ] step through the photos; Escape closes";
}

// Not while cameras are found: with each the views have other numbers.
bool MaskFeature::possible() const {
  if (work.received.dataset && work.received.dataset->growing) return false;
  return !work.received.cameras().empty() && work.received.has_photos() && (on_ || !work.scene_covered());
}

void MaskFeature::open(int view) {
  on_ = true;
  view_ = view;
  in_stroke_ = false;
  steps_.clear();
  undone_.clear();
  corners_.clear();
  photo_.reset();
  work.ask(WantMaskPhoto{view});
}

void MaskFeature::go_to(int view) {
  if (saving_ > 0) {
    then_ = [this, view] { go_to(view); };
    return;
  }
  if (!steps_.empty()) {
    keep();
    others_[view_] = std::move(steps_);
  }
  open(view);
  if (auto painted_there = others_.extract(view)) steps_ = std::move(painted_there.mapped());
}

void MaskFeature::next(int by) {
  const int views = int(work.received.cameras().size());
  go_to((view_ + by + views) % views);
}

void MaskFeature::take(MaskPhoto&& arrived) {
  if (arrived.view != view_ || !on_) return;
  if (arrived.picture.pixels.empty()) {  // an error says why
    on_ = false;
    return;
  }
  photo_ = std::move(arrived);
  if (steps_.empty()) steps_ = std::exchange(photo_->kept, {});
  changes_ = painted(steps_, photo_->picture.width, photo_->picture.height);
  show();
}

void MaskFeature::take(const MaskSaved& saved) {
  if (saving_ == 0) return;
  --saving_;
  if (saved.ok) {
    if (!saved.masks.empty()) work.choices.fine["masks"] = saved.masks.string();
    work.ask(KeepPaint{saved.view, {}});
    others_.erase(saved.view);
    if (saved.view == view_) open(view_);  // with its mask
  } else {
    then_ = nullptr;
  }
  if (saving_ > 0) return;
  if (const std::function<void()> then = std::exchange(then_, nullptr)) then();
}

void MaskFeature::save() {
  if (!paintable()) return;
  save_here();
}

void MaskFeature::save_here() {
  if (steps_.empty()) return;
  corners_.clear();
  in_stroke_ = false;
  ++saving_;
  work.ask(SaveMask{view_, steps_});
}

void MaskFeature::save_all() {
  saving_ = int(others_.size());
  for (const auto& [view, steps] : others_) work.ask(SaveMask{view, steps});
  save_here();
}

void MaskFeature::discard_all() {
  if (!steps_.empty()) others_[view_];
  for (const auto& [view, steps] : std::exchange(others_, {})) work.ask(KeepPaint{view, {}});
  open(view_);
}

void MaskFeature::add(PaintStep step) {
  in_stroke_ = false;
  paint(step, changes_);
  steps_.push_back(std::move(step));
  undone_.clear();
  keep();
  show();
}

void MaskFeature::undo() {
  if (!paintable()) return;
  if (!corners_.empty()) return corners_.pop_back();
  if (steps_.empty()) return;
  undone_.push_back(std::move(steps_.back()));
  steps_.pop_back();
  in_stroke_ = false;
  changes_ = painted(steps_, changes_.width, changes_.height);
  keep();
  show();
}

void MaskFeature::redo() {
  if (!paintable() || undone_.empty()) return;
  in_stroke_ = false;
  paint(undone_.back(), changes_);
  steps_.push_back(std::move(undone_.back()));
  undone_.pop_back();
  keep();
  show();
}

void MaskFeature::show() { shown_.set(tinted(photo_->picture, photo_->counts, photo_->usable, changes_)); }

void MaskFeature::escape() {
  if (asks_) return;  // the question takes it
  if (corners_.empty()) return leave([this] { close(); });
  corners_.clear();
}

void MaskFeature::add_actions(const std::string& menu, std::vector<Action>& actions) {
  if (menu == "View")
    actions.push_back({.name = "Paint a mask",
                       .possible = possible(),
                       .run =
                           [this] {
                             if (on_) return leave([this] { close(); });
                             open(work.look.navigator.photo().value_or(std::max(view_, 0)));
                           },
                       .menu = "View",
                       .label = "Paint a mask on a photo",
                       .ticked = on_});
  if (menu == menu_of(Thing::kPhoto))
    actions.push_back({.name = "Paint a mask on it",
                       .possible = possible(),
                       .run = [this, view = work.dialogs.clicked->number] { go_to(view); },
                       .menu = "Photo"});
  if (!on_) return;
  if (menu == "Edit") {
    actions.push_back({.name = "Undo painting", .keys = "Ctrl+Z", .run = [this] { undo(); }});
    actions.push_back({.name = "Redo painting", .keys = "Ctrl+Shift+Z", .run = [this] { redo(); }});
  }
  if (!menu.empty()) return;
  actions.push_back({.name = "Save the mask", .keys = "Ctrl+S", .run = [this] { save(); }});
  actions.push_back({.name = "Previous photo to paint on", .keys = "[", .run = [this] { next(-1); }});
  actions.push_back({.name = "Next photo to paint on", .keys = "]", .run = [this] { next(1); }});
  actions.push_back({.name = "Brush or polygon", .keys = "X", .run = [this] { set_polygon(!polygon_); }});
}

void MaskFeature::add_state(nlohmann::json& state) const {
  if (!on_) return;
  state["mask"] = {
      {"view", view_}, {"ready", paintable()}, {"asks", asks_}, {"steps", steps_.size()}, {"corners", corners_.size()}};
}

}  // namespace studio
