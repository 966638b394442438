#include "studio/window/viewport.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

constexpr size_t kUploadBytes = size_t(8) << 20;  // a frame: 25 ms where OpenGL is software
constexpr size_t kUploadRuns = 4000;              // of changed rows, a frame: each costs three calls
constexpr size_t kUploadPoints = 400'000;         // a frame
constexpr double kClickReachPx = 16;
constexpr std::array<float, 3> kBackdropAbove{0.33f, 0.36f, 0.40f}, kBackdropBelow{0.10f, 0.11f, 0.13f};

bool same_request(const RenderRequest& a, const RenderRequest& b) {
  return same_view(a.view, b.view) && a.settings == b.settings && a.moved == b.moved;
}

void set_line_camera(Shader& shader, const splat::View& view) {
  shader.use();
  set_camera(shader, view);
}

}  // namespace

splat::Status Viewport::build() {
  SPLAT_TRY(splats_.build());
  for (const auto& feature : work_.features)
    if (feature->layer()) SPLAT_TRY(feature->layer()->build());
  SPLAT_TRY(lines_shader_.build("lines.vert", "lines.frag"));
  SPLAT_TRY(layer_shader_.build("fullscreen.vert", "layer.frag"));
  SPLAT_TRY(backdrop_shader_.build("fullscreen.vert", "backdrop.frag"));
  return picture_shader_.build("fullscreen.vert", "picture.frag");
}

void Viewport::take_new_data() {
  if (auto uploaded = splats_.take_uploaded()) work_.disposal.add(std::move(uploaded));
  if (splats_shown_ != work_.received.splats_loaded) {
    splats_shown_ = work_.received.splats_loaded;
    splats_.clear();
    engine_.clear();
    asked_.reset();
    engine_ms_ = sort_ms_ = 0, engine_divisor_ = 1, engine_part_ = 0;
    uploading_ = awaiting_order_ = false;
    sent_ = {};
  }
  if (dataset_shown_ != work_.received.dataset_loaded) {
    dataset_shown_ = work_.received.dataset_loaded;
    lines_photo_ = -2;
    points_.clear();
    uploading_points_ = work_.received.dataset.has_value();
    points_sent_ = 0;
  }
  uploading_points_ = uploading_points_ && work_.received.dataset;  // splats may have taken its place
  if (uploading_points_) upload_points();
  if (!work_.received.splats) return;
  take_changed_rows();
  if (work_.uses_engine()) return;
  if (uploaded_ != splats_shown_) start_upload();
  const auto states =
      work_.edit.scene ? std::span<const uint8_t>(work_.edit.scene->states) : std::span<const uint8_t>();
  if (states_shown_ != work_.edit.scenes && splats_.count() > 0 &&
      (states.empty() || states.size() == splats_.count())) {
    states_shown_ = work_.edit.scenes;
    splats_.set_rows({states, work_.edit.cleanup.reasons_of_rows()});
    work_.look.changed = true;
  }
  if (!uploading_) return;
  uploading_ = !splats_.continue_upload(kUploadBytes);
  work_.look.changed = true;
}

// To where the splats are: in OpenGL's buffers, in portions, or still in the workspace.
void Viewport::take_changed_rows() {
  auto& waiting = work_.received.changed_rows;
  if (uploaded_ != splats_shown_) {
    PackedModel& packed = work_.received.splats->packed;
    if (packed.splats.count == 0 && packed_wanted_ != splats_shown_) waiting.clear();  // it will have them
    if (packed.splats.count == 0) return;
    for (; !waiting.empty(); waiting.pop_front())
      write_changed_rows(waiting.front(), packed.splats, packed.centres_radii);
    return;
  }
  if (waiting.empty() || uploading_) return;
  if (splats_.count() == 0) return waiting.clear();  // they are more than OpenGL can hold
  work_.look.changed = true;
  const bool anew = waiting.front().packed.sh_degree != splats_.sh_degree();  // then all rows have changed
  if (!anew && send_portion(waiting.front())) return;
  ChangedRows done = std::move(waiting.front());
  waiting.pop_front();
  sent_ = {};
  if (anew)
    upload(std::move(done.packed));
  else
    work_.disposal.add(std::move(done.packed));
  sorter_.change_splats([rows = done.rows, runs = std::move(done.runs), values = std::move(done.centres_radii)](
                            auto& centres_radii) { write_rows(runs, 4, values, rows, centres_radii); });
}

// True: there is more.
bool Viewport::send_portion(const ChangedRows& changed) {
  if (sent_.rows == 0)
    if (const splat::Status status = splats_.set_count(changed.rows); !status) {
      draw_by_engine(status);
      return false;
    }
  const size_t most = kUploadBytes / changed.packed.bytes_a_splat();
  size_t rows = 0;
  for (size_t runs = 0; runs < kUploadRuns && sent_.run < changed.runs.size(); ++runs) {
    const splat::edit::RowRun& run = changed.runs[sent_.run];
    const size_t part = std::min<size_t>(run.end - run.begin - sent_.of_run, most - rows);
    splats_.write_rows(changed.packed, sent_.rows, part, run.begin + sent_.of_run);
    sent_.rows += part, sent_.of_run += part, rows += part;
    if (sent_.of_run < run.end - run.begin) return true;
    ++sent_.run, sent_.of_run = 0;
    if (rows == most) break;
  }
  return sent_.run < changed.runs.size();
}

void Viewport::draw_by_engine(const splat::Status& why) {
  work_.received.add_log_line(NoticeKind::kWarning, why.error().message);
  work_.settings.renderer = RendererChoice::kEngine;
}

void Viewport::upload_points() {
  const splat::PointCloud& points = work_.received.dataset->points;
  if (points_sent_ == 0) points_.reserve(points.size());
  const size_t end = std::min(points.size(), points_sent_ + kUploadPoints);
  points_.append(point_vertices(points, points_sent_, end));
  points_sent_ = end;
  uploading_points_ = end < points.size();
  work_.look.changed = true;
}

// Not before OpenGL is to draw them: until then they cost the graphics card nothing.
void Viewport::start_upload() {
  PackedModel& packed = work_.received.splats->packed;
  if (packed.splats.count == 0 && work_.received.splats->rows > 0) {
    if (packed_wanted_ != splats_shown_) work_.ask(WantPackedModel{});
    packed_wanted_ = splats_shown_;
    return;
  }
  uploaded_ = splats_shown_;
  sorter_.set_splats(splats_shown_, std::move(packed.centres_radii));
  upload(std::move(packed.splats));
}

void Viewport::upload(PackedSplats&& packed) {
  const splat::Status status = splats_.start_upload(std::make_unique<const PackedSplats>(std::move(packed)));
  uploading_ = status.ok();
  states_shown_ = 0;
  if (!uploading_) draw_by_engine(status);
}

void Viewport::ask_engine_nothing() {
  if (asked_) work_.bridge.view.put(std::nullopt);
  asked_.reset();
}

void Viewport::ask_engine(const splat::View& view) {
  if (!work_.uses_engine()) return ask_engine_nothing();
  const RenderRequest request{view, work_.drawn_settings(), work_.edit.shown_move()};
  if (asked_ && same_request(*asked_, request)) return;
  asked_ = request;
  work_.bridge.view.put(request);
}

void Viewport::take_engine_image() {
  if (!work_.received.engine_image) return;
  const EngineImage& image = *work_.received.engine_image;
  engine_.set(image.width, image.height, 4, image.rgba.data());
  engine_request_ = image.request;
  engine_divisor_ = image.divisor;
  engine_part_ = image.part;
  engine_ms_ = image.milliseconds;
  ++engine_pictures_;
  work_.received.engine_image.reset();
}

void Viewport::sort(const splat::View& view) {
  if (work_.uses_engine() || !work_.received.splats || splats_.count() == 0) {
    awaiting_order_ = false;
    return;
  }
  const splat::Similarity& move = shown_move().by;
  if (!move.is_identity() && moving_of_ != work_.edit.scenes) hand_over_moving_rows();
  sorter_.request(view, move);
  const DepthOrder* order = sorter_.newest();
  awaiting_order_ =
      !order || !same_view(order->view, view) || order->changes != sorter_.changes() || !(order->moved == move);
  if (!order || (ordered_ == splats_shown_ && ordered_changes_ == order->changes &&
                 same_view(order->view, ordered_view_) && ordered_move_ == order->moved))
    return;
  ordered_move_ = order->moved;
  ordered_ = splats_shown_, ordered_changes_ = order->changes, ordered_view_ = order->view;
  sort_ms_ = order->milliseconds;
  splats_.set_order(order->indices);
  work_.look.changed = true;
}

// The move of the rows that OpenGL has.
ShownMove Viewport::shown_move() const {
  const ShownMove& move = work_.edit.shown_move();
  return move.moves() && work_.edit.scene && work_.edit.scene->revision == move.revision ? move : ShownMove();
}

void Viewport::hand_over_moving_rows() {
  moving_of_ = work_.edit.scenes;
  const ShownMove move = shown_move();
  std::vector<uint8_t> moving = work_.edit.scene->states;
  for (uint8_t& state : moving) state = (state & move.bits()) == move.value();
  sorter_.set_moving(std::move(moving));
}

bool Viewport::update(int width, int height) {
  work_.look.navigator.set_viewport(width, height);
  if (work_.scene_covered()) return ask_engine_nothing(), false;
  take_new_data();
  for (const auto& feature : work_.features)
    if (Layer* layer = feature->layer(); layer && layer->update()) work_.look.changed = true;
  take_engine_image();
  remake_lines();
  const splat::View view = work_.look.navigator.view();
  ask_engine(view);
  sort(view);
  const DisplaySettings settings = work_.drawn_settings();
  const bool resized = width != width_ || height != height_;
  if (!work_.look.changed && !resized && same_view(view, drawn_view_) && settings == drawn_settings_) return false;
  width_ = width, height_ = height;
  drawn_view_ = view, drawn_settings_ = settings;
  work_.look.changed = false;
  return true;
}

bool Viewport::settled() const {
  if (layers_busy()) return false;
  if (work_.uses_engine())
    return asked_ && !engine_.empty() && engine_divisor_ == 1 && same_request(engine_request_, *asked_);
  return !busy();
}

// ---- drawing

bool Viewport::layers_busy() const {
  return std::any_of(work_.features.begin(), work_.features.end(),
                     [](const auto& feature) { return feature->layer() && feature->layer()->busy(); });
}

bool Viewport::covered_by_layer() const {
  return std::any_of(work_.features.begin(), work_.features.end(),
                     [](const auto& feature) { return feature->layer() && feature->layer()->covers(); });
}

bool Viewport::shows_splats() const { return drawn_splats_; }

void Viewport::draw() {
  const splat::View& view = drawn_view_;
  drawn_splats_ = covered_by_layer()    ? false
                  : work_.uses_engine() ? !engine_.empty()
                                        : work_.received.splats && ordered_ == splats_shown_ && splats_.count() > 0;
  canvas_.begin(width_, height_,
                work_.received.anything_open() ? work_.look.display.background : work_.appearance.colours().viewport);
  if (work_.received.anything_open()) {
    if (work_.look.display.see_through) draw_backdrop();
    draw_lines(view, false);
    if (!covered_by_layer()) draw_scene(view);
    for (const auto& feature : work_.features)
      if (Layer* layer = feature->layer(); layer && layer->drawn()) layer->draw(view);
    draw_photo(view);
    draw_lines(view, true);
  }
  canvas_.end();
}

void Viewport::draw_backdrop() {
  backdrop_shader_.use();
  backdrop_shader_.set("above", kBackdropAbove[0], kBackdropAbove[1], kBackdropAbove[2]);
  backdrop_shader_.set("below", kBackdropBelow[0], kBackdropBelow[1], kBackdropBelow[2]);
  glBindVertexArray(nothing_.get());
  glDisable(GL_BLEND);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

// The picture is as it was asked for, which may be a moment ago.
void Viewport::draw_engine_picture() {
  const bool see_through = engine_request_.settings.see_through;
  Shader& shader = see_through ? layer_shader_ : picture_shader_;
  shader.use();
  shader.set("picture", 0);
  shader.set("weight", 1.0f);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, engine_.texture());
  glBindVertexArray(nothing_.get());
  see_through ? glEnable(GL_BLEND) : glDisable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

void Viewport::draw_scene(const splat::View& view) {
  if (work_.uses_engine()) {
    if (!engine_.empty()) draw_engine_picture();
  } else if (work_.received.splats) {
    splats_.draw(view, {.render = drawn_settings_, .depth_range = depth_range(view), .moved = shown_move()});
  } else if (!points_.empty()) {
    set_line_camera(lines_shader_, view);
    lines_shader_.set("fade", 1.0f);
    points_.draw_points(lines_shader_);
  }
}

void Viewport::draw_lines(const splat::View& view, bool over_splats) {
  const bool photo = work_.look.navigator.photo() && work_.received.has_photos() && work_.look.photo_blend > 0;
  const bool grid = work_.settings.show_grid && !photo && over_splats == work_.uses_engine();  // whose picture hides it
  const bool cameras = work_.settings.show_cameras && over_splats && !work_.look.navigator.photo();
  if (!grid && !cameras) return;
  set_line_camera(lines_shader_, view);
  lines_shader_.set("fade", over_splats && grid ? 0.5f : 1.0f);
  if (grid) grid_.draw_lines(lines_shader_);
  lines_shader_.set("fade", 1.0f);
  if (cameras) cameras_.draw_lines(lines_shader_);
}

std::optional<std::array<float, 4>> Viewport::photo_frame() const {
  const auto at = work_.look.navigator.photo();
  if (!at) return std::nullopt;
  const splat::PinholeCamera &photo = work_.received.cameras()[size_t(*at)].view.camera, &shown = drawn_view_.camera;
  const double scale = double(shown.fx) / photo.fx;
  return std::array<float, 4>{float(shown.cx - scale * photo.cx), float(shown.cy - scale * photo.cy),
                              float(scale * photo.width), float(scale * photo.height)};
}

void Viewport::draw_photo(const splat::View& view) {
  const auto at = work_.look.navigator.photo();
  if (!at || !work_.received.has_photos() || work_.look.photo_blend <= 0 || *at != work_.received.photo_view ||
      work_.received.photo.empty())
    return;
  const splat::PinholeCamera& photo = work_.received.cameras()[size_t(*at)].view.camera;
  const double scale = double(view.camera.fx) / photo.fx;
  const double left = view.camera.cx - scale * photo.cx, top = view.camera.cy - scale * photo.cy;
  glViewport(int(std::lround(left)), int(std::lround(top)), int(std::lround(scale * photo.width)),
             int(std::lround(scale * photo.height)));
  picture_shader_.use();
  picture_shader_.set("picture", 0);
  picture_shader_.set("weight", work_.look.photo_blend);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, work_.received.photo.texture());
  glBindVertexArray(nothing_.get());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glViewport(0, 0, width_, height_);
}

void Viewport::remake_lines() {
  const Vec3 up = work_.look.navigator.up();
  const int photo = work_.look.navigator.photo().value_or(-1);
  const Palette& colours = work_.scene_colours();
  const float size = work_.settings.camera_size;
  const bool same_scene = lines_of_ == splats_shown_ && lines_cameras_ == work_.received.cameras_changed &&
                          lines_bounds_ == work_.received.bounds_changed;
  const bool same_up = length(up - lines_up_) < 1e-9;
  const double grid_step = work_.edit.measure.grid_step(work_.look.navigator.scene_radius());
  if (photo == lines_photo_ && &colours == lines_colours_ && size == lines_size_ && grid_step == lines_grid_ &&
      same_up && same_scene)
    return;
  lines_grid_ = grid_step;
  lines_photo_ = photo, lines_colours_ = &colours, lines_size_ = size, lines_up_ = up;
  lines_of_ = splats_shown_, lines_cameras_ = work_.received.cameras_changed;
  lines_bounds_ = work_.received.bounds_changed;
  const double radius = work_.look.navigator.scene_radius();
  const Bounds bounds = work_.received.splats    ? work_.received.splats->bounds
                        : work_.received.dataset ? work_.received.dataset->bounds
                                                 : work_.received.beside.value_or(Bounds{});
  if (!bounds.empty()) {
    const Vec3 corner = bounds.high - bounds.low;
    const double below = 0.5 * (std::abs(corner.x * up.x) + std::abs(corner.y * up.y) + std::abs(corner.z * up.z));
    grid_.set(grid_lines(bounds.centre() - below * up, up, grid_step, colours.grid));
  }
  cameras_.set(frustum_lines(work_.received.cameras(), 0.1 * radius * size, photo,
                             {colours.camera, colours.held_out_camera, colours.current_camera}));
  work_.look.changed = true;
}

std::array<float, 2> Viewport::depth_range(const splat::View& view) const {
  if (!work_.received.splats || work_.received.splats->bounds.empty()) return {0.1f, 100};
  const Vec3 away = work_.received.splats->bounds.centre() - vec3(view.cam_from_world.origin_in_source());
  const double distance = length(away), radius = work_.received.splats->bounds.radius();
  const double nearest = std::max(distance - radius, 0.02 * radius);
  return {float(nearest), float(std::max(distance + radius, 1.01 * nearest))};
}

int Viewport::camera_at(double x, double y) const {
  if (!work_.settings.show_cameras || work_.look.navigator.photo()) return -1;
  int best = -1;
  double least = kClickReachPx * work_.appearance.scale;
  for (size_t i = 0; i < work_.received.cameras().size(); ++i) {
    const splat::View& photo = work_.received.cameras()[i].view;
    const auto pixel = pixel_of(drawn_view_, vec3(photo.cam_from_world.origin_in_source()));
    if (!pixel) continue;
    const double distance = std::hypot(pixel->x - x, pixel->y - y);
    if (distance < least) least = distance, best = int(i);
  }
  return best;
}

}  // namespace viewer
