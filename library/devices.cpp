#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "devices/plugins.h"
#include "devices/registry.h"
#include "library/device.h"
#include "library/proof.h"
#include "library/structs.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/reference/reference_backend.h"

namespace library {
namespace {

// Looking for devices loads plugins and may set variables for AMD's runtime: one at a time.
std::mutex& looking() {
  static std::mutex mutex;
  return mutex;
}

hs_device_info info_of(const std::string& backend, int index, bool usable, const std::string& name,
                       const std::string& reason) {
  hs_device_info info{};
  write_text(info.backend, backend);
  info.index = index;
  info.usable = usable ? 1 : 0;
  write_text(info.name, name);
  write_text(info.reason, reason);
  return info;
}

void add_gpus(const splat::GpuPlugin& plugin, std::vector<hs_device_info>& infos) {
  for (size_t i = 0; i < plugin.devices.size(); ++i) {
    const splat::GpuDevice& device = plugin.devices[i];
    infos.push_back(
        info_of(plugin.name, int(i), device.compiled, device.name + ", " + device.architecture,
                device.compiled ? "compiled for " + plugin.targets : splat::why_not_compiled(plugin, device)));
    infos.back().memory_bytes = device.total_bytes;
  }
  if (plugin.devices.empty()) infos.push_back(info_of(plugin.name, -1, false, "", plugin.problem));
}

std::vector<hs_device_info> all_devices() {
  const std::lock_guard lock(looking());
  std::vector<hs_device_info> infos;
  for (const splat::GpuPlugin& plugin : splat::load_plugins()) add_gpus(plugin, infos);
  const auto cpu = splat::make_cpu_backend({0, splat::cpu::SimdLevel::kAuto});
  infos.push_back(cpu ? info_of("cpu", 0, true, cpu.value()->info().device, "always there")
                      : info_of("cpu", -1, false, "", cpu.error().message));
  return infos;
}

// An array of the caller's: the struct_size of the first is their distance.
void write_infos(const std::vector<hs_device_info>& found, hs_device_info* infos, size_t room) {
  if (room == 0) return;
  const size_t size = check_size(infos, "infos");
  for (size_t i = 0; i < std::min(room, found.size()); ++i) {
    auto* const out = reinterpret_cast<hs_device_info*>(reinterpret_cast<char*>(infos) + i * size);
    std::memcpy(out, &size, sizeof size);
    write_struct(out, found[i], "infos");
  }
}

hs_device_options checked(const hs_device_options* given) {
  hs_device_options options{};
  options.struct_size = sizeof options;
  if (given) options = read_struct(given, "options");
  if (!options.backend) options.backend = "auto";
  if (options.index < -1) refuse("index is " + std::to_string(options.index) + "; it is -1 (the best) or more");
  check_threads(options.threads);
  return options;
}

splat::BackendChoice choose(const std::string& name, const hs_device_options& options) {
  for (const char* known : {"auto", "cpu", "hip", "cuda"})
    if (name == known) {
      const std::lock_guard lock(looking());
      return value_or_throw(splat::make_backend(name, name == "auto" ? -1 : options.index, options.threads),
                            HS_ERROR_DEVICE);
    }
  if (name != "reference")
    refuse("there is no backend '" + name + "'; the backends are auto, cpu, hip, cuda and reference");
  if (options.index > 0) throw Failure{HS_ERROR_DEVICE, "the reference has only device 0"};
  return {splat::make_reference_backend(), "the reference was asked for"};
}

std::unique_ptr<hs_device> open(const hs_device_options& options) {
  splat::BackendChoice choice = choose(options.backend, options);
  auto device = std::make_unique<hs_device>();
  device->backend = std::move(choice.backend);
  device->reason = std::move(choice.reason);
  device->chosen = choice.device;
  device->threads = options.threads;
  Proof proof = prove(*device->backend);
  if (!proof.holds)
    throw Failure{HS_ERROR_DEVICE, device->backend->info().device + " does not draw as it should: " + proof.sentence};
  device->proof = std::move(proof.sentence);
  return device;
}

}  // namespace

std::unique_ptr<splat::raster::Rasteriser<float>> make_rasteriser(const hs_device& device) {
  const std::lock_guard lock(looking());
  return value_or_throw(splat::make_rasteriser(device.backend->info().name, device.chosen, device.threads),
                        HS_ERROR_DEVICE)
      .rasteriser;
}
std::unique_ptr<splat::triangles::Rasteriser> make_triangle_rasteriser(const hs_device& device) {
  const std::lock_guard lock(looking());
  return value_or_throw(splat::make_triangle_rasteriser(device.backend->info().name, device.chosen), HS_ERROR_DEVICE);
}

}  // namespace library

extern "C" {

hs_status hs_device_list(hs_device_info* infos, int32_t room, int32_t* count) {
  return library::guarded([&] {
    if (room < 0) library::refuse("room is " + std::to_string(room));
    if (room > 0) library::check_size(infos, "infos");
    const std::vector<hs_device_info> found = library::all_devices();
    library::write_infos(found, infos, size_t(room));
    if (count) *count = int32_t(found.size());
  });
}

hs_status hs_device_open(const hs_device_options* options, hs_device** device) {
  return library::guarded([&] {
    library::check_pointer(device, "device");
    *device = nullptr;
    *device = library::open(library::checked(options)).release();
  });
}

hs_status hs_device_describe(hs_device* device, hs_device_info* info) {
  return library::guarded([&] {
    library::check_pointer(device, "device");
    library::check_size(info, "info");
    const splat::BackendInfo& of = device->backend->info();
    hs_device_info found = library::info_of(of.name, device->chosen, true, of.device, device->reason);
    found.memory_bytes = of.device_total_bytes;
    library::write_text(found.proof, device->proof);
    library::write_struct(info, found, "info");
  });
}

void hs_device_close(hs_device* device) {
  library::guarded([&] { delete device; });
}
}
