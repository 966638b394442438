// The scene's part of the window: draws the workspace's scene from its navigator's view into a picture, by OpenGL or as
// the engine drew it, and only when something changed.
#pragma once

#include "studio/window/workspace.h"
#include "viewer/draw/canvas.h"
#include "viewer/draw/depth_order.h"
#include "viewer/draw/lines.h"
#include "viewer/draw/splats_gl.h"

namespace viewer {

class Viewport {
 public:
  explicit Viewport(Workspace& workspace) : work_(workspace) {}
  splat::Status build();  // shaders

  // Once a frame: moves data to the GPU in portions, asks for sorting or the engine's picture; true: draw() is due.
  // Nothing of that while compared pictures cover the scene.
  bool update(int width, int height);  // px
  void draw();                         // as of the last update()
  // More will be drawn soon, without input.
  bool busy() const {
    return layers_busy() || (!work_.uses_engine() && (uploading_ || awaiting_packed() || uploading_points_ ||
                                                      awaiting_order_ || !work_.received.changed_rows.empty()));
  }
  bool settled() const;       // the picture is complete and sharp
  bool shows_splats() const;  // as drawn last, coarse or sharp
  GLuint texture() { return canvas_.texture(); }
  splat::Image8 picture() { return canvas_.read(); }

  // For the status line.
  size_t device_bytes() const { return splats_.device_bytes(); }
  double sort_ms() const { return sort_ms_; }
  double engine_ms() const { return engine_ms_; }
  int engine_divisor() const { return engine_divisor_; }
  size_t engine_part() const { return engine_part_; }            // of the splats, that stands for all; 0: all are drawn
  uint64_t engine_pictures() const { return engine_pictures_; }  // so far

  // Where the photo lies that the camera is at, px: left, top, width, height; nullopt: it is at none.
  std::optional<std::array<float, 4>> photo_frame() const;

  // The photo camera whose apex is nearest to a pixel, within 16 px; -1: none.
  int camera_at(double x, double y) const;  // px

 private:
  void take_new_data();
  bool layers_busy() const;
  bool covered_by_layer() const;  // nothing else of the scene is drawn
  void start_upload();
  bool awaiting_packed() const {
    return work_.received.splats && uploaded_ != splats_shown_ && packed_wanted_ == splats_shown_;
  }
  void upload(PackedSplats&& packed);
  void take_changed_rows();
  bool send_portion(const ChangedRows& changed);
  void draw_by_engine(const splat::Status& why);  // OpenGL cannot
  void upload_points();
  void ask_engine(const splat::View& view);
  void ask_engine_nothing();  // it draws for nobody
  void take_engine_image();
  void sort(const splat::View& view);
  ShownMove shown_move() const;
  void hand_over_moving_rows();
  void draw_backdrop();
  void draw_engine_picture();
  void draw_scene(const splat::View& view);
  void draw_lines(const splat::View& view, bool over_splats);
  void draw_photo(const splat::View& view);
  void remake_lines();
  std::array<float, 2> depth_range(const splat::View& view) const;

  Workspace& work_;
  SplatsGl splats_;
  Shader lines_shader_, picture_shader_, layer_shader_, backdrop_shader_;
  Canvas canvas_;
  LineSet grid_, cameras_, points_;
  PictureTexture engine_;
  GlVertexArray nothing_;
  DepthSorter sorter_;

  uint64_t states_shown_ = 0;                           // EditMode::scenes
  uint64_t splats_shown_ = 0, dataset_shown_ = 0;       // as counted by the workspace
  uint64_t uploaded_ = 0, ordered_ = 0, lines_of_ = 0;  // which splats that was done for
  uint64_t packed_wanted_ = 0;                          // likewise: they were asked for
  uint64_t lines_cameras_ = 0;                          // which cameras
  uint64_t lines_bounds_ = 0, ordered_changes_ = 0;     // and bounds; and changed rows
  struct Sent {
    size_t rows = 0, run = 0, of_run = 0;  // of all, whole runs, and rows of the next one
  } sent_;                                 // of the oldest changed rows
  bool uploading_ = false, uploading_points_ = false, awaiting_order_ = false;
  size_t points_sent_ = 0;
  std::optional<RenderRequest> asked_;  // of the engine
  RenderRequest engine_request_;        // what engine_ answers
  int engine_divisor_ = 1;
  size_t engine_part_ = 0;
  uint64_t engine_pictures_ = 0;
  double engine_ms_ = 0, sort_ms_ = 0;
  bool drawn_splats_ = false;
  splat::View drawn_view_, ordered_view_;
  splat::Similarity ordered_move_;
  uint64_t moving_of_ = 0;  // EditMode::scenes whose moving rows the sorter has, 0: none
  DisplaySettings drawn_settings_;
  int width_ = 0, height_ = 0, lines_photo_ = -2;
  float lines_size_ = 0;
  double lines_grid_ = 0;
  Vec3 lines_up_{0, 0, 0};
  const Palette* lines_colours_ = nullptr;
};

}  // namespace viewer
