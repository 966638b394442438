// Machines as AMD's kernel driver lists them below /sys/class/kfd/kfd/topology/nodes: the properties that matter, with
// the values that such machines show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace splat::test {

struct AmdNode {
  int cores = 0, simds = 0;
  int version = 0;         // gfx_target_version
  uint64_t unique_id = 0;  // of the chip
  uint64_t bytes = 0;      // of its own memory
};

class AmdMachine {
 public:
  explicit AmdMachine(const std::vector<AmdNode>& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      const AmdNode& node = nodes[i];
      const std::string folder = "nodes/" + std::to_string(i);
      folder_.write(folder + "/properties",
                    "cpu_cores_count " + std::to_string(node.cores) + "\nsimd_count " + std::to_string(node.simds) +
                        "\nmem_banks_count 1\ngfx_target_version " + std::to_string(node.version) + "\nvendor_id " +
                        (node.version ? "4098" : "0") + "\nunique_id " + std::to_string(node.unique_id) + "\n");
      // Heap types: 0 the host's memory, 1 the GPU's.
      folder_.write(folder + "/mem_banks/0/properties", std::string("heap_type ") + (node.version ? "1" : "0") +
                                                            "\nsize_in_bytes " + std::to_string(node.bytes) + "\n");
    }
  }
  std::filesystem::path nodes() const { return folder_.path() / "nodes"; }

 private:
  TempFolder folder_;
};

// Ryzen 7000 with an RX 7900 XTX: the processor's own GPU is listed after the card.
inline std::vector<AmdNode> desktop() {
  return {{16, 0, 0, 0, 33000000000}, {0, 192, 110000, 0x6c5b4a39281706f5, 25753026560}, {0, 4, 100306, 0, 536870912}};
}
inline std::vector<AmdNode> processors_gpu_alone() {  // Strix Halo
  return {{32, 0, 0, 0, 64000000000}, {0, 80, 110501, 0, 4294967296}};
}
inline std::vector<AmdNode> two_cards() {
  return {{32, 0, 0, 0, 64000000000},
          {0, 160, 100300, 0x1111111111111111, 17163091968},
          {0, 128, 120001, 0x2222222222222222, 17095983104}};
}
// Two sockets, two MI300X, each cut into eight.
inline std::vector<AmdNode> mi300_in_partitions() {
  std::vector<AmdNode> nodes{{96, 0, 0, 0, 800000000000}, {96, 0, 0, 0, 800000000000}};
  for (uint64_t chip : {0xaaaaaaaaaaaaaaaau, 0xbbbbbbbbbbbbbbbbu})
    for (int part = 0; part < 8; ++part) nodes.push_back({0, 152, 90402, chip, 206141652992});
  return nodes;
}
inline std::vector<AmdNode> processor_alone() { return {{16, 0, 0, 0, 33000000000}}; }

}  // namespace splat::test
