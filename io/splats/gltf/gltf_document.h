// The syntax of a glTF file: the JSON, the buffers wherever they lie, accessors as arrays of floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"
#include "splat/core/result.h"

namespace io {

enum class GltfComponent { kInt8 = 5120, kUint8 = 5121, kInt16 = 5122, kUint16 = 5123, kUint32 = 5125, kFloat = 5126 };

struct GltfAccessor {
  size_t buffer = 0;    // kNoBuffer: all elements are 0 but for those of `sparse`
  uint64_t offset = 0;  // bytes, of the first element in its buffer
  size_t stride = 0;    // bytes from one element to the next
  size_t count = 0;     // elements
  int components = 1;   // of an element
  GltfComponent type = GltfComponent::kFloat;
  bool normalized = false;
  const nlohmann::json* sparse = nullptr;  // the part of the JSON that names elements with other values
};
inline constexpr size_t kNoBuffer = ~size_t(0);

class GltfDocument {
 public:
  // The stream must stay as it is while the document lives.
  static splat::Result<GltfDocument> open(ByteStream& stream);

  const std::string& name() const { return name_; }
  const nlohmann::json& root() const { return json_; }
  uint64_t bytes() const;         // of all buffers
  uint64_t bytes_beside() const;  // of those in files of their own

  // The element `index` of the list `list` (of the file's top level): an object; nullptr: it does not exist.
  const nlohmann::json* item(const char* list, uint64_t index) const;

  // Checked: all of its elements lie within its buffer.
  splat::Result<GltfAccessor> accessor(uint64_t index) const;
  // Element i goes to destination[i * stride .. + components).
  splat::Status read(const GltfAccessor& accessor, float* destination, size_t stride) const;

  // The bytes of a buffer view.
  splat::Result<std::string> view_bytes(uint64_t index) const;

  splat::Error error(const std::string& problem) const { return splat::Error{"'" + name_ + "' " + problem}; }
  splat::Error error_in(const std::string& part, const std::string& problem) const {
    return splat::Error{"'" + name_ + "': " + part + " " + problem};
  }

 private:
  struct Buffer {
    const ByteStream* stream = nullptr;  // null: `owned` holds the bytes, or `file` is open
    std::string owned;
    std::optional<ByteStream> file;
    uint64_t begin = 0, length = 0;  // within the stream

    const ByteStream& source(std::optional<ByteStream>& memory) const;
  };
  splat::Result<std::string_view> read_json_text(ByteStream& stream, Buffer& binary);
  splat::Status open_buffers(const Buffer& binary);
  splat::Status unpack_meshopt();
  splat::Result<GltfAccessor> part_of_view(const nlohmann::json& from, GltfAccessor accessor, uint64_t count,
                                           const std::string& called) const;
  splat::Status read_sparse(const GltfAccessor& accessor, float* destination, size_t stride) const;
  splat::Status open_uri(const std::string& uri, Buffer& buffer) const;

  std::string name_;
  ReadWatch* watch_ = nullptr;
  nlohmann::json json_;
  std::vector<Buffer> buffers_;
};

// A whole number >= 0 of an object; `fallback` where it is absent. nullopt: it is something else.
std::optional<uint64_t> whole_number(const nlohmann::json& object, const char* key, uint64_t fallback);

}  // namespace io
