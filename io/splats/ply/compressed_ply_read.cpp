#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/codec.h"
#include "io/splats/ply/compressed_ply.h"
#include "io/splats/ply/ply_header.h"
#include "io/splats/ply/ply_rows.h"
#include "io/splats/ply/ply_splat.h"
#include "io/text.h"
#include "splat/core/memory_guard.h"

namespace io {

namespace {

// The bounds of a chunk in the order of the file: minimum xyz, maximum xyz, of position, log scale and colour.
constexpr std::array<const char*, 18> kBoundNames{
    "min_x",       "min_y",       "min_z",       "max_x", "max_y", "max_z", "min_scale_x", "min_scale_y", "min_scale_z",
    "max_scale_x", "max_scale_y", "max_scale_z", "min_r", "min_g", "min_b", "max_r",       "max_g",       "max_b"};
constexpr std::array<const char*, 4> kPackedNames{"packed_position", "packed_rotation", "packed_scale", "packed_color"};
using Bounds = std::array<float, 18>;

Error lacks(const ByteStream& stream, const PlyElement& element, const std::string& what) {
  return Error{"'" + stream.name() + "' is no usable compressed PLY: its element '" + element.name + "' lacks " + what};
}

// The bounds of every chunk. Older files have none for the colour, which then spans 0..1.
Result<std::vector<Bounds>> read_chunks(PlyRows& rows, const PlyElement& element, const ByteStream& stream) {
  const size_t present = element.find(kBoundNames[12]) < 0 ? 12 : 18;
  std::array<int, 18> property{};
  for (size_t i = 0; i < present; ++i) {
    property[i] = element.find(kBoundNames[i]);
    if (property[i] < 0) return lacks(stream, element, std::string("the property '") + kBoundNames[i] + "'");
  }
  SPLAT_TRY(rows.seek(element));
  std::vector<Bounds> chunks(size_t(element.count), Bounds{});
  for (Bounds& chunk : chunks) std::fill(chunk.begin() + 15, chunk.end(), 1.0f);
  std::vector<PlyColumn> columns;
  for (size_t i = 0; i < present && !chunks.empty(); ++i)
    columns.push_back({property[i], chunks.front().data() + i, std::tuple_size_v<Bounds>});
  SPLAT_TRY(rows.read(element, columns));
  return chunks;
}

float between(float low, float high, uint32_t steps, uint32_t top) {
  return low + (high - low) * (float(steps) / float(top));
}

struct Packed {
  uint32_t position, rotation, scale, colour;
};

void decode(const Packed& packed, const Bounds& bounds, Gaussians& model, size_t row) {
  constexpr std::array<uint32_t, 3> kShift{21, 11, 0}, kTop{2047, 1023, 2047};
  float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
  for (size_t i = 0; i < 3; ++i) {
    const auto steps = [&](uint32_t word) { return (word >> kShift[i]) & kTop[i]; };
    model.means[3 * row + i] = between(bounds[i], bounds[3 + i], steps(packed.position), kTop[i]);
    model.log_scales[3 * row + i] = between(bounds[6 + i], bounds[9 + i], steps(packed.scale), kTop[i]);
    const float colour = between(bounds[12 + i], bounds[15 + i], (packed.colour >> (24 - 8 * i)) & 255u, 255);
    sh[i] = (colour - 0.5f) / kSh0;
  }
  model.logit_opacities[row] = logit_of_byte(uint8_t(packed.colour & 255u));

  const size_t largest = packed.rotation >> 30;
  std::array<float, 3> rest{};
  for (size_t i = 0; i < 3; ++i)
    rest[i] = (float((packed.rotation >> (20 - 10 * i)) & 1023u) / 1023.0f - 0.5f) * (2 * kSqrtHalf);
  float* quat = model.quats.data() + 4 * row;
  for (size_t i = 0, next = 0; i < 4; ++i)
    quat[i] = i == largest ? missing_component(rest[0], rest[1], rest[2]) : rest[next++];
}

Status read_vertices(PlyRows& rows, const PlyElement& element, const std::vector<Bounds>& chunks, Gaussians& model) {
  std::array<size_t, 4> offset{};
  for (size_t i = 0; i < 4; ++i) offset[i] = element.properties[size_t(element.find(kPackedNames[i]))].offset;
  return rows.read_blocks(element, [&](const char* bytes, size_t first, size_t count) {
    for (size_t r = 0; r < count; ++r, bytes += element.row_bytes) {
      const auto word = [&](size_t i) { return load<uint32_t>(bytes + offset[i]); };
      decode({word(0), word(1), word(2), word(3)}, chunks[(first + r) / kCompressedChunk], model, first + r);
    }
  });
}

float sh_of_byte(uint8_t byte) {
  const float unit = byte == 0 ? 0.0f : byte == 255 ? 1.0f : (float(byte) + 0.5f) / 256.0f;
  return (unit - 0.5f) * 8.0f;
}

Status read_harmonics(PlyRows& rows, const PlyElement& element, size_t per_channel, Gaussians& model) {
  std::vector<size_t> offset;  // of coefficient k of channel c, as [k,c]
  const size_t coefficients = size_t(model.coefficients());
  for (size_t k = 0; k + 1 < coefficients; ++k)
    for (size_t c = 0; c < 3; ++c)
      offset.push_back(
          element.properties[size_t(element.find("f_rest_" + std::to_string(c * per_channel + k)))].offset);
  SPLAT_TRY(rows.seek(element));
  return rows.read_blocks(element, [&](const char* bytes, size_t first, size_t count) {
    for (size_t r = 0; r < count; ++r, bytes += element.row_bytes) {
      float* sh = model.sh.data() + (first + r) * coefficients * 3 + 3;
      for (size_t i = 0; i < offset.size(); ++i) sh[i] = sh_of_byte(uint8_t(bytes[offset[i]]));
    }
  });
}

std::vector<std::string> passed_over(const PlyHeader& header, const PlyElement& vertex) {
  std::vector<std::string> names;
  for (const PlyProperty& property : vertex.properties)
    if (std::find(kPackedNames.begin(), kPackedNames.end(), property.name) == kPackedNames.end())
      names.push_back(property.name);
  for (const PlyElement& element : header.elements)
    if (element.name != "chunk" && element.name != "vertex" && element.name != "sh" && element.count > 0)
      names.push_back("the element " + in_quotes(element.name));
  return names;
}

// The layout that decoding relies on; the number of rows comes later, from seek().
Status check_layout(const PlyHeader& header, const ByteStream& stream) {
  if (header.encoding != PlyEncoding::kLittleEndian)
    return Error{"'" + stream.name() + "' is a compressed PLY that is not binary_little_endian, which nothing writes"};
  const PlyElement &chunk = *header.find("chunk"), &vertex = *header.find("vertex");
  for (const char* name : kPackedNames) {
    const int found = vertex.find(name);
    if (found < 0) return lacks(stream, vertex, std::string("the property '") + name + "'");
    if (bytes_of(vertex.properties[size_t(found)].type) != 4 || vertex.properties[size_t(found)].list)
      return lacks(stream, vertex, std::string("a property '") + name + "' of type uint");
  }
  if (chunk.count < vertex.count / kCompressedChunk + (vertex.count % kCompressedChunk != 0))
    return Error{"'" + stream.name() + "' is no usable compressed PLY: " + std::to_string(chunk.count) +
                 " chunks of 256 cannot hold its " + std::to_string(vertex.count) + " splats"};
  const PlyElement* sh = header.find("sh");
  if (!sh) return {};
  if (sh->count != vertex.count)
    return Error{"'" + stream.name() + "' is no usable compressed PLY: it has " + std::to_string(vertex.count) +
                 " splats, but spherical harmonics for " + std::to_string(sh->count)};
  for (const PlyProperty& property : sh->properties)
    if (property.list || bytes_of(property.type) != 1) return lacks(stream, *sh, "properties of type uchar alone");
  return {};
}

}  // namespace

Result<SplatFile> read_compressed_ply(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(kMaxPlyHeaderBytes));
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, parse_ply_header(start, stream.name()));
  const PlyElement *chunk = header.find("chunk"), *vertex = header.find("vertex"), *sh = header.find("sh");
  if (!chunk || !vertex)
    return Error{"'" + stream.name() + "' is no compressed PLY: it lacks the elements 'chunk' and 'vertex'"};
  SPLAT_TRY(check_layout(header, stream));
  RestProperties rest;
  if (sh) {
    SPLAT_ASSIGN_OR_RETURN(rest, find_rest(*sh, stream.name()));
  }

  PlyRows rows(stream, header);
  SPLAT_ASSIGN_OR_RETURN(const std::vector<Bounds> chunks, read_chunks(rows, *chunk, stream));
  SPLAT_TRY(rows.seek(*vertex));
  SplatFile file;
  file.kind = SplatFormat::kCompressedPly;
  file.format = "compressed PLY";
  file.stored_sh_degree = rest.degree;
  file.unread = passed_over(header, *vertex);
  Gaussians& model = file.gaussians;
  model.sh_degree = std::min(rest.degree, splat::kMaxShDegree);
  splat::MemoryGuard::ask_for_model(size_t(vertex->count), model.sh_degree);
  model.resize(size_t(vertex->count));
  SPLAT_TRY(read_vertices(rows, *vertex, chunks, model));
  if (model.sh_degree > 0) SPLAT_TRY(read_harmonics(rows, *sh, rest.per_channel, model));
  SPLAT_ASSIGN_OR_RETURN(const std::string end_warning, rows.check_end(model.sh_degree > 0 ? *sh : *vertex));
  if (!end_warning.empty()) file.warnings.push_back(end_warning);

  note_reduced_degree(file);
  read_ply_comments(header.comments, file);
  check_splats(file);
  return file;
}

}  // namespace io
