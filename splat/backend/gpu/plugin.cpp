// The entry point of a GPU plugin. SPLAT_GPU_NAME and SPLAT_GPU_TARGETS come from the build.
#include "splat/backend/gpu/plugin.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/gpu_backend.h"
#include "splat/backend/gpu/gpu_rasteriser.h"
#include "splat/backend/gpu/gpu_triangles.h"
#include "splat/backend/gpu/targets.h"

namespace splat::gpu {
namespace {

template <size_t kSize>
void put_text(char (&to)[kSize], const std::string& text) {
  std::snprintf(to, kSize, "%s", text.c_str());
}

PluginDevice describe(int device) {
  const DeviceFacts facts = describe_device(device);
  PluginDevice out = {};
  put_text(out.name, facts.name);
  put_text(out.architecture, facts.architecture);
  out.total_bytes = facts.total_bytes;
  out.wave_size = facts.wave_size;
  out.integrated = facts.integrated;
  out.compiled = has_code_for(SPLAT_GPU_TARGETS, facts.architecture);
  const CurrentDevice on(device);
  out.free_bytes = free_device_bytes(facts);
  return out;
}

int list_devices(PluginDevice* devices, int room, PluginText* error) try {
  error->text[0] = 0;
  int count = 0;
  if (const hipError_t problem = hipGetDeviceCount(&count); problem != hipSuccess) {
    (void)hipGetLastError();
    put_text(error->text, hipGetErrorString(problem));
    return -1;
  }
  for (int i = 0; i < std::min(count, room); ++i) devices[i] = describe(i);
  return count;
} catch (const std::exception& problem) {
  (void)hipGetLastError();
  put_text(error->text, problem.what());
  return -1;
}

// What `make` makes for the device.
template <class T>
T* create_on(const PluginSettings& settings, PluginText* error,
             std::unique_ptr<T> (*make)(const PluginSettings&, const PluginDevice&)) try {
  error->text[0] = 0;
  const PluginDevice device = describe(settings.device);
  if (device.compiled) return make(settings, device).release();
  put_text(error->text, std::string(device.name) + " is of the architecture " + device.architecture +
                            ", for which this plugin holds no code: it was compiled for " SPLAT_GPU_TARGETS);
  return nullptr;
} catch (const std::exception& problem) {
  (void)hipGetLastError();
  put_text(error->text, problem.what());
  return nullptr;
}

std::unique_ptr<Backend> make(const PluginSettings& settings, const PluginDevice& device) {
  GpuOptions options;
  options.name = SPLAT_GPU_NAME;
  options.device = settings.device;
  options.ordered = settings.deterministic != 0 || !has_float_atomics(device.architecture);
  return make_gpu_backend(options);
}
std::unique_ptr<raster::Rasteriser<float>> make_rasteriser(const PluginSettings& settings, const PluginDevice&) {
  GpuRasteriserOptions options;
  options.device = settings.device;
  return make_gpu_rasteriser(options);
}
std::unique_ptr<triangles::Rasteriser> make_triangles(const PluginSettings& settings, const PluginDevice&) {
  return make_gpu_triangles(settings.device);
}

Backend* create(const PluginSettings* settings, PluginText* error) { return create_on(*settings, error, make); }
raster::Rasteriser<float>* create_rasteriser(const PluginSettings* settings, PluginText* error) {
  return create_on(*settings, error, make_rasteriser);
}
triangles::Rasteriser* create_triangle_rasteriser(const PluginSettings* settings, PluginText* error) {
  return create_on(*settings, error, make_triangles);
}

void versions(int* built_for, int* installed) {
  *built_for = HIP_VERSION;
  if (hipRuntimeGetVersion(installed) != hipSuccess) *installed = 0;
}

}  // namespace
}  // namespace splat::gpu

extern "C" __attribute__((visibility("default"))) const splat::gpu::Plugin* hipsplat_gpu_plugin() {
  static const splat::gpu::Plugin plugin{splat::gpu::kPluginInterface,
                                         splat::gpu::kBuildStamp,
                                         SPLAT_GPU_NAME,
                                         SPLAT_GPU_TARGETS,
                                         splat::gpu::list_devices,
                                         splat::gpu::create,
                                         splat::gpu::create_rasteriser,
                                         splat::gpu::create_triangle_rasteriser,
                                         splat::gpu::versions,
                                         splat::set_check_handler};
  return &plugin;
}
