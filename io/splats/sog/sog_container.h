// The parts of a SOG: entries of a zip archive, or files of a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/byte_stream.h"
#include "io/splats/common/zip_archive.h"
#include "splat/core/result.h"

namespace io {

class SogContainer {
 public:
  // The stream must stay as it is while the container lives.
  static splat::Result<SogContainer> open(ByteStream& stream);

  const std::string& name() const { return name_; }                // for error sentences
  const std::string& meta() const { return meta_; }                // the text of meta.json
  splat::Result<std::string> read(const std::string& file) const;  // one that meta.json names

 private:
  std::string name_, meta_, prefix_;  // prefix of the names in the archive
  std::filesystem::path folder_;
  std::optional<ZipReader> zip_;
};

}  // namespace io
