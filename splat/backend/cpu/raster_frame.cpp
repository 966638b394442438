#include "splat/backend/cpu/raster_frame.h"

#include <algorithm>
#include <bit>

#include "splat/raster/raster_frames.h"

namespace splat::cpu {
namespace {

using raster::at_row;
using raster::Call;
using raster::Depth;

// Pixels of the caller's colours: value (x, c) of a row lies at first + x * step_x + c * step_channel.
struct ColourRow {
  size_t first, step_x, step_channel;
};
ColourRow colour_row(const Call<float>& call, size_t camera, size_t y) {
  const size_t n = size_t(call.scene.channels), width = size_t(call.settings.width);
  const size_t height = size_t(call.settings.height);
  if (call.settings.channels_first) return {(camera * n * height + y) * width, 1, width * height};
  return {(camera * height + y) * width * n, n, 1};
}

}  // namespace

void RasterFrame::use(const Lender& lender) {
  const auto each = [&](const Lender* from) {
    const auto use = [from](auto& buffer) { buffer.use(from); };
    visit_buffers(*this, use);
    use(channels_), use(gradients_), use(v_transmittance_), use(absolute_), use(touched_);
    use(row_v_background_), use(v_camera_);
  };
  each(nullptr);
  lender_ = lender;
  if (lender_) each(&lender_);
}

void RasterFrame::project(const Call<float>& call, size_t camera, Pipeline& pipeline) {
  const size_t n = scene_.splats, first = camera * n;
  RasterProjectArgs args;
  args.scene = scene_;
  args.radius_clip = float(call.settings.radius_clip);
  args.squares = call.settings.footprint == raster::Footprint::kThreeSigma;
  args.tiles_x = size.tiles_x, args.tiles_y = size.tiles_y;
  args.records = records.data();
  args.depths = depths();
  args.visible_bits = visible_bits.data();
  args.chunk_visible = chunk_visible.data();
  args.chunk_rows = chunk_rows.data();
  args.channels = all_channels() > 3 ? channels_.data() : nullptr;
  args.channel_stride = int(all_channels());
  const raster::Pictures<float>& out = call.pictures;
  args.means2d = at_row(out.means2d, first, 2);
  args.out_depths = at_row(out.depths, first, 1);
  args.conics = at_row(out.conics, first, 3);
  args.compensations = at_row(out.compensations, first, 1);
  args.radii = at_row(out.radii, first, 2);
  pipeline.pool().for_each(chunks_of(n), [&](size_t chunk, int) { pipeline.kernels().raster_project(args, chunk); });
}

// Its channels into the records; where three are all, they are there.
void RasterFrame::load_group(size_t group, ThreadPool& pool) {
  if (all_channels() == 3) return;
  pool.for_each(chunks_of(scene_.splats), [&](size_t chunk, int) {
    const size_t begin = chunk * kChunkSplats;
    for (size_t i = begin; i < begin + chunk_visible[chunk]; ++i) {
      const float* from = channels_.data() + i * all_channels() + group * width_;
      records[i].red = from[0], records[i].green = from[1], records[i].blue = from[2];
      if (width_ == 4) records[i].radius = from[3];
    }
  });
}

BlendArgs RasterFrame::group_args(const Call<float>& call, size_t camera, size_t group) {
  BlendArgs args = blend_args(*this);
  args.alpha_max = float(call.settings.alpha_max);
  args.transmittance_stop = float(call.settings.transmittance_stop);
  args.four = width_ == 4;
  const size_t first = group * width_, n = size_t(scene_.channels);
  args.image += first * size.plane();
  args.v_image += first * size.plane();
  for (size_t c = first; c < n && c < first + width_ && call.background; ++c)
    args.background[c - first] = call.background[camera * n + c];
  return args;
}

void RasterFrame::draw(const Call<float>& call, size_t camera, Pipeline& pipeline) {
  scene_ = raster::scene_of<RasterScene>(call, camera);
  picture_channels_ = size_t(scene_.channels) + (scene_.depth != DepthChannel::kNone);
  width_ = picture_channels_ > 3 ? 4 : 3;
  groups_ = std::max<size_t>(1, (picture_channels_ + width_ - 1) / width_);
  pipeline.resize(*this, call.settings.width, call.settings.height, scene_.splats, all_channels());
  if (all_channels() > 3) channels_.resize(records.size() * all_channels());
  project(call, camera, pipeline);
  pipeline.bin(*this, scene_.splats, call.settings.footprint == raster::Footprint::kThreeSigma);
  pipeline.sort(*this);
  block_masks.resize(instances * mask_bytes(pipeline.kernels().lanes));
  for (size_t group = 0; group < groups_; ++group) {
    load_group(group, pipeline.pool());
    pipeline.blend_forward(*this, group_args(call, camera, group));
  }
  if (call.pictures.touched) count_touched(call, camera, group_args(call, camera, 0), pipeline);
  write_pictures(call, camera, pipeline.pool());
}

void RasterFrame::count_touched(const Call<float>& call, size_t camera, const BlendArgs& blend, Pipeline& pipeline) {
  touched_.resize(records.size());
  touched_.fill_bytes(0);
  RasterTouchedArgs args;
  args.blend = &blend;
  args.touched = touched_.data();
  pipeline.pool().for_each(size.tiles(), [&](size_t tile, int) { pipeline.kernels().raster_touched(args, tile); });
  int32_t* const out = call.pictures.touched + camera * scene_.splats;
  std::fill_n(out, scene_.splats, 0);
  for (size_t chunk = 0; chunk < chunks_of(scene_.splats); ++chunk) {
    const uint32_t* from = touched_.data() + chunk * kChunkSplats;
    const size_t end = std::min(scene_.splats, (chunk + 1) * kChunkSplats);
    for (size_t block = chunk * kChunkSplats; block < end; block += kBlockSplats)
      for (uint32_t bits = visible_bits[block / kBlockSplats]; bits; bits &= bits - 1)
        out[block + size_t(std::countr_zero(bits))] = int32_t(*from++);
  }
}

void RasterFrame::write_pictures(const Call<float>& call, size_t camera, ThreadPool& pool) {
  const raster::Pictures<float>& out = call.pictures;
  const size_t width = size_t(size.width), n = size_t(scene_.channels);
  pool.for_each(size_t(size.height), [&](size_t y, int) {
    const size_t row = y * size_t(size.stride()), to = (camera * size_t(size.height) + y) * width;
    const float* t = transmittance.data() + row;
    if (out.colour) {
      const ColourRow at = colour_row(call, camera, y);
      for (size_t c = 0; c < n; ++c)
        for (size_t x = 0; x < width; ++x)
          out.colour[at.first + x * at.step_x + c * at.step_channel] = image[c * size.plane() + row + x];
    }
    for (size_t x = 0; x < width && out.alpha; ++x) out.alpha[to + x] = 1 - t[x];
    const float* sums = image.data() + n * size.plane() + row;
    for (size_t x = 0; x < width && out.depth; ++x)
      out.depth[to + x] = call.settings.depth == Depth::kExpected ? math::expected_depth(sums[x], 1 - t[x]) : sums[x];
  });
}

// Into v_image and v_transmittance_; whether there is one by the transmittance.
bool RasterFrame::read_gradients(const Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                                 ThreadPool& pool) {
  const bool has_depth = in.depth && call.settings.depth != Depth::kNone;
  const bool expected = has_depth && call.settings.depth == Depth::kExpected, by_t = in.alpha || expected;
  if (by_t) v_transmittance_.resize(size.plane());
  const size_t width = size_t(size.width), n = size_t(scene_.channels);
  pool.for_each(size_t(size.height), [&](size_t y, int) {
    const size_t row = y * size_t(size.stride()), from = (camera * size_t(size.height) + y) * width;
    const ColourRow at = colour_row(call, camera, y);
    for (size_t c = 0; c < n; ++c)
      for (size_t x = 0; x < width; ++x)
        v_image[c * size.plane() + row + x] = in.colour ? in.colour[at.first + x * at.step_x + c * at.step_channel] : 0;
    for (size_t x = 0; x < width && by_t; ++x) v_transmittance_[row + x] = in.alpha ? -in.alpha[from + x] : 0;
    if (n == picture_channels_) return;
    const float* sums = image.data() + n * size.plane() + row;
    float* v_sums = v_image.data() + n * size.plane() + row;
    for (size_t x = 0; x < width; ++x) v_sums[x] = has_depth ? in.depth[from + x] : 0;
    for (size_t x = 0; x < width && expected; ++x) {
      const auto v = math::expected_depth_vjp(sums[x], 1 - transmittance[row + x], v_sums[x]);
      v_sums[x] = v.v_sum;
      v_transmittance_[row + x] -= v.v_alpha;
    }
  });
  return by_t;
}

void RasterFrame::backward_pictures(const Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                                    const raster::ScreenGradients<float>& out, Pipeline& pipeline) {
  const bool by_t = read_gradients(call, camera, in, pipeline.pool());
  const size_t rows = pipeline.place_moments(*this, size_t(kRasterGeometryFloats) + width_);
  gradients_.resize(records.size() * size_t(raster_gradient_floats(int(all_channels()))));
  for (size_t group = 0; group < groups_; ++group) {
    load_group(group, pipeline.pool());
    BlendArgs args = group_args(call, camera, group);
    args.v_transmittance = by_t && group == 0 ? v_transmittance_.data() : nullptr;
    pipeline.blend_backward(*this, args);
    if (group == 0 && out.means2d_abs) sum_absolute(args, rows, pipeline);
    sum_group(camera, group, out, pipeline);
  }
}

void RasterFrame::sum_absolute(const BlendArgs& blend, size_t rows, Pipeline& pipeline) {
  absolute_.resize(2 * rows);
  RasterAbsoluteArgs args;
  args.blend = &blend;
  const bool apart = all_channels() > 3 || records.size() == 0;
  args.channels = apart ? channels_.data() : &records[0].red;
  args.stride = apart ? all_channels() : size_t(kRecordFloats);
  args.count = int(picture_channels_);
  args.absolute = absolute_.data();
  pipeline.pool().for_each(size.tiles(), [&](size_t tile, int) { pipeline.kernels().raster_absolute(args, tile); });
}

void RasterFrame::sum_group(size_t camera, size_t group, const raster::ScreenGradients<float>& out,
                            Pipeline& pipeline) {
  RasterSumArgs all;
  all.records = records.data();
  all.moments = moments();
  all.absolute = absolute_.data();
  all.first_instance = first_instance.data();
  all.first_channel = int(group * width_), all.channels = int(width_);
  all.last = group + 1 == groups_;
  all.clamped = scene_.sh && scene_.clamp_sh;
  all.gradients = gradients_.data();
  all.stride = raster_gradient_floats(int(all_channels()));
  pipeline.pool().for_each(chunks_of(scene_.splats), [&](size_t chunk, int) {
    const size_t begin = chunk * kChunkSplats, row = camera * scene_.splats + begin;
    RasterSumArgs args = all;
    args.instance_row = instance_record.data() + chunk_first_instance[chunk];
    args.visible_bits = visible_bits.data() + begin / kBlockSplats;
    args.v_means2d = at_row(out.means2d, row, 2);
    args.v_absolute = at_row(out.means2d_abs, row, 2);
    args.splats = std::min(kChunkSplats, scene_.splats - begin);
    pipeline.kernels().raster_sum(args, begin, chunk_visible[chunk], chunk_instances[chunk]);
  });
}

void RasterFrame::backward_scene(const Call<float>& call, size_t camera, const float* v_means2d,
                                 const raster::SceneGradients<float>& out, Pipeline& pipeline) {
  const size_t n = scene_.splats, chunks = chunks_of(n);
  v_camera_.resize(chunks);
  RasterChainArgs args;
  args.scene = scene_;
  args.visible_bits = visible_bits.data();
  args.gradients = gradients_.data();
  args.stride = raster_gradient_floats(int(all_channels()));
  raster::set_gradients(call, camera, v_means2d, out, args);
  args.v_camera = out.cam_from_world && chunks ? &v_camera_[0].values : nullptr;
  pipeline.pool().for_each(chunks, [&](size_t chunk, int) { pipeline.kernels().raster_chain(args, chunk); });
  if (out.cam_from_world) write_camera(out.cam_from_world + 12 * camera);
  if (out.background) write_background(out.background + camera * size_t(scene_.channels), pipeline.pool());
}

void RasterFrame::write_camera(float* cam_from_world) const {
  double total[12] = {};
  for (size_t chunk = 0; chunk < v_camera_.size(); ++chunk)
    for (size_t k = 0; k < 12; ++k) total[k] += v_camera_[chunk].values[k];
  for (size_t k = 0; k < 12; ++k) cam_from_world[k] = float(total[k]);
}

void RasterFrame::write_background(float* v_background, ThreadPool& pool) {
  const size_t n = size_t(scene_.channels), height = size_t(size.height);
  row_v_background_.resize(n * height);
  pool.for_each(height, [&](size_t y, int) {
    const size_t row = y * size_t(size.stride());
    for (size_t c = 0; c < n; ++c) {
      double total = 0;
      for (size_t x = 0; x < size_t(size.width); ++x)
        total += double(transmittance[row + x]) * double(v_image[c * size.plane() + row + x]);
      row_v_background_[y * n + c] = total;
    }
  });
  for (size_t c = 0; c < n; ++c) {
    double total = 0;
    for (size_t y = 0; y < height; ++y) total += row_v_background_[y * n + c];
    v_background[c] = float(total);
  }
}

}  // namespace splat::cpu
