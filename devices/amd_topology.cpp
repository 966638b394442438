#include "devices/amd_topology.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "splat/backend/gpu/targets.h"
#include "splat/core/system.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "ROCR_VISIBLE_DEVICES";

std::optional<int> number_of(const fs::path& path) {
  const std::string name = path.filename().string();
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

// Sub-folders whose names are numbers, 2 before 10.
std::vector<int> numbered(const fs::path& folder) {
  std::vector<int> all;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (const std::optional<int> number = number_of(it->path())) all.push_back(*number);
  std::sort(all.begin(), all.end());
  return all;
}

template <class F>
void for_properties(const fs::path& path, F f) {
  std::ifstream file(path);
  std::string name;
  for (uint64_t value = 0; file >> name >> value;) f(name, value);
}

// "gfx90a" of 90010: major, minor and step in decimal, two digits each; the name has the last two in hexadecimal.
std::string architecture_of(uint64_t version) {
  char name[32];
  std::snprintf(name, sizeof name, "gfx%u%x%x", unsigned(version / 10000), unsigned(version / 100 % 100),
                unsigned(version % 100));
  return name;
}

uint64_t own_memory(const fs::path& banks) {
  uint64_t all = 0;
  for (const int bank : numbered(banks)) {
    uint64_t heap = 0, bytes = 0;
    for_properties(banks / std::to_string(bank) / "properties", [&](const std::string& name, uint64_t value) {
      if (name == "heap_type") heap = value;
      if (name == "size_in_bytes") bytes = value;
    });
    if (heap == 1 || heap == 2) all += bytes;  // frame buffer, seen by the processor or not
  }
  return all;
}

}  // namespace

fs::path amd_nodes() {
  if (const char* folder = environment("HIPSPLAT_AMD_NODES"); folder && *folder) return folder;
  return "/sys/class/kfd/kfd/topology/nodes";
}

std::vector<AmdGpu> amd_gpus(const fs::path& nodes) {
  std::vector<AmdGpu> all;
  for (const int node : numbered(nodes)) {
    const fs::path folder = nodes / std::to_string(node);
    uint64_t version = 0, unique_id = 0, cores = 0;
    for_properties(folder / "properties", [&](const std::string& name, uint64_t value) {
      if (name == "gfx_target_version") version = value;
      if (name == "unique_id") unique_id = value;
      if (name == "cpu_cores_count") cores = value;
    });
    if (version == 0) continue;
    const std::string architecture = architecture_of(version);
    all.push_back({node, architecture, own_memory(folder / "mem_banks"), unique_id,
                   cores != 0 || gpu::is_processors_own(architecture)});
  }
  return all;
}

std::vector<AmdGpu> without_code(const std::vector<AmdGpu>& gpus, std::string_view targets) {
  std::vector<AmdGpu> rest;
  for (const AmdGpu& gpu : gpus)
    if (!gpu::has_code_for(targets, gpu.architecture)) rest.push_back(gpu);
  return rest;
}

std::vector<AmdGpu> hide_amd_gpus_without_code(std::string_view targets) {
  for (const char* chosen :
       {"HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "CUDA_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION"})
    if (environment(chosen)) return {};
  const std::vector<AmdGpu> gpus = amd_gpus();
  std::vector<AmdGpu> hidden = without_code(gpus, targets);
  if (hidden.empty() || hidden.size() == gpus.size()) return {};
  std::string visible;
  for (size_t i = 0; i < gpus.size(); ++i)
    if (gpu::has_code_for(targets, gpus[i].architecture)) visible += (visible.empty() ? "" : ",") + std::to_string(i);
  // Already set: by an earlier call, or by the user.
  const char* const set = environment(kVariable);
  if (set && visible != set) return {};
  if (!set) setenv(kVariable, visible.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): see the header
  return hidden;
}

}  // namespace splat
