#include "app/cli/commands/clean.h"

#include <fmt/format.h>

#include <string>

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/jobs/host/host.h"
#include "app/jobs/work_memory.h"
#include "splat/core/counted.h"
#include "splat/edit/rows.h"

namespace app {

namespace clean = splat::clean;

Outcome clean_model(const CleanTask& task, splat::Gaussians& model, StatusLine& line, CleanReport& report) {
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
    line.show(fmt::format("cleaning: {:.0f} %, round {}, photo {}/{}  ETA {}", 100 * now.share, now.round, now.view,
                          now.views, human_duration(now.seconds_left)));
    return !interrupted();
  });
  line.clear();
  if (interrupted()) return {ExitCode::kInterrupted, "interrupted; nothing was written"};
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

void print_clean_report(const CleanReport& report) {
  size_t all = 0;
  for (const size_t count : report.taken) all += count;
  print("  cleaned by {} ({}): {} splats taken out\n", splat::counted(report.views, "photo"),
        clean::name_of(report.strength), human_count(all));
  for (size_t i = 1; i < report.taken.size(); ++i)
    if (report.taken[i] > 0) print("    {} {}\n", human_count(report.taken[i]), clean::sentence_of(clean::Reason(i)));
  if (report.held_out > 0)
    print("    PSNR on {} held-out photos: {:.2f} dB before, {:.2f} dB after\n", report.held_out, report.psnr_before,
          report.psnr_after);
}

}  // namespace app
