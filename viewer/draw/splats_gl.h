// Draws splats with OpenGL 3.3: instanced quads in the order given, blended far to near into a half-float target, then
// resolved. The same formulas as the engine's (shaders/splats.vert names them); colours agree within 2/255.
// Needs the context to be current in every call. Upload goes in portions, so that no frame waits for all of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "splat/core/result.h"
#include "splat/math/constants.h"
#include "splat/model/camera.h"
#include "viewer/display_settings.h"
#include "viewer/draw/gl_objects.h"
#include "viewer/draw/packed_splats.h"
#include "viewer/live/shown_move.h"
#include "viewer/live/shown_states.h"

namespace viewer {

struct DrawSettings {
  DisplaySettings render;                       // the background is the caller's to draw
  float centre_px = 1.5f;                       // radius of a splat's centre, RenderMode::kCentres
  std::array<float, 2> depth_range{0.1f, 100};  // world units, RenderMode::kDepth
  ShownMove moved{};                            // needs states, unless it means nothing
  float near_plane = float(splat::math::kNearPlane);
};

class SplatsGl {
 public:
  splat::Status build();                                                   // shaders; an error is the driver's
  splat::Status start_upload(std::unique_ptr<const PackedSplats> splats);  // replaces the present splats
  bool continue_upload(size_t max_bytes);                                  // true when it is complete
  std::unique_ptr<const PackedSplats> take_uploaded();                     // to be freed elsewhere; null: nothing
  void clear();
  // Rows come at the end or go from there; then some of those that are left are written: rows [from, from + count) of
  // `packed` become rows [to, to + count). An error: the driver cannot hold as many; nothing has changed.
  splat::Status set_count(size_t count);
  void write_rows(const PackedSplats& packed, size_t from, size_t count, size_t to);

  size_t count() const { return count_; }  // 0 until the upload is complete
  int sh_degree() const { return sh_degree_; }
  size_t device_bytes() const;

  // Hidden and deleted splats are not drawn, selected ones are tinted as the settings say. Without states: all as they
  // are. Both [N] or fewer.
  void set_rows(const ShownRows& rows);
  void set_order(std::span<const uint32_t> far_to_near);  // [V] rows to draw; at most N

  // Into the framebuffer that is bound, premultiplied over what is there. width x height: of its viewport, which
  // starts at 0,0; the view's camera has that size. Row 0 of the framebuffer gets the picture's top row.
  void draw(const splat::View& view, const DrawSettings& settings);

 private:
  void write_bytes(TexelBuffer& buffer, std::span<const uint8_t> bytes, uint8_t others);
  void resize_target(int width, int height);
  void draw_sums(const splat::View& view, const DrawSettings& settings);

  Shader splats_, resolve_;
  TexelBuffer geometry_, rotations_, states_, reasons_;
  std::array<TexelBuffer, 3> colours_;  // as PackedSplats has them
  bool has_states_ = false, has_reasons_ = false;
  GlBuffer order_;
  GlVertexArray quad_, nothing_;
  GlFramebuffer framebuffer_;
  GlTexture target_;
  int width_ = 0, height_ = 0;
  size_t count_ = 0, ordered_ = 0, order_capacity_ = 0;
  int sh_degree_ = 0, plane_texels_ = 0;

  std::unique_ptr<const PackedSplats> pending_, uploaded_;
  size_t sent_ = 0;  // bytes of pending_ that are there already
};

// The uniforms every shader with a camera shares.
void set_camera(Shader& shader, const splat::View& view);

}  // namespace viewer
