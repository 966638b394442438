// A COLMAP model on disk (binary, 3.8 to 4.x) as the alignment needs it: how good it is, and with other names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "splat/core/result.h"

namespace align {

struct ModelSummary {
  std::vector<std::string> names;  // of the registered photos, sorted
  uint64_t points = 0, observations = 0;
  double reprojection_error_px = 0;  // mean over the points, as model_analyzer's
  double track_length = 0;           // photos that see a point, on average
};

splat::Result<ModelSummary> summarise_model(const std::filesystem::path& folder);

// Copies the model; photos get the names that `names` has for theirs. The target folder appears whole or not at all
// and replaces one that is there.
splat::Status copy_model(const std::filesystem::path& folder, const std::map<std::string, std::string>& names,
                         const std::filesystem::path& target);

// The models folder/0, folder/1, ... and folder itself that hold images, the one with the most photos first.
std::vector<std::filesystem::path> models_in(const std::filesystem::path& folder);

}  // namespace align
