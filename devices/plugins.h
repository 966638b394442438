// Finds and loads the GPU plugins, and says in words what is missing where one does not work. Plugins lie beside the
// executable, where packages install them, or in the folder that the variable HIPSPLAT_PLUGINS names. A loaded plugin
// stays until the process ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "devices/amd_topology.h"
#include "splat/backend/gpu/plugin.h"

namespace splat {

struct GpuDevice {
  std::string name;          // "AMD Radeon RX 7900 XTX"
  std::string architecture;  // "gfx1100"
  uint64_t total_bytes = 0, free_bytes = 0;
  int wave_size = 0;
  bool integrated = false;  // its memory is the host's
  bool compiled = false;    // the plugin holds code for it
};

// A file that was considered. Empty: taken; else why not, to be read after its name: "needs libamdhip64.so.7, which is
// not installed".
struct PluginTry {
  std::filesystem::path file;
  std::string runtime;  // that it needs: "libamdhip64.so.7"; empty: none, or not known
  std::string refusal;
};

struct GpuPlugin {
  std::string name;                    // "hip", "cuda"
  std::string maker;                   // "AMD", "NVIDIA"
  std::filesystem::path file;          // the one that was taken, else the first one tried, else where it should be
  std::vector<PluginTry> tried;        // in order; of AMD's at most one is ever loaded in a process
  bool present = false;                // the file is there
  const gpu::Plugin* table = nullptr;  // null: not loaded
  std::string targets;                 // "gfx906 gfx90a"; of a loaded one
  std::vector<GpuDevice> devices;      // index = --device
  std::vector<AmdGpu> hidden;          // from AMD's runtime, since the plugin holds no code for them
  int built_for = 0, installed = 0;    // versions of the runtime: see gpu::Plugin
  // What keeps it from working, one sentence without an end mark, and what to do; empty when a device works.
  std::string problem, cure;
};

// Where plugins are looked for, the first one first: in `variable` (HIPSPLAT_PLUGINS) alone where it is set; else
// beside the executable and, from there, in ../lib/<architecture>/hipsplat and ../lib/hipsplat.
std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& executable, const char* variable);
// For this process; for the shared library that this is part of, where it is, from that: also in hipsplat/ beside it.
std::vector<std::filesystem::path> plugin_folders();

// "hip" or "cuda": the newest of its files (plugin_files.h) whose runtime is here. Never fails: what is wrong is in
// `problem`.
GpuPlugin load_plugin(const std::string& name, const std::vector<std::filesystem::path>& folders = plugin_folders());
std::vector<GpuPlugin> load_plugins();  // both

// "the architecture gfx1031 is none of those compiled into the plugin (gfx906 gfx90a)", and what to do about it.
std::string why_not_compiled(const GpuPlugin& plugin, const GpuDevice& device);
std::string how_to_compile_for(const GpuPlugin& plugin, const GpuDevice& device);

}  // namespace splat
