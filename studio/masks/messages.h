// A photo to paint its mask on, and what was painted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "splat/model/image.h"
#include "studio/masks/painting.h"

namespace studio {

struct WantMaskPhoto {  // answered by a MaskPhoto, or by an error
  int view = 0;         // of the dataset, or of the opened splats
};
struct SaveMask {  // answered by a MaskSaved
  int view = 0;
  std::vector<PaintStep> steps;
};
struct KeepPaint {  // what is not saved yet, beyond the end of the window, in place of what was kept before
  int view = 0;
  std::vector<PaintStep> steps;  // none: it was saved or given up
};
struct FindPaint {};  // of the photos that are open; answered by a PaintFound where some was kept

struct PaintFound {
  int view = 0;
  std::string photo;
};
struct MaskPhoto {
  using OnlyNewest = void;
  int view = 0;
  splat::Image8 picture;        // RGB, as training sees it
  std::vector<uint8_t> counts;  // [H,W] 0: it does not count; empty: all does
  std::vector<uint8_t> usable;  // [H,W] 0: it never counts, as the corners that the lens left blank; empty: all can
  std::string file;             // of its mask; empty: there is none yet
  std::vector<PaintStep> kept;  // that was not saved when a window ended
};
struct MaskSaved {
  int view = 0;
  bool ok = false;                // without: an error was logged
  std::filesystem::path masks{};  // OpenedDataset::masks
};

}  // namespace studio
