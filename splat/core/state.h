// A state too large to be held twice: an Archive for what is small, and arrays of rows that pass in blocks. train/
// knows what they hold; io/checkpoint stores each array as an entry like any other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "splat/core/archive.h"
#include "splat/core/result.h"

namespace splat {

// Arrays with the same number of rows each.
class RowSource {
 public:
  struct Array {
    std::string name;
    size_t row_bytes = 0;
  };
  virtual ~RowSource() = default;
  virtual uint64_t rows() const = 0;
  virtual std::span<const Array> arrays() const = 0;
  // Bytes of rows [first, first + count), in the order of arrays(); valid until the next call.
  virtual std::span<const std::span<const std::byte>> read(uint64_t first, uint64_t count) = 0;
};

// Rows that pass at once: about 1 % of them, so that a block of parameters, moments and statistics stays below 5 % of
// the parameters; few enough to stay in the cache where there are few in all, and to send to a device in one piece.
inline uint64_t rows_at_once(uint64_t rows) { return std::clamp<uint64_t>(rows / 100, 512, 16384); }

// What a state is loaded from.
class StateReader {
 public:
  virtual ~StateReader() = default;
  virtual const Archive& archive() const = 0;                                  // the small entries
  virtual std::optional<uint64_t> size_of(const std::string& name) const = 0;  // bytes of any entry; nullopt: none
  // Bytes [offset, offset + to.size()) of an entry, which must have them. An error is the disk's.
  virtual Status read(const std::string& name, uint64_t offset, std::span<std::byte> to) const = 0;
};

// From an archive that holds everything, and outlives the reader.
class ArchiveReader final : public StateReader {
 public:
  explicit ArchiveReader(const Archive& archive) : archive_(archive) {}
  const Archive& archive() const override { return archive_; }
  std::optional<uint64_t> size_of(const std::string& name) const override {
    const auto found = archive_.blobs.find(name);
    return found == archive_.blobs.end() ? std::nullopt : std::optional<uint64_t>(found->second.size());
  }
  Status read(const std::string& name, uint64_t offset, std::span<std::byte> to) const override {
    const std::vector<std::byte>& bytes = archive_.blobs.at(name);
    SPLAT_CHECK(offset <= bytes.size() && to.size() <= bytes.size() - offset);
    std::copy_n(bytes.begin() + std::ptrdiff_t(offset), to.size(), to.begin());
    return {};
  }

 private:
  const Archive& archive_;
};

}  // namespace splat
