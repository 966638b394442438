#include "app/commands/clean.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/console/host.h"
#include "app/console/interrupt.h"
#include "app/console/standard_streams.h"
#include "app/run/session.h"
#include "splat/edit/rows.h"
#include "splat/train/evaluate.h"

namespace app {
namespace {

namespace clean = splat::clean;

constexpr size_t kMostPhotos = 60;  // that are looked at, evenly chosen

}  // namespace

Outcome clean_model(const CleanTask& task, splat::Gaussians& model, StatusLine& line, CleanReport& report) {
  Outcome stopped{ExitCode::kInterrupted, "interrupted; nothing was written"};
  io::DatasetOptions options = task.dataset;
  if (options.resolution == 0) options.resolution = kCleanSide;
  splat::Dataset dataset;
  if (Outcome outcome = open_dataset(task.data, options, dataset); !outcome) return outcome;
  splat::BackendChoice chosen;
  if (Outcome outcome = open_backend(task.device, chosen); !outcome) return outcome;
  std::unique_ptr<splat::ImageSource> photos;
  if (Outcome outcome = open_photos(dataset, {0, task.device.threads, task.console}, photos); !outcome) return outcome;
  const std::vector<int> views = clean::spread(dataset.training_views(), kMostPhotos);
  const std::vector<int> held_out = dataset.held_out_views();
  if (views.empty()) return bad_input(fmt::format("'{}' has no photos to clean by", task.data.string()));

  splat::ThreadPool pool(task.device.threads);
  const auto psnr = [&](double& value) -> splat::Status {
    chosen.backend->upload(model);
    SPLAT_ASSIGN_OR_RETURN(const auto found,
                           splat::evaluate(*chosen.backend, {dataset, *photos, held_out, task.look, &pool, {}}));
    value = found.psnr;
    return {};
  };
  if (const auto status = psnr(report.psnr_before); !status) return failed(status.error());
  int round = 0;
  const clean::CleanInputs inputs{*chosen.backend, dataset, *photos, views, task.look, [&](size_t view, size_t count) {
                                    if (view == 1) ++round;
                                    line.show(fmt::format("cleaning: round {}, photo {}/{}", round, view, count));
                                    return !interrupted();
                                  }};
  const auto proposal = clean::propose(inputs, model, task.strength);
  line.clear();
  if (interrupted()) return stopped;
  if (!proposal) return failed(proposal.error());
  std::vector<uint8_t> keep = proposal->taken(task.strength);
  for (uint8_t& row : keep) row = !row;
  splat::edit::keep_rows(model, keep);
  report.strength = task.strength;
  report.taken = proposal->counts(task.strength);
  report.views = views.size(), report.held_out = held_out.size(), report.rounds = proposal->rounds;
  if (const auto status = psnr(report.psnr_after); !status) return failed(status.error());
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
  print("  cleaned by {} photos ({}): {} splats taken out\n", report.views, clean::name_of(report.strength),
        human_count(all));
  for (size_t i = 1; i < report.taken.size(); ++i)
    if (report.taken[i] > 0) print("    {} {}\n", human_count(report.taken[i]), clean::sentence_of(clean::Reason(i)));
  if (report.held_out > 0)
    print("    PSNR on {} held-out photos: {:.2f} dB before, {:.2f} dB after\n", report.held_out, report.psnr_before,
          report.psnr_after);
}

}  // namespace app
