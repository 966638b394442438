// What --align, and --train of photos without cameras, may be asked for, and the rows of the option table that set it.
#pragma once

#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct AlignChoices {
  std::string matcher = "ours";    // or "colmap"
  std::string quality = "normal";  // or "fast", "fine"
  std::string lens = "normal";     // or "fisheye"
  int frames = 0;                  // of a video; 0: by its length
};

void add_align_rows(std::vector<OptionRow>& rows, AlignChoices& choices);

}  // namespace app
