#include "devices/plugins.h"
#include "splat/core/system.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <mutex>

#include "devices/distribution.h"
#include "devices/plugin_files.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDevices = 64;

// As Debian names it: the folder below lib/ where libraries of this architecture are.
#if defined(__aarch64__)
constexpr const char* kArchitecture = "aarch64-linux-gnu";
#else
constexpr const char* kArchitecture = "x86_64-linux-gnu";
#endif

// "libabsent.so" of dlopen's "libabsent.so: cannot open shared object file: ..."; empty for other messages.
std::string missing_library(const std::string& message, const fs::path& plugin) {
  if (message.find("cannot open shared object file: No such file") == std::string::npos) return "";
  const std::string name = message.substr(0, message.find(':'));
  return name == plugin.string() ? "" : name;
}

// 6 of "libamdhip64.so.6".
int version_of(const std::string& library) {
  const std::string before = "libamdhip64.so.";
  const int version = library.starts_with(before) ? std::atoi(library.c_str() + before.size()) : 0;
  return version > 0 ? version : 5;
}

// Names the runtimes that the plugins that were tried need; `first` is the newest plugin's.
void explain_missing_runtime(const std::string& first, GpuPlugin& plugin) {
  std::string others;
  for (const PluginTry& other : plugin.tried)
    if (!other.runtime.empty() && other.runtime != first && others.find(other.runtime) == std::string::npos)
      others += " or " + other.runtime;
  plugin.problem = plugin.maker + "'s runtime is not installed: the plugin needs " + first + others;
  if (plugin.name != "hip") {
    plugin.cure = "install NVIDIA's driver";
    return;
  }
  std::vector<int> majors;
  for (const PluginTry& one : plugin.tried)
    if (const int major = version_of(one.runtime); std::find(majors.begin(), majors.end(), major) == majors.end())
      majors.push_back(major);
  plugin.cure = "install ROCm's HIP runtime (" + Distribution::of().install_hip_runtime(majors) +
                "); where it is installed, name its folder by ROCM_PATH";
}

void explain_load_failure(const std::string& message, GpuPlugin& plugin) {
  const std::string library = missing_library(message, plugin.file);
  if (!library.empty()) return explain_missing_runtime(library, plugin);
  plugin.problem = "the plugin '" + plugin.file.string() + "' cannot be loaded: " + message;
  plugin.cure = "build hipsplat again on this machine";
}

const gpu::Plugin* open_table(GpuPlugin& plugin) {
  void* library = dlopen(plugin.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* message = dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
    explain_load_failure(message ? message : "no reason given", plugin);
    return nullptr;
  }
  const auto entry = reinterpret_cast<gpu::PluginEntry>(dlsym(library, gpu::kPluginEntry));
  const gpu::Plugin* table = entry ? entry() : nullptr;
  if (table && table->interface_version == gpu::kPluginInterface &&
      std::string(table->build_stamp) == gpu::kBuildStamp && table->name == plugin.name) {
    table->set_check_handler(check_handler());
    return table;
  }
  plugin.problem = "the plugin '" + plugin.file.string() + "' belongs to another version of hipsplat";
  plugin.cure = "build the program and its plugins together";
  return nullptr;
}

GpuDevice device_of(const gpu::PluginDevice& d) {
  return {d.name, d.architecture, d.total_bytes, d.free_bytes, d.wave_size, d.integrated != 0, d.compiled != 0};
}

void list_devices(GpuPlugin& plugin) {
  std::vector<gpu::PluginDevice> found(kMaxDevices);
  gpu::PluginText error = {};
  const int count = plugin.table->list_devices(found.data(), kMaxDevices, &error);
  for (int i = 0; i < std::min(count, kMaxDevices); ++i) plugin.devices.push_back(device_of(found[size_t(i)]));
  if (count < 0) {
    plugin.problem = plugin.maker + "'s runtime finds no GPU that it can use (" + error.text + ")";
    plugin.cure = plugin.name == "hip"
                      ? "'hipsplat doctor' looks at the driver, at who may use it and at variables that hide GPUs"
                      : "install or update NVIDIA's driver, and see whether nvidia-smi works";
  } else if (count == 0) {
    plugin.problem = plugin.maker + "'s runtime lists no GPU";
    plugin.cure = "see whether a variable such as " +
                  std::string(plugin.name == "hip" ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES") + " hides it";
  }
}

// No device that the plugin holds code for.
void explain_targets(GpuPlugin& plugin) {
  const auto works = [](const GpuDevice& device) { return device.compiled; };
  if (plugin.devices.empty() || std::any_of(plugin.devices.begin(), plugin.devices.end(), works)) return;
  const GpuDevice& device = plugin.devices.front();
  plugin.problem = device.name + ": " + why_not_compiled(plugin, device);
  plugin.cure = how_to_compile_for(plugin, device);
}

// AMD's compilers know all of the RX 6000 series as variants of gfx1030, whose code runs on them; the runtime must
// be set to it.
bool runs_code_of_gfx1030(const std::string& architecture) {
  return architecture.size() == 7 && architecture.starts_with("gfx103") && architecture != "gfx1030";
}

void explain_absence(const std::vector<fs::path>& folders, GpuPlugin& plugin) {
  std::string places;
  for (const fs::path& folder : folders) places += (places.empty() ? "'" : ", '") + folder.string() + "'";
  plugin.problem =
      "the plugin for " + plugin.maker + " GPUs is not there (libhipsplat-" + plugin.name + ".so in " + places + ")";
  plugin.cure = plugin.name == "hip" ? "install hipcc and rocPRIM (" + Distribution::of().install_hip_compiler() +
                                           ") and build hipsplat again"
                                     : "install the CUDA toolkit (nvcc) and build hipsplat again";
  std::error_code code;
  if (folders.size() > 1 && fs::exists(folders.front().parent_path() / "share" / "hipsplat", code))
    plugin.cure = "install the package hipsplat-" + plugin.name + ", of the same version as hipsplat";
}

// Takes this file; what is wrong with it is in plugin.problem.
void take(const PluginFile& file, GpuPlugin& plugin) {
  plugin.file = file.path;
  plugin.problem = plugin.cure = plugin.targets = "";
  plugin.devices = {};
  plugin.hidden = {};
  plugin.table = open_table(plugin);
  if (!plugin.table) return;
  plugin.targets = plugin.table->targets;
  if (plugin.name == "hip") plugin.hidden = hide_amd_gpus_without_code(plugin.targets);
  plugin.table->versions(&plugin.built_for, &plugin.installed);
  list_devices(plugin);
  explain_targets(plugin);
}

// CUDA's runtime is within the plugin: what can be too old is the driver.
bool driver_is_older(const GpuPlugin& plugin) {
  return plugin.name == "cuda" && plugin.table && plugin.installed != 0 &&
         plugin.installed / 1000 < plugin.built_for / 1000;
}

// No file was taken.
void explain_refusals(GpuPlugin& plugin) {
  const PluginTry& first = plugin.tried.front();
  for (const PluginTry& one : plugin.tried)
    if (!one.refusal.ends_with("not installed")) {  // a runtime is there, and is of no use: that is the thing to mend
      plugin.problem = "the plugin '" + one.file.string() + "' " + one.refusal;
      plugin.cure = "mend or install ROCm's HIP runtime again (" +
                    Distribution::of().install_hip_runtime({version_of(one.runtime)}) + ")";
      return;
    }
  explain_missing_runtime(first.runtime, plugin);
}

}  // namespace

std::string why_not_compiled(const GpuPlugin& plugin, const GpuDevice& device) {
  return "the architecture " + device.architecture + " is none of those compiled into the plugin (" + plugin.targets +
         ")";
}

std::string how_to_compile_for(const GpuPlugin& plugin, const GpuDevice& device) {
  const bool hip = plugin.name == "hip";
  const std::string number = device.architecture.substr(hip ? 0 : std::string("sm_").size());
  std::string cure = "build hipsplat for it: cmake -B build -DHIPSPLAT_" + std::string(hip ? "HIP" : "CUDA") +
                     "_TARGETS=" + number + " && cmake --build build";
  if (hip && runs_code_of_gfx1030(device.architecture) && plugin.targets.find("gfx1030") != std::string::npos)
    cure +=
        "; or, unsupported by AMD but usual with this chip, let it run gfx1030's code: "
        "HSA_OVERRIDE_GFX_VERSION=10.3.0 hipsplat doctor shows whether it draws correctly then";
  return cure;
}

std::vector<fs::path> plugin_folders(const fs::path& executable, const char* variable) {
  if (variable && *variable) return {variable};
  const fs::path folder = executable.parent_path(), lib = folder.parent_path() / "lib";
  return {folder, lib / kArchitecture / "hipsplat", lib / "hipsplat"};
}

namespace {

// The shared library that this code is part of; empty where it is part of the program itself.
fs::path own_library() {
  Dl_info info = {};
  link_map* loaded = nullptr;
  const bool found =
      dladdr1(reinterpret_cast<void*>(&own_library), &info, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) != 0;
  std::error_code code;
  return found && loaded && loaded->l_name[0] != 0 ? fs::weakly_canonical(loaded->l_name, code) : fs::path();
}

}  // namespace

std::vector<fs::path> plugin_folders() {
  const char* const variable = environment("HIPSPLAT_PLUGINS");
  if (const fs::path library = own_library(); !library.empty()) {
    std::vector<fs::path> folders = plugin_folders(library, variable);
    const fs::path beside = library.parent_path() / "hipsplat";
    if (folders.size() > 1 && folders.back() != beside) folders.push_back(beside);
    return folders;
  }
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  return plugin_folders(code ? fs::path("./hipsplat") : program, variable);
}

GpuPlugin load_plugin(const std::string& name, const std::vector<fs::path>& folders) {
  static std::mutex one_at_a_time;  // variables of the environment are set on the way
  const std::lock_guard lock(one_at_a_time);
  GpuPlugin plugin;
  plugin.name = name;
  plugin.maker = name == "hip" ? "AMD" : "NVIDIA";
  const std::vector<PluginFile> files = plugin_files(name, folders);
  plugin.present = !files.empty();
  plugin.file = files.empty() ? folders.back() / ("libhipsplat-" + name + ".so") : files.front().path;
  if (files.empty()) explain_absence(folders, plugin);
  for (const PluginFile& file : files) {
    const std::string refusal = file.runtime.empty() ? "" : open_runtime(file.runtime);
    plugin.tried.push_back({file.path, file.runtime, refusal});
    if (!refusal.empty()) continue;
    take(file, plugin);
    if (!driver_is_older(plugin) || &file == &files.back()) return plugin;
    plugin.tried.back().refusal = "was built for CUDA " + std::to_string(plugin.built_for / 1000) +
                                  ", and the driver is for " + std::to_string(plugin.installed / 1000);
  }
  if (plugin.present && !plugin.table) explain_refusals(plugin);
  return plugin;
}

std::vector<GpuPlugin> load_plugins() { return {load_plugin("hip"), load_plugin("cuda")}; }

}  // namespace splat
