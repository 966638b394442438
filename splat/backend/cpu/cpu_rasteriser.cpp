#include "splat/backend/cpu/cpu_rasteriser.h"

#include <algorithm>

#include "splat/backend/cpu/raster_frame.h"
#include "splat/core/check.h"
#include "splat/raster/raster_frames.h"

namespace splat {
namespace cpu {
namespace {

using raster::Call;

using FramePool = raster::FramePool<RasterFrame>;

class CpuDrawn final : public raster::Drawn<float> {
 public:
  CpuDrawn(const Call<float>& call, FramePool frames, Pipeline& pipeline, FramePool& pool)
      : call_(call), frames_(std::move(frames)), pipeline_(pipeline), pool_(pool) {
    call_.cameras = {};  // the caller's, and in the frames
  }
  ~CpuDrawn() override {
    for (auto& frame : frames_) raster::give_back(pool_, std::move(frame), call_.lender);
  }

  void backward_pictures(const raster::PictureGradients<float>& in,
                         const raster::ScreenGradients<float>& out) override {
    for (size_t camera = 0; camera < frames_.size(); ++camera)
      frames_[camera]->backward_pictures(call_, camera, in, out, pipeline_);
  }
  void backward_scene(const float* v_means2d, const raster::SceneGradients<float>& out) override {
    if (frames_.empty())
      raster::clear_gradients(call_.scene, out, [](float* values, size_t count) { std::fill_n(values, count, 0.0f); });
    for (size_t camera = 0; camera < frames_.size(); ++camera)
      frames_[camera]->backward_scene(call_, camera, v_means2d, out, pipeline_);
  }

 private:
  Call<float> call_;
  FramePool frames_;
  Pipeline& pipeline_;
  FramePool& pool_;
};

class CpuRasteriser final : public raster::Rasteriser<float> {
 public:
  CpuRasteriser(int threads, SimdLevel level) : pipeline_(threads, level) {}

  std::unique_ptr<raster::Drawn<float>> forward(const Call<float>& call) override {
    SPLAT_CHECK(raster::check(call).ok());
    FramePool frames;
    for (size_t camera = 0; camera < call.cameras.size(); ++camera) {
      frames.push_back(raster::take(pool_, call.lender));
      frames.back()->draw(call, camera, pipeline_);
      if (call.keep) continue;
      raster::give_back(pool_, std::move(frames.back()), call.lender);
      frames.pop_back();
    }
    if (!call.keep) return nullptr;
    return std::make_unique<CpuDrawn>(call, std::move(frames), pipeline_, pool_);
  }

 private:
  Pipeline pipeline_;
  FramePool pool_;
};

}  // namespace
}  // namespace cpu

Result<std::unique_ptr<raster::Rasteriser<float>>> make_cpu_rasteriser(const CpuOptions& options) {
  SPLAT_ASSIGN_OR_RETURN(const cpu::SimdLevel level, cpu::choose_simd_level(options.level));
  return std::unique_ptr<raster::Rasteriser<float>>(std::make_unique<cpu::CpuRasteriser>(options.threads, level));
}

}  // namespace splat
