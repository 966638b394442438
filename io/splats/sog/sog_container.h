// The parts of a SOG: entries of a zip archive, or files of a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/splats/common/zip_archive.h"
#include "splat/core/result.h"

namespace io {

class SogContainer {
 public:
  // The stream must stay as it is while the container lives. Of several meta.json the first that describes splats
  // counts; a lod-meta.json (is_streamed()) where there is one.
  static splat::Result<SogContainer> open(ByteStream& stream);
  // The parts of one file of a streamed SOG: of the meta.json that it names.
  splat::Result<SogContainer> at(const std::string& meta_file) const;

  bool is_streamed() const { return streamed_; }
  const std::string& name() const { return name_; }  // for error sentences
  const std::string& meta() const { return meta_; }  // the text of meta.json, or lod-meta.json
  // One that meta.json names: beside it or below its folder.
  splat::Result<std::string> read(const std::string& file) const;
  // Files of an archive that are none of `read`, which are named as in meta.json, nor a meta.json.
  std::vector<std::string> others(const std::vector<std::string>& read) const;
  uint64_t bytes_beside() const { return *bytes_beside_; }  // of the files read from a folder, all parts together

 private:
  std::string name_, meta_, prefix_;  // prefix of the names in the archive
  std::filesystem::path folder_;
  std::shared_ptr<const ZipReader> zip_;
  std::shared_ptr<uint64_t> bytes_beside_ = std::make_shared<uint64_t>(0);
  bool streamed_ = false;
};

bool is_streamed_sog(std::string_view meta);  // lod-meta.json, by its text

}  // namespace io
