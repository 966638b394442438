// Carries out the steps of the edit mode on the splats that are open, and says how they stand then. Belongs to the
// engine's thread, like the model.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "viewer/edit/edit_request.h"
#include "viewer/live/engine_thread.h"

namespace app {

class Editing {
 public:
  explicit Editing(int threads) : pool_(threads) {}

  // An error where there is no backend to see by: nothing has changed. Throws what backends throw.
  splat::Result<viewer::EditedScene> carry_out(const viewer::EditRequest& request, viewer::EngineModel& model);
  viewer::EditedScene scene(const splat::edit::EditedModel& edited) const;
  void was_saved(const splat::edit::EditedModel& edited);  // as it is now

 private:
  splat::Status select(const viewer::EditRequest& request, viewer::EngineModel& model);
  splat::Result<splat::edit::RowMask> rows_of(const viewer::EditRequest& request, viewer::EngineModel& model);

  splat::ThreadPool pool_;
  std::vector<uint8_t> saved_;  // [N] states as they were saved last; empty: as the file was opened
};

}  // namespace app
