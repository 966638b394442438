#include "studio/window/viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "splat/model/near_scale.h"
#include "studio/window/photo_frusta.h"

namespace studio {
namespace {

constexpr double kClickReachPx = 16;

template <class Is>
bool any(const std::vector<Layer*>& layers, const Is& is) {
  return std::any_of(layers.begin(), layers.end(), is);
}

}  // namespace

Viewport::Viewport(Workspace& workspace)
    : work_(workspace),
      splats_(workspace.disposal, [this] { work_.ask(WantPackedModel{}); }),
      engine_(workspace.bridge.view) {}

splat::Status Viewport::build() {
  layers_ = {&backdrop_, &splats_, &engine_, &points_};
  for (const auto& feature : work_.features)
    if (Layer* layer = feature->layer()) layers_.push_back(layer);
  layers_.insert(layers_.end(), {&photo_, &grid_, &cameras_});
  for (Layer* layer : layers_) SPLAT_TRY(layer->build());
  return {};
}

bool Viewport::update(int width, int height) {
  Look& look = work_.look;
  look.navigator.set_viewport(width, height);
  if (work_.scene_covered()) return engine_.ask_nothing(), false;
  give_splats();
  give_others();
  const splat::View view = look.navigator.view();
  const double near_plane = splat::near_plane(look.navigator.scene_radius());
  for (Layer* layer : layers_) layer->near_plane = float(near_plane);
  for (Layer* layer : layers_) look.changed |= layer->update(view);
  if (!splats_.problem.empty()) {  // OpenGL cannot: the engine does
    work_.received.add_log_line(NoticeKind::kWarning, std::exchange(splats_.problem, {}));
    work_.settings.renderer = RendererChoice::kEngine;
    return update(width, height);
  }
  const DisplaySettings settings = drawn_settings(work_);
  const bool resized = width != width_ || height != height_;
  if (!look.changed && !resized && same_view(view, drawn_view_) && settings == drawn_settings_) return false;
  width_ = width, height_ = height;
  drawn_view_ = view, drawn_settings_ = settings;
  look.changed = false;
  return true;
}

void Viewport::give_splats() {
  Received& received = work_.received;
  if (splats_of_ != received.splats_loaded) {
    splats_of_ = received.splats_loaded;
    splats_.clear();
    engine_.clear();
  }
  const EditMode& edit = work_.edit;
  SplatsLook& look = splats_.look;
  look.shown = received.splats && !work_.uses_engine();
  look.settings = drawn_settings(work_);
  look.moved = shown_move();
  look.rows = edit.scene ? ShownRows{edit.scene->states, edit.cleanup.reasons_of_rows()} : ShownRows{};
  look.rows_of = edit.scenes;
  if (!received.splats) return;
  look.bounds = received.splats->bounds;
  PackedModel& packed = received.splats->packed;
  if (!splats_.has_model() && (packed.splats.count > 0 || (look.shown && received.splats->rows == 0)))
    splats_.set(std::move(packed.splats), std::move(packed.centres_radii));
  auto& changed = received.changed_rows;
  if (!splats_.has_model() && !splats_.awaits_model()) changed.clear();  // it will have them
  for (; splats_.has_model() && !changed.empty(); changed.pop_front()) splats_.change(std::move(changed.front()));
}

// The move of the rows that OpenGL has.
ShownMove Viewport::shown_move() const {
  const ShownMove move = work_.edit.shown_move();
  return move.moves() && work_.edit.scene && work_.edit.scene->revision == move.revision ? move : ShownMove();
}

void Viewport::give_others() {
  Received& received = work_.received;
  backdrop_.shown = work_.look.display.see_through;
  engine_.look = {work_.uses_engine(), drawn_settings(work_), work_.edit.shown_move()};
  if (received.engine_image) engine_.set(std::move(*received.engine_image));
  received.engine_image.reset();
  points_.shown = !received.splats && !work_.uses_engine();
  points_.set(received.dataset ? &received.dataset->points : nullptr, received.dataset_loaded);
  const auto at = work_.look.navigator.photo();
  const bool blended = at && received.has_photos() && work_.look.photo_blend > 0;
  photo_.look = {};
  if (blended && *at == received.photo_view && !received.photo.empty())
    photo_.look = {received.photo.texture(), received.cameras()[size_t(*at)].view.camera, work_.look.photo_blend};
  give_lines(blended);
}

void Viewport::give_lines(bool photo_blended) {
  const Received& received = work_.received;
  const Navigator& navigator = work_.look.navigator;
  const Palette& colours = scene_colours(work_);
  const double radius = navigator.scene_radius();
  grid_.shown = work_.settings.show_grid && !photo_blended;
  grid_.under = !work_.uses_engine();  // whose picture hides it
  grid_.fade = grid_.under ? 1.0f : 0.5f;
  grid_.lie_below(received.splats    ? received.splats->bounds
                  : received.dataset ? received.dataset->bounds
                                     : received.beside.value_or(Bounds{}),
                  navigator.up(), work_.edit.measure.grid_step(radius), colours.grid);
  cameras_.shown = work_.settings.show_cameras && !navigator.photo();
  cameras_.nearest = float(nearest_camera(work_));
  cameras_.set(received.cameras(), {received.splats_loaded + received.dataset_loaded + received.cameras_changed,
                                    camera_depth(work_),
                                    navigator.photo().value_or(-1),
                                    {colours.camera, colours.held_out_camera, colours.current_camera}});
}

bool Viewport::busy() const {
  return any(layers_, [](const Layer* layer) { return layer->busy(); });
}

bool Viewport::settled() const {
  return engine_.look.shown == work_.uses_engine() &&
         !any(layers_, [](const Layer* layer) { return !layer->settled(); });
}

void Viewport::draw() {
  const bool open = work_.received.anything_open();
  const bool covered = any(layers_, [](const Layer* layer) { return layer->covers(); });
  drawn_splats_ = !covered && (splats_.complete() || engine_.drawn());
  canvas_.begin(width_, height_, open ? work_.look.display.background : work_.appearance.colours().viewport);
  for (const Pass pass : {Pass::kUnder, Pass::kScene, Pass::kOver})
    for (Layer* layer : layers_)
      if (open && layer->pass() == pass && layer->drawn() && !(covered && pass == Pass::kScene))
        layer->draw(drawn_view_);
  canvas_.end();
}

std::optional<std::array<float, 4>> Viewport::photo_frame() const {
  const auto at = work_.look.navigator.photo();
  if (!at) return std::nullopt;
  const auto [left, top, width, height] = photo_place(work_.received.cameras()[size_t(*at)].view.camera, drawn_view_);
  return std::array{float(left), float(top), float(width), float(height)};
}

int Viewport::camera_at(double x, double y) const {
  if (!work_.settings.show_cameras || work_.look.navigator.photo()) return -1;
  int best = -1;
  double least = kClickReachPx * work_.appearance.scale;
  for (size_t i = 0; i < work_.received.cameras().size(); ++i) {
    const splat::View& photo = work_.received.cameras()[i].view;
    const auto pixel = pixel_of(drawn_view_, vec3(photo.cam_from_world.origin_in_source()));
    if (!pixel || pixel->depth < nearest_camera(work_)) continue;
    const double distance = std::hypot(pixel->x - x, pixel->y - y);
    if (distance < least) least = distance, best = int(i);
  }
  return best;
}

}  // namespace studio
