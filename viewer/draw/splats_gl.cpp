#include "viewer/draw/splats_gl.h"

#include <algorithm>
#include <string>
#include <vector>

#include "splat/core/check.h"
#include "splat/edit/edited_model.h"
#include "splat/math/project.h"
#include "splat/math/quat.h"
#include "viewer/display_modes.h"

namespace viewer {
namespace {

constexpr size_t kGeometryBytes = 32, kTexelBytes = 8;  // a splat; a splat's rotation or a texel of its colours
constexpr int kGeometryUnit = 0, kRotationUnit = 1, kStateUnit = 2, kReasonUnit = 3, kColourUnit = 4;

std::span<const std::byte> rows_of(std::span<const std::byte> bytes, size_t row_bytes, size_t first, size_t count) {
  return bytes.subspan(first * row_bytes, count * row_bytes);
}

// The next portion of what was sent of an array that begins at `begin` of all that is sent, at most `budget` bytes; its
// buffer is made first, by itself: software OpenGL clears it, which takes a frame's time.
void send_portion(TexelBuffer& buffer, unsigned format, std::span<const std::byte> bytes, size_t begin, size_t& sent,
                  size_t& budget) {
  if (budget == 0 || sent < begin || sent >= begin + bytes.size()) return;
  if (buffer.bytes() == 0) {
    buffer.allocate(bytes.size(), format);
    budget = 0;
    return;
  }
  const size_t from = sent - begin, count = std::min(budget, bytes.size() - from);
  buffer.write(from, bytes.subspan(from, count));
  sent += count, budget -= count;
}

void set_move(Shader& shader, const ShownMove& move) {
  const splat::math::Mat3<double> turn = splat::math::rotation_from_quat(move.by.rotation);
  float rows[9];
  for (size_t i = 0; i < 9; ++i) rows[i] = float(turn.m[i / 3][i % 3]);
  shader.set("moving", int(move.moves()));
  shader.set("moved_bits", int(move.bits()));
  shader.set("moved_value", int(move.value()));
  shader.set_matrix3("moved_rotation", rows);
  shader.set("moved_scale", float(move.by.scale));
  const std::array<double, 3>& t = move.by.translation;
  shader.set("moved_translation", float(t[0]), float(t[1]), float(t[2]));
}

void set_tints(Shader& shader) {
  shader.use();
  for (uint32_t i = 0; i < splat::math::kTints; ++i) {
    const splat::math::Tint& tint = kSelectionTints.of[i];
    shader.set(("tints[" + std::to_string(i) + "]").c_str(), tint.red, tint.green, tint.blue, tint.share);
  }
}

splat::Status check_room(size_t count, size_t plane_texels, int sh_degree) {
  if (std::max<size_t>(2, plane_texels) * count <= max_texels()) return {};
  return splat::Error{std::to_string(count) + " splats of SH degree " + std::to_string(sh_degree) +
                      " are more than this OpenGL driver can hold in a buffer; the engine's renderer can show them"};
}

}  // namespace

void set_camera(Shader& shader, const splat::View& view) {
  const auto p = splat::math::make_view_params<float>(view);
  const float rows[9] = {p.rotation.m[0][0], p.rotation.m[0][1], p.rotation.m[0][2],
                         p.rotation.m[1][0], p.rotation.m[1][1], p.rotation.m[1][2],
                         p.rotation.m[2][0], p.rotation.m[2][1], p.rotation.m[2][2]};
  shader.set_matrix3("rotation", rows);
  shader.set("translation", p.translation.x, p.translation.y, p.translation.z);
  shader.set("centre", p.centre.x, p.centre.y, p.centre.z);
  shader.set("focal_px", p.fx, p.fy);
  shader.set("principal_px", p.cx, p.cy);
  shader.set("size_px", p.width, p.height);
  shader.set("jacobian_limits", p.u_min, p.u_max, p.v_min, p.v_max);
}

splat::Status SplatsGl::build() {
  SPLAT_TRY(splats_.build("splats.vert", "splats.frag"));
  set_tints(splats_);
  SPLAT_TRY(resolve_.build("fullscreen.vert", "resolve.frag"));
  glBindVertexArray(quad_.get());
  glBindBuffer(GL_ARRAY_BUFFER, order_.get());
  glEnableVertexAttribArray(0);
  glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
  glVertexAttribDivisor(0, 1);
  glBindVertexArray(0);
  return {};
}

void SplatsGl::clear() {
  geometry_.reset(), rotations_.reset(), states_.reset(), reasons_.reset();
  for (TexelBuffer& plane : colours_) plane.reset();
  has_states_ = has_reasons_ = false;
  if (pending_) uploaded_ = std::move(pending_);
  count_ = ordered_ = sent_ = 0;
}

size_t SplatsGl::device_bytes() const {
  size_t bytes = geometry_.bytes() + rotations_.bytes() + states_.bytes() + reasons_.bytes() + 4 * order_capacity_;
  for (const TexelBuffer& plane : colours_) bytes += plane.bytes();
  return bytes;
}

splat::Status SplatsGl::start_upload(std::unique_ptr<const PackedSplats> splats) {
  clear();
  SPLAT_TRY(check_room(splats->count, splats->texels_of(0), splats->sh_degree));
  pending_ = std::move(splats);
  return {};
}

splat::Status SplatsGl::set_count(size_t count) {
  PackedSplats shape;
  shape.plane_texels = plane_texels_;
  SPLAT_TRY(check_room(count, shape.texels_of(0), sh_degree_));
  geometry_.grow(kGeometryBytes * count, GL_RGBA32F);
  rotations_.grow(kTexelBytes * count, GL_RGBA16);
  for (size_t c = 0; c < 3; ++c) colours_[c].grow(kTexelBytes * shape.texels_of(c) * count, GL_RGBA16F);
  count_ = count;
  return {};
}

void SplatsGl::write_rows(const PackedSplats& packed, size_t from, size_t count, size_t to) {
  SPLAT_CHECK_EQ(packed.plane_texels, plane_texels_);
  geometry_.write(kGeometryBytes * to, rows_of(std::as_bytes(std::span(packed.geometry)), kGeometryBytes, from, count));
  rotations_.write(kTexelBytes * to, rows_of(std::as_bytes(std::span(packed.rotation)), kTexelBytes, from, count));
  for (size_t c = 0; c < 3; ++c) {
    const size_t bytes = kTexelBytes * packed.texels_of(c);
    colours_[c].write(bytes * to, rows_of(std::as_bytes(std::span(packed.colours[c])), bytes, from, count));
  }
}

bool SplatsGl::continue_upload(size_t max_bytes) {
  if (!pending_) return true;
  const auto geometry = std::as_bytes(std::span(pending_->geometry));
  const auto rotation = std::as_bytes(std::span(pending_->rotation));
  send_portion(geometry_, GL_RGBA32F, geometry, 0, sent_, max_bytes);
  send_portion(rotations_, GL_RGBA16, rotation, geometry.size(), sent_, max_bytes);
  size_t begin = geometry.size() + rotation.size();
  for (size_t c = 0; c < 3; ++c) {
    const auto plane = std::as_bytes(std::span(pending_->colours[c]));
    send_portion(colours_[c], GL_RGBA16F, plane, begin, sent_, max_bytes);
    begin += plane.size();
  }
  if (sent_ < begin) return false;
  count_ = pending_->count;
  sh_degree_ = pending_->sh_degree;
  plane_texels_ = pending_->plane_texels;
  uploaded_ = std::move(pending_);
  return true;
}

std::unique_ptr<const PackedSplats> SplatsGl::take_uploaded() { return std::move(uploaded_); }

void SplatsGl::set_rows(const ShownRows& rows) {
  has_states_ = !rows.states.empty();
  has_reasons_ = has_states_ && !rows.reasons.empty();
  // An order of more rows than there are now may still be drawn: those that are gone are deleted.
  if (has_states_) write_bytes(states_, rows.states, splat::edit::kDeleted);
  if (has_reasons_) write_bytes(reasons_, rows.reasons, 0);
}

// A byte a row, as many as there is geometry for; the rest are `others`.
void SplatsGl::write_bytes(TexelBuffer& buffer, std::span<const uint8_t> bytes, uint8_t others) {
  const size_t rows = geometry_.bytes() / kGeometryBytes, given = std::min(rows, bytes.size());
  if (buffer.bytes() != rows) buffer.allocate(rows, GL_R8);
  buffer.write(0, std::as_bytes(bytes.first(given)));
  const std::vector<uint8_t> rest(rows - given, others);
  if (!rest.empty()) buffer.write(given, std::as_bytes(std::span(rest)));
}

void SplatsGl::set_order(std::span<const uint32_t> far_to_near) {
  ordered_ = far_to_near.size();
  order_capacity_ = std::max(ordered_, count_);
  glBindBuffer(GL_ARRAY_BUFFER, order_.get());
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(4 * order_capacity_), nullptr, GL_STREAM_DRAW);  // a fresh one: no waiting
  glBufferSubData(GL_ARRAY_BUFFER, 0, GLsizeiptr(4 * ordered_), far_to_near.data());
}

void SplatsGl::resize_target(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width, height_ = height;
  glBindTexture(GL_TEXTURE_2D, target_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_HALF_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void SplatsGl::draw_sums(const splat::View& view, const DrawSettings& settings) {
  splats_.use();
  set_camera(splats_, view);
  splats_.set("geometry", kGeometryUnit);
  splats_.set("rotations", kRotationUnit);
  for (int c = 0; c < 3; ++c) splats_.set(("colours[" + std::to_string(c) + "]").c_str(), kColourUnit + c);
  splats_.set("states", kStateUnit);
  splats_.set("has_states", int(has_states_));
  splats_.set("reasons", kReasonUnit);
  const bool by_reason = has_reasons_ && settings.render.selection == SelectionTint::kByReason;
  splats_.set("selection", settings.render.selection == SelectionTint::kNone ? 0 : by_reason ? 2 : 1);
  const splat::math::Tint tint = selection_tints(settings.render).of[0];
  splats_.set("tints[0]", tint.red, tint.green, tint.blue, tint.share);
  set_move(splats_, has_states_ ? settings.moved : ShownMove());
  splats_.set("plane_texels", plane_texels_);
  splats_.set("sh_degree", std::min(settings.render.sh_degree, sh_degree_));
  splats_.set("splat_scale", settings.render.splat_scale);
  const bool centres = settings.render.mode == RenderMode::kCentres;  // of one size, and not dimmed
  const splat::ScreenFilter filter = centres ? splat::ScreenFilter() : settings.render.filter;
  splats_.set("antialias", int(filter.antialias));
  splats_.set("low_pass", filter.low_pass);
  splats_.set("mode", display_mode(settings.render.mode).splat_shader);
  splats_.set("centre_px", settings.centre_px);
  splats_.set("near_plane", settings.near_plane);
  geometry_.bind(kGeometryUnit);
  rotations_.bind(kRotationUnit);
  for (int c = 0; c < 3; ++c) colours_[size_t(plane_texels_ > 0 ? c : 0)].bind(kColourUnit + c);
  if (has_states_) states_.bind(kStateUnit);
  if (has_reasons_) reasons_.bind(kReasonUnit);
  glBindVertexArray(quad_.get());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(ordered_));
}

void SplatsGl::draw(const splat::View& view, const DrawSettings& settings) {
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  resize_target(view.camera.width, view.camera.height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_.get(), 0);
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (count_ > 0 && ordered_ > 0) draw_sums(view, settings);

  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(shown));
  resolve_.use();
  resolve_.set("sums", 0);
  resolve_.set("mode", display_mode(settings.render.mode).resolve_shader);
  resolve_.set("depth_range", settings.depth_range[0], settings.depth_range[1]);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, target_.get());
  glBindVertexArray(nothing_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

}  // namespace viewer
