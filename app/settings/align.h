// How the cameras of photos are found (align, and train of photos without cameras).
#pragma once

#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct AlignSettings {
  std::string matcher = "ours";    // or "colmap"
  std::string quality = "normal";  // or "fast", "fine"
  std::string lens = "normal";     // or "fisheye"
  int frames = 0;                  // of a video; 0: by its length

  friend bool operator==(const AlignSettings&, const AlignSettings&) = default;
};

void add_align_rows(std::vector<OptionRow>& rows, AlignSettings& settings);

}  // namespace app
