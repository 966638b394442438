#include "splat/backend/gpu/raster_frame.h"

#include <algorithm>

#include "splat/backend/gpu/instance_room.h"
#include "splat/backend/gpu/stages.h"
#include "splat/core/gpu_sort.h"
#include "splat/raster/raster_frames.h"

namespace splat::gpu {
namespace {

using raster::at_row;
using raster::Call;
using raster::Depth;

template <class T>
void zero(T* values, size_t count, const Target& target) {
  if (count) SPLAT_GPU_CHECK(hipMemsetAsync(values, 0, count * sizeof(T), target.stream));
}

}  // namespace

RasterFrame::RasterFrame() {
  counts_.reserve_discarding(1);
  report_.reserve_discarding(1);
}

void RasterFrame::use(const Lender& lender) {
  const auto each = [&](const Lender* from) {
    const auto use = [from](auto& buffer) { buffer.use(from); };
    Frame::visit_buffers(frame_, use);
    use(channels_), use(v_transmittance_), use(block_background_), use(block_camera_);
  };
  each(nullptr);
  frame_.counters_ready = false;
  lender_ = lender;
  if (lender_) each(&lender_);
}

// What a lender has again before the backward pass.
void RasterFrame::return_lists() {
  frame_.keys.release(), frame_.sorted_keys.release(), frame_.values.release(), frame_.temporary.release();
  frame_.tile_records.release(), frame_.tile_counts.release(), frame_.first_instances.release();
  for (auto* buffer :
       {&frame_.depth_keys, &frame_.sorted_depth_keys, &frame_.identity, &frame_.order, &frame_.ordered_counts})
    buffer->release();
}

// ---- forward

void RasterFrame::resize(const Call<float>& call) {
  const int width = call.settings.width, height = call.settings.height;
  frame_.size = {width, height, (width + math::kTileSize - 1) / math::kTileSize,
                 (height + math::kTileSize - 1) / math::kTileSize};
  const size_t pixels = frame_.size.pixels(), tiles = frame_.size.tiles();
  frame_.counters.reserve_discarding(2);
  frame_.image.reserve_discarding(all_channels() * pixels);
  frame_.transmittance.reserve_discarding(pixels);
  for (auto* buffer : {&frame_.tile_first, &frame_.tile_end}) buffer->reserve_discarding(tiles);
  frame_.reserve_splats(splats(), !view_.packed);
  // A square's record is half as large again.
  if (view_.squares) frame_.tile_records.reserve_discarding(splats() + (splats() + 1) / 2);
  if (all_channels() > 3) channels_.reserve_discarding(splats() * all_channels());
  frame_.temporary.reserve_discarding(std::max(sort_temporary_bytes(splats()), scan_temporary_bytes(splats())));
}

RasterProjectArgs RasterFrame::project_args(const Call<float>& call, size_t camera) {
  const size_t first = camera * splats();
  RasterProjectArgs args{};
  args.scene = scene_;
  args.radius_clip = float(call.settings.radius_clip);
  args.squares = view_.squares;
  args.tiles_x = frame_.size.tiles_x, args.tiles_y = frame_.size.tiles_y;
  args.records = frame_.records.data();
  args.tile_records = frame_.tile_records.data();
  args.radii = frame_.radii.data();
  args.tile_counts = frame_.tile_counts.data();
  args.depth_keys = view_.packed ? nullptr : frame_.depth_keys.data();
  args.counters = frame_.counters.data() + view_.slot;
  args.channels = all_channels() > 3 ? channels_.data() : nullptr;
  args.channel_stride = int(all_channels());
  const raster::Pictures<float>& out = call.pictures;
  args.means2d = at_row(out.means2d, first, 2);
  args.depths = at_row(out.depths, first, 1);
  args.conics = at_row(out.conics, first, 3);
  args.compensations = at_row(out.compensations, first, 1);
  args.radii_px = at_row(out.radii, first, 2);
  return args;
}

// Waits for the number of instances.
void RasterFrame::make_lists(const Target& target) {
  SPLAT_GPU_CHECK(hipMemcpyAsync(counts_.data(), frame_.counters.data() + view_.slot, sizeof(FrameCounters),
                                 hipMemcpyDeviceToHost, target.stream));
  counted_.record(target.stream);
  counted_.wait();
  const uint64_t instances = counts_.data()->instances;
  if (instances > InstanceRoom::kLargest)
    throw DeviceError("a picture of " + std::to_string(instances) + " splats in tiles",
                      "it can list " + std::to_string(InstanceRoom::kLargest));
  view_.capacity = std::max<size_t>(1, instances);
  frame_.reserve_instances(view_.capacity);
  frame_.temporary.reserve_discarding(sort_temporary_bytes(view_.capacity));
  make_tile_lists(splats(), frame_, view_, target);
}

// Where three are all, they are there.
void RasterFrame::load_group(size_t group, const Target& target) {
  if (all_channels() == 3) return;
  RasterGroupArgs args{};
  args.radii = frame_.radii.data();
  args.channels = channels_.data() + group * width_;
  args.stride = int(all_channels()), args.width = int(width_);
  args.records = frame_.records.data();
  args.splats = scene_.splats;
  raster_load_group(args, target);
}

RasterBlendArgs RasterFrame::group_args(const Call<float>& call, size_t group) {
  RasterBlendArgs args{};
  static_cast<BlendArgs&>(args) = blend_args(frame_, view_);
  const size_t first = group * width_;
  args.image += first * frame_.size.pixels();
  args.v_image += first * frame_.size.pixels();
  args.limits = {float(call.settings.alpha_max), float(call.settings.transmittance_stop)};
  args.four = width_ == 4;
  args.gradient_floats = int(gradient_floats());
  args.colour_slot = kRasterMoments + int(first);
  return args;
}

RasterPixelArgs RasterFrame::pixel_args(const Call<float>& call) const {
  return {frame_.size,         scene_.channels,
          int(all_channels()), call.settings.channels_first,
          scene_.depth,        call.settings.depth == Depth::kExpected};
}

void RasterFrame::draw(const Call<float>& call, size_t camera, size_t max_packed_tiles, const Target& target) {
  scene_ = raster::scene_of<RasterScene>(call, camera);
  picture_channels_ = size_t(scene_.channels) + (scene_.depth != DepthChannel::kNone);
  width_ = picture_channels_ > 3 ? 4 : 3;
  groups_ = std::max<size_t>(1, (picture_channels_ + width_ - 1) / width_);
  const auto tiles_along = [](int px) { return size_t(px + math::kTileSize - 1) / math::kTileSize; };
  view_.packed = tiles_along(call.settings.width) * tiles_along(call.settings.height) <= max_packed_tiles;
  view_.squares = call.settings.footprint == raster::Footprint::kThreeSigma;
  view_.slot = 1 - view_.slot;
  view_.report = report_.data();
  resize(call);
  if (!frame_.counters_ready) zero(frame_.counters.data(), 2, target);
  frame_.counters_ready = false;
  raster_project(project_args(call, camera), target);
  make_lists(target);
  for (size_t group = 0; group < groups_; ++group) {
    load_group(group, target);
    raster_blend_forward(group_args(call, group), target);
  }
  if (call.pictures.touched) count_touched(call, camera, target);
  write_pictures(call, camera, target);
  if (lender_) return_lists();
}

void RasterFrame::count_touched(const Call<float>& call, size_t camera, const Target& target) {
  RasterTouchedArgs args{};
  static_cast<RasterBlendArgs&>(args) = group_args(call, 0);
  args.touched = call.pictures.touched + camera * splats();
  zero(args.touched, splats(), target);
  raster_touched(args, target);
}

void RasterFrame::write_pictures(const Call<float>& call, size_t camera, const Target& target) {
  const size_t pixels = frame_.size.pixels(), channels = size_t(scene_.channels);
  const raster::Pictures<float>& out = call.pictures;
  RasterPictureArgs args{};
  static_cast<RasterPixelArgs&>(args) = pixel_args(call);
  args.image = frame_.image.data();
  args.transmittance = frame_.transmittance.data();
  args.background = at_row(call.background, camera, channels);
  args.colour = at_row(out.colour, camera * pixels, channels);
  args.alpha = at_row(out.alpha, camera * pixels, 1);
  args.out_depth = at_row(out.depth, camera * pixels, 1);
  raster_write_pictures(args, target);
}

// ---- backward

// Whether there is a gradient by the transmittance.
bool RasterFrame::read_gradients(const Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                                 const Target& target) {
  const size_t pixels = frame_.size.pixels();
  const bool by_transmittance = in.alpha || (in.depth && call.settings.depth == Depth::kExpected);
  frame_.v_image.reserve_discarding(all_channels() * pixels);
  if (by_transmittance) v_transmittance_.reserve_discarding(pixels);
  RasterGradientArgs args{};
  static_cast<RasterPixelArgs&>(args) = pixel_args(call);
  args.image = frame_.image.data();
  args.transmittance = frame_.transmittance.data();
  args.v_colour = at_row(in.colour, camera * pixels, size_t(scene_.channels));
  args.v_alpha = at_row(in.alpha, camera * pixels, 1);
  args.v_depth = at_row(in.depth, camera * pixels, 1);
  args.v_image = frame_.v_image.data();
  args.v_transmittance = by_transmittance ? v_transmittance_.data() : nullptr;
  raster_read_gradients(args, target);
  return by_transmittance;
}

void RasterFrame::backward_pictures(const Call<float>& call, size_t camera, const raster::PictureGradients<float>& in,
                                    const raster::ScreenGradients<float>& out, const Target& target) {
  const bool by_transmittance = read_gradients(call, camera, in, target);
  frame_.gradients.reserve_discarding(splats() * gradient_floats());
  zero(frame_.gradients.data(), splats() * gradient_floats(), target);
  for (size_t group = 0; group < groups_; ++group) {
    if (groups_ > 1) load_group(group, target);
    RasterBlendArgs args = group_args(call, group);
    args.v_transmittance = by_transmittance && group == 0 ? v_transmittance_.data() : nullptr;
    raster_blend_backward(args, target);
    if (group == 0 && out.means2d_abs) sum_absolute(args, out.means2d_abs + 2 * camera * splats(), target);
  }
  if (out.means2d) raster_screen_gradient(chain_args(), out.means2d + 2 * camera * splats(), target);
}

void RasterFrame::sum_absolute(const RasterBlendArgs& blend, float* v_absolute, const Target& target) {
  RasterAbsoluteArgs args{};
  static_cast<RasterBlendArgs&>(args) = blend;
  args.channels = channels_.data();
  args.stride = int(all_channels()), args.count = int(picture_channels_);
  args.absolute = v_absolute;
  zero(v_absolute, 2 * splats(), target);
  raster_absolute(args, target);
}

RasterChainArgs RasterFrame::chain_args() {
  RasterChainArgs args{};
  args.scene = scene_;
  args.records = frame_.records.data();
  args.radii = frame_.radii.data();
  args.gradients = frame_.gradients.data();
  args.gradient_floats = int(gradient_floats());
  return args;
}

void RasterFrame::backward_scene(const Call<float>& call, size_t camera, const float* v_means2d,
                                 const raster::SceneGradients<float>& out, const Target& target) {
  const size_t n = splats(), channels = size_t(scene_.channels);
  RasterChainArgs args = chain_args();
  raster::set_gradients(call, camera, v_means2d, out, args);
  raster_chain(args, target);
  if (out.cam_from_world) {
    block_camera_.reserve_discarding(kCameraValues * raster_camera_blocks(n));
    args.block_sums = block_camera_.data();
    args.v_camera = out.cam_from_world + kCameraValues * camera;
    raster_camera(args, target);
  }
  if (!out.background) return;
  block_background_.reserve_discarding(kBackgroundBlocks * channels);
  raster_background({frame_.size.pixels(), scene_.channels, frame_.transmittance.data(), frame_.v_image.data(),
                     block_background_.data(), out.background + camera * channels},
                    target);
}

}  // namespace splat::gpu
