#include "viewer/draw/mesh_gl.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "viewer/draw/splats_gl.h"

namespace viewer {
namespace {

// As mesh.frag numbers them.
enum Paint { kTexture = 0, kVertices = 1, kLit = 2, kBelowLines = 3, kLines = 4 };

constexpr size_t kRgbBytes = 3;

void add_attribute(GLuint location, GLint count, GLenum type, GLboolean normalised, size_t offset) {
  glEnableVertexAttribArray(location);
  const void* place = reinterpret_cast<const void*>(offset);  // NOLINT(performance-no-int-to-ptr): OpenGL's way
  glVertexAttribPointer(location, count, type, normalised, sizeof(MeshVertex), place);
}

// What falls into [sent, sent + budget) of an array that begins at `begin` of all.
void send_portion(GLenum target, GLuint buffer, std::span<const std::byte> bytes, size_t begin, size_t sent,
                  size_t budget) {
  const size_t from = std::max(sent, begin), until = std::min(sent + budget, begin + bytes.size());
  if (from >= until) return;
  glBindBuffer(target, buffer);
  glBufferSubData(target, GLintptr(from - begin), GLsizeiptr(until - from), bytes.data() + (from - begin));
}

void set_clamped(GLint filter, GLint smaller) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smaller);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

splat::Status MeshGl::build() {
  SPLAT_TRY(mesh_.build("mesh.vert", "mesh.frag"));
  return layer_.build("fullscreen.vert", "layer.frag");
}

void MeshGl::describe_vertices() {
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
  add_attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(MeshVertex, position));
  add_attribute(1, 3, GL_FLOAT, GL_FALSE, offsetof(MeshVertex, normal));
  add_attribute(2, 2, GL_FLOAT, GL_FALSE, offsetof(MeshVertex, uv));
  add_attribute(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(MeshVertex, rgba));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
  glBindVertexArray(0);
}

void MeshGl::clear() {
  if (pending_) uploaded_ = std::move(pending_);
  vertices_.reset(), indices_.reset(), array_.reset(), texture_.reset();
  sent_ = indices_drawn_ = 0;
  rows_sent_ = 0;
}

splat::Status MeshGl::start_upload(std::unique_ptr<const PackedMesh> mesh) {
  clear();
  pending_ = std::move(mesh);
  describe_vertices();
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(pending_->vertices.size() * sizeof(MeshVertex)), nullptr, GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, indices_.get());
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(pending_->indices.size() * sizeof(uint32_t)), nullptr, GL_STATIC_DRAW);
  const splat::Image8& texture = pending_->texture;
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  textured_ = !texture.pixels.empty() && std::max(texture.width, texture.height) <= largest;
  if (!textured_ && !texture.pixels.empty())
    return splat::Error{"a texture of " + std::to_string(texture.width) + " texels is larger than this OpenGL driver " +
                        "can hold (" + std::to_string(largest) + "): the mesh is shown without"};
  if (!textured_) return {};
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, texture.width, texture.height, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
  return {};
}

// As many rows of the texture as fit, at least one.
void MeshGl::send_rows(size_t& budget) {
  const splat::Image8& texture = pending_->texture;
  const size_t row = size_t(texture.width) * kRgbBytes;
  const int rows = std::min(texture.height - rows_sent_, std::max(int(budget / row), 1));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows_sent_, texture.width, rows, GL_RGB, GL_UNSIGNED_BYTE,
                  texture.pixels.data() + size_t(rows_sent_) * row);
  rows_sent_ += rows;
  budget -= std::min(budget, size_t(rows) * row);
  if (rows_sent_ < texture.height) return;
  glGenerateMipmap(GL_TEXTURE_2D);
  set_clamped(GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR);
}

bool MeshGl::continue_upload(size_t max_bytes) {
  if (!pending_) return true;
  const auto vertices = std::as_bytes(std::span(pending_->vertices));
  const auto indices = std::as_bytes(std::span(pending_->indices));
  const size_t all = vertices.size() + indices.size(), sends = std::min(max_bytes, all - sent_);
  send_portion(GL_ARRAY_BUFFER, vertices_.get(), vertices, 0, sent_, sends);
  send_portion(GL_ARRAY_BUFFER, indices_.get(), indices, vertices.size(), sent_, sends);
  sent_ += sends;
  size_t budget = max_bytes - sends;
  if (textured_ && rows_sent_ < pending_->texture.height && budget > 0) send_rows(budget);
  if (sent_ < all || (textured_ && rows_sent_ < pending_->texture.height)) return false;
  indices_drawn_ = pending_->indices.size();
  uploaded_ = std::move(pending_);
  return true;
}

std::unique_ptr<const PackedMesh> MeshGl::take_uploaded() { return std::move(uploaded_); }

void MeshGl::resize_target(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width, height_ = height;
  glBindTexture(GL_TEXTURE_2D, target_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  set_clamped(GL_NEAREST, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, depth_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
  set_clamped(GL_NEAREST, GL_NEAREST);
}

void MeshGl::draw_faces(const splat::View& view, MeshSurface surface) {
  const auto paint = [&](Paint how) {
    mesh_.set("paint", how);
    glDrawElements(GL_TRIANGLES, GLsizei(indices_drawn_), GL_UNSIGNED_INT, nullptr);
  };
  mesh_.use();
  set_camera(mesh_, view);
  mesh_.set("picture", 0);
  glActiveTexture(GL_TEXTURE0);
  if (textured_) glBindTexture(GL_TEXTURE_2D, texture_.get());
  glBindVertexArray(array_.get());
  if (surface == MeshSurface::kTextured) paint(textured_ ? kTexture : kVertices);
  if (surface == MeshSurface::kShaded) paint(kLit);
  if (surface == MeshSurface::kWireframe) {
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1, 1);  // behind its own edges
    paint(kBelowLines);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    paint(kLines);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  }
  glBindVertexArray(0);
}

void MeshGl::draw(const splat::View& view, MeshSurface surface, float weight, float near_plane) {
  if (empty() || weight <= 0) return;
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  resize_target(view.camera.width, view.camera.height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_.get(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.get(), 0);
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glEnable(GL_DEPTH_TEST);
  mesh_.use();
  mesh_.set("near_plane", near_plane);
  draw_faces(view, surface);
  glDisable(GL_DEPTH_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(shown));
  layer_.use();
  layer_.set("picture", 0);
  layer_.set("weight", weight);
  glBindTexture(GL_TEXTURE_2D, target_.get());
  glBindVertexArray(nothing_.get());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

}  // namespace viewer
