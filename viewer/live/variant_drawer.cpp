#include "viewer/live/variant_drawer.h"

#include <algorithm>

#include "splat/core/check.h"
#include "splat/model/near_scale.h"
#include "viewer/live/draw_picture.h"

namespace viewer {

splat::Status VariantDrawer::make() {
  if (backend_) return {};
  SPLAT_ASSIGN_OR_RETURN(backend_, make_backend_());
  return {};
}

bool VariantDrawer::on_host() { return make() && backend_->info().device_total_bytes == 0; }

splat::Status VariantDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model) {
  return prepare(settings, model, {});
}

splat::Status VariantDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model,
                                     const ShownRows& rows) {
  SPLAT_TRY(make());
  const ModelVariant variant = variant_for(settings);
  if (uploaded_ != variant || backend_->size() != model.size()) {
    forget_model();  // an upload that throws leaves nothing to draw
    times_ = splat::near_scale(model);
    if (variant == ModelVariant{} && times_ == 1)
      backend_->upload(model);
    else
      backend_->upload(make_variant(splat::enlarged(model, times_), variant, colours_));
    uploaded_ = variant;
    looks_.clear();
  }
  show(rows, settings);
  return {};
}

void VariantDrawer::show(const ShownRows& rows, const DisplaySettings& settings) {
  const splat::math::Tints tints = selection_tints(settings);
  SelectionTint selection = settings.selection;
  if (uploaded_->kind == ModelKind::kPositions) selection = SelectionTint::kNone;  // colours stand for something else
  bool others_drawn = false, differs = looks_.size() != rows.states.size() || !(tints.of[0] == tint_);
  looks_.resize(rows.states.size());
  for (size_t row = 0; row < looks_.size(); ++row) {
    const uint8_t look = look_of(rows, row, selection);
    others_drawn |= ((look ^ looks_[row]) & splat::math::kNotDrawn) != 0;
    differs |= look != looks_[row];
    looks_[row] = look;
  }
  if (!differs) return;
  if (others_drawn) drawn_.reset();
  tint_ = tints.of[0];
  backend_->set_looks({looks_, tints});
}

void VariantDrawer::take_changes(const splat::edit::EditedModel& edited) {
  constexpr size_t kMostShare = 2;  // of the rows: more are uploaded anew
  if (uploaded_ != ModelVariant{} || backend_->size() != edited.model().size()) return forget_model();
  put_back(edited);
  for (const splat::edit::RowRun& run : edited.changed_rows())
    for (uint32_t row = run.begin; row < run.end; ++row) moved_rows_.push_back(row);
  if (moved_rows_.size() > edited.model().size() / kMostShare) return forget_model();
  write_rows(edited, {});
  moved_rows_.clear();
}

void VariantDrawer::show_moved(const splat::edit::EditedModel& edited, const ShownMove& move) {
  if (uploaded_ != ModelVariant{} || move == shown_move_ || (!move.moves() && !shown_move_.moves())) return;
  if (move.all != shown_move_.all || move.object != shown_move_.object || move.revision != shown_move_.revision ||
      moved_rows_.empty()) {
    put_back(edited);
    const std::span<const uint8_t> states = edited.states();
    const std::span<const uint32_t> objects = edited.objects();
    for (uint32_t row = 0; row < states.size(); ++row) {
      const uint8_t mark = move.object == objects[row] ? kMarked : 0;
      if (((states[row] | mark) & move.bits()) == move.value()) moved_rows_.push_back(row);
    }
  }
  write_rows(edited, move.by);
  shown_move_ = move;
}

void VariantDrawer::put_back(const splat::edit::EditedModel& edited) {
  write_rows(edited, {});
  moved_rows_.clear();
  shown_move_ = {};
}

void VariantDrawer::write_rows(const splat::edit::EditedModel& edited, const splat::Similarity& by) {
  if (moved_rows_.empty()) return;
  backend_->write_rows(moved_rows_, splat::enlarged(edited.rows_moved(moved_rows_, by), times_), false);
  drawn_.reset();
}

EngineImage VariantDrawer::draw(const RenderRequest& request, int divisor) {
  SPLAT_CHECK(prepared_for(request.settings));
  drawn_.reset();
  RenderRequest enlarged = request;
  enlarged.view = splat::enlarged(request.view, times_);
  EngineImage image = draw_variant(*backend_, enlarged, divisor, colours_);
  image.request.view = request.view;
  if (uploaded_ == ModelVariant{}) drawn_ = Drawn{divided(request.view, divisor), render_settings(request.settings)};
  return image;
}

bool VariantDrawer::has_drawn(const RenderRequest& request) const {
  return drawn_ == Drawn{divided(request.view, 1), render_settings(request.settings)};
}

splat::Backend& VariantDrawer::seeing(const splat::View& view, const splat::ScreenFilter& filter) {
  SPLAT_CHECK(uploaded_ == ModelVariant{});
  Drawn wanted{divided(view, 1), {}};
  wanted.settings.antialias = filter.antialias;
  wanted.settings.low_pass = filter.low_pass;
  if (drawn_ && drawn_->view == wanted.view && drawn_->settings.antialias == filter.antialias &&
      drawn_->settings.low_pass == filter.low_pass)
    return *backend_;
  drawn_.reset();
  backend_->forward(splat::enlarged(wanted.view, times_), wanted.settings);
  drawn_ = wanted;
  return *backend_;
}

splat::ImageF VariantDrawer::picture(const splat::View& view, const splat::ScreenFilter& filter) {
  SPLAT_CHECK(uploaded_ == ModelVariant{});
  const splat::RenderSettings settings{splat::kMaxShDegree, filter.antialias, {0, 0, 0}, {}, filter.low_pass};
  drawn_ = Drawn{divided(view, 1), settings};
  backend_->forward(splat::enlarged(drawn_->view, times_), settings);
  splat::ImageF image;
  backend_->read_image(image);
  return image;
}

void VariantDrawer::forget_model() {
  uploaded_.reset();
  drawn_.reset();
  moved_rows_.clear();
  shown_move_ = {};
}

void VariantDrawer::release() {
  forget_model();
  backend_.reset();
  looks_ = {};
}

}  // namespace viewer
