#include "app/jobs/training/report/photo_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/host/host.h"
#include "app/jobs/training/report/report.h"
#include "io/markup.h"

namespace app {
namespace {

constexpr double kShownStops = 0.1;

std::string share_text(uint64_t part, uint64_t whole) {
  return fmt::format("{} ({:.1f} %)", human_count(part), whole > 0 ? 100.0 * double(part) / double(whole) : 0.0);
}

std::string seen_html(const splat::SplatsSeen& seen) {
  return fmt::format(
      "<p style=\"margin-top:8px\">{} of the splats are seen by one photo alone: no second one confirms where in space "
      "they are. {} are seen by none.</p>\n",
      share_text(seen.by_one, seen.splats), share_text(seen.by_none, seen.splats));
}

std::string row_html(const splat::PhotoFit& photo) {
  return fmt::format("<tr{}><td>{}</td><td class=\"number\">{:.2f}</td><td>{}</td></tr>\n",
                     photo.poor ? " class=\"poor\"" : "", io::html_escaped(photo.name), photo.psnr,
                     photo.poor ? "far below the others: blurred, moved, or another exposure?" : "");
}

// "0.4 stops darker"; empty for less than a tenth.
std::string exposure_text(const splat::PhotoColour& colour) {
  const double stops = splat::stops_of(colour);
  if (!(std::abs(stops) >= kShownStops)) return "";
  return fmt::format("{:.1f} stops {}", std::abs(stops), stops < 0 ? "darker" : "brighter");
}

std::string exposures_html(const ExposureRecord& exposure) {
  std::string html = fmt::format(
      "<p style=\"margin-top:8px\">Brightness differs by {:.2f} stops from one photo to those taken beside it{}.</p>\n",
      exposure.deviation_stops,
      exposure.trained ? ": a gain and a bias were trained for each" : "; the photos were taken as they are");
  std::vector<const ExposureRecord::Photo*> photos;
  for (const auto& photo : exposure.photos)
    if (!exposure_text(photo.colour).empty()) photos.push_back(&photo);
  if (photos.empty()) return html;
  std::stable_sort(photos.begin(), photos.end(), [](const auto* a, const auto* b) {
    return std::abs(splat::stops_of(a->colour)) > std::abs(splat::stops_of(b->colour));
  });
  if (photos.size() > kListedPhotos) photos.erase(photos.begin() + kListedPhotos, photos.end());
  html += "<h3 style=\"margin-top:14px\">Furthest from the mean exposure</h3><table>\n";
  for (const auto* photo : photos)
    html += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n", io::html_escaped(photo->name),
                        exposure_text(photo->colour));
  return html + "</table>\n";
}

std::string poses_html(const PoseRecord& poses) {
  std::string html = "<p style=\"margin-top:8px\">";
  if (!poses.refined)
    return html + fmt::format(
                      "The median camera fits its photo best {:.2f} px from where it is given: all were taken as they "
                      "are.</p>\n",
                      poses.median_px);
  double sum = 0;
  for (const auto& photo : poses.photos) sum += photo.moved_px;
  html += fmt::format("Cameras were refined: they moved by {:.2f} px on average (cameras.json has them).</p>\n",
                      sum / double(std::max<size_t>(poses.photos.size(), 1)));
  std::vector<PoseRecord::Photo> photos = poses.photos;
  std::stable_sort(photos.begin(), photos.end(), [](const auto& a, const auto& b) { return a.moved_px > b.moved_px; });
  if (photos.size() > kListedPhotos) photos.erase(photos.begin() + kListedPhotos, photos.end());
  html += "<h3 style=\"margin-top:14px\">Cameras that moved furthest</h3><table>\n";
  for (const auto& photo : photos)
    html += fmt::format("<tr><td>{}</td><td class=\"number\">{:.1f} px</td></tr>\n", io::html_escaped(photo.name),
                        photo.moved_px);
  return html + "</table>\n";
}

std::string depths_html(const DepthRecord& depths) {
  std::string html = fmt::format(
      "<p style=\"margin-top:8px\">{} of the photos trained on have a depth map ({}); {} were fitted to the scene "
      "(half of their samples within {:.1f} %, scales within {:.1f} % of each other).</p>\n",
      depths.maps, depths.is_depth ? "depths" : "inverse depths", depths.fitted, 100 * depths.error,
      100 * depths.scale_deviation);
  if (depths.left_out.empty()) return html;
  html += "<p>Left out, since they do not fit the scene: ";
  for (size_t i = 0; i < depths.left_out.size(); ++i) html += (i ? ", " : "") + io::html_escaped(depths.left_out[i]);
  return html + ".</p>\n";
}

}  // namespace

std::string photo_fit_html(const RunRecord& record) {
  if (!record.fit || record.fit->photos.empty()) return "";
  const splat::TrainingFit& fit = *record.fit;
  std::string html = fmt::format(
      "<h2>Photos trained on</h2>\n<div class=\"card\">\n<p>Mean PSNR {:.2f} dB over {} of {} photos, median {:.2f} "
      "dB.",
      fit.psnr, fit.photos.size(), fit.training_photos, fit.median);
  if (record.held_out)
    html +=
        fmt::format(" That is {:.2f} dB above the held-out ones: the larger this gap, the more was learnt by heart.",
                    train_test_gap(fit, *record.held_out));
  html += "</p>\n";
  if (fit.seen) html += seen_html(*fit.seen);
  if (record.exposure) html += exposures_html(*record.exposure);
  if (record.poses) html += poses_html(*record.poses);
  if (record.depths) html += depths_html(*record.depths);
  html +=
      "<h3 style=\"margin-top:14px\">Those that fit worst</h3><table><tr><th>photo</th><th class=\"number\">PSNR, "
      "dB</th><th></th></tr>\n";
  const auto poor = size_t(std::count_if(fit.photos.begin(), fit.photos.end(), [](const auto& p) { return p.poor; }));
  const size_t listed = std::min(fit.photos.size(), std::max(kListedPhotos, poor));
  for (size_t i = 0; i < listed; ++i) html += row_html(fit.photos[i]);
  return html + "</table></div>\n";
}

}  // namespace app
