// A bag of named byte blobs: what a checkpoint is made of. train/ fills and reads it, io/checkpoint stores it whole.
// Names are unique; values are trivially copyable types, strings, or arrays of trivially copyable types.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "splat/core/result.h"

namespace splat {

class Archive {
 public:
  std::map<std::string, std::vector<std::byte>> blobs;

  template <class T>
  void put(const std::string& name, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_array(name, std::span<const T>(&value, 1));
  }
  template <class T>
  void put_array(const std::string& name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto bytes = std::as_bytes(values);
    blobs[name].assign(bytes.begin(), bytes.end());
  }
  void put_string(const std::string& name, const std::string& text) {
    put_array(name, std::span<const char>(text.data(), text.size()));
  }

  template <class T>
  Result<T> get(const std::string& name) const {
    SPLAT_ASSIGN_OR_RETURN(auto values, get_array<T>(name));
    if (values.size() != 1) return Error{"the checkpoint's entry '" + name + "' has the wrong size"};
    return values[0];
  }
  template <class T>
  Result<std::vector<T>> get_array(const std::string& name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    auto it = blobs.find(name);
    if (it == blobs.end()) return Error{"the checkpoint lacks the entry '" + name + "'"};
    if (it->second.size() % sizeof(T)) return Error{"the checkpoint's entry '" + name + "' has the wrong size"};
    std::vector<T> values(it->second.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), it->second.data(), it->second.size());
    return values;
  }
  Result<std::string> get_string(const std::string& name) const {
    SPLAT_ASSIGN_OR_RETURN(auto characters, get_array<char>(name));
    return std::string(characters.begin(), characters.end());
  }
};

}  // namespace splat
