// What a GPU plugin (libhipsplat-hip.so, libhipsplat-cuda.so) shows the program that loads it: one C function that
// returns a table. The Backend it makes is a C++ object, so program and plugin must have been compiled from the same
// declarations: interface_version and build_stamp say which, and the loader refuses others. A Backend is deleted by its
// own virtual destructor, that is in the plugin, which is never unloaded; so are rasterisers. Nothing here throws but
// what the check handler throws; what is made throws DeviceError (core/device_error.h), which crosses the boundary too.
#pragma once

#include <cstdint>

#include "splat/core/check.h"

namespace splat {
class Backend;
namespace raster {
template <class T>
class Rasteriser;
}
namespace triangles {
class Rasteriser;
}
}  // namespace splat

namespace splat::gpu {

inline constexpr uint32_t kPluginInterface = 4;
inline constexpr const char* kPluginEntry = "hipsplat_gpu_plugin";

#if !defined(SPLAT_BUILD_STAMP)
#define SPLAT_BUILD_STAMP "none"  // CMake gives a hash of compiler and shared headers (cmake/BuildStamp.cmake)
#endif

// What each side's compiler says of the standard library whose objects cross the boundary.
#if defined(_LIBCPP_VERSION)
inline constexpr const char* kBuildStamp = SPLAT_BUILD_STAMP " libc++";
#elif defined(_GLIBCXX_DEBUG)
inline constexpr const char* kBuildStamp = SPLAT_BUILD_STAMP " libstdc++ with checks";
#elif _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* kBuildStamp = SPLAT_BUILD_STAMP " libstdc++";
#else
inline constexpr const char* kBuildStamp = SPLAT_BUILD_STAMP " libstdc++ of before C++11";
#endif

struct PluginDevice {
  char name[128];         // "AMD Radeon RX 7900 XTX"
  char architecture[32];  // "gfx1100", "sm_90"
  uint64_t total_bytes, free_bytes;
  int32_t wave_size;
  int32_t integrated;  // 1: its memory is the host's
  int32_t compiled;    // 1: the plugin holds code for this architecture
};

struct PluginSettings {
  int32_t device;         // index of the runtime
  int32_t deterministic;  // 1: sums in a fixed order (GpuOptions)
};

// A sentence without an end mark; empty where there is nothing to say.
struct PluginText {
  char text[512];
};

struct Plugin {
  uint32_t interface_version;  // kPluginInterface; stays first
  const char* build_stamp;     // kBuildStamp
  const char* name;            // "hip", "cuda"
  const char* targets;         // architectures compiled in: "gfx906 gfx90a gfx1030", "sm_75 sm_90 compute_90"
  // Fills in at most `room` devices; returns how many there are, or -1 and the runtime's words.
  int (*list_devices)(PluginDevice* devices, int room, PluginText* error);
  // Null and a sentence when the device is not usable.
  Backend* (*create)(const PluginSettings* settings, PluginText* error);
  // Likewise, of arrays in the device's memory (gpu_rasteriser.h); knows no fixed order.
  raster::Rasteriser<float>* (*create_rasteriser)(const PluginSettings* settings, PluginText* error);
  triangles::Rasteriser* (*create_triangle_rasteriser)(const PluginSettings* settings, PluginText* error);
  // The runtime's versions as HIP_VERSION (5.2: 50200000 and more) or CUDA_VERSION (12.4: 12040) count: when this was
  // compiled, and the newest that works here; 0: not known.
  void (*versions)(int* built_for, int* installed);
  // Gives the plugin, which has checks of its own (core/check.h), the handler of the program that loads it.
  void (*set_check_handler)(CheckHandler handler);
};

using PluginEntry = const Plugin* (*)();

}  // namespace splat::gpu
