// What one rendered view needs on the device, from projection to the gradient by the image; it only grows, so that no
// iteration allocates. What lay in a buffer that grows is lost.
#pragma once

#include "splat/backend/gpu/depth_prior.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_buffer.h"
#include "splat/core/gpu_sort.h"
#include "splat/math/photo_colour.h"

namespace splat::gpu {

// What kernels report of one view, in page-locked memory: no copy of a few bytes has to wait for its turn.
struct Report {
  unsigned long long instances;  // also those that did not fit
  double loss_sums[kLossSums];
};

struct Frame {
  ImageSize size;
  DeviceBuffer<FrameCounters> counters;  // [2] by slot
  bool counters_ready = false;           // those of the next view are zeros: the tile lists before saw to it
  // By splat.
  DeviceBuffer<SplatRecord> records;
  DeviceBuffer<TileRecord> tile_records;
  DeviceBuffer<float> radii;
  DeviceBuffer<uint32_t> tile_counts, first_instances;
  DeviceBuffer<float> gradients;  // [N,16]
  DeviceBuffer<float> planes;     // [N,3] once a surface is asked for, like the next by pixel
  DeviceBuffer<float> plane_image, v_plane_image, plane_depths, by_depths, distortion_sums;
  DepthPriorRoom prior;
  // By splat, where the tiles are too many for packed keys.
  DeviceBuffer<uint32_t> depth_keys, sorted_depth_keys, identity, order, ordered_counts;
  // By instance.
  DeviceBuffer<uint32_t> keys, sorted_keys, values, sorted_values;
  // Where gradients are summed in order: by instance, bucket and tile.
  DeviceBuffer<float> partials_by_instance, states;
  DeviceBuffer<uint32_t> by_splat, bucket_tiles, tile_buckets, first_buckets;
  // By tile.
  DeviceBuffer<uint32_t> tile_first, tile_end;
  // By pixel.
  DeviceBuffer<float> image, transmittance, v_image, partials;
  DeviceBuffer<float> block_l1, block_ssim;
  DeviceBuffer<math::ChannelColour<float>> block_v_colour;
  DeviceBuffer<std::byte> temporary;  // of sort and scan

  void reserve_splats(size_t splats, bool two_passes) {
    records.reserve_discarding(splats);
    tile_records.reserve_discarding(splats);
    radii.reserve_discarding(splats);
    tile_counts.reserve_discarding(splats);
    first_instances.reserve_discarding(splats);
    gradients.reserve_discarding(splats * kGradientFloats);
    if (!two_passes) return;
    for (auto* buffer : {&depth_keys, &sorted_depth_keys, &identity, &order, &ordered_counts})
      buffer->reserve_discarding(splats);
  }
  void reserve_planes(size_t splats, bool distortion) {
    planes.reserve_discarding(3 * splats);
    for (auto* buffer : {&plane_image, &v_plane_image, &by_depths}) buffer->reserve_discarding(3 * size.pixels());
    plane_depths.reserve_discarding(size.pixels());
    if (distortion) distortion_sums.reserve_discarding(2 * size.pixels());
  }
  void reserve_loss() {
    const size_t blocks = loss_blocks(size);
    partials.reserve_discarding(9 * size.pixels());
    block_l1.reserve_discarding(blocks);
    block_ssim.reserve_discarding(blocks);
    block_v_colour.reserve_discarding(blocks);
  }
  // Where gradients are summed in order, for as many instances.
  void reserve_ordered(size_t instances) {
    const size_t tiles = size.tiles(), buckets = bucket_room(instances, tiles);
    for (auto* buffer : {&tile_buckets, &first_buckets}) buffer->reserve_discarding(tiles);
    bucket_tiles.reserve_discarding(buckets);
    states.reserve_discarding(buckets * kStateFloats * kTilePixels);
    temporary.reserve_discarding(scan_temporary_bytes(tiles));
  }
  void reserve_instances(size_t instances) {
    for (auto* buffer : {&keys, &sorted_keys, &values, &sorted_values}) buffer->reserve_discarding(instances);
  }
  void release_splats_and_instances() {
    records.release(), tile_records.release(), gradients.release(), planes.release();
    for (auto* buffer : {&tile_counts, &first_instances, &depth_keys, &sorted_depth_keys, &identity, &order,
                         &ordered_counts, &keys, &sorted_keys, &values, &sorted_values, &by_splat})
      buffer->release();
    for (auto* buffer : {&radii, &partials_by_instance}) buffer->release();
    temporary.release();
  }

  // Calls visit(buffer) for each buffer of a frame, which may be const, but for what lies in `prior`.
  template <class Self, class Visit>
  static void visit_buffers(Self& f, const Visit& visit) {
    visit(f.counters), visit(f.records), visit(f.tile_records), visit(f.radii), visit(f.tile_counts),
        visit(f.first_instances);
    visit(f.gradients), visit(f.depth_keys), visit(f.sorted_depth_keys), visit(f.identity), visit(f.order);
    visit(f.ordered_counts), visit(f.keys), visit(f.sorted_keys), visit(f.values), visit(f.sorted_values),
        visit(f.tile_first);
    visit(f.tile_end), visit(f.image), visit(f.transmittance), visit(f.v_image), visit(f.partials);
    visit(f.partials_by_instance), visit(f.states), visit(f.by_splat), visit(f.bucket_tiles), visit(f.tile_buckets);
    visit(f.first_buckets);
    visit(f.block_l1), visit(f.block_ssim), visit(f.block_v_colour), visit(f.temporary);
    visit(f.planes), visit(f.plane_image), visit(f.v_plane_image), visit(f.plane_depths), visit(f.by_depths);
    visit(f.distortion_sums);
  }
  size_t bytes() const {
    size_t total = prior.bytes();
    visit_buffers(*this, [&](const auto& buffer) { total += buffer.bytes(); });
    return total;
  }
};

}  // namespace splat::gpu
