// How the packages of AMD's HIP are called, and installed, on this Linux distribution.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace splat {

class Distribution {
 public:
  // From ID, ID_LIKE and the release's codename in os-release(5).
  static Distribution of(const std::filesystem::path& os_release = "/etc/os-release");
  // "sudo apt install libamdhip64-5": the runtime, of one of these major versions (the number in libamdhip64.so.5). A
  // package is named only where the release has it, as far as that is known here.
  std::string install_hip_runtime(const std::vector<int>& majors) const;
  // "sudo apt install hipcc librocprim-dev": what the plugin is compiled with.
  std::string install_hip_compiler() const;

 private:
  enum class Kind { kDebian, kFedora, kArch, kOther };
  Kind kind_ = Kind::kOther;
  std::optional<int> runtime_;  // the major version that this release of Debian or Ubuntu packages, 0: none
};

}  // namespace splat
