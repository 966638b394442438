#include "app/jobs/clean/clean_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/jobs/host/host.h"
#include "app/jobs/work_memory.h"
#include "splat/edit/rows.h"

namespace app {

namespace clean = splat::clean;

namespace {

class CleaningProgress final : public Progress {
 public:
  explicit CleaningProgress(const CleaningPhotos::Now& now) : now_(now) {}

  std::string sentence() const override {
    return fmt::format("cleaning: {:.0f} %, round {}, photo {}/{}", 100 * now_.share, now_.round, now_.view,
                       now_.views);
  }
  nlohmann::json facts() const override {
    return {{"type", "clean"},    {"share", now_.share},  {"round", now_.round},
            {"photo", now_.view}, {"photos", now_.views}, {"eta_seconds", now_.seconds_left}};
  }
  double share() const override { return now_.share; }
  double seconds_left() const override { return now_.seconds_left; }

 private:
  const CleaningPhotos::Now& now_;
};

}  // namespace

Outcome clean_model(const CleanTask& task, splat::Gaussians& model, Monitor& monitor, CleanReport& report) {
  splat::BackendChoice chosen;
  const auto lend = [&](uint64_t, splat::Backend*& backend) {
    Outcome outcome = open_backend(task.photos.device, chosen);
    backend = chosen.backend.get();
    return outcome;
  };
  std::unique_ptr<CleaningPhotos> photos;
  if (Outcome outcome = CleaningPhotos::open(task.photos, lend, photos); !outcome) return outcome;
  if (const auto status = check_work("cleaning", bytes_to_draw(chosen.backend->info(), model, photos->most_pixels()));
      !status)
    return bad_input(status.error());
  if (const auto shown = photos->check_show(model); !shown) return bad_input(shown.error());
  const auto measure = [&](double& value) -> splat::Status {
    SPLAT_ASSIGN_OR_RETURN(value, photos->psnr(model));
    return {};
  };
  if (const auto status = measure(report.psnr_before); !status) return failed(status.error());
  const auto proposal = photos->propose(model, task.strength, [&](const CleaningPhotos::Now& now) {
    monitor.progress(CleaningProgress(now));
    return !monitor.cancelled();
  });
  if (monitor.cancelled()) return {ExitCode::kInterrupted, kNothingWritten};
  if (!proposal) return failed(proposal.error());
  std::vector<uint8_t> keep = proposal->taken(task.strength);
  for (uint8_t& row : keep) row = !row;
  splat::edit::keep_rows(model, keep);
  report.strength = task.strength;
  report.taken = proposal->counts(task.strength);
  report.views = photos->views(), report.held_out = photos->held_out(), report.rounds = proposal->rounds;
  if (const auto status = measure(report.psnr_after); !status) return failed(status.error());
  return done();
}

nlohmann::json to_json(const CleanReport& report) {
  nlohmann::json taken = nlohmann::json::object();
  for (size_t i = 1; i < report.taken.size(); ++i)
    taken[std::string(clean::name_of(clean::Reason(i)))] = report.taken[i];
  return {{"strength", clean::name_of(report.strength)},
          {"taken", taken},
          {"views", report.views},
          {"rounds", report.rounds},
          {"held_out", report.held_out},
          {"psnr_before", report.psnr_before},
          {"psnr_after", report.psnr_after}};
}

}  // namespace app
