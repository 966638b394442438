#include "splat/backend/gpu/gpu_rasteriser.h"

#include "splat/backend/gpu/raster_frame.h"
#include "splat/backend/gpu/raster_stream.h"
#include "splat/raster/raster_frames.h"

namespace splat {
namespace gpu {
namespace {

using raster::Call;

using FramePool = raster::FramePool<RasterFrame>;

class GpuDrawn final : public raster::Drawn<float> {
 public:
  GpuDrawn(const Call<float>& call, FramePool frames, RasterStream& stream, FramePool& pool)
      : call_(call), frames_(std::move(frames)), stream_(stream), pool_(pool) {
    call_.cameras = {};  // the caller's, and in the frames
  }
  ~GpuDrawn() override {  // the first camera's frame is to be the next first one's
    gone_.emplace(stream_.device(), std::nothrow);
    for (; !frames_.empty(); frames_.pop_back()) raster::give_back(pool_, std::move(frames_.back()), call_.lender);
  }

  void backward_pictures(const raster::PictureGradients<float>& in,
                         const raster::ScreenGradients<float>& out) override {
    stream_.run(call_.stream, [&](const Target& target) {
      for (size_t camera = 0; camera < frames_.size(); ++camera)
        frames_[camera]->backward_pictures(call_, camera, in, out, target);
    });
  }
  void backward_scene(const float* v_means2d, const raster::SceneGradients<float>& out) override {
    stream_.run(call_.stream, [&](const Target& target) {
      if (frames_.empty())
        raster::clear_gradients(call_.scene, out, [&](float* values, size_t count) {
          SPLAT_GPU_CHECK(hipMemsetAsync(values, 0, count * sizeof(float), target.stream));
        });
      for (size_t camera = 0; camera < frames_.size(); ++camera)
        frames_[camera]->backward_scene(call_, camera, v_means2d, out, target);
    });
  }

 private:
  UntilGone gone_;
  Call<float> call_;
  FramePool frames_;
  RasterStream& stream_;
  FramePool& pool_;
};

class GpuRasteriser final : public raster::Rasteriser<float> {
 public:
  explicit GpuRasteriser(const GpuRasteriserOptions& options)
      : max_packed_tiles_(size_t(options.max_packed_tiles)), stream_(options.device) {}
  ~GpuRasteriser() override { gone_.emplace(stream_.device(), std::nothrow); }

  std::unique_ptr<raster::Drawn<float>> forward(const Call<float>& call) override {
    FramePool frames;
    stream_.run(call.stream, [&](const Target& target) {
      for (size_t camera = 0; camera < call.cameras.size(); ++camera) {
        frames.push_back(raster::take(pool_, call.lender));
        frames.back()->draw(call, camera, max_packed_tiles_, target);
        if (call.keep) continue;
        raster::give_back(pool_, std::move(frames.back()), call.lender);
        frames.pop_back();
      }
    });
    if (!call.keep) return nullptr;
    return std::make_unique<GpuDrawn>(call, std::move(frames), stream_, pool_);
  }

 private:
  UntilGone gone_;
  size_t max_packed_tiles_;
  RasterStream stream_;  // outlives the frames
  FramePool pool_;
};

}  // namespace
}  // namespace gpu

std::unique_ptr<raster::Rasteriser<float>> make_gpu_rasteriser(const GpuRasteriserOptions& options) {
  return std::make_unique<gpu::GpuRasteriser>(options);
}

}  // namespace splat
