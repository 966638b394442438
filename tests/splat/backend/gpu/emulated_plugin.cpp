// The emulated device as a plugin: the whole path from --backend to the kernels runs without a GPU. The variable
// HIPSPLAT_EMULATOR sets what the device is like: "wave=64 memory=100000000 devices=2 architecture=gfx9
// lost_after=500 full_after=60 aborts_after=0 hangs_after=0".
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/support/hip_emulator/hip_emulator.h"

namespace {

void set_up(const std::string& name, const std::string& value) {
  hip_emulator::Device& device = hip_emulator::device();
  if (name == "wave") device.wave_size = unsigned(std::stoul(value));
  if (name == "memory") device.memory_limit = std::stoull(value);
  if (name == "reported") device.reported_memory = std::stoull(value);
  if (name == "devices") device.count = std::stoi(value);
  if (name == "integrated") device.integrated = value == "1";
  if (name == "beside") device.beside = value;
  if (name == "version") device.version = std::stoi(value);
  if (name == "architecture") device.architecture = value;
  if (name == "full_after") device.full_after_allocations = std::stoull(value);
  if (name == "aborts_after") device.aborts_after_launches = std::stoull(value);
  if (name == "hangs_after") device.hangs_after_launches = std::stoull(value);
  if (name == "lost_after") device.lost_after_launches = std::stoull(value);
}

[[gnu::constructor]] void read_variable() {
  const char* text = std::getenv("HIPSPLAT_EMULATOR");
  std::istringstream words(text ? text : "");
  for (std::string word; words >> word;) {
    const size_t equal = word.find('=');
    if (equal != std::string::npos) set_up(word.substr(0, equal), word.substr(equal + 1));
  }
}

}  // namespace
