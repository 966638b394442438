#include "studio/blocks/feature.h"

#include <algorithm>
#include <utility>

#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kOtherBoxes = 0.4f;         // how opaque the boxes of blocks are whose splats are not open
constexpr float kFewest = 8, kTextPad = 3;  // px at scale 1

// A little, so that the edges of neighbours lie beside each other.
CityBox shrunk(CityBox box) {
  constexpr double kShare = 0.99;
  const auto shrink = [](std::array<Vec3, 4>& corners) {
    const Vec3 middle = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    for (Vec3& corner : corners) corner = middle + kShare * (corner - middle);
  };
  shrink(box.floor), shrink(box.ceiling);
  return box;
}

}  // namespace

BlocksFeature::BlocksFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<CityScene>([this](CityScene&& city) { take(std::move(city)); });
  work.bridge.reports.on<CityPlanned>([this](CityPlanned&& planned) {
    plan_.planned();
    work.open(planned.path);
  });
}

// What this window has merged is shown, unless edits or paint would be lost by that.
void BlocksFeature::take(CityScene&& city) {
  city_.reset();
  boxes_changed_ = true;
  if (city.path.empty()) return;
  city_ = std::move(city);
  const bool merged_here = city_->merged && city_->merges > merges_;
  merges_ = std::max(merges_, city_->merges);
  if (!merged_here) return;
  if (!work.in_front && work.program.attended)
    work.notifier.show("The blocks are trained and merged", city_->path.filename().string());
  if (!work.unsaved()) open_part(kCityMerged);
}

void BlocksFeature::open_part(int part) {
  if (!city_ || work.must_wait([this, part] { open_part(part); })) return;
  work.ask(OpenCityPart{city_->path, part});
}

bool BlocksFeature::shows_boxes() const { return work.settings.show_cameras && !work.look.navigator.photo(); }

void BlocksFeature::each_frame() {
  layer_.shown = shows_boxes();
  const Palette& colours = scene_colours(work);
  if (!std::exchange(boxes_changed_, false) && boxes_of_ == &colours) return;
  boxes_of_ = &colours;
  remake_boxes();
}

void BlocksFeature::remake_boxes() {
  std::vector<LineVertex> lines;
  for (size_t i = 0; city_ && i < city_->boxes.size(); ++i) {
    Rgba colour = stage_colour(*boxes_of_, city_->blocks[i].stage);
    if (city_->shown >= 0 && city_->shown != int(i)) colour[3] *= kOtherBoxes;
    const CityBox box = shrunk(city_->boxes[i]);
    add_box_lines(box.floor, box.ceiling, colour, lines);
  }
  layer_.set(std::move(lines));
}

void BlocksFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  if (column == Column::kRight && city_) sections.push_back({0, "", "Blocks", [this] { draw_panel(); }});
}

// At the middle of each box's ceiling, so that rows of the table are found in the scene.
void BlocksFeature::draw_over_scene(const ScenePlace& scene) {
  if (!city_ || !shows_boxes()) return;
  const splat::View view = work.look.navigator.view();
  const float pad = kTextPad * work.appearance.scale;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  for (size_t i = 0; i < city_->boxes.size(); ++i) {
    const auto& corner = city_->boxes[i].ceiling;
    const auto place = scene.at(view, 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]));
    if (!place) continue;
    const std::string text = std::to_string(i);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str()), low{place->x - size.x / 2, place->y - size.y / 2};
    const float side = std::max(size.x / 2 + pad, kFewest * work.appearance.scale);
    list.AddRectFilled({place->x - side, low.y - pad}, {place->x + side, low.y + size.y + pad},
                       ImGui::GetColorU32(ImGuiCol_PopupBg), pad);
    list.AddText(low, packed(stage_colour(work.appearance.colours(), city_->blocks[i].stage)), text.c_str());
  }
  list.PopClipRect();
}

void BlocksFeature::copy_command() {
  work.clipboard = city_->command;
  work.say("copied: the command line that trains and merges the blocks, as on a cluster's machine");
}

void BlocksFeature::add_actions(const std::string& menu, std::vector<Action>& actions) {
  if (menu != "Training") return;
  actions.push_back({.name = "Train in blocks",
                     .possible = plan_.possible(),
                     .run = [this] { plan_.ask(); },
                     .menu = "Training",
                     .label = "Train in blocks..."});
  if (!city_) return;
  actions.push_back({.name = "Train the blocks",
                     .possible = !trains() && next_step(),
                     .run = [this] { start(); },
                     .menu = "Training"});
  actions.push_back({.name = "Stop training the blocks",
                     .possible = city_->work == CityWork::kTrains,
                     .run = [this] { work.ask(StopBlocks{}); },
                     .menu = "Training"});
  actions.push_back(
      {.name = "Copy the command line of the blocks", .run = [this] { copy_command(); }, .menu = "Training"});
}

void BlocksFeature::add_state(nlohmann::json& state) const {
  state["blocks_forecast"] = plan_.knows();
  if (!city_) return;
  const auto done = std::count_if(city_->blocks.begin(), city_->blocks.end(),
                                  [](const CityBlock& block) { return block.stage == BlockState::Stage::kDone; });
  state["blocks"] = {{"all", city_->blocks.size()}, {"done", done}, {"part", city_->shown}, {"trains", trains()}};
}

}  // namespace studio
