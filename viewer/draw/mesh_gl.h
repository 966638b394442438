// Draws a triangle mesh with OpenGL 3.3: textured, lit from the camera, or its edges with what lies behind hidden; laid
// over what is there with a weight. Needs the context to be current in every call. Upload goes in portions, so that no
// frame waits for all of it.
#pragma once

#include <memory>

#include "splat/core/result.h"
#include "splat/math/constants.h"
#include "splat/model/camera.h"
#include "viewer/display_settings.h"
#include "viewer/draw/gl_objects.h"
#include "viewer/draw/packed_mesh.h"

namespace viewer {

class MeshGl {
 public:
  splat::Status build();  // shaders; an error is the driver's
  // Replaces the present mesh. An error: its texture is larger than the driver's largest; the mesh is drawn without.
  splat::Status start_upload(std::unique_ptr<const PackedMesh> mesh);
  bool continue_upload(size_t max_bytes);             // true when it is complete
  std::unique_ptr<const PackedMesh> take_uploaded();  // to be freed elsewhere; null: nothing
  void clear();
  bool empty() const { return indices_drawn_ == 0; }  // until the upload is complete

  // Into the framebuffer that is bound, whose size the view's camera has. weight: in [0,1], of the mesh.
  void draw(const splat::View& view, MeshSurface surface, float weight,
            float near_plane = float(splat::math::kNearPlane));

 private:
  void describe_vertices();
  void resize_target(int width, int height);
  void draw_faces(const splat::View& view, MeshSurface surface);
  void send_rows(size_t& budget);

  Shader mesh_, layer_;
  GlBuffer vertices_, indices_;
  GlVertexArray array_, nothing_;
  GlTexture texture_, target_, depth_;
  GlFramebuffer framebuffer_;
  int width_ = 0, height_ = 0;
  bool textured_ = false;
  size_t indices_drawn_ = 0;

  std::unique_ptr<const PackedMesh> pending_, uploaded_;
  size_t sent_ = 0;  // bytes of vertices and indices that are there already
  int rows_sent_ = 0;
};

}  // namespace viewer
