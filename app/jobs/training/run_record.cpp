#include "app/jobs/training/run_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/box_file.h"

namespace app {

using nlohmann::json;

namespace {
constexpr auto kReplaceBadUtf8 = json::error_handler_t::replace;
constexpr double kBeyondChance = 0.3;  // dB; two seeds of one scene differ by less
}  // namespace

std::string overfitting_note(const RunRecord& record) {
  if (!record.held_out) return "";
  const splat::HistoryEntry* best = nullptr;
  for (const splat::HistoryEntry& entry : record.history)
    if (entry.evaluated && (!best || entry.psnr > best->psnr)) best = &entry;
  if (!best || best->iteration >= record.iterations || best->psnr <= record.held_out->psnr + kBeyondChance) return "";
  return fmt::format(
      "held-out PSNR was {:.2f} dB at iteration {}: since then training has fitted its own photos rather "
      "than the scene; -i {} may look better from new sides",
      best->psnr, best->iteration, best->iteration);
}

json to_json(const splat::HistoryEntry& entry) {
  json object{{"iteration", entry.iteration}, {"loss", entry.loss}, {"splats", entry.splats}};
  if (entry.evaluated) {
    object["psnr"] = entry.psnr;
    object["ssim"] = entry.ssim;
  }
  return object;
}

namespace {
json to_json(const splat::TileScore& tile) {
  return {{"x", tile.x}, {"y", tile.y}, {"width", tile.width}, {"height", tile.height}, {"psnr", tile.psnr}};
}

json confirmation_to_json(const splat::ViewConfirmation& confirmation) {
  return {{"confirmed_by_no_photo", confirmation.by_none},
          {"confirmed_by_one_photo", confirmation.by_one},
          {"psnr_confirmed_by_two", confirmation.psnr ? json(*confirmation.psnr) : json()}};
}
}  // namespace

double train_test_gap(const splat::TrainingFit& fit, const splat::Evaluation& held_out) {
  return fit.psnr - held_out.psnr;
}

std::string fit_sentence(const splat::TrainingFit& fit, const std::optional<splat::Evaluation>& held_out) {
  std::string sentence = fmt::format("PSNR {:.2f} dB over {} photos", fit.psnr, fit.photos.size());
  if (fit.photos.size() < fit.training_photos) sentence += fmt::format(" of {}", fit.training_photos);
  if (held_out) sentence += fmt::format(" (gap to held out {:.2f} dB)", train_test_gap(fit, *held_out));
  const auto poor = std::count_if(fit.photos.begin(), fit.photos.end(), [](const auto& photo) { return photo.poor; });
  if (!fit.photos.empty())
    sentence += fmt::format(", worst {} {:.2f} dB", fit.photos.front().name, fit.photos.front().psnr);
  if (poor > 0) sentence += fmt::format(" ({} far below the median, {:.2f} dB)", poor, fit.median);
  if (fit.seen && fit.seen->splats > 0)
    sentence += fmt::format("; {:.1f} % of the splats are seen by one photo alone",
                            100.0 * double(fit.seen->by_one) / double(fit.seen->splats));
  return sentence;
}

std::string confirmation_sentence(std::span<const splat::ViewConfirmation> views) {
  const splat::ViewConfirmation mean = splat::mean_confirmation(views);
  std::string sentence =
      fmt::format("no photo trained on confirms {:.1f} % of what held-out views draw, one alone {:.1f} %",
                  100 * mean.by_none, 100 * mean.by_one);
  if (mean.psnr) sentence += fmt::format("; the rest has {:.2f} dB", *mean.psnr);
  return sentence;
}

std::string aligned_sentence(const splat::Evaluation& evaluation) {
  double moved = 0;
  for (const splat::ViewMetrics& view : evaluation.views)
    if (view.aligned) moved += view.aligned->moved_px / double(evaluation.views.size());
  return fmt::format("with cameras fitted: PSNR {:.2f} dB, SSIM {:.4f} (moved by {:.2f} px on average)",
                     evaluation.psnr_aligned.value_or(0), evaluation.ssim_aligned.value_or(0), moved);
}

json views_to_json(const splat::Evaluation& evaluation) {
  json views = json::array();
  for (const splat::ViewMetrics& view : evaluation.views) {
    views.push_back({{"name", view.name}, {"psnr", view.psnr}, {"ssim", view.ssim}});
    if (view.flip) views.back()["flip"] = *view.flip;
    if (view.psnr_fitted) views.back()["psnr_colour_fitted"] = *view.psnr_fitted;
    if (view.aligned) {
      views.back()["psnr_aligned"] = view.aligned->psnr;
      views.back()["ssim_aligned"] = view.aligned->ssim;
      views.back()["aligned_by_px"] = view.aligned->moved_px;
    }
    if (!view.tiles) continue;
    views.back()["best_tile"] = to_json(view.tiles->best);
    views.back()["worst_tile"] = to_json(view.tiles->worst);
  }
  return views;
}

json fit_to_json(const splat::TrainingFit& fit, const std::optional<splat::Evaluation>& held_out) {
  json photos = json::array();
  for (const splat::PhotoFit& photo : fit.photos)
    photos.push_back({{"name", photo.name}, {"psnr", photo.psnr}, {"far_below_median", photo.poor}});
  json object{{"photos", std::move(photos)},
              {"training_photos", fit.training_photos},
              {"psnr", fit.psnr},
              {"median_psnr", fit.median},
              {"train_test_gap", held_out ? json(train_test_gap(fit, *held_out)) : json()},
              {"splats_seen_by_one_photo", fit.seen ? json(fit.seen->by_one) : json()},
              {"splats_seen_by_no_photo", fit.seen ? json(fit.seen->by_none) : json()}};
  if (!fit.held_out.empty()) {
    object["held_out"] = confirmation_to_json(splat::mean_confirmation(fit.held_out));
    for (const splat::ViewConfirmation& view : fit.held_out) {
      json one = confirmation_to_json(view);
      one["name"] = view.name;
      object["held_out"]["views"].push_back(std::move(one));
    }
  }
  return object;
}

json exposure_to_json(const ExposureRecord& exposure) {
  json photos = json::array();
  for (const ExposureRecord::Photo& photo : exposure.photos) {
    const auto& c = photo.colour;
    photos.push_back({{"name", photo.name},
                      {"stops", splat::stops_of(c)},
                      {"gain", {c[0].gain, c[1].gain, c[2].gain}},
                      {"bias", {c[0].bias, c[1].bias, c[2].bias}}});
  }
  return {{"trained", exposure.trained}, {"deviation_stops", exposure.deviation_stops}, {"photos", std::move(photos)}};
}

json poses_to_json(const PoseRecord& poses) {
  json photos = json::array();
  for (const PoseRecord::Photo& photo : poses.photos)
    photos.push_back({{"name", photo.name}, {"moved_px", photo.moved_px}});
  return {{"refined", poses.refined}, {"median_px", poses.median_px}, {"photos", std::move(photos)}};
}

std::optional<DepthRecord> record_of(const splat::Depths& depths, const splat::Dataset& dataset) {
  if (!depths.any()) return {};
  DepthRecord record{depths.maps(),         depths.fitted(),          depths.is_depth(),
                     depths.median_error(), depths.scale_deviation(), {}};
  for (const int view : depths.left_out()) record.left_out.push_back(dataset.views[size_t(view)].name);
  return record;
}

json depths_to_json(const DepthRecord& depths) {
  return {{"maps", depths.maps},
          {"fitted", depths.fitted},
          {"inverse", !depths.is_depth},
          {"error", depths.error},
          {"scale_deviation", depths.scale_deviation},
          {"left_out", depths.left_out}};
}

json region_to_json(const RegionRecord& region) {
  json object = io::to_json(region.box);
  object.erase("version");
  object["splats_around"] = region.splats_around;
  object["views_left_out"] = region.views_left_out;
  return object;
}

json to_json(const AlignmentQuality& quality) {
  return {{"photos", quality.photos},
          {"registered", quality.registered},
          {"reprojection_error_px", quality.reprojection_error_px},
          {"track_length", quality.track_length}};
}

json to_json(const RunRecord& record) {
  json history = json::array();
  for (const splat::HistoryEntry& entry : record.history) history.push_back(to_json(entry));
  const bool scored = record.held_out.has_value();
  json object{
      {"dataset", record.dataset},
      {"backend", record.backend},
      {"device", record.device},
      {"reason", record.reason},
      {"seed", record.seed},
      {"iterations", record.iterations},
      {"first_iteration", record.first_iteration},
      {"seconds", record.seconds},
      {"iterations_per_second", record.iterations_per_second},
      {"splats", record.splats},
      {"training_views", record.training_views},
      {"psnr", scored ? json(record.held_out->psnr) : json()},
      {"ssim", scored ? json(record.held_out->ssim) : json()},
      {"flip", scored && record.held_out->flip ? json(*record.held_out->flip) : json()},
      {"psnr_colour_fitted", scored && record.held_out->psnr_fitted ? json(*record.held_out->psnr_fitted) : json()},
      {"views", scored ? views_to_json(*record.held_out) : json::array()},
      {"peak_rss_bytes", record.peak_rss_bytes},
      {"predicted_peak_bytes", record.predicted_peak_bytes},
      {"history", std::move(history)}};
  if (record.fit) object["training_fit"] = fit_to_json(*record.fit, record.held_out);
  if (record.exposure) object["exposure"] = exposure_to_json(*record.exposure);
  if (record.poses) object["poses"] = poses_to_json(*record.poses);
  if (record.region) object["region"] = region_to_json(*record.region);
  if (!record.left_out.empty()) object["photos_left_out"] = record.left_out;
  if (record.depths) object["depths"] = depths_to_json(*record.depths);
  if (scored && record.held_out->psnr_aligned) {
    object["psnr_aligned"] = *record.held_out->psnr_aligned;
    object["ssim_aligned"] = *record.held_out->ssim_aligned;
  }
  if (record.alignment) object["alignment"] = to_json(*record.alignment);
  return object;
}

std::string json_line(const json& object) { return object.dump(-1, ' ', false, kReplaceBadUtf8); }

std::string json_text(const json& object) { return object.dump(2, ' ', false, kReplaceBadUtf8) + "\n"; }

}  // namespace app
