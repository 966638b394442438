#include "splat/backend/gpu/kernel_args.h"

#include <algorithm>
#include <bit>

#include "splat/backend/loss_mean.h"
#include "splat/math/ssim.h"

namespace splat::gpu {

int bits_for(size_t values) { return std::max(1, int(std::bit_width(values - 1))); }

ProjectArgs project_args(ModelRows& model, Frame& frame, const DrawnView& view) {
  ProjectArgs args{};
  args.parameters = model.parameters.data();
  args.block_floats = model.block_floats();
  args.splats = uint32_t(model.size());
  args.view = view.params;
  args.antialias = view.settings.antialias;
  args.dropout = view.settings.dropout;
  args.opacity_factor = math::dropout_factor(view.settings.dropout);
  args.sides = math::sides_of(view.params, double(args.opacity_factor));
  args.bounds = model.bounds.data();
  args.tiles_x = frame.size.tiles_x;
  args.tiles_y = frame.size.tiles_y;
  args.records = frame.records.data();
  args.tile_records = frame.tile_records.data();
  args.radii = frame.radii.data();
  args.tile_counts = frame.tile_counts.data();
  args.gradients = frame.gradients.data();
  args.depth_keys = view.packed ? nullptr : frame.depth_keys.data();
  args.counters = frame.counters.data() + view.slot;
  return args;
}

TileListArgs tile_list_args(size_t splats, Frame& frame, const DrawnView& view) {
  TileListArgs args{};
  args.tile_records = frame.tile_records.data();
  args.records = frame.records.data();
  args.tile_counts = frame.tile_counts.data();
  args.first_instances = frame.first_instances.data();
  args.splats = uint32_t(splats);
  args.capacity = uint32_t(view.capacity);
  args.tiles_x = frame.size.tiles_x;
  args.tiles_y = frame.size.tiles_y;
  args.depth_bits = view.packed ? 32 - bits_for(frame.size.tiles()) : 0;
  args.counters = frame.counters.data() + view.slot;
  args.next_counters = frame.counters.data() + (1 - view.slot);
  args.instances = &view.report->instances;
  args.keys = frame.keys.data();
  args.values = frame.values.data();
  args.first = frame.tile_first.data();
  args.end = frame.tile_end.data();
  return args;
}

BlendArgs blend_args(Frame& frame, const DrawnView& view) {
  BlendArgs args{};
  args.size = frame.size;
  args.records = frame.records.data();
  args.splats = frame.sorted_values.data();
  args.first = frame.tile_first.data();
  args.end = frame.tile_end.data();
  std::copy_n(view.settings.background.data(), 3, args.background);
  args.image = frame.image.data();
  args.transmittance = frame.transmittance.data();
  args.v_image = frame.v_image.data();
  args.gradients = frame.gradients.data();
  args.colour_slot = kColourSlot;
  return args;
}

PlaneArgs plane_args(ModelRows& model, Frame& frame, const DrawnView& view) {
  PlaneArgs args{};
  args.parameters = model.parameters.data();
  args.block_floats = model.block_floats();
  args.splats = uint32_t(model.size());
  args.view = view.params;
  args.radii = frame.radii.data();
  args.planes = frame.planes.data();
  args.gradients = frame.gradients.data();
  args.records = frame.records.data();
  args.facing = view.facing;
  return args;
}

BlendArgs plane_blend_args(Frame& frame, const DrawnView& view) {
  BlendArgs args = blend_args(frame, view);
  std::fill_n(args.background, 3, 0.0f);
  args.image = frame.plane_image.data();
  args.v_image = frame.v_plane_image.data();
  args.colour_slot = kPlaneSlot;
  if (!view.distortion) return args;
  const auto& v = view.params;
  args.distortion = {frame.distortion_sums.data(), frame.plane_depths.data(), v.fx, v.fy, v.cx, v.cy};
  return args;
}

SurfaceArgs surface_args(Frame& frame, const DrawnView& view, const SurfaceSettings& settings) {
  SurfaceArgs args{};
  args.size = frame.size;
  args.view = view.params;
  args.normal_weight = settings.normal_weight / float(frame.size.pixels());
  args.distortion_weight = settings.distortion_weight / float(frame.size.pixels());
  args.distortion_sums = view.distortion ? frame.distortion_sums.data() : nullptr;
  args.depth_weight = settings.depth_weight / float(frame.size.pixels());
  args.prior = settings.depth.values.empty() ? nullptr : frame.prior.data();
  args.prior_is_depth = settings.depth.is_depth;
  args.prior_scale = settings.depth.scale, args.prior_shift = settings.depth.shift;
  args.planes = frame.plane_image.data();
  args.transmittance = frame.transmittance.data();
  args.depths = frame.plane_depths.data();
  args.by_depths = frame.by_depths.data();
  args.v_planes = frame.v_plane_image.data();
  return args;
}

LossArgs loss_args(Frame& frame, const DrawnView& view, const Photos::OnDevice& photo, const LossSettings& settings) {
  const std::array<double, 3> change = background_change(photo.background, settings, view.settings.background);
  LossArgs args{};
  args.size = frame.size;
  args.image = frame.image.data();
  args.target = photo.rgb;
  args.mask = photo.mask;
  args.alpha = photo.alpha;
  std::copy(change.begin(), change.end(), args.background_change);
  math::ssim_window(args.window);
  const LossScales scales = loss_scales(settings.ssim_weight, photo.counted);
  args.l1_scale = scales.l1;
  args.ssim_scale = scales.ssim;
  args.partials = frame.partials.data();
  args.v_image = frame.v_image.data();
  args.block_l1 = frame.block_l1.data();
  args.block_ssim = frame.block_ssim.data();
  args.block_v_colour = frame.block_v_colour.data();
  args.sums = view.report->loss_sums;
  for (int c = 0; c < 3; ++c) args.colour[c] = {float(settings.colour[c].gain), float(settings.colour[c].bias)};
  return args;
}

OrderedArgs ordered_args(ModelRows& model, Frame& frame, const DrawnView& view, const BlendArgs& blend) {
  OrderedArgs args{};
  static_cast<BlendArgs&>(args) = blend;
  args.tiles = uint32_t(frame.size.tiles());
  args.capacity = uint32_t(view.capacity);
  args.buckets = uint32_t(bucket_room(view.capacity, frame.size.tiles()));
  args.counters = frame.counters.data() + view.slot;
  args.tile_buckets = frame.tile_buckets.data();
  args.first_buckets = frame.first_buckets.data();
  args.bucket_tiles = frame.bucket_tiles.data();
  args.states = frame.states.data();
  args.partials = frame.partials_by_instance.data();
  args.keys = frame.keys.data();  // free since the tile lists were made, like the next two
  args.values = frame.values.data();
  args.by_splat = frame.by_splat.data();
  args.first_of_splat = frame.first_instances.data();
  args.tile_counts = frame.tile_counts.data();
  args.splat_count = uint32_t(model.size());
  return args;
}

UpdateArgs update_args(ModelRows& model, Frame& frame, const DrawnView& view, bool with_statistics) {
  UpdateArgs args{};
  args.parameters = model.parameters.data();
  args.block_floats = model.block_floats();
  args.splats = uint32_t(model.size());
  args.view = view.params;
  args.antialias = view.settings.antialias;
  args.opacity_factor = math::dropout_factor(view.settings.dropout);
  args.records = frame.records.data();
  args.radii = frame.radii.data();
  args.gradients = frame.gradients.data();
  args.planes = view.planes;
  args.counters = frame.counters.data() + view.slot;
  args.capacity = uint32_t(view.capacity);
  args.last_step = model.last_step.data();
  args.bounds = model.bounds.data();
  args.half_width = float(frame.size.width) / 2;
  args.half_height = float(frame.size.height) / 2;
  if (!with_statistics) return args;
  args.mean2d_gradient_norm = model.mean2d_gradient_norm.data();
  args.visible_count = model.visible_count.data();
  args.max_radius_px = model.max_radius_px.data();
  return args;
}

}  // namespace splat::gpu
