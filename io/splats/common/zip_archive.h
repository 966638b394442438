// Zip archives in memory, through libzip: enough for bundles of a few pictures and a JSON file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "splat/core/result.h"

struct zip;

namespace io {

class ZipReader {
 public:
  // `bytes` must outlive the reader; `name` begins every error sentence.
  static splat::Result<ZipReader> open(std::string_view bytes, const std::string& name);

  // The full names of the entries called `file_name`, in any folder of the archive.
  std::vector<std::string> find(std::string_view file_name) const;

  std::vector<std::string> names() const;  // of all entries, folders too (they end in /)

  // The bytes of an entry, whose name may be given with "/" where the archive has "\\", as older Windows archivers
  // wrote. Refused: entries that unpack to more than 16 times the archive (and 1 MiB), encrypted ones.
  splat::Result<std::string> read(const std::string& entry) const;

 private:
  struct Close {
    void operator()(zip* archive) const;
  };
  ZipReader(zip* archive, size_t archive_bytes, std::string name)
      : archive_(archive), archive_bytes_(archive_bytes), name_(std::move(name)) {}

  std::unique_ptr<zip, Close> archive_;
  size_t archive_bytes_;
  std::string name_;
};

// The names in an archive on disk, which is not read whole; empty: it is none.
std::vector<std::string> zip_names(const std::filesystem::path& path);

struct ZipEntry {
  std::string name, bytes;
};

// An archive of stored (uncompressed) entries. The same entries give the same bytes.
splat::Result<std::string> make_zip(const std::vector<ZipEntry>& entries);

}  // namespace io
