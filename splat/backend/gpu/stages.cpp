#include "splat/backend/gpu/stages.h"

#include "splat/core/gpu_sort.h"

namespace splat::gpu {
namespace {

template <class T>
void fill(T* values, int byte, size_t count, const Target& target) {
  SPLAT_GPU_CHECK(hipMemsetAsync(values, byte, count * sizeof(T), target.stream));
}

Temporary temporary_of(Frame& frame) { return {frame.temporary.data(), frame.temporary.bytes()}; }

// Splats by depth, and their counts in that order.
void sort_by_depth(Frame& frame, TileListArgs& args, const Target& target) {
  fill_identity(frame.identity.data(), args.splats, target);
  sort_pairs(temporary_of(frame),
             {frame.depth_keys.data(), frame.sorted_depth_keys.data(), frame.identity.data(), frame.order.data(),
              args.splats, 0, 32},
             target.stream);
  args.order = frame.order.data();
  gather_counts(frame.tile_counts.data(), args.order, frame.ordered_counts.data(), args.splats, target);
  args.tile_counts = frame.ordered_counts.data();
}

}  // namespace

void make_tile_lists(size_t splats, Frame& frame, const DrawnView& view, const Target& target) {
  const size_t tiles = frame.size.tiles();
  TileListArgs args = tile_list_args(splats, frame, view);
  if (splats == 0) {  // what emitting does besides
    fill(args.first, 0, tiles, target);
    fill(args.end, 0, tiles, target);
    fill(args.instances, 0, 1, target);
    return;
  }
  if (!view.packed) sort_by_depth(frame, args, target);
  exclusive_scan(temporary_of(frame), args.tile_counts, frame.first_instances.data(), args.splats, target.stream);
  emit_instances(args, view.squares, target);
  frame.counters_ready = true;
  sort_pairs(temporary_of(frame),
             {args.keys, frame.sorted_keys.data(), args.values, frame.sorted_values.data(), view.capacity, 0,
              view.packed ? 32 : bits_for(tiles)},
             target.stream);
  args.keys = frame.sorted_keys.data();
  args.values = frame.sorted_values.data();
  find_ranges(args, target);
}

namespace {

void blend_backward_in_order(ModelRows& model, Frame& frame, const DrawnView& view, const BlendArgs& blend,
                             const Target& target) {
  if (model.size() == 0) return;
  const OrderedArgs args = ordered_args(model, frame, view, blend);
  const Temporary temporary = temporary_of(frame);
  count_buckets(args, target);
  exclusive_scan(temporary, args.tile_buckets, args.first_buckets, args.tiles, target.stream);
  fill(args.bucket_tiles, 0xFF, args.buckets, target);
  save_states(args, target);
  fill(args.partials, 0, view.capacity * kMomentFloats, target);
  blend_backward_buckets(args, target);
  list_instances(args, target);
  sort_pairs(temporary, {args.keys, frame.sorted_keys.data(), args.values, frame.by_splat.data(), view.capacity, 0, 32},
             target.stream);
  exclusive_scan(temporary, args.tile_counts, frame.first_instances.data(), args.splat_count, target.stream);
  sum_instances(args, target);
}

}  // namespace

void blend_backward_of_view(ModelRows& model, Frame& frame, const DrawnView& view, bool ordered, const Target& target) {
  const auto replay = [&](const BlendArgs& args) {
    if (ordered)
      blend_backward_in_order(model, frame, view, args, target);
    else
      blend_backward(args, target);
  };
  replay(blend_args(frame, view));
  if (!view.planes || model.size() == 0) return;
  const PlaneArgs args = plane_args(model, frame, view);
  swap_colours(args, target);
  replay(plane_blend_args(frame, view));
  swap_colours(args, target);
  plane_gradients(args, target);
}

void add_surface_loss(ModelRows& model, Frame& frame, const DrawnView& view, const SurfaceSettings& settings,
                      const Target& target) {
  if (model.size() == 0) return;
  const PlaneArgs args = plane_args(model, frame, view);
  planes(args, target);
  swap_colours(args, target);
  blend_forward(plane_blend_args(frame, view), target);
  swap_colours(args, target);
  surface_loss(surface_args(frame, view, settings), target);
}

}  // namespace splat::gpu
