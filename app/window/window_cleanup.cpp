// Cleaning up in the window: what the photos of the opened splats speak against, worked out beside everything else, and
// what PSNR the held-out photos have without it.
#include <algorithm>

#include "app/window/window_session_impl.h"
#include "splat/core/log.h"
#include "splat/edit/rows.h"
#include "splat/train/config.h"

namespace app {

namespace clean = splat::clean;
namespace log = splat::log;

namespace {

// Without what is deleted.
RowsLeft rows_left(const splat::edit::EditedModel& edited) {
  RowsLeft left;
  left.model = edited.model();
  left.all = left.model.size();
  std::vector<uint8_t> keep(left.all);
  for (uint32_t row = 0; row < left.all; ++row) {
    keep[row] = (edited.states()[row] & splat::edit::kDeleted) == 0;
    if (keep[row]) left.rows.push_back(row);
  }
  splat::edit::keep_rows(left.model, keep);
  return left;
}

// Scores and reasons of the rows that were left, for all rows.
clean::Proposal for_all_rows(const clean::Proposal& proposal, const RowsLeft& left) {
  clean::Proposal all;
  all.rounds = proposal.rounds;
  all.score.resize(left.all), all.reasons.resize(left.all);
  for (size_t i = 0; i < left.rows.size(); ++i) {
    all.score[left.rows[i]] = proposal.score[i];
    all.reasons[left.rows[i]] = proposal.reasons[i];
  }
  return all;
}

viewer::CleanupProposal for_window(const clean::Proposal& proposal) {
  viewer::CleanupProposal shown;
  for (size_t i = 0; i < clean::kReasons; ++i)
    shown.reasons.push_back(
        {std::string(clean::name_of(clean::Reason(i))), std::string(clean::sentence_of(clean::Reason(i))), {}});
  for (size_t row = 0; row < proposal.score.size(); ++row)
    if (proposal.score[row] > 0) shown.reasons[size_t(proposal.reasons[row])].scores.push_back(proposal.score[row]);
  for (viewer::CleanupReason& reason : shown.reasons)
    std::sort(reason.scores.begin(), reason.scores.end(), std::greater<>());
  for (size_t i = 0; i < shown.strengths.size(); ++i) shown.strengths[i] = clean::least_score(clean::Strength(i));
  return shown;
}

}  // namespace

void WindowSession::Impl::carry_out(viewer::ProposeCleanup&) {
  if (training) return;
  CleaningOptions wanted;
  {
    std::lock_guard lock(scene_mutex);
    if (!scene.photos || scene.splats.empty()) {
      log::error("there are no photos to clean by: open the folder of a run whose dataset is still where it was");
      return state.cleanup.put({});
    }
    wanted.data = scene.photos->root;
    if (scene.run) {
      wanted.dataset = scene.run->dataset;
      wanted.look.background = splat::evaluation_background(scene.run->train);
      wanted.look.antialias = scene.run->train.antialias;
    }
    wanted.look.antialias |= scene.file_info.antialiased;
  }
  wanted.device = options.device;
  wanted.console.quiet = true;
  state.work.put({"looking at the photos", -1, true});
  engine.edit(options.device.threads, [this, wanted = std::move(wanted), mine = ++cleanings_wanted](auto& model) {
    begin_editing();
    cleanings.add([this, wanted, mine, left = rows_left(model.edited())] { propose_cleanup(wanted, mine, left); });
  });
}

// On the cleaning thread.
void WindowSession::Impl::propose_cleanup(const CleaningOptions& wanted, uint64_t mine, const RowsLeft& left) {
  const auto show = [&](viewer::WorkProgress progress) {
    if (cleanings_wanted == mine) state.work.put(std::move(progress));
  };
  const auto refuse = [&](const std::string& sentence) {
    if (cleanings_wanted == mine) log::error(sentence);
    show({});
    state.cleanup.put({});
  };
  PhotoWatch watch;
  watch.progress = [&](size_t done, size_t total) {
    show({"reading photos", float(done) / float(std::max<size_t>(total, 1)), true});
  };
  cleaning_photos.reset();
  if (const Outcome opened = CleaningPhotos::open(wanted, cleaning_photos, watch); !opened)
    return refuse(opened.sentence);
  auto proposal =
      cleaning_photos->propose(left.model, clean::Strength::kStrong, [&](int round, size_t view, size_t views) {
        show({"cleaning, round " + std::to_string(round), float(view) / float(views), true});
        return cleanings_wanted == mine;
      });
  if (!proposal) return refuse(proposal.error().message);
  show({});
  engine.edit(options.device.threads,
              [this, mine, all = for_all_rows(*proposal, left), views = cleaning_photos->views(),
               held_out = cleaning_photos->held_out()](viewer::EngineModel&) mutable {
                if (cleanings_wanted != mine) return state.cleanup.put({});
                viewer::CleanupProposal shown = for_window(all);
                shown.views = views, shown.held_out = held_out;
                {
                  std::lock_guard lock(scene_mutex);
                  shown.splats = scene.splats;
                }
                begin_editing().set_proposal(std::move(all));
                state.cleanup.put(std::move(shown));
              });
}

// Only the newest counts: a slider that is dragged asks for several.
void WindowSession::Impl::carry_out(viewer::MeasureCleanup&) {
  if (training) return;
  engine.edit(options.device.threads, [this, mine = ++effects_wanted](viewer::EngineModel& model) {
    if (effects_wanted != mine) return;
    RowsLeft left = rows_left(model.edited());
    std::vector<uint8_t> selected;
    for (const uint32_t row : left.rows) selected.push_back(model.edited().states()[row] & splat::edit::kSelected);
    cleanings.add([this, mine, left = std::move(left), selected = std::move(selected)] {
      if (effects_wanted != mine || !cleaning_photos) return;
      const auto before = cleaning_photos->psnr(left.model), after = cleaning_photos->psnr_without(selected);
      const auto count = size_t(std::count(selected.begin(), selected.end(), splat::edit::kSelected));
      if (before && after) state.cleanup_effect.put({*before, *after, count});
    });
  });
}

}  // namespace app
