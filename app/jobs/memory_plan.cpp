#include "app/jobs/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/dataset/image_store.h"
#include "splat/train/match_settings.h"

namespace app {
namespace {
constexpr double kUsableFraction = 0.9;  // of the available memory; the rest is left to the system

// What else there is to do, where a start from fewer splats is one: with a tenth less than fit.
std::string fewer_splats(const StartingSplats& starting, uint64_t fit) {
  const uint64_t count = fit * 9 / 10;
  return starting.fewer.empty() || count == 0 ? ""
                                              : fmt::format(", start from fewer splats ({} {})", starting.fewer, count);
}

}  // namespace

uint64_t most_pixels(const splat::Dataset& dataset) {
  uint64_t pixels = 0;
  for (const splat::DatasetView& view : dataset.views)
    pixels = std::max(pixels, uint64_t(view.camera.width) * uint64_t(view.camera.height));
  return pixels;
}

splat::Status check_drawing(const HostMemory& memory, uint64_t pixels) {
  const uint64_t needed = pixels * kBytesPerDrawnPixel;
  if (double(needed) <= kUsableFraction * double(memory.available_bytes)) return {};
  return splat::Error{
      fmt::format("drawing the largest view, of {} million pixels, needs about {} of memory, and {} are available: are "
                  "the sizes of its camera right?",
                  human_count(pixels / 1'000'000), human_bytes(needed), human_bytes(memory.available_bytes))};
}

// The host's as measured (docs/notebook/reliability.md): a splat's plane; by pixel, picture and gradient of planes,
// inverse depths, gradients by them, and the moments of what covers the pixel. On a GPU as reserved. A depth map and
// distortion on top.
PlaneBytes plane_bytes(const splat::TrainConfig& config, const splat::Dataset& dataset) {
  const bool maps = std::any_of(dataset.views.begin(), dataset.views.end(),
                                [](const splat::DatasetView& view) { return !view.depth_path.empty(); });
  if (!config.surface && !maps) return {};
  const uint64_t map = maps ? sizeof(float) : 0, apart = config.surface_distortion > 0 ? 2 * sizeof(float) : 0;
  return {32, 80 + map + apart, 12, 40 + map / 2 + apart};
}

uint64_t base_bytes(const splat::Dataset& dataset, const PlaneBytes& planes) {
  return kBaseBytes + most_pixels(dataset) * (kBytesPerPixel + planes.per_pixel);
}

uint64_t default_matching_bytes(const splat::Dataset& dataset) {
  return splat::matching_bytes(splat::resolve_config({}), dataset, 0);
}

splat::Result<MemoryPlan> plan_memory(const HostMemory& memory, uint64_t base_bytes, uint64_t image_bytes,
                                      const StartingSplats& starting, uint64_t bytes_per_splat,
                                      uint64_t bytes_at_start) {
  MemoryPlan plan;
  const uint64_t usable = uint64_t(double(memory.available_bytes) * kUsableFraction) + starting.held_bytes;
  plan.image_limit_bytes = std::max<uint64_t>(usable / 2, 1);
  const uint64_t fixed = base_bytes + std::min(image_bytes, plan.image_limit_bytes);
  plan.fixed_bytes = fixed;
  plan.bytes_per_splat = bytes_per_splat;
  plan.bytes_at_start = bytes_at_start > 0 ? bytes_at_start : bytes_per_splat;
  plan.needed_bytes = plan.peak_bytes(starting.count, false);
  plan.splats_that_fit = usable > fixed ? (usable - fixed) / bytes_per_splat : 0;
  if (plan.splats_that_fit >= std::max<uint64_t>(starting.count, 1)) return plan;
  return splat::Error{fmt::format(
      "training would need {} of memory ({} splats), and {} of the {} available may be used: close other programs, "
      "use smaller photos (-r 4){}",
      human_bytes(plan.peak_bytes(starting.count, true)), human_count(starting.count), human_bytes(usable),
      human_bytes(memory.available_bytes + starting.held_bytes), fewer_splats(starting, plan.splats_that_fit))};
}

void MemoryPlan::add_matching(uint64_t bytes) {
  matching_bytes = bytes;
  needed_bytes = std::max(needed_bytes, fixed_bytes + bytes);
}

void MemoryPlan::add_lists(uint64_t pixels, uint64_t splats) {
  most_list_bytes = pixels * kListBytesPerPixel;
  needed_bytes = std::max(needed_bytes, peak_bytes(splats, false));
}

splat::Result<uint64_t> splats_on_device(const splat::BackendInfo& info, const splat::Dataset& dataset,
                                         uint64_t photo_bytes, const StartingSplats& starting) {
  if (info.device_total_bytes == 0) return UINT64_MAX;
  const uint64_t usable = uint64_t(double(info.device_free_bytes) * kUsableFraction);
  const uint64_t fixed = kDeviceBaseBytes + most_pixels(dataset) * info.device_bytes_per_pixel;
  const uint64_t room = usable > fixed ? usable - fixed : 0, least = std::max<uint64_t>(starting.count, 1);
  const uint64_t fit = room / info.device_bytes_per_splat;
  const uint64_t beside_photos = (room - std::min(photo_bytes, room / 4)) / info.device_bytes_per_splat;
  if (fit >= least) return std::max(beside_photos, least);
  return splat::Error{fmt::format(
      "training would need {} of the GPU's memory at its start ({} splats), and {} of its {} are free: close the "
      "programs that hold it, use smaller photos (-r 4){}, or train on the CPU (--backend cpu)",
      human_bytes(fixed + starting.count * info.device_bytes_per_splat), human_count(starting.count),
      human_bytes(info.device_free_bytes), human_bytes(info.device_total_bytes), fewer_splats(starting, fit))};
}

splat::Result<RunMemory> plan_run_memory(const splat::TrainConfig& config, const splat::Dataset& dataset,
                                         splat::BackendInfo device, const StartingSplats& starting,
                                         uint64_t matching_bytes) {
  PlaneBytes planes = plane_bytes(config, dataset);
  const uint64_t spared = config.bfloat16_moments != 0 ? kBytesPackingSpares : 0;
  if (device.device_bytes_per_splat > 0) device.device_bytes_per_splat -= spared;
  const uint64_t photo_bytes = io::image_bytes(dataset), device_bytes = bytes_per_splat_in_host(device);
  const bool own_memory = device.device_total_bytes > 0;  // then the host holds no more than copies
  device.device_bytes_per_splat += planes.device_per_splat, device.device_bytes_per_pixel += planes.device_per_pixel;
  if (own_memory) planes = {};
  RunMemory memory;
  SPLAT_ASSIGN_OR_RETURN(
      memory.host,
      plan_memory(host_memory(), base_bytes(dataset, planes), photo_bytes, starting,
                  own_memory ? kBytesPerSplatBesideGpu : kBytesPerSplat - spared + device_bytes + planes.per_splat,
                  own_memory ? kBytesPerSplatBesideGpu
                             : kBytesPerSplatAtStart - spared + starting.more_bytes_per_splat + device_bytes +
                                   planes.per_splat));
  if (!own_memory) memory.host.add_lists(most_pixels(dataset), starting.count);
  memory.host.add_matching(matching_bytes);
  SPLAT_ASSIGN_OR_RETURN(memory.splats_on_device, splats_on_device(device, dataset, photo_bytes, starting));
  memory.splats_that_fit = std::min(memory.host.splats_that_fit, memory.splats_on_device);
  return memory;
}

// Twice: rows that grow are copied (Trainer::reserve_splats).
uint64_t bytes_per_splat_in_host(const splat::BackendInfo& info) {
  return info.device_total_bytes == 0 ? 2 * info.device_bytes_per_splat : 0;
}

}  // namespace app
