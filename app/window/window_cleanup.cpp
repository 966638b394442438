// Cleaning up in the window: what the photos of the opened splats speak against, worked out beside everything else.
#include <algorithm>

#include "app/window/window_session_impl.h"
#include "splat/core/log.h"
#include "splat/edit/rows.h"
#include "splat/math/row_look.h"

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

static_assert(clean::kReasons <= splat::math::kTints, "each has a colour in the window");

viewer::CleanupProposal for_window(const clean::Proposal& proposal) {
  viewer::CleanupProposal shown;
  for (size_t i = 0; i < clean::kReasons; ++i)
    shown.reasons.push_back(
        {std::string(clean::name_of(clean::Reason(i))), std::string(clean::sentence_of(clean::Reason(i))), {}});
  for (size_t row = 0; row < proposal.score.size(); ++row)
    if (proposal.score[row] > 0) shown.reasons[size_t(proposal.reasons[row])].scores.push_back(proposal.score[row]);
  for (viewer::CleanupReason& reason : shown.reasons)
    std::sort(reason.scores.begin(), reason.scores.end(), std::greater<>());
  shown.rows = clean::numbers_of(proposal.reasons);
  for (size_t i = 0; i < shown.strengths.size(); ++i) shown.strengths[i] = clean::least_score(clean::Strength(i));
  return shown;
}

}  // namespace

void WindowSession::Impl::carry_out(viewer::ProposeCleanup&) {
  if (training) return state.cleanup.put({});
  CleaningOptions wanted;
  {
    std::lock_guard lock(scene_mutex);
    if (!scene.photos || scene.splats.empty()) {
      log::error("there are no photos to clean by: open the folder of a run whose dataset is still where it was");
      return state.cleanup.put({});
    }
    wanted.data = scene.photos->root;
    if (scene.run) wanted.dataset = scene.run->dataset;
    wanted.look.background = scene.as_trained.background;
    wanted.look.antialias = scene.as_trained.antialias;
  }
  wanted.device = options.device;
  wanted.console.quiet = true;
  cancel_opening();
  Opening* mine = begin_opening("photos");
  mine->reports = true;
  mine->progress.put({"looking at the photos", -1, true});
  engine.edit(options.device.threads, [this, wanted = std::move(wanted),
                                       answer =
                                           std::make_unique<CleanupAnswer>(*mine, state.cleanup)](auto& model) mutable {
    begin_editing().begin_proposal(model.edited());
    cleanings.add([this, wanted = std::move(wanted), answer = std::move(answer),
                   left = rows_left(model.edited())]() mutable { propose_cleanup(wanted, left, std::move(answer)); });
  });
}

// On the cleaning thread.
void WindowSession::Impl::propose_cleanup(const CleaningOptions& wanted, const RowsLeft& left,
                                          std::unique_ptr<CleanupAnswer> answer) {
  Opening& mine = answer->opening();
  const auto refuse = [&](const std::string& sentence) {
    if (!mine.watch.cancelled) log::error(sentence);
  };
  const auto show = [&](std::string what, size_t done, size_t total) {
    mine.progress.put({std::move(what), float(done) / float(std::max<size_t>(total, 1)), true});
  };
  effects.forget();
  cleaning_photos.reset();
  const PhotoWatch watch{[&](size_t done, size_t total) { show("reading photos", done, total); },
                         &mine.watch.cancelled};
  if (const Outcome opened = CleaningPhotos::open(wanted, cleaning_photos, watch); !opened)
    return refuse(opened.sentence);
  if (const auto shown = cleaning_photos->check_show(left.model); !shown) return refuse(shown.error().message);
  auto proposal =
      cleaning_photos->propose(left.model, clean::Strength::kStrong, [&](int round, size_t view, size_t views) {
        show("cleaning, round " + std::to_string(round), view, views);
        return !mine.watch.cancelled;
      });
  if (!proposal) return refuse(proposal.error().message);
  clean::Proposal all = for_all_rows(*proposal, left);
  answer->proposal = for_window(all);
  answer->proposal.views = cleaning_photos->views(), answer->proposal.held_out = cleaning_photos->held_out();
  engine.edit(options.device.threads,
              [this, all = std::move(all), answer = std::move(answer)](viewer::EngineModel& model) mutable {
                if (answer->opening().watch.cancelled) {
                  answer->proposal = {};
                  return;
                }
                {
                  std::lock_guard lock(scene_mutex);
                  answer->proposal.splats = scene.splats;
                }
                answer->proposal.number = begin_editing().set_proposal(std::move(all), model);
              });
}

// Only the newest counts: a slider that is dragged asks for several.
void WindowSession::Impl::carry_out(viewer::MeasureCleanup& command) {
  if (training) return;
  engine.edit(options.device.threads,
              [this, scene = command.scene, mine = ++effects_wanted](viewer::EngineModel& model) {
                if (effects_wanted != mine) return;
                const splat::edit::EditedModel& edited = model.edited();
                CleanupEffects::Asked asked;
                asked.scene = scene;
                asked.revision = edited.revision();
                asked.states.assign(edited.states().begin(), edited.states().end());
                if (!effects.has(asked.revision)) asked.model = edited.model();
                cleanings.add([this, mine, asked = std::move(asked)] {
                  if (effects_wanted != mine || !cleaning_photos) return;
                  if (const auto effect = effects.measure(*cleaning_photos, asked)) state.cleanup_effect.put(*effect);
                });
              });
}

}  // namespace app
