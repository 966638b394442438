// One camera's part of a call on the GPU: what its forward pass leaves for the backward pass. Grow-only. Arrays of the
// call are the device's. draw() waits once, until the camera's splats are counted in tiles; where a buffer has to grow,
// giving back the old one waits too.
#pragma once

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/frame.h"
#include "splat/backend/gpu/kernel_args.h"
#include "splat/backend/gpu/raster_kernels.h"
#include "splat/raster/raster.h"

namespace splat::gpu {

class RasterFrame {
 public:
  RasterFrame();
  // Gives back all of the device's memory; what comes is this lender's, or its own without one.
  void use(const Lender& lender);
  // Draws the camera's pictures.
  void draw(const raster::Call<float>& call, size_t camera, size_t max_packed_tiles, const Target& target);
  // From the pictures' gradients to those by the projected splats.
  void backward_pictures(const raster::Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                         const raster::ScreenGradients<float>& out, const Target& target);
  // From those to the scene's; the first camera overwrites what others add to.
  void backward_scene(const raster::Call<float>& call, size_t camera, const float* v_means2d,
                      const raster::SceneGradients<float>& out, const Target& target);

 private:
  void return_lists();
  void resize(const raster::Call<float>& call);
  RasterProjectArgs project_args(const raster::Call<float>& call, size_t camera);
  void make_lists(const Target& target);
  void load_group(size_t group, const Target& target);
  RasterBlendArgs group_args(const raster::Call<float>& call, size_t group);
  RasterPixelArgs pixel_args(const raster::Call<float>& call) const;
  void count_touched(const raster::Call<float>& call, size_t camera, const Target& target);
  void write_pictures(const raster::Call<float>& call, size_t camera, const Target& target);
  bool read_gradients(const raster::Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                      const Target& target);
  void sum_absolute(const RasterBlendArgs& blend, float* v_absolute, const Target& target);
  RasterChainArgs chain_args();

  size_t splats() const { return scene_.splats; }
  size_t all_channels() const { return groups_ * width_; }
  size_t gradient_floats() const { return size_t(kRasterMoments) + all_channels(); }

  Lender lender_;  // outlives what it lends
  Frame frame_;
  DrawnView view_;
  RasterScene scene_{};
  size_t picture_channels_ = 0;    // with depth
  size_t groups_ = 1, width_ = 3;  // of channels: groups, and of each
  DeviceBuffer<float> channels_;   // [N,all_channels()], where these are not three
  DeviceBuffer<float> v_transmittance_, block_background_, block_camera_;
  PinnedBuffer<FrameCounters> counts_;  // one
  PinnedBuffer<Report> report_;         // one, of the tile lists
  Event counted_;
};

}  // namespace splat::gpu
