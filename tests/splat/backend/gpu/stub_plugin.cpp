// A plugin with one device that is named after what the plugin was built for: for the choice among several.
#include <cstdio>
#include <cstdlib>

#include "splat/backend/gpu/plugin.h"

// Of the runtime that this plugin was linked to; not there in NVIDIA's.
extern "C" int hipsplat_stub_version() __attribute__((weak));

namespace {

using namespace splat::gpu;

int list_devices(PluginDevice* devices, int, PluginText* error) {
  error->text[0] = 0;
  devices[0] = {};
  std::snprintf(devices[0].name, sizeof devices[0].name, "GPU of " STUB_NAME " %d", STUB_MAJOR);
  std::snprintf(devices[0].architecture, sizeof devices[0].architecture, "stub");
  devices[0].compiled = 1;
  return 1;
}

splat::Backend* create(const PluginSettings*, PluginText*) { return nullptr; }
splat::raster::Rasteriser<float>* create_rasteriser(const PluginSettings*, PluginText*) { return nullptr; }
splat::triangles::Rasteriser* create_triangles(const PluginSettings*, PluginText*) { return nullptr; }

void versions(int* built_for, int* installed) {
  const char* const driver = std::getenv("HIPSPLAT_STUB_DRIVER");
  *built_for = STUB_MAJOR * STUB_COUNT;
  *installed = STUB_COUNT * (hipsplat_stub_version ? hipsplat_stub_version() : driver ? std::atoi(driver) : 0);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Plugin* hipsplat_gpu_plugin() {
  static const Plugin plugin{
      kPluginInterface, kBuildStamp,       STUB_NAME,        "stub",   list_devices,
      create,           create_rasteriser, create_triangles, versions, [](splat::CheckHandler) {}};
  return &plugin;
}
