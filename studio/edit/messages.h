// Editing the opened splats: steps, clean-ups, edits that were kept. Rows that changed come as ChangedRows before the
// EditedScene that says how they stand.
#pragma once

#include <cstdint>
#include <filesystem>

#include "splat/model/box.h"
#include "studio/cleanup/cleanup.h"
#include "studio/edit/edit_request.h"
#include "viewer/draw/changed_rows.h"

namespace studio {

struct EditScene {  // one step on the opened splats; answered by an EditedScene
  EditRequest request;
};
struct SaveBox {  // the crop box, for --region and --crop-box
  std::filesystem::path path;
  splat::Box box;
};
struct ProposeCleanup {  // of the opened splats, by the photos they come from; answered by a CleanupProposal
  bool ends_work() const { return true; }
};
struct MeasureCleanup {  // of what is selected, after a proposal; answered by a CleanupEffect
  uint64_t scene = 0;    // EditMode::scenes, for the answer
};
struct RestoreEdits {  // of an EditsFound; opens the file unless it is open
  std::filesystem::path splats;
  bool ends_work() const { return true; }
};
struct ForgetEdits {
  std::filesystem::path splats;
};

}  // namespace studio
