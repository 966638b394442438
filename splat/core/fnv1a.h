// FNV-1a with 64 bits (Fowler, Noll and Vo): names of files and stamps that are the same in every run. Anybody can make
// two inputs with the same value. Cost: O(bytes).
#pragma once

#include <cstdint>
#include <string_view>

namespace splat {

class Fnv1a {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ uint8_t(byte)) * 0x100000001B3u;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xCBF29CE484222325u;
};

inline uint64_t fnv1a(std::string_view bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace splat
