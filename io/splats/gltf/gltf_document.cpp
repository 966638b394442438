#include "io/splats/gltf/gltf_document.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <type_traits>

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

// Files beside the glTF or below its folder, nothing else.
bool stays_below(const std::string& name) {
  const fs::path relative = name;
  const auto control = [](unsigned char c) { return c < ' '; };
  if (relative.empty() || relative.is_absolute() || std::any_of(name.begin(), name.end(), control)) return false;
  return std::none_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
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
    if (stream.size() > kMaxJsonBytes * 16) return error("too large for a .gltf file; use .glb");
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
    if (*length > buffer.length)
      return error("lacks " + std::to_string(*length - buffer.length) + " of the " + std::to_string(*length) +
                   " bytes of buffer " + std::to_string(buffers_.size() - 1) + " (truncated, or its file is missing)");
    buffer.length = *length;
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

const json* GltfDocument::item(const char* list, uint64_t index) const {
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(list);
  if (found == json_.end() || !found->is_array() || index >= found->size() || !(*found)[size_t(index)].is_object())
    return nullptr;
  return &(*found)[size_t(index)];
}

Result<GltfAccessor> GltfDocument::accessor(uint64_t index) const {
  const std::string called = "accessor " + std::to_string(index);
  constexpr uint64_t kBad = ~uint64_t(0);
  const json* object = item("accessors", index);
  if (!object) return error("lacks " + called);
  if (object->contains("sparse")) return error(called + " is sparse, which hipsplat does not read");
  const auto number = [&](const json& from, const char* key, uint64_t fallback) {
    return whole_number(from, key, fallback).value_or(kBad);
  };
  const json* view = item("bufferViews", number(*object, "bufferView", kBad));
  if (!view) return error(called + " has no buffer view");

  GltfAccessor a;
  const uint64_t type = number(*object, "componentType", kBad);
  a.type = GltfComponent(type == kBad ? 0 : int(std::min<uint64_t>(type, 65535)));
  a.components = components_of(object->value("type", json()));
  const size_t component_bytes = bytes_of(a.type), element_bytes = component_bytes * size_t(a.components);
  if (element_bytes == 0) return error(called + " has elements of a kind that hipsplat does not know");
  const auto normalized = object->find("normalized");
  a.normalized = normalized != object->end() && *normalized == true;
  const uint64_t buffer = number(*view, "buffer", kBad), view_offset = number(*view, "byteOffset", 0);
  const uint64_t view_length = number(*view, "byteLength", kBad), offset = number(*object, "byteOffset", 0);
  const uint64_t stride = number(*view, "byteStride", element_bytes), count = number(*object, "count", kBad);
  const bool within = buffer < buffers_.size() && view_offset <= buffers_[size_t(buffer)].length &&
                      view_length <= buffers_[size_t(buffer)].length - view_offset && offset <= view_length &&
                      stride >= element_bytes && stride <= view_length + element_bytes &&
                      (count == 0 || (element_bytes <= view_length - offset &&
                                      count - 1 <= (view_length - offset - element_bytes) / stride));
  if (!within || count == kBad) return error(called + " reaches beyond its buffer (truncated or corrupt)");
  a.buffer = size_t(buffer);
  a.offset = view_offset + offset;
  a.stride = size_t(stride);
  a.count = size_t(count);
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
    return error(called + " does not say where its bytes are");
  const Buffer& buffer = buffers_[size_t(*number)];
  if (*offset > buffer.length || *length > buffer.length - *offset)
    return error(called + " reaches beyond its buffer (truncated or corrupt)");
  std::optional<ByteStream> memory;
  const ByteStream& source = buffer.source(memory);
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes,
                         source.read_at(buffer.begin + *offset, size_t(*length), scratch));
  return std::string(bytes);
}

Status GltfDocument::read(const GltfAccessor& a, float* destination, size_t stride) const {
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
