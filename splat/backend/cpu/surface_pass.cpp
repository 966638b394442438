#include "splat/backend/cpu/surface_pass.h"

#include <algorithm>
#include <utility>

#include "splat/backend/cpu/pipeline.h"
#include "splat/core/check.h"
#include "splat/math/plane.h"

namespace splat::cpu {
namespace {

constexpr size_t kRoom = 16;  // floats on either side, for neighbours of the first and the last pixel

}  // namespace

PlaneArgs plane_args(const ModelRows& model, const math::ViewParams<float>& view, const Frame& frame) {
  PlaneArgs args;
  args.parameters = model.parameters.data();
  args.block_floats = model.parameters.block_floats();
  args.splats = model.size();
  args.view = view;
  args.visible_bits = frame.visible_bits.data();
  return args;
}

void SurfacePass::swap_colours(Frame& frame, size_t splats, ThreadPool& pool) {
  pool.for_each(chunks_of(splats), [&](size_t chunk, int) {
    const size_t begin = chunk * kChunkSplats;
    for (size_t i = begin; i < begin + frame.chunk_visible[chunk]; ++i) {
      float* plane = planes_.data() + i * kPlaneFloats;
      SplatRecord& r = frame.records[i];
      std::swap(r.red, plane[0]), std::swap(r.green, plane[1]), std::swap(r.blue, plane[2]);
    }
  });
}

void SurfacePass::make_room(const ImageSize& size, const SurfaceSettings& settings) {
  planes_.resize(chunks_of(splats_) * kChunkSplats * kPlaneFloats);
  picture_.resize(3 * size.plane());
  v_picture_.resize(3 * size.plane());
  if (settings.distortion_weight != 0) distortion_sums_.resize(2 * size.plane());
  for (auto* buffer : {&depths_, &by_here_, &by_x_, &by_y_}) {
    buffer->resize(size.plane() + 2 * kRoom);
    // Rows below the picture are beside its last one, where that ends with its tiles.
    const size_t last = kRoom + size_t(size.height) * size_t(size.stride());
    std::fill_n(buffer->data(), kRoom, 0.0f);
    std::fill(buffer->data() + last, buffer->data() + buffer->size(), 0.0f);
  }
}

// In the layout of the planes.
void SurfacePass::spread_prior(const ImageSize& size, const DepthPrior& prior, ThreadPool& pool) {
  if (prior.values.empty()) return;
  SPLAT_CHECK_EQ(prior.values.size(), size_t(size.width) * size_t(size.height));
  priors_.resize(size.plane());
  pool.for_each(size_t(size.height), [&](size_t y, int) {
    const uint16_t* from = prior.values.data() + y * size_t(size.width);
    float* to = priors_.data() + y * size_t(size.stride());
    for (int x = 0; x < size.width; ++x)
      to[x] = math::prior_inverse_depth(float(from[x]), prior.is_depth, prior.scale, prior.shift);
    std::fill(to + size.width, to + size.stride(), 0.0f);
  });
}

SurfaceArgs SurfacePass::surface_args(const Frame& frame, const math::ViewParams<float>& view,
                                      const SurfaceSettings& settings) {
  const float pixels = float(frame.size.width) * float(frame.size.height);
  SurfaceArgs args;
  args.size = frame.size;
  args.fx = view.fx, args.fy = view.fy, args.cx = view.cx, args.cy = view.cy;
  args.planes = picture_.data();
  args.transmittance = frame.transmittance.data();
  args.normal_weight = settings.normal_weight / pixels;
  args.distortion_weight = settings.distortion_weight / pixels;
  args.distortion_sums = distortion_.sums;
  args.depth_weight = settings.depth_weight / pixels;
  args.priors = settings.depth.values.empty() ? nullptr : priors_.data();
  args.depths = depths_.data() + kRoom;
  args.by_here = by_here_.data() + kRoom;
  args.by_x = by_x_.data() + kRoom;
  args.by_y = by_y_.data() + kRoom;
  args.v_planes = v_picture_.data();
  return args;
}

void SurfacePass::draw(Frame& frame, BlendArgs blend, PlaneArgs planes, const SurfaceSettings& settings,
                       const Kernels& kernels, ThreadPool& pool) {
  splats_ = planes.splats;
  make_room(frame.size, settings);
  spread_prior(frame.size, settings.depth, pool);
  facing_ = planes.facing = settings.facing;
  const math::ViewParams<float>& view = planes.view;
  distortion_ = {settings.distortion_weight != 0 ? distortion_sums_.data() : nullptr,
                 depths_.data() + kRoom,
                 1 / view.fx,
                 1 / view.fy,
                 view.cx,
                 view.cy};
  planes.planes = planes_.data();
  pool.for_each(chunks_of(splats_), [&](size_t chunk, int) { kernels.planes(planes, chunk); });
  swap_colours(frame, splats_, pool);
  std::fill_n(blend.background, 3, 0.0f);
  blend.image = picture_.data();
  blend.distortion = distortion_;
  pool.for_each(frame.size.tiles(), [&](size_t tile, int) { kernels.blend_forward(blend, tile); });
  swap_colours(frame, splats_, pool);

  const SurfaceArgs args = surface_args(frame, view, settings);
  v_picture_.fill_bytes(0);
  const size_t rows = size_t(frame.size.height);
  pool.for_each(rows, [&](size_t y, int) { kernels.inverse_depths(args, int(y)); });
  pool.for_each(rows, [&](size_t y, int) { kernels.surface_terms(args, int(y)); });
  pool.for_each(rows, [&](size_t y, int) { kernels.surface_gradient(args, int(y)); });
  drawn_ = true;
}

void SurfacePass::replay(Frame& frame, BlendArgs blend, size_t rows, const Kernels& kernels, ThreadPool& pool) {
  moments_.resize(rows * kInstanceFloats);
  swap_colours(frame, splats_, pool);
  blend.image = picture_.data();
  blend.v_image = v_picture_.data();
  blend.moments = moments_.data();
  blend.distortion = distortion_;
  pool.for_each(frame.size.tiles(), [&](size_t tile, int) { kernels.blend_backward(blend, tile); });
  swap_colours(frame, splats_, pool);
}

size_t SurfacePass::bytes() const {
  return planes_.bytes() + picture_.bytes() + v_picture_.bytes() + depths_.bytes() + by_here_.bytes() + by_x_.bytes() +
         by_y_.bytes() + distortion_sums_.bytes() + priors_.bytes() + moments_.bytes();
}

}  // namespace splat::cpu
