// PLY files put together from their description, not with our code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "splat/core/random.h"
#include "splat/model/gaussians.h"

namespace io::test {

enum class Encoding { kAscii, kLittleEndian, kBigEndian };

struct GoldenPly {
  Encoding encoding = Encoding::kLittleEndian;
  std::string line_end = "\n";
  std::vector<std::string> before;      // header lines before the vertex element
  std::vector<std::string> types{};     // of each property; empty: all float
  std::vector<std::string> properties;  // of the vertex element
  std::vector<std::vector<double>> rows;
  std::vector<std::string> after{};  // header lines after the properties
  std::string data_before{}, data_after{};

  std::string type(size_t i) const { return types.empty() ? "float" : types[i]; }

  std::string header() const {
    const char* format = encoding == Encoding::kAscii          ? "ascii"
                         : encoding == Encoding::kLittleEndian ? "binary_little_endian"
                                                               : "binary_big_endian";
    std::string text = "ply" + line_end + "format " + format + " 1.0" + line_end;
    for (const std::string& line : before) text += line + line_end;
    text += "element vertex " + std::to_string(rows.size()) + line_end;
    for (size_t i = 0; i < properties.size(); ++i) text += "property " + type(i) + " " + properties[i] + line_end;
    for (const std::string& line : after) text += line + line_end;
    return text + "end_header" + line_end;
  }
  std::string bytes() const {
    std::string result = header() + data_before;
    for (const std::vector<double>& row : rows) {
      for (size_t i = 0; i < row.size(); ++i)
        result += encoding == Encoding::kAscii ? text_of(row[i], i + 1 == row.size()) : bytes_of(row[i], type(i));
    }
    return result + data_after;
  }

 private:
  std::string text_of(double value, bool last) const {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text + (last ? line_end : std::string(" "));
  }
  std::string bytes_of(double value, const std::string& type) const {
    if (type == "float" || type == "float32") return raw(float(value));
    if (type == "double") return raw(value);
    if (type == "uchar" || type == "uint8") return raw(uint8_t(value));
    if (type == "char") return raw(int8_t(value));
    if (type == "ushort") return raw(uint16_t(value));
    if (type == "short") return raw(int16_t(value));
    if (type == "uint") return raw(uint32_t(value));
    return raw(int32_t(value));
  }
  template <class T>
  std::string raw(T value) const {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (encoding == Encoding::kBigEndian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
};

// INRIA's properties of one SH degree, in INRIA's order.
inline std::vector<std::string> inria_properties(int degree) {
  std::vector<std::string> names{"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"};
  for (int i = 0; i < 3 * (splat::sh_coefficients(degree) - 1); ++i) names.push_back("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
    names.push_back(name);
  return names;
}

// A file whose value of property p in row r is value(r, p).
template <class Value>
GoldenPly golden_splats(int degree, size_t rows, Value&& value) {
  GoldenPly ply;
  ply.properties = inria_properties(degree);
  for (size_t r = 0; r < rows; ++r) {
    ply.rows.emplace_back();
    for (size_t p = 0; p < ply.properties.size(); ++p) ply.rows.back().push_back(value(r, p));
  }
  return ply;
}
inline GoldenPly golden_splats(int degree, size_t rows) {  // exact in float, different everywhere
  return golden_splats(degree, rows, [](size_t r, size_t p) { return double(r) * 100 + double(p) + 0.25; });
}

inline splat::Gaussians random_model(size_t rows, int degree, uint64_t seed) {
  splat::Gaussians model;
  model.sh_degree = degree;
  model.resize(rows);
  splat::random::Sequence values(seed, splat::random::kTest);
  for (std::vector<float>* group : {&model.means, &model.log_scales, &model.quats, &model.logit_opacities, &model.sh})
    for (float& value : *group) value = values.normal();
  return model;
}

}  // namespace io::test
