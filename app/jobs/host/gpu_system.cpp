#include "app/jobs/host/gpu_system.h"
#include "splat/core/system.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAmdVendor = "0x1002";
constexpr const char* kNvidiaVendor = "0x10de";

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) all.push_back(it->path());
  std::sort(all.begin(), all.end());
  return all;
}

std::string first_word(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// Does the system's list of the group's members name this user? A session begun before that does not have it yet.
bool lists_this_user(const group& owner) {
  const passwd* user = getpwuid(geteuid());  // NOLINT(concurrency-mt-unsafe): one thread
  for (char** member = owner.gr_mem; user && *member; ++member)
    if (std::strcmp(*member, user->pw_name) == 0) return true;
  return false;
}

// What to do about a device file that belongs to this group.
std::string cure_of_access(const fs::path& path, gid_t number) {
  const group* owner = getgrgid(number);  // NOLINT(concurrency-mt-unsafe): one thread
  if (!owner)
    return fmt::format("in a container: docker run --group-add {}; elsewhere ask an administrator for access", number);
  const std::string name = owner->gr_name;
  if (name == "root")
    return fmt::format(
        "sudo chgrp render {0} && sudo chmod g+rw {0}, then sudo usermod -aG render,video $USER, and log in "
        "again; the udev rules of the driver's packages do the first for good",
        path.string());
  if (lists_this_user(*owner)) return fmt::format("log out and in again: you are in the group '{}' from then on", name);
  return fmt::format("sudo usermod -aG {} $USER, then log in again",
                     name == "render" || name == "video" ? "render,video" : name);
}

Check access_check(const std::string& name, const fs::path& path) {
  Check check{name, access(path.c_str(), R_OK | W_OK) == 0, path.string() + " is there and may be opened", ""};
  if (check.ok) return check;
  struct stat status = {};
  (void)stat(path.c_str(), &status);
  const group* owner = getgrgid(status.st_gid);  // NOLINT(concurrency-mt-unsafe): one thread
  check.detail = fmt::format("{} may not be opened by this user: it belongs to the group {}", path.string(),
                             owner ? "'" + std::string(owner->gr_name) + "'" : std::to_string(status.st_gid));
  check.cure = cure_of_access(path, status.st_gid);
  return check;
}

Check kfd_check(const GpuSystem& system, const VisibleGpus& gpus) {
  std::error_code code;
  if (!fs::exists(system.kfd, code))
    return {"amd driver", false, fmt::format("an AMD GPU is there, but {} is not", system.kfd.string()),
            "load the amdgpu kernel driver; in a container: docker run --device=/dev/kfd --device=/dev/dri"};
  Check check = access_check("amd driver", system.kfd);
  if (!gpus.architectures.empty()) check.detail += fmt::format("; {}", fmt::join(gpus.architectures, ", "));
  return check;
}

Check render_node_check(const GpuSystem& system) {
  for (const fs::path& node : entries(system.dri))
    if (node.filename().string().starts_with("renderD")) return access_check("render node", node);
  return {"render node", false, fmt::format("{}/renderD* is not there", system.dri.string()),
          "load the amdgpu kernel driver; in a container: docker run --device=/dev/kfd --device=/dev/dri"};
}

}  // namespace

VisibleGpus visible_gpus(const GpuSystem& system) {
  VisibleGpus gpus;
  for (const fs::path& card : entries(system.cards)) {
    const std::string vendor = first_word(card / "device" / "vendor");
    gpus.amd |= vendor == kAmdVendor;
    gpus.nvidia |= vendor == kNvidiaVendor;
  }
  for (const splat::AmdGpu& gpu : splat::amd_gpus(system.topology)) gpus.architectures.push_back(gpu.architecture);
  std::error_code code;
  gpus.amd |= fs::exists(system.kfd, code) || !gpus.architectures.empty();
  gpus.nvidia |= fs::exists(system.nvidia, code);
  return gpus;
}

Checks driver_checks(const GpuSystem& system) {
  const VisibleGpus gpus = visible_gpus(system);
  if (!gpus.amd) return {};
  return {kfd_check(system, gpus), render_node_check(system)};
}

std::string driver_advice(const GpuSystem& system) {
  for (const Check& check : driver_checks(system))
    if (!check.ok) return fmt::format("; {}: {}", check.detail, check.cure);
  return "";
}

Check variables_check() {
  Check check{"variables", true, "", ""};
  std::vector<std::string> set;
  for (const char* name : {"HSA_OVERRIDE_GFX_VERSION", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                           "CUDA_VISIBLE_DEVICES", "HIPSPLAT_PLUGINS", "ROCM_PATH", "ROCM_HOME", "HIP_PATH"})
    if (const char* value = splat::environment(name)) {
      set.push_back(fmt::format("{}={}", name, value));
      const std::string text = value;
      const bool hides_all = std::string(name).ends_with("VISIBLE_DEVICES") && (text.empty() || text == "-1");
      const bool overrides = std::string(name) == "HSA_OVERRIDE_GFX_VERSION";
      if (hides_all) check.cure = fmt::format("unset {}: it hides every device", name);
      if (overrides && check.cure.empty())
        check.cure =
            "it makes the GPU run another one's code: fine where the 'render' check of the device says ok, else "
            "unset HSA_OVERRIDE_GFX_VERSION";
      check.ok &= !hides_all && !overrides;
    }
  check.detail = set.empty() ? "none that hides or renames a GPU is set" : fmt::format("{}", fmt::join(set, ", "));
  return check;
}

}  // namespace app
