#include "io/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>

#include "io/atomic_file.h"
#include "io/bytes.h"

namespace io {
namespace {

constexpr std::string_view kMagic = "HSPLATCK";
constexpr uint32_t kVersion = 1;
constexpr size_t kSmallestEntry = sizeof(uint32_t) + sizeof(uint64_t) + sizeof(uint32_t);  // bytes: no name, no data

uint32_t checksum(std::string_view name, std::string_view data) {
  uLong crc = crc32_z(0, nullptr, 0);
  for (std::string_view part : {name, data})
    if (!part.empty())
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());  // null starts anew
  return uint32_t(crc);
}

template <class T>
void write_value(AtomicFile& file, T value) {
  file.write(std::as_bytes(std::span<const T>(&value, 1)));
}

std::string_view characters(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

splat::Status read_entry(ByteReader& reader, std::string_view file, splat::Archive& archive) {
  SPLAT_ASSIGN_OR_RETURN(const uint32_t name_size, reader.read<uint32_t>("the length of an entry's name"));
  std::string_view name = file.substr(reader.position(), name_size);
  SPLAT_TRY(reader.skip(name_size, "an entry's name"));
  SPLAT_ASSIGN_OR_RETURN(const uint64_t size, reader.read<uint64_t>("the size of an entry"));
  SPLAT_ASSIGN_OR_RETURN(const uint32_t crc, reader.read<uint32_t>("the checksum of an entry"));
  const size_t start = reader.position();
  SPLAT_TRY(reader.skip(size_t(size), "an entry's data"));
  const std::string_view data = file.substr(start, size_t(size));
  if (checksum(name, data) != crc) return reader.error("the checkpoint is damaged (a checksum differs)");
  const auto bytes = std::as_bytes(std::span(data.data(), data.size()));
  if (!archive.blobs.emplace(std::string(name), std::vector<std::byte>(bytes.begin(), bytes.end())).second)
    return reader.error("the checkpoint is damaged (an entry is there twice)");
  return {};
}

}  // namespace

splat::Status write_checkpoint(const std::filesystem::path& path, const splat::Archive& archive) {
  AtomicFile file(path);
  file.write(kMagic);
  write_value(file, kVersion);
  write_value(file, uint32_t(archive.blobs.size()));
  for (const auto& [name, data] : archive.blobs) {
    write_value(file, uint32_t(name.size()));
    file.write(name);
    write_value(file, uint64_t(data.size()));
    write_value(file, checksum(name, characters(data)));
    file.write(data);
  }
  return file.commit();
}

splat::Result<splat::Archive> read_checkpoint(const std::filesystem::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  ByteReader reader(bytes, path.string());
  if (!std::string_view(bytes).starts_with(kMagic))
    return splat::Error{"'" + path.string() + "' is not a hipsplat checkpoint"};
  SPLAT_TRY(reader.skip(kMagic.size(), "the file's mark"));
  SPLAT_ASSIGN_OR_RETURN(const uint32_t version, reader.read<uint32_t>("the version"));
  if (version != kVersion)
    return splat::Error{"'" + path.string() + "' is a checkpoint of version " + std::to_string(version) +
                        ", this hipsplat reads version " + std::to_string(kVersion) +
                        ": use the hipsplat that wrote it, or a newer one"};
  SPLAT_ASSIGN_OR_RETURN(const uint32_t count, reader.read<uint32_t>("the number of entries"));
  if (count > reader.remaining() / kSmallestEntry)
    return reader.error("the checkpoint is damaged (more entries than the file can hold)");
  splat::Archive archive;
  for (uint32_t i = 0; i < count; ++i) SPLAT_TRY(read_entry(reader, bytes, archive));
  if (reader.remaining() > 0) return reader.error("the checkpoint is damaged (bytes follow its end)");
  return archive;
}

bool is_checkpoint(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return false;
  std::string start(kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), std::streamsize(start.size())) && start == kMagic;
}

}  // namespace io
