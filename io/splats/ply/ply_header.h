// The header of a PLY file, whatever the file holds (Turk 1994, "The PLY polygon file format").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace io {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };
enum class PlyScalar { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };
size_t bytes_of(PlyScalar type);

struct PlyProperty {
  std::string name;
  PlyScalar type = PlyScalar::kFloat32;
  bool list = false;
  PlyScalar count_type = PlyScalar::kUint8;  // of a list
  size_t offset = 0;  // bytes from the row's start, in a binary file and an element without lists
};

struct PlyElement {
  std::string name;
  uint64_t count = 0;
  std::vector<PlyProperty> properties;
  size_t row_bytes = 0;  // in a binary file, without lists

  int find(std::string_view property) const;  // index, or -1
  const PlyProperty* first_list() const;      // null: none
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kLittleEndian;
  std::vector<PlyElement> elements;
  std::vector<std::string> comments;
  size_t bytes = 0;  // where the data start
  size_t lines = 0;  // of the header

  const PlyElement* find(std::string_view element) const;  // null: none
};

inline constexpr size_t kMaxPlyHeaderBytes = size_t(1) << 20;

// `start` is the beginning of the file, kMaxPlyHeaderBytes of it or all. Errors name the line. Element counts are not
// checked here against the file's size.
splat::Result<PlyHeader> parse_ply_header(std::string_view start, const std::string& name);

}  // namespace io
