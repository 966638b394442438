#include "studio/cleanup/service.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "app/jobs/host/host.h"
#include "splat/core/log.h"
#include "splat/edit/rows.h"
#include "splat/math/row_look.h"
#include "viewer/live/draw_picture.h"

namespace studio {

namespace clean = splat::clean;
namespace log = splat::log;

// Rows of the opened splats that are not deleted, by themselves.
struct CleanupService::RowsLeft {
  explicit RowsLeft(const splat::edit::EditedModel& edited) : model(edited.model()), all(model.size()) {
    std::vector<uint8_t> keep(all);
    for (uint32_t row = 0; row < all; ++row) {
      keep[row] = (edited.states()[row] & splat::edit::kDeleted) == 0;
      if (keep[row]) rows.push_back(row);
    }
    splat::edit::keep_rows(model, keep);
  }

  // Scores and reasons of these rows, for all rows.
  clean::Proposal for_all(const clean::Proposal& proposal) const {
    clean::Proposal of_all;
    of_all.rounds = proposal.rounds;
    of_all.score.resize(all), of_all.reasons.resize(all);
    for (size_t i = 0; i < rows.size(); ++i) {
      of_all.score[rows[i]] = proposal.score[i];
      of_all.reasons[rows[i]] = proposal.reasons[i];
    }
    return of_all;
  }

  splat::Gaussians model;
  std::vector<uint32_t> rows;  // [N of model] of the opened splats
  size_t all = 0;              // that were opened
};

namespace {

constexpr const char* kIfClosed = "The clean-up is not found yet. What was looked at so far is lost then.";

static_assert(clean::kReasons <= splat::math::kTints, "each has a colour in the window");

CleanupProposal for_window(const clean::Proposal& proposal) {
  CleanupProposal shown;
  shown.scores.resize(clean::kReasons);
  for (size_t row = 0; row < proposal.score.size(); ++row)
    if (proposal.score[row] > 0) shown.scores[size_t(proposal.reasons[row])].push_back(proposal.score[row]);
  for (std::vector<float>& scores : shown.scores) std::sort(scores.begin(), scores.end(), std::greater<>());
  shown.rows = clean::numbers_of(proposal.reasons);
  return shown;
}

}  // namespace

CleanupService::CleanupService(Context& context, EditService& edit) : context_(context), edit_(edit) {
  Bus& requests = context_.bridge.requests;
  requests.on<ProposeCleanup>([this](ProposeCleanup&&) { begin(); });
  requests.on<MeasureCleanup>([this](MeasureCleanup&& wanted) { measure(wanted.scene); });
}

// A run that may follow finds the memory of photos and backend free.
void CleanupService::scene_changed(bool) {
  context_.makings.add([this] { forget(); });
}

void CleanupService::begin() {
  if (context_.model.run()) return context_.report(CleanupProposal{});
  CleaningOptions wanted;
  const bool possible = context_.documents.with([&](const OpenScene& scene) {
    if (!scene.photos || scene.splats.empty()) return false;
    wanted.data = scene.photos->root;
    if (scene.run) wanted.dataset = scene.run->dataset;
    wanted.look = viewer::render_settings(scene.as_trained);
    return true;
  });
  if (!possible) {
    context_.fail("there are no photos to clean by: open the folder of a run whose dataset is still where it was",
                  "Open folder");
    return context_.report(CleanupProposal{});
  }
  const int threads = context_.options.device.threads;
  wanted.device = context_.options.device;
  context_.jobs.cancel();
  Job& job = context_.jobs.begin_reporting("photos");
  job.progress.put({"looking at the photos", -1, true, kIfClosed});
  context_.model.opened().edit(
      threads, [this, wanted = std::move(wanted),
                answer = std::make_unique<CleanupAnswer>(job, context_.bridge.reports)](auto& model) mutable {
        edit_.begin().begin_proposal(model.edited());
        context_.makings.add([this, wanted = std::move(wanted), answer = std::move(answer),
                              left = RowsLeft(model.edited())]() mutable { propose(wanted, left, std::move(answer)); });
      });
}

// On the making thread, as what follows.
void CleanupService::forget() {
  effects_.forget();
  photos_.reset();
  loan_ = {};
}

void CleanupService::propose(const CleaningOptions& wanted, const RowsLeft& left,
                             std::unique_ptr<CleanupAnswer> answer) {
  Job& job = answer->job;
  const auto refuse = [&](const std::string& sentence) {
    if (!job.watch.cancelled) log::error(sentence);
  };
  const auto show = [&](std::string what, size_t done, size_t total) {
    job.progress.put({std::move(what), float(done) / float(std::max<size_t>(total, 1)), true, kIfClosed});
  };
  forget();
  const auto lend = [&](uint64_t pixels, splat::Backend*& backend) {
    auto lent = context_.devices.lend({left.all, pixels});  // effects are measured with the deleted ones, too
    if (!lent) return bad_input(lent.error());
    loan_ = std::move(*lent);
    backend = loan_.backend.get();
    return done();
  };
  const PhotoWatch watch{[&](size_t done, size_t total) { show("reading photos", done, total); }, &job.watch.cancelled};
  if (const Outcome opened = CleaningPhotos::open(wanted, lend, photos_, watch); !opened)
    return forget(), refuse(opened.sentence);
  if (const auto shown = photos_->check_show(left.model); !shown) return refuse(shown.error().message);
  auto proposal = photos_->propose(left.model, clean::Strength::kStrong, [&](const CleaningPhotos::Now& now) {
    job.progress.put({"looking for what to take out (about " + human_duration(now.seconds_left) + " to go)",
                      float(now.share), true, kIfClosed});
    return !job.watch.cancelled;
  });
  if (!proposal) return refuse(proposal.error().message);
  clean::Proposal all = left.for_all(*proposal);
  answer->proposal = for_window(all);
  answer->proposal.views = photos_->views(), answer->proposal.held_out = photos_->held_out();
  context_.model.opened().edit(context_.options.device.threads,
                               [this, all = std::move(all), answer = std::move(answer)](EngineModel& model) mutable {
                                 if (answer->job.watch.cancelled) {
                                   answer->proposal = {};
                                   return;
                                 }
                                 answer->proposal.splats =
                                     context_.documents.with([](const OpenScene& scene) { return scene.splats; });
                                 answer->proposal.number = edit_.begin().set_proposal(std::move(all), model);
                               });
}

// Only the newest counts: a slider that is dragged asks for several.
void CleanupService::measure(uint64_t scene) {
  if (context_.model.run()) return;
  context_.model.opened().edit(context_.options.device.threads,
                               [this, scene, mine = ++effects_wanted_](EngineModel& model) {
                                 if (effects_wanted_ != mine) return;
                                 const splat::edit::EditedModel& edited = model.edited();
                                 CleanupEffects::Asked asked;
                                 asked.scene = scene;
                                 asked.revision = edited.revision();
                                 asked.states.assign(edited.states().begin(), edited.states().end());
                                 if (!effects_.has(asked.revision)) asked.model = edited.model();
                                 context_.makings.add([this, mine, asked = std::move(asked)] {
                                   if (effects_wanted_ != mine || !photos_) return;
                                   if (const auto effect = effects_.measure(*photos_, asked)) context_.report(*effect);
                                 });
                               });
}

}  // namespace studio
