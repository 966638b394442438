#include "splat/edit/steps.h"

#include <algorithm>
#include <array>
#include <optional>

namespace splat::edit {
namespace {

constexpr float kSeenWeight = 0.05f;  // blending weight from which a splat counts as seen

RowMask rows_by_box(const EditedModel& edited, const Box& box, bool outside, ThreadPool& pool) {
  RowMask rows = rows_in_box(edited.model(), box, pool);
  if (outside)
    for (uint8_t& row : rows) row = !row;
  return rows;
}

Result<RowMask> rows_on_screen(const View& view, const ScreenMask& mask, bool visible, const EditedModel& edited,
                               ThreadPool& pool, Sight& sight) {
  if (!visible) return rows_behind_mask(edited.model(), view, mask, pool);
  SPLAT_ASSIGN_OR_RETURN(const Sight::Weights weights, sight.weights(view, mask.pixels));
  return rows_seen(weights.max, kSeenWeight);
}

// Those that a click has found.
Status select_found(const RowMask& rows, SelectMode mode, EditedModel& edited, Sight& sight) {
  bool shows = false;
  for (size_t row = 0; row < rows.size(); ++row) shows |= rows[row] && !(edited.states()[row] & kNotShown);
  if (!shows) sight.nothing_is_there();
  edited.select(rows, mode);
  return {};
}

// Those that `rows_about` finds for the row that adds most to the picture in the mask; none where nothing is seen
// there.
template <class RowsAbout>
Status select_about_what_is_seen(const Drawn& drawn, EditedModel& edited, Sight& sight, const RowsAbout& rows_about) {
  SPLAT_ASSIGN_OR_RETURN(const Sight::Weights weights, sight.weights(drawn.view, drawn.mask.pixels));
  const auto most = std::max_element(weights.sum.begin(), weights.sum.end());
  const bool seen = most != weights.sum.end() && *most > 0;
  return select_found(seen ? rows_about(size_t(most - weights.sum.begin())) : RowMask(edited.model().size()),
                      drawn.mode, edited, sight);
}

// A ball there that is this large in the picture.
Sphere ball_about(const EditedModel& edited, size_t row, const View& view, double radius_px) {
  const float* mean = &edited.model().means[3 * row];
  const std::array<double, 3> centre{mean[0], mean[1], mean[2]};
  return {centre, radius_px * (view.cam_from_world * centre)[2] / double(view.camera.fx)};
}

}  // namespace

void SelectObject::apply(EditedModel& edited, ThreadPool&) const {
  RowMask mask(edited.model().size());
  for (size_t row = 0; row < mask.size(); ++row) mask[row] = edited.objects()[row] == object;
  edited.select(mask, mode);
}

void GoToStep::apply(EditedModel& edited, ThreadPool&) const {
  const History& history = edited.history();
  while (history.done() > steps && edited.undo()) {
  }
  while (history.done() < steps && edited.redo()) {
  }
}

void SelectByValue::apply(EditedModel& edited, ThreadPool& pool) const {
  edited.select(rows_by_value(edited.model(), measure, low, high, pool), mode);
}

void SelectByBox::apply(EditedModel& edited, ThreadPool& pool) const {
  edited.select(rows_by_box(edited, box, outside, pool), mode);
}

void DeleteByBox::apply(EditedModel& edited, ThreadPool& pool) const {
  edited.delete_rows(rows_by_box(edited, box, outside, pool));
}

void ShowBox::apply(EditedModel& edited, ThreadPool& pool) const {
  edited.show_only(rows_by_box(edited, box, false, pool));
}

Status SelectOnScreen::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  SPLAT_ASSIGN_OR_RETURN(const RowMask rows, rows_on_screen(view, mask, visible, edited, pool, sight));
  edited.select(rows, mode);
  return {};
}

// From the background nothing is flooded: its colour is no splat's, though the dim edges of many are like it.
Status SelectByFlood::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  SPLAT_ASSIGN_OR_RETURN(const Sight::Weights here, sight.weights(view, mask.pixels));
  if (std::none_of(here.max.begin(), here.max.end(), [](float weight) { return weight >= kSeenWeight; }))
    return select_found(RowMask(edited.model().size()), mode, edited, sight);
  SPLAT_ASSIGN_OR_RETURN(const ImageF picture, sight.picture(view));
  const int at = int(std::find(mask.pixels.begin(), mask.pixels.end(), 1) - mask.pixels.begin());
  const ScreenMask flooded = flood_mask(picture, at % picture.width, at / picture.width, tolerance);
  SPLAT_ASSIGN_OR_RETURN(const RowMask rows, rows_on_screen(view, flooded, visible, edited, pool, sight));
  return select_found(rows, mode, edited, sight);
}

Status SelectByColour::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  return select_about_what_is_seen(*this, edited, sight, [&](size_t row) {
    return rows_by_colour(edited.model(), colour_of(edited.model(), row), tolerance, pool);
  });
}

Status SelectInSphere::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  return select_about_what_is_seen(*this, edited, sight, [&](size_t row) {
    return rows_in_sphere(edited.model(), ball_about(edited, row, view, radius_px), pool);
  });
}

Status SelectInBox::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  return select_about_what_is_seen(*this, edited, sight, [&](size_t row) {
    const auto [centre, half] = ball_about(edited, row, view, radius_px);
    return rows_in_box(edited.model(), box_about(centre, {half, half, half}), pool);
  });
}

Status SelectByContribution::apply(EditedModel& edited, ThreadPool& pool, Sight& sight) const {
  RowMeasure measure = RowValue::kContribution;
  SPLAT_ASSIGN_OR_RETURN(const Sight::Weights weights, sight.weights(view, {}));
  measure.weights = weights.max;
  edited.select(rows_by_value(edited.model(), measure, low, high, pool), mode);
  return {};
}

Status SelectProposed::apply(EditedModel& edited, ThreadPool&, Sight& sight) const {
  edited.select(sight.proposed(least, reasons), SelectMode::kSet);
  return {};
}

Status apply(const EditStep& step, EditedModel& edited, ThreadPool& pool, Sight& sight) {
  return std::visit(
      [&](const auto& one) -> Status {
        if constexpr (requires { one.apply(edited, pool, sight); })
          return one.apply(edited, pool, sight);
        else
          return one.apply(edited, pool), Status();
      },
      step);
}

}  // namespace splat::edit
