#include "splat/backend/distribution.h"

#include <fstream>

namespace splat {

Distribution Distribution::of(const std::filesystem::path& os_release) {
  Distribution distribution;
  std::ifstream file(os_release);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("ID=") && !line.starts_with("ID_LIKE=")) continue;
    const auto names = [&line](const char* name) { return line.find(name) != std::string::npos; };
    if (names("debian") || names("ubuntu")) distribution.kind_ = Kind::kDebian;
    if (names("fedora")) distribution.kind_ = Kind::kFedora;
    if (names("arch")) distribution.kind_ = Kind::kArch;
  }
  return distribution;
}

std::string Distribution::install_hip_runtime(int major) const {
  switch (kind_) {
    case Kind::kDebian:
      return "sudo apt install libamdhip64-" + std::to_string(major);
    case Kind::kFedora:
      return "sudo dnf install rocm-hip";
    case Kind::kArch:
      return "sudo pacman -S hip-runtime-amd";
    default:
      return "Fedora: sudo dnf install rocm-hip, Arch: sudo pacman -S hip-runtime-amd, Debian and Ubuntu: sudo apt "
             "install "
             "libamdhip64-" +
             std::to_string(major);
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
