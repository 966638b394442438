// Carries out the steps of the edit mode on the splats that are open, says how they stand then, and keeps what is not
// saved. Belongs to the engine's thread, like the model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "splat/clean/proposal.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "studio/edit/added_splats.h"
#include "studio/edit/edit_request.h"
#include "studio/edit/edits_summary.h"
#include "studio/edit/kept_edits.h"
#include "viewer/draw/changed_rows.h"
#include "viewer/live/engine_thread.h"

namespace studio {

class Editing {
 public:
  // splats: the file that is open; config: where unsaved edits are kept (kept_edits.h).
  Editing(int threads, const std::filesystem::path& splats, const std::filesystem::path& config)
      : splats_(splats), pool_(threads), keeper_(config, splats) {}

  // An error where there is no backend to see by: nothing has changed. Throws what backends throw.
  splat::Result<EditedScene> carry_out(const EditRequest& request, EngineModel& model);
  const std::filesystem::path& splats() const { return splats_; }
  splat::Status add(AddedSplats added, EngineModel& model);  // an error: they are too many
  EditedScene scene(const splat::edit::EditedModel& edited, EditsSummary* unsaved = nullptr);
  // For the window: rows that came, went or moved since the last call; none did: nothing.
  std::optional<ChangedRows> take_changed_rows(const splat::edit::EditedModel& edited);
  // As it was in this state, in a file that has `units` of its own for one of the scene's.
  void was_saved(splat::edit::EditedState state, const std::filesystem::path& file, double units = 1);

  // A clean-up's proposal for the rows that there are. Those that come from now on are not in it, also where they take
  // the places of others that an undone step has taken away.
  void begin_proposal(const splat::edit::EditedModel& edited) { rows_asked_ = edited.model().size(); }
  // That rows are selected and tinted by; returns its number, which answers have from now on.
  uint64_t set_proposal(splat::clean::Proposal proposal, EngineModel& model);

  void keep(const splat::edit::EditedModel& edited);  // for the next start what is not saved; nothing where all is
  void forget() { keeper_.forget(); }
  // added: read_added_again().
  splat::Status restore(const KeptEdits& kept, std::vector<splat::Gaussians> added, EngineModel& model);

 private:
  void answer(const EditWants& wants, const splat::edit::EditedModel& edited, splat::edit::Sight& sight,
              EditedScene& now);
  void mark(uint32_t object, const splat::edit::EditedModel& edited, EditedScene& now);
  std::vector<ProposedGroup> groups(const splat::edit::EditedModel& edited);
  double usual_distance(const splat::Gaussians& model);
  size_t moved_rows(const splat::edit::EditedModel& edited);
  void rows_came(size_t before, EngineModel& model);
  void keep_proposed(size_t rows, EngineModel& model);

  const std::filesystem::path splats_;
  splat::ThreadPool pool_;
  EditsKeeper keeper_;
  splat::clean::Proposal proposal_;
  uint64_t proposal_number_ = 0;
  size_t rows_asked_ = 0;       // the first ones, that were there when it was begun and have been since
  splat::Contributions seen_;   // kept for their memory
  double usual_distance_ = -1;  // world units; negative: not known yet
  uint64_t revision_shown_ = 0;

  std::optional<splat::edit::EditedState> saved_;       // as it was saved last; none: as the file was opened
  std::filesystem::path saved_as_;                      // where that is
  std::optional<splat::edit::EditedState> saved_over_;  // what the file that was opened holds since
  std::optional<uint64_t> moved_at_;                    // the revision that the next was counted at
  size_t moved_ = 0;                                    // rows, since they were saved
};

}  // namespace studio
