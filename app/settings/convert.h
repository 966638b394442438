// Settings of hipsplat convert, and the rows of the option table that set them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/row.h"
#include "splat/clean/proposal.h"
#include "splat/core/result.h"
#include "splat/edit/filters.h"

namespace app {

struct ConvertOptions {
  std::vector<std::filesystem::path> inputs;             // merged in this order
  std::vector<std::string> places;                       // "b.ply=rotate 90 0 0", as typed
  std::vector<std::optional<splat::Similarity>> placed;  // by input, of those: before they are merged
  std::filesystem::path align_to;                        // splats that the result is laid on; empty: none
  splat::edit::FilterSettings filters;
  std::optional<splat::clean::Strength> clean;  // by the photos of --data
  bool survey = false;  // positions as a survey has them, in double precision; also of hipsplat blocks
  int spz_version = 4;
  bool spz_version_given = false;  // then the output must be SPZ
};

// "rotate 90 0 0, scale 2, translate 0 0 1": steps from left to right. Angles are degrees about the fixed axes x, then
// y, then z.
splat::Result<splat::Similarity> parse_transform(const std::string& text);

// Once the inputs are known. An error: one is of none of them, or its steps are not known.
splat::Status settle_places(ConvertOptions& options);

void add_convert_rows(std::vector<OptionRow>& rows, ConvertOptions& options);

}  // namespace app
