#include "devices/distribution.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace splat {
namespace {

// Which runtime each release has: libamdhip64-5, -6 or -7; 0: none. docs/gpu.md says when that was looked up.
const std::map<std::string, int>& runtimes_of_releases() {
  static const std::map<std::string, int> runtimes{{"bookworm", 5}, {"trixie", 5}, {"forky", 6},    {"jammy", 0},
                                                   {"noble", 5},    {"plucky", 5}, {"questing", 5}, {"resolute", 7}};
  return runtimes;
}

// trixie of "VERSION_CODENAME=trixie"; what a derived system calls itself is not in the table, what it is made of is.
std::string codename(const std::string& line) {
  for (const std::string key : {"VERSION_CODENAME=", "UBUNTU_CODENAME=", "DEBIAN_CODENAME="})
    if (line.starts_with(key)) {
      std::string name = line.substr(key.size());
      std::erase(name, '"');
      return name;
    }
  return "";
}

// "A-7 or A-6".
std::string alternatives(const std::string& before, const std::vector<int>& majors) {
  std::string text;
  for (const int major : majors) text += (text.empty() ? "" : " or ") + before + std::to_string(major);
  return text;
}

// Releases of ROCm: 7 and 10 have the runtime of version 7.
std::vector<int> releases(const std::vector<int>& majors) {
  std::vector<int> all = majors;
  if (const auto seven = std::find(all.begin(), all.end(), 7); seven != all.end()) all.insert(seven, 10);
  return all;
}

std::string debian_runtime(const std::vector<int>& majors, const std::optional<int>& packaged) {
  const std::string install = "sudo apt install ", package = "libamdhip64-";
  if (!packaged) return alternatives(install + package, majors);
  const std::string there = package + std::to_string(*packaged);
  if (std::find(majors.begin(), majors.end(), *packaged) != majors.end()) return install + there;
  return "from AMD's own packages of ROCm " + alternatives("", releases(majors)) + "; this release has " +
         (*packaged == 0 ? "none" : "only " + there);
}

}  // namespace

Distribution Distribution::of(const std::filesystem::path& os_release) {
  Distribution distribution;
  std::ifstream file(os_release);
  for (std::string line; std::getline(file, line);) {
    if (const auto known = runtimes_of_releases().find(codename(line)); known != runtimes_of_releases().end())
      distribution.runtime_ = known->second;
    if (!line.starts_with("ID=") && !line.starts_with("ID_LIKE=")) continue;
    const auto names = [&line](const char* name) { return line.find(name) != std::string::npos; };
    if (names("debian") || names("ubuntu")) distribution.kind_ = Kind::kDebian;
    if (names("fedora")) distribution.kind_ = Kind::kFedora;
    if (names("arch")) distribution.kind_ = Kind::kArch;
  }
  return distribution;
}

std::string Distribution::install_hip_runtime(const std::vector<int>& majors) const {
  switch (kind_) {
    case Kind::kDebian:
      return debian_runtime(majors, runtime_);
    case Kind::kFedora:
      return "sudo dnf install rocm-hip";
    case Kind::kArch:
      return "sudo pacman -S hip-runtime-amd";
    default:
      return "Fedora: sudo dnf install rocm-hip, Arch: sudo pacman -S hip-runtime-amd, Debian and Ubuntu: " +
             debian_runtime(majors, {});
  }
}

std::string Distribution::install_hip_compiler() const {
  switch (kind_) {
    case Kind::kDebian:
      return "sudo apt install hipcc librocprim-dev";
    case Kind::kFedora:
      return "sudo dnf install hipcc rocm-hip-devel rocprim-devel";
    case Kind::kArch:
      return "sudo pacman -S hip-runtime-amd rocprim";
    default:
      return "Fedora: sudo dnf install hipcc rocm-hip-devel rocprim-devel, Arch: sudo pacman -S hip-runtime-amd "
             "rocprim, "
             "Debian and Ubuntu: sudo apt install hipcc librocprim-dev";
  }
}

}  // namespace splat
