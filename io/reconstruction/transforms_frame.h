// One frame of a transforms.json: its keys, and the posed image that they make. Internal to io/reconstruction.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/reconstruction/reconstruction.h"
#include "splat/core/result.h"

namespace io {

// Keys of one frame, falling back to the file's own. Numbers may stand in quotes. Errors say where they are.
class FrameKeys {
 public:
  FrameKeys(const nlohmann::json& file, const nlohmann::json& frame, std::string where)
      : levels_{&frame, &file}, where_(std::move(where)) {}

  // The frame alone if it has any of `keys`, else the file alone: a value of the file is never mixed with one
  // of the frame that says the same in another form. (A focal length or centre that the frame gives in x alone has the
  // file's y.)
  FrameKeys of_one_level(std::initializer_list<const char*> keys) const;

  splat::Error error(const std::string& problem) const;
  const nlohmann::json* find(const char* key) const;  // null: nowhere, or null itself
  splat::Result<std::optional<double>> number(const char* key) const;
  splat::Result<double> number_of(const nlohmann::json& value, const char* key) const;
  splat::Result<double> number_or_zero(const char* key) const;
  splat::Result<std::string> text(const char* key) const;  // empty: there is none

 private:
  std::vector<const nlohmann::json*> levels_;
  std::string where_;
};

// Paths are joined to `folder`.
splat::Result<ReconstructionImage> read_frame(const FrameKeys& keys, const std::filesystem::path& folder);

std::string with_slashes(std::string path);
std::string name_of(const std::string& file_path);  // "./train/r_0" -> "train/r_0"

}  // namespace io
