#include "io/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/names.h"

namespace io {

namespace fs = std::filesystem;
using splat::Archive;
using splat::RowSource;

namespace {

constexpr std::string_view kMagic = "HSPLATCK";
constexpr uint32_t kVersion = 1;
constexpr uint64_t kFileHeader = 8 + 2 * sizeof(uint32_t);
constexpr uint64_t kSmallestEntry = sizeof(uint32_t) + sizeof(uint64_t) + sizeof(uint32_t);  // bytes: no name, no data
constexpr size_t kLongestName = 4096;
constexpr size_t kBytesAtOnce = size_t(1) << 20;

// CRC-32 of what came so far and `bytes`; 0 to start with.
uint32_t checksum(uint32_t crc, std::span<const std::byte> bytes) {
  if (bytes.empty()) return crc;  // null starts anew
  return uint32_t(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}
std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

template <class T>
void append(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// One entry of a file to be written: its name, and where its data comes from.
struct Entry {
  std::string_view name;
  uint64_t data_offset = 0, bytes = 0;           // in the file
  const std::vector<std::byte>* blob = nullptr;  // of an archive; null: array `array` of the rows
  size_t array = 0;
  uint32_t crc = 0;

  std::string header() const {
    std::string text;
    append(text, uint32_t(name.size()));
    text += name;
    append(text, bytes);
    append(text, crc);
    return text;
  }
};

// All entries by name, each in its place.
std::vector<Entry> layout_of(const Archive& archive, const RowSource* rows) {
  std::vector<Entry> entries;
  for (const auto& [name, blob] : archive.blobs) entries.push_back({name, 0, blob.size(), &blob});
  if (rows)
    for (size_t i = 0; i < rows->arrays().size(); ++i) {
      const RowSource::Array& array = rows->arrays()[i];
      entries.push_back({array.name, 0, rows->rows() * array.row_bytes, nullptr, i});
    }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  uint64_t next = kFileHeader;
  for (size_t i = 0; i < entries.size(); ++i) {
    SPLAT_CHECK(i == 0 || entries[i - 1].name != entries[i].name);
    entries[i].data_offset = next + kSmallestEntry + entries[i].name.size();
    entries[i].crc = checksum(0, bytes_of(entries[i].name));
    next = entries[i].data_offset + entries[i].bytes;
  }
  return entries;
}

uint64_t bytes_of(const std::vector<Entry>& entries) {
  return entries.empty() ? kFileHeader : entries.back().data_offset + entries.back().bytes;
}

// A block of every array, each to its place.
void write_rows(AtomicFile& file, std::vector<Entry>& entries, RowSource& rows) {
  const uint64_t total = rows.rows(), block = splat::rows_at_once(total);
  for (uint64_t first = 0; first < total && !file.failed(); first += block) {
    const auto arrays = rows.read(first, std::min(block, total - first));
    for (Entry& entry : entries) {
      if (entry.blob) continue;
      const std::span<const std::byte> bytes = arrays[entry.array];
      entry.crc = checksum(entry.crc, bytes);
      file.write_at(entry.data_offset + first * rows.arrays()[entry.array].row_bytes, bytes);
    }
  }
}

}  // namespace

uint64_t checkpoint_bytes(const Archive& archive, const RowSource* rows) { return bytes_of(layout_of(archive, rows)); }

Status write_checkpoint(const fs::path& path, const Archive& archive, RowSource* rows) {
  std::vector<Entry> entries = layout_of(archive, rows);
  AtomicFile file(path);
  file.expect(bytes_of(entries));
  if (rows) write_rows(file, entries, *rows);
  std::string header(kMagic);
  append(header, kVersion);
  append(header, uint32_t(entries.size()));
  file.write_at(0, bytes_of(header));
  for (Entry& entry : entries) {
    if (entry.blob) entry.crc = checksum(entry.crc, *entry.blob);
    const std::string start = entry.header();
    file.write_at(entry.data_offset - start.size(), bytes_of(start));
    if (entry.blob) file.write_at(entry.data_offset, *entry.blob);
  }
  return file.commit();
}

// ---- reading

Status CheckpointFile::read_entry(uint64_t in_memory) {
  const auto cut = [&](const char* what) {
    return stream_.error(std::string("the file ends inside ") + what + " (truncated or corrupt)");
  };
  SPLAT_ASSIGN_OR_RETURN(std::string_view start, stream_.peek(sizeof(uint32_t)));
  if (start.size() < sizeof(uint32_t)) return cut("the length of an entry's name");
  const size_t length = load<uint32_t>(start.data());
  if (length > kLongestName) return stream_.error("the checkpoint is damaged (an entry's name is too long)");
  SPLAT_ASSIGN_OR_RETURN(start, stream_.peek(kSmallestEntry + length));
  if (start.size() < kSmallestEntry + length) return cut("the start of an entry");
  const std::string name(start.substr(sizeof(uint32_t), length));
  const char* numbers = start.data() + sizeof(uint32_t) + length;
  const uint64_t bytes = load<uint64_t>(numbers);
  const uint32_t stored_crc = load<uint32_t>(numbers + sizeof(uint64_t));
  stream_.advance(kSmallestEntry + length);
  if (bytes > stream_.remaining()) return cut("an entry's data");

  const Place place{stream_.position(), bytes};
  std::vector<std::byte> blob;
  const bool keep = bytes <= in_memory;
  if (!keep && skims_) {
    places_.emplace(name, place);
    return stream_.skip(bytes);
  }
  if (keep) blob.reserve(size_t(bytes));
  uint32_t crc = checksum(0, bytes_of(name));
  for (uint64_t left = bytes; left > 0;) {
    SPLAT_ASSIGN_OR_RETURN(const std::string_view block, stream_.peek(size_t(std::min<uint64_t>(left, kBytesAtOnce))));
    const auto data = bytes_of(block);
    crc = checksum(crc, data);
    if (keep) blob.insert(blob.end(), data.begin(), data.end());
    stream_.advance(block.size());
    left -= block.size();
  }
  if (crc != stored_crc) return stream_.error("the checkpoint is damaged (a checksum differs)");
  if (!places_.emplace(name, place).second) return stream_.error("the checkpoint is damaged (an entry is there twice)");
  if (keep) archive_.blobs.emplace(name, std::move(blob));
  return {};
}

Status CheckpointFile::read_entries(uint64_t in_memory) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream_.peek(kFileHeader));
  const std::string name = "'" + stream_.name() + "'";
  if (!start.starts_with(kMagic)) return Error{name + " is not a hipsplat checkpoint"};
  if (start.size() < kFileHeader) return Error{name + " ends inside its header (truncated)"};
  const uint32_t version = load<uint32_t>(start.data() + kMagic.size());
  if (version != kVersion)
    return Error{name + " is a checkpoint of version " + std::to_string(version) + ", this hipsplat reads version " +
                 std::to_string(kVersion) + ": use the hipsplat that wrote it, or a newer one"};
  const uint32_t count = load<uint32_t>(start.data() + kMagic.size() + sizeof version);
  stream_.advance(kFileHeader);
  if (count > stream_.remaining() / kSmallestEntry)
    return stream_.error("the checkpoint is damaged (more entries than the file can hold)");
  for (uint32_t i = 0; i < count; ++i) SPLAT_TRY(read_entry(in_memory));
  if (stream_.remaining() > 0) return stream_.error("the checkpoint is damaged (bytes follow its end)");
  stream_.release();
  return {};
}

Result<CheckpointFile> CheckpointFile::open(const fs::path& path, uint64_t in_memory) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path));
  return read(std::move(stream), in_memory);
}

Result<CheckpointFile> CheckpointFile::read(ByteStream stream, uint64_t in_memory) {
  CheckpointFile file(std::move(stream));
  SPLAT_TRY(file.read_entries(in_memory));
  return file;
}

Result<CheckpointFile> CheckpointFile::skim(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path));
  CheckpointFile file(std::move(stream));
  file.skims_ = true;
  SPLAT_TRY(file.read_entries(kInMemory));
  return file;
}

std::optional<uint64_t> CheckpointFile::size_of(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second.bytes);
}

Status CheckpointFile::read(const std::string& name, uint64_t offset, std::span<std::byte> to) const {
  const Place& place = places_.at(name);
  SPLAT_CHECK(offset <= place.bytes && to.size() <= place.bytes - offset);
  return stream_.read_into(place.offset + offset, to);
}

Result<Archive> read_checkpoint(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const CheckpointFile file, CheckpointFile::open(path, std::numeric_limits<uint64_t>::max()));
  return file.archive();
}

bool is_checkpoint(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;
  std::string start(kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), std::streamsize(start.size())) && start == kMagic;
}

}  // namespace io
