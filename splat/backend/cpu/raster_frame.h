// One camera's part of a call on the CPU: what its forward pass leaves for the backward pass. Grow-only.
#pragma once

#include "splat/backend/cpu/pipeline.h"
#include "splat/raster/raster.h"

namespace splat::cpu {

class RasterFrame : public Frame {
 public:
  ~RasterFrame() { use({}); }  // before the lender goes
  // Gives back all memory; what comes is this lender's, or its own without one.
  void use(const Lender& lender);
  // Draws the camera's pictures.
  void draw(const raster::Call<float>& call, size_t camera, Pipeline& pipeline);
  // From the pictures' gradients to those by the projected splats.
  void backward_pictures(const raster::Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                         const raster::ScreenGradients<float>& out, Pipeline& pipeline);
  // From those to the scene's; the first camera overwrites what others add to.
  void backward_scene(const raster::Call<float>& call, size_t camera, const float* v_means2d,
                      const raster::SceneGradients<float>& out, Pipeline& pipeline);

 private:
  void project(const raster::Call<float>& call, size_t camera, Pipeline& pipeline);
  void load_group(size_t group, ThreadPool& pool);
  BlendArgs group_args(const raster::Call<float>& call, size_t camera, size_t group);
  void count_touched(const raster::Call<float>& call, size_t camera, const BlendArgs& args, Pipeline& pipeline);
  void write_pictures(const raster::Call<float>& call, size_t camera, ThreadPool& pool);
  bool read_gradients(const raster::Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                      ThreadPool& pool);
  void sum_absolute(const BlendArgs& args, size_t rows, Pipeline& pipeline);
  void sum_group(size_t camera, size_t group, const raster::ScreenGradients<float>& out, Pipeline& pipeline);
  void write_camera(float* cam_from_world) const;
  void write_background(float* v_background, ThreadPool& pool);

  Lender lender_;
  RasterScene scene_;
  size_t picture_channels_ = 0;    // with depth
  size_t groups_ = 1, width_ = 3;  // of channels: groups, and of each
  size_t all_channels() const { return groups_ * width_; }
  AlignedBuffer<float> channels_;           // [records][all_channels()], where these are not three
  AlignedBuffer<float> gradients_;          // [records][raster_gradient_floats()]
  AlignedBuffer<float> v_transmittance_;    // [plane]
  AlignedBuffer<float> absolute_;           // [rows][2]
  AlignedBuffer<uint32_t> touched_;         // [records]
  AlignedBuffer<double> row_v_background_;  // [height][channels]
  struct ChunkCamera {
    double values[12];
  };
  AlignedBuffer<ChunkCamera> v_camera_;  // [chunks]
};

}  // namespace splat::cpu
