// Where the files of a plugin are, and what each needs. AMD's runtime changes its structures with each major version,
// so that a plugin is compiled for one: libhipsplat-hip7.so beside -hip6.so and -hip5.so, of which one is loaded. A
// build for this machine alone is libhipsplat-hip.so. NVIDIA's: -cuda13.so, -cuda12.so, -cuda.so.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace splat {

struct PluginFile {
  std::filesystem::path path;
  std::string runtime;  // "libamdhip64.so.6", that the linker wrote into the file; empty: none
};

// Those of "hip" or "cuda" that are there: folder by folder, in each the newest first, the one without a number last.
std::vector<PluginFile> plugin_files(const std::string& name, const std::vector<std::filesystem::path>& folders);

// Opens AMD's runtime of this name, once for the whole process: from where the system's loader looks, then from the
// folders below. Empty when it is open, else why not, without an end mark.
std::string open_runtime(const std::string& runtime);

// The file of a runtime that this process uses; empty where it uses none of this name.
std::filesystem::path opened_runtime(const std::string& runtime);

// The lib folders of kRocmPlaces, below `root` where a place is no variable's; those with a "*" are there, the others
// may be. `variables` gives a variable's value, or null.
using Variables = std::function<const char*(const char* name)>;
std::vector<std::filesystem::path> runtime_folders(const Variables& variables, const std::filesystem::path& root);

}  // namespace splat
