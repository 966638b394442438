// How the packages of AMD's HIP are called, and installed, on this Linux distribution.
#pragma once

#include <filesystem>
#include <string>

namespace splat {

class Distribution {
 public:
  // From ID and ID_LIKE of os-release(5).
  static Distribution of(const std::filesystem::path& os_release = "/etc/os-release");
  // "sudo apt install libamdhip64-5": the runtime, of this major version (the number in libamdhip64.so.5).
  std::string install_hip_runtime(int major) const;
  // "sudo apt install hipcc librocprim-dev": what the plugin is compiled with.
  std::string install_hip_compiler() const;

 private:
  enum class Kind { kDebian, kFedora, kArch, kOther };
  Kind kind_ = Kind::kOther;
};

}  // namespace splat
