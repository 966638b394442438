#include "io/splats/gltf/gltf_document.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <type_traits>

#include <meshoptimizer.h>

#include "io/bytes.h"
#include "io/json.h"
#include "io/names.h"
#include "io/text.h"
#include "splat/core/percent_encoding.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uint64_t kMaxJsonBytes = uint64_t(64) << 20;
constexpr uint32_t kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;  // "JSON", "BIN\0"
constexpr size_t kHeaderBytes = 12, kChunkHeaderBytes = 8;
constexpr size_t kBlockBytes = size_t(1) << 20;
constexpr uint64_t kBad = ~uint64_t(0);
constexpr uint64_t kMostUnpacked = 256;  // times the bytes of a meshopt stream, which has 2 bits of a value at least

// Base64 (RFC 4648); nullopt for anything else.
std::optional<std::string> from_base64(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
  };
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const int value = digit(c);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | uint32_t(value);
    if ((have += 6) < 8) continue;
    have -= 8;
    bytes.push_back(char(bits >> have & 0xff));
  }
  return bytes;
}

size_t bytes_of(GltfComponent type) {
  switch (type) {
    case GltfComponent::kInt8:
    case GltfComponent::kUint8:
      return 1;
    case GltfComponent::kInt16:
    case GltfComponent::kUint16:
      return 2;
    case GltfComponent::kUint32:
    case GltfComponent::kFloat:
      return 4;
  }
  return 0;
}

int components_of(const json& type) {
  constexpr std::array<std::pair<const char*, int>, 4> kTypes{{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}}};
  for (const auto& [name, components] : kTypes)
    if (type == name) return components;
  return 0;
}

template <class T>
void convert(const char* from, size_t count, size_t from_stride, int components, float scale, float lowest, float* to,
             size_t to_stride) {
  for (size_t i = 0; i < count; ++i)
    for (int c = 0; c < components; ++c) {
      const T value = load<T>(from + i * from_stride + size_t(c) * sizeof(T));
      to[i * to_stride + size_t(c)] = std::max(float(value) * scale, lowest);
    }
}

void copy_floats(const char* from, size_t count, size_t from_stride, int components, float* to, size_t to_stride) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, size_t(components) * sizeof(float));
}

void convert(const GltfAccessor& a, const char* from, size_t count, float* to, size_t to_stride) {
  const auto as = [&](auto zero, float largest) {
    const float lowest =
        std::is_signed_v<decltype(zero)> && a.normalized ? -1.0f : std::numeric_limits<float>::lowest();
    convert<decltype(zero)>(from, count, a.stride, a.components, a.normalized ? 1 / largest : 1, lowest, to, to_stride);
  };
  switch (a.type) {
    case GltfComponent::kInt8:
      return as(int8_t(0), 127);
    case GltfComponent::kUint8:
      return as(uint8_t(0), 255);
    case GltfComponent::kInt16:
      return as(int16_t(0), 32767);
    case GltfComponent::kUint16:
      return as(uint16_t(0), 65535);
    case GltfComponent::kUint32:
      return as(uint32_t(0), 4294967295.0f);
    case GltfComponent::kFloat:
      return copy_floats(from, count, a.stride, a.components, to, to_stride);
  }
}

}  // namespace

namespace {

// What EXT_meshopt_compression, or its name to come, says of a buffer or a buffer view.
const json* meshopt_of(const json& object) {
  const auto extensions = object.is_object() ? object.find("extensions") : object.end();
  if (extensions == object.end() || !extensions->is_object()) return nullptr;
  for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
    if (const auto found = extensions->find(name); found != extensions->end() && found->is_object()) return &*found;
  return nullptr;
}

const unsigned char* start_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

// What its filters have made of attributes becomes numbers. False: it is none of the three.
bool apply_filter(const json& filter, size_t count, size_t stride, std::string& attributes) {
  if (filter == "OCTAHEDRAL" && (stride == 4 || stride == 8))
    meshopt_decodeFilterOct(attributes.data(), count, stride);
  else if (filter == "QUATERNION" && stride == 8)
    meshopt_decodeFilterQuat(attributes.data(), count, stride);
  else if (filter == "EXPONENTIAL")
    meshopt_decodeFilterExp(attributes.data(), count, stride);
  else
    return filter.is_null() || filter == "NONE";
  return true;
}

// As many corners of triangles as `indices` has room for, of 2 or 4 bytes each.
bool decode_indices(const json& mode, std::string_view packed, size_t bytes_each, std::string& indices) {
  const size_t count = indices.size() / bytes_each;
  if (mode == "TRIANGLES" && count % 3 == 0)
    return meshopt_decodeIndexBuffer(indices.data(), count, bytes_each, start_of(packed), packed.size()) == 0;
  return mode == "INDICES" &&
         meshopt_decodeIndexSequence(indices.data(), count, bytes_each, start_of(packed), packed.size()) == 0;
}

}  // namespace

std::optional<uint64_t> whole_number(const json& object, const char* key, uint64_t fallback) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (!found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}

const ByteStream& GltfDocument::Buffer::source(std::optional<ByteStream>& memory) const {
  if (stream) return *stream;
  if (file) return *file;
  memory.emplace(std::string_view(owned), std::string());
  return *memory;
}

// The JSON chunk of a .glb, and where its binary chunk lies; or all of a .gltf.
Result<std::string_view> GltfDocument::read_json_text(ByteStream& stream, Buffer& binary) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(kHeaderBytes + kChunkHeaderBytes));
  if (!start.starts_with("glTF")) {
    if (stream.size() > kMaxJsonBytes * 16) return error("is too large for a .gltf file; use .glb");
    return stream.peek(size_t(stream.remaining()));
  }
  SPLAT_TRY(stream.peek_header(kHeaderBytes + kChunkHeaderBytes));
  if (const uint32_t version = load<uint32_t>(start.data() + 4); version != 2)
    return error("is glTF version " + std::to_string(version) + "; hipsplat reads version 2");
  const uint64_t json_bytes = load<uint32_t>(start.data() + kHeaderBytes), data = kHeaderBytes + kChunkHeaderBytes;
  if (load<uint32_t>(start.data() + kHeaderBytes + 4) != kJsonChunk)
    return error("does not begin with a JSON chunk (corrupt)");
  if (json_bytes > stream.size() - data) return error("ends inside its JSON chunk (truncated or corrupt)");
  if (json_bytes > kMaxJsonBytes) return error("has a JSON chunk that is absurdly large");
  const uint64_t next = data + json_bytes;
  if (stream.size() - next >= kChunkHeaderBytes) {
    std::vector<char> scratch;
    SPLAT_ASSIGN_OR_RETURN(const std::string_view header, stream.read_at(next, kChunkHeaderBytes, scratch));
    const uint64_t length = load<uint32_t>(header.data());
    if (load<uint32_t>(header.data() + 4) == kBinaryChunk) {
      binary.stream = &stream;
      binary.begin = next + kChunkHeaderBytes;
      binary.length = std::min(length, stream.size() - binary.begin);
    }
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string_view chunk, stream.peek(size_t(next)));
  return chunk.substr(data);
}

Result<GltfDocument> GltfDocument::open(ByteStream& stream) {
  GltfDocument document;
  document.name_ = stream.name();
  document.watch_ = stream.watch();
  Buffer binary;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view text, document.read_json_text(stream, binary));
  SPLAT_ASSIGN_OR_RETURN(document.json_, parse_json(text, stream.name()));
  SPLAT_TRY(document.open_buffers(binary));
  SPLAT_TRY(document.unpack_meshopt());
  return document;
}

Status GltfDocument::open_buffers(const Buffer& binary) {
  const auto list = json_.is_object() ? json_.find("buffers") : json_.end();
  if (list == json_.end() || !list->is_array()) return {};
  for (const json& item : *list) {
    const bool first = buffers_.empty();
    Buffer& buffer = buffers_.emplace_back();
    const std::optional<uint64_t> length = whole_number(item, "byteLength", 0);
    if (!length) return error("has a buffer without a usable byteLength");
    if (const auto uri = item.find("uri"); uri != item.end()) {
      if (!uri->is_string()) return error("has a buffer whose uri is no text");
      SPLAT_TRY(open_uri(uri->get_ref<const std::string&>(), buffer));
    } else if (first && binary.stream) {
      buffer.stream = binary.stream;
      buffer.begin = binary.begin;
      buffer.length = binary.length;
    }
    if (meshopt_of(item)) continue;  // a placeholder for who does not unpack
    if (*length > buffer.length)
      return error("lacks " + std::to_string(*length - buffer.length) + " of the " + std::to_string(*length) +
                   " bytes of buffer " + std::to_string(buffers_.size() - 1) + " (truncated, or its file is missing)");
    buffer.length = *length;
  }
  return {};
}

// Views packed by meshoptimizer become buffers of their own.
Status GltfDocument::unpack_meshopt() {
  const auto views = json_.is_object() ? json_.find("bufferViews") : json_.end();
  if (views == json_.end() || !views->is_array()) return {};
  for (size_t i = 0; i < views->size(); ++i) {
    json& view = (*views)[i];
    const std::string called = "has a buffer view, number " + std::to_string(i) + ", ";
    const json* packed = meshopt_of(view);
    if (!packed) continue;
    const auto number = [&](const char* key, uint64_t fallback) {
      return whole_number(*packed, key, fallback).value_or(kBad);
    };
    const auto word = [&](const char* key) { return packed->value(key, json()); };
    const uint64_t from = number("buffer", kBad), offset = number("byteOffset", 0), length = number("byteLength", kBad),
                   stride = number("byteStride", kBad), count = number("count", kBad);
    if (from >= buffers_.size() || offset > buffers_[size_t(from)].length ||
        length > buffers_[size_t(from)].length - offset)
      return error(called + "packed by meshoptimizer, that reaches beyond its buffer (truncated or corrupt)");
    if (stride == 0 || stride > 256)
      return error(called + "packed by meshoptimizer with an impossible byteStride (corrupt)");
    if (count > kMostUnpacked * length / stride)
      return error(called + "packed by meshoptimizer, that claims " + std::to_string(count) + " elements of " +
                   std::to_string(stride) + " bytes, more than its " + std::to_string(length) +
                   " bytes can hold (corrupt)");
    const bool attributes = word("mode") == "ATTRIBUTES";
    if (attributes ? stride % 4 != 0 : stride != 2 && stride != 4) continue;
    const Buffer& buffer = buffers_[size_t(from)];
    std::optional<ByteStream> memory;
    std::vector<char> scratch;
    SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes,
                           buffer.source(memory).read_at(buffer.begin + offset, size_t(length), scratch));
    std::string unpacked(size_t(count * stride), '\0');
    if (!attributes) {
      if (!decode_indices(word("mode"), bytes, stride, unpacked)) continue;  // splats have none
    } else if (meshopt_decodeVertexBuffer(unpacked.data(), size_t(count), size_t(stride), start_of(bytes),
                                          bytes.size()) != 0) {
      return error(called + "that meshoptimizer cannot unpack (corrupt, or packed by a newer version)");
    } else if (!apply_filter(word("filter"), size_t(count), size_t(stride), unpacked)) {
      return error(called + "packed with a filter that hipsplat does not know");
    }
    view["byteStride"] = stride;
    view["byteOffset"] = uint64_t(0);
    view["byteLength"] = unpacked.size();
    view["buffer"] = buffers_.size();
    Buffer& own = buffers_.emplace_back();
    own.length = unpacked.size();
    own.owned = std::move(unpacked);
  }
  return {};
}

Status GltfDocument::open_uri(const std::string& uri, Buffer& buffer) const {
  if (uri.starts_with("data:")) {
    const size_t comma = uri.find(',');
    std::optional<std::string> bytes;
    if (comma != std::string::npos && std::string_view(uri).substr(0, comma).ends_with(";base64"))
      bytes = from_base64(std::string_view(uri).substr(comma + 1));
    if (!bytes) return error("has a data URI that is not base64");
    buffer.owned = std::move(*bytes);
    buffer.length = buffer.owned.size();
    return {};
  }
  const std::string relative = splat::percent_decoded(uri).value_or(uri);  // some leave a '%' as it is
  if (uri.find("://") != std::string::npos || !stays_below(relative))
    return error("names the buffer " + in_quotes(uri) + ", which is not a file beside it");
  SPLAT_ASSIGN_OR_RETURN(ByteStream file, ByteStream::open(fs::path(name_).parent_path() / relative, watch_));
  buffer.length = file.size();
  buffer.file.emplace(std::move(file));
  return {};
}

uint64_t GltfDocument::bytes() const {
  uint64_t total = 0;
  for (const Buffer& buffer : buffers_) total += buffer.length;
  return total;
}

uint64_t GltfDocument::bytes_beside() const {
  uint64_t total = 0;
  for (const Buffer& buffer : buffers_) total += buffer.file ? buffer.file->size() : 0;
  return total;
}

const json* GltfDocument::item(const char* list, uint64_t index) const {
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(list);
  if (found == json_.end() || !found->is_array() || index >= found->size() || !(*found)[size_t(index)].is_object())
    return nullptr;
  return &(*found)[size_t(index)];
}

Result<GltfAccessor> GltfDocument::accessor(uint64_t index) const {
  const std::string called = "accessor " + std::to_string(index);
  const json* object = item("accessors", index);
  if (!object) return error("lacks " + called);
  GltfAccessor a;
  a.components = components_of(object->value("type", json()));
  const auto normalized = object->find("normalized");
  a.normalized = normalized != object->end() && *normalized == true;
  const auto sparse = object->find("sparse");
  if (sparse != object->end()) a.sparse = &*sparse;
  const uint64_t count = whole_number(*object, "count", kBad).value_or(kBad);
  return part_of_view(*object, a, count, called);
}

// Where the `count` elements of an accessor, or of a part of a sparse one, lie. Without a buffer view they are 0, which
// costs a file nothing: as many are believed as it has bytes.
Result<GltfAccessor> GltfDocument::part_of_view(const json& from, GltfAccessor a, uint64_t count,
                                                const std::string& called) const {
  const auto number = [&](const json& object, const char* key, uint64_t fallback) {
    return whole_number(object, key, fallback).value_or(kBad);
  };
  const uint64_t type = number(from, "componentType", kBad);
  if (type != kBad) a.type = GltfComponent(int(std::min<uint64_t>(type, 65535)));
  const size_t component_bytes = bytes_of(a.type), element_bytes = component_bytes * size_t(a.components);
  if (element_bytes == 0) return error_in(called, "has elements of a kind that hipsplat does not know");
  a.stride = element_bytes;
  a.count = size_t(count);
  if (!from.contains("bufferView")) {
    a.buffer = kNoBuffer;
    if (count > bytes()) return error_in(called, "has more elements than the file has bytes");
    return a;
  }
  const json* view = item("bufferViews", number(from, "bufferView", kBad));
  if (!view) return error_in(called, "names a buffer view that is not there");
  const uint64_t buffer = number(*view, "buffer", kBad), view_offset = number(*view, "byteOffset", 0);
  const uint64_t view_length = number(*view, "byteLength", kBad), offset = number(from, "byteOffset", 0);
  const uint64_t stride = number(*view, "byteStride", element_bytes);
  const bool within = buffer < buffers_.size() && view_offset <= buffers_[size_t(buffer)].length &&
                      view_length <= buffers_[size_t(buffer)].length - view_offset && offset <= view_length &&
                      stride >= element_bytes && stride <= view_length + element_bytes &&
                      (count == 0 || (element_bytes <= view_length - offset &&
                                      count - 1 <= (view_length - offset - element_bytes) / stride));
  if (!within || count == kBad) return error_in(called, "reaches beyond its buffer (truncated or corrupt)");
  a.buffer = size_t(buffer);
  a.offset = view_offset + offset;
  a.stride = size_t(stride);
  return a;
}

Result<std::string> GltfDocument::view_bytes(uint64_t index) const {
  const std::string called = "buffer view " + std::to_string(index);
  const json* view = item("bufferViews", index);
  if (!view) return error("lacks " + called);
  const std::optional<uint64_t> number = whole_number(*view, "buffer", buffers_.size()),
                                offset = whole_number(*view, "byteOffset", 0),
                                length = whole_number(*view, "byteLength", ~uint64_t(0));
  if (!number || !offset || !length || *number >= buffers_.size())
    return error_in(called, "does not say where its bytes are");
  const Buffer& buffer = buffers_[size_t(*number)];
  if (*offset > buffer.length || *length > buffer.length - *offset)
    return error_in(called, "reaches beyond its buffer (truncated or corrupt)");
  std::optional<ByteStream> memory;
  const ByteStream& source = buffer.source(memory);
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes,
                         source.read_at(buffer.begin + *offset, size_t(*length), scratch));
  return std::string(bytes);
}

// glTF 2.0, 3.6.2.3: some elements have other values.
Status GltfDocument::read_sparse(const GltfAccessor& a, float* destination, size_t stride) const {
  const auto part = [&](const char* key) -> const json& {
    static const json none = json::object();
    const auto found = a.sparse->is_object() ? a.sparse->find(key) : a.sparse->end();
    return found != a.sparse->end() && found->is_object() ? *found : none;
  };
  const uint64_t count = whole_number(*a.sparse, "count", kBad).value_or(kBad);
  GltfAccessor at, with = a;
  at.sparse = with.sparse = nullptr;
  if (!part("indices").contains("bufferView") || !part("values").contains("bufferView"))
    return error("has a sparse accessor without indices or values");
  SPLAT_ASSIGN_OR_RETURN(at, part_of_view(part("indices"), at, count, "the indices of a sparse accessor"));
  SPLAT_ASSIGN_OR_RETURN(with, part_of_view(part("values"), with, count, "the values of a sparse accessor"));
  if (at.type != GltfComponent::kUint8 && at.type != GltfComponent::kUint16 && at.type != GltfComponent::kUint32)
    return error("has a sparse accessor whose indices are no whole numbers");
  if (count > a.count) return error("has a sparse accessor with more values than elements");
  // As bytes: a float does not hold every index.
  std::optional<ByteStream> memory;
  const Buffer& buffer = buffers_[at.buffer];
  std::vector<char> scratch;
  if (count == 0) return {};
  SPLAT_ASSIGN_OR_RETURN(
      const std::string_view bytes,
      buffer.source(memory).read_at(buffer.begin + at.offset, (at.count - 1) * at.stride + bytes_of(at.type), scratch));
  std::vector<float> values(at.count * size_t(a.components));
  SPLAT_TRY(read(with, values.data(), size_t(a.components)));
  for (size_t i = 0; i < at.count; ++i) {
    const char* from = bytes.data() + i * at.stride;
    const size_t element = at.type == GltfComponent::kUint8    ? load<uint8_t>(from)
                           : at.type == GltfComponent::kUint16 ? load<uint16_t>(from)
                                                               : load<uint32_t>(from);
    if (element >= a.count) return error("has a sparse accessor with a value for an element that is not there");
    std::copy_n(values.data() + i * size_t(a.components), a.components, destination + element * stride);
  }
  return {};
}

Status GltfDocument::read(const GltfAccessor& a, float* destination, size_t stride) const {
  if (a.buffer == kNoBuffer)
    for (size_t i = 0; i < a.count; ++i) std::fill_n(destination + i * stride, a.components, 0.0f);
  if (a.sparse) {
    GltfAccessor dense = a;
    dense.sparse = nullptr;
    if (a.buffer != kNoBuffer) SPLAT_TRY(read(dense, destination, stride));
    return read_sparse(a, destination, stride);
  }
  if (a.buffer == kNoBuffer) return {};
  const Buffer& buffer = buffers_[a.buffer];
  std::optional<ByteStream> memory;
  const ByteStream& source = buffer.source(memory);
  const size_t element_bytes = bytes_of(a.type) * size_t(a.components);
  const size_t block = std::max<size_t>(kBlockBytes / a.stride, 1);
  std::vector<char> scratch;
  for (size_t first = 0; first < a.count; first += block) {
    const size_t rows = std::min(block, a.count - first);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes,
                           source.read_at(buffer.begin + a.offset + uint64_t(first) * a.stride,
                                          (rows - 1) * a.stride + element_bytes, scratch));
    convert(a, bytes.data(), rows, destination + first * stride, stride);
  }
  return {};
}

}  // namespace io
