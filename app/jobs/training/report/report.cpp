#include "app/jobs/training/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/jobs/host/host.h"
#include "app/jobs/training/report/chart.h"
#include "app/jobs/training/report/photo_fit.h"
#include "app/jobs/training/report/pictures.h"
#include "app/jobs/training/report/style.h"
#include "io/image_file.h"
#include "io/images/resize.h"
#include "io/markup.h"

namespace app {
namespace {

constexpr int kJpegQuality = 88;
constexpr size_t kMaxPictureViews = 12;

std::string figure_card(const std::string& value, const std::string& unit, const std::string& label) {
  return fmt::format("<div class=\"card figure\"><div class=\"value\">{}{}</div><div class=\"label\">{}</div></div>\n",
                     value, unit.empty() ? "" : " <small>" + unit + "</small>", label);
}

std::string header_html(const RunRecord& r) {
  std::string html =
      fmt::format("<h1>{}</h1>\n<p class=\"soft\">{}</p>\n<p class=\"soft\">hipsplat {}, {} backend ({}): {}</p>\n",
                  io::html_escaped(r.scene), io::html_escaped(r.dataset), HIPSPLAT_VERSION, io::html_escaped(r.backend),
                  io::html_escaped(r.device), io::html_escaped(r.reason));
  html += "<div class=\"figures\">\n";
  if (r.held_out) {
    html += figure_card(fmt::format("{:.2f}", r.held_out->psnr), "dB", "held-out PSNR");
    html += figure_card(fmt::format("{:.4f}", r.held_out->ssim), "", "held-out SSIM");
    if (r.held_out->flip) html += figure_card(fmt::format("{:.4f}", *r.held_out->flip), "", "held-out FLIP");
  }
  if (r.held_out && r.fit && !r.fit->photos.empty())
    html += figure_card(fmt::format("{:.2f}", train_test_gap(*r.fit, *r.held_out)), "dB", "train-test gap");
  if (r.held_out && r.held_out->psnr_fitted && r.exposure && r.exposure->trained)
    html += figure_card(fmt::format("{:.2f}", *r.held_out->psnr_fitted), "dB", "with colours fitted");
  if (r.held_out && r.held_out->psnr_aligned)
    html += figure_card(fmt::format("{:.2f}", *r.held_out->psnr_aligned), "dB", "with cameras fitted");
  html += figure_card(human_count(r.splats), "", "splats");
  html += figure_card(human_count(uint64_t(r.iterations)), "", "iterations");
  html += figure_card(human_duration(r.seconds), "", "training");
  html += figure_card(fmt::format("{:.1f}", r.iterations_per_second), "it/s", "speed");
  html += figure_card(human_bytes(r.peak_rss_bytes), "", "peak memory");
  if (r.alignment) {
    html += figure_card(fmt::format("{} of {}", r.alignment->registered, r.alignment->photos), "", "photos aligned");
    html += figure_card(fmt::format("{:.2f}", r.alignment->reprojection_error_px), "px", "reprojection error");
    html += figure_card(fmt::format("{:.1f}", r.alignment->track_length), "photos", "see each point");
  }
  html += "</div>\n";
  if (!r.held_out)
    html +=
        "<p class=\"card note\" style=\"margin-top:14px\">No view was held out, so there is no PSNR or SSIM to report: "
        "train with --eval to measure on photos the training never saw.</p>\n";
  if (r.region)
    html += fmt::format(
        "<p class=\"card note\" style=\"margin-top:14px\">Training was kept to a box; pixels whose ray misses it do "
        "not count. Of {} splats the {} inside are written; figures and pictures are with those around.</p>\n",
        human_count(r.splats + r.region->splats_around), human_count(r.splats));
  if (!r.left_out.empty())
    html += fmt::format("<p class=\"card note\" style=\"margin-top:14px\">Left out of training: {}.</p>\n",
                        io::html_escaped(fmt::format("{}", fmt::join(r.left_out, ", "))));
  if (const std::string note = overfitting_note(r); !note.empty())
    html += fmt::format("<p class=\"card note\" style=\"margin-top:14px\">Note: {}.</p>\n", io::html_escaped(note));
  return html;
}

std::string charts_html(const RunRecord& r) {
  Chart loss{"Loss", "", true, {}}, psnr{"Held-out PSNR", "dB", false, {}}, splats{"Splats", "", true, {}};
  for (const splat::HistoryEntry& entry : r.history) {
    const double x = entry.iteration;
    if (entry.iteration > 0 && std::isfinite(entry.loss)) loss.points.push_back({x, entry.loss});
    if (entry.evaluated && std::isfinite(entry.psnr)) psnr.points.push_back({x, entry.psnr});
    splats.points.push_back({x, double(entry.splats)});
  }
  if (loss.points.empty()) return "";
  std::string html = "<h2>Training</h2>\n<div class=\"charts\">\n";
  for (const Chart* chart : {&loss, &psnr, &splats})
    if (!chart->points.empty())
      html += fmt::format("<div class=\"card\"><h3>{}{}</h3>{}</div>\n", chart->title,
                          chart->unit.empty() ? "" : fmt::format(" <span class=\"soft\">({})</span>", chart->unit),
                          chart_svg(*chart));
  return html + "</div>\n";
}

std::string small_jpeg(const splat::Image8& image) {
  const double scale = std::min(1.0, double(kReportPictureSide) / std::max(image.width, image.height));
  const int width = std::max(1, int(image.width * scale)), height = std::max(1, int(image.height * scale));
  return io::encode_jpeg(io::resize_area(image, width, height), kJpegQuality);
}

// A frame over a picture, wherever that is shown and however large.
std::string frame_html(const char* kind, const splat::TileScore& tile, const ReportPictures::View& view) {
  const double x = 100.0 / view.width, y = 100.0 / view.height;
  return fmt::format(
      "<span class=\"tile {}\" style=\"left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%\" title=\"{} tile: "
      "{:.2f} dB\"></span>",
      kind, tile.x * x, tile.y * y, tile.width * x, tile.height * y, kind, tile.psnr);
}

std::string picture_html(const std::string& jpeg, const char* caption, const ReportPictures::View& view) {
  std::string frames;
  if (const auto& tiles = view.metrics.tiles)
    frames = frame_html("best", tiles->best, view) + frame_html("worst", tiles->worst, view);
  return fmt::format(
      "<figure><div class=\"picture\"><img loading=\"lazy\" width=\"{}\" height=\"{}\" alt=\"{}\" "
      "src=\"data:image/jpeg;base64,{}\">{}</div><figcaption>{}</figcaption></figure>",
      view.width, view.height, caption, io::base64(jpeg), frames, caption);
}

std::string tiles_text(const splat::ViewMetrics& view) {
  if (!view.tiles) return "";
  return fmt::format(" &nbsp; tiles {:.2f} to {:.2f} dB", view.tiles->worst.psnr, view.tiles->best.psnr);
}

std::string confirmation_html(std::span<const splat::ViewConfirmation> views) {
  return fmt::format(
      "<p class=\"soft\" style=\"margin-bottom:12px\">Training had to guess what no photo shows, and how far away lies "
      "what one alone shows: {}.</p>\n",
      confirmation_sentence(views));
}

std::string confirmation_text(const RunRecord& r, int view) {
  if (!r.fit) return "";
  const auto& views = r.fit->held_out;
  const auto found = std::find_if(views.begin(), views.end(), [&](const auto& one) { return one.view == view; });
  if (found == views.end()) return "";
  return fmt::format(" &nbsp; confirmed by one photo alone {:.1f} %, by none {:.1f} %", 100 * found->by_one,
                     100 * found->by_none);
}

std::string views_html(const RunRecord& r, const std::vector<ReportPictures::View>& views) {
  if (!r.held_out || r.held_out->views.empty()) return "";
  std::string html = fmt::format(
      "<h2>Held-out views</h2>\n<p class=\"soft\" style=\"margin-bottom:12px\">{} photos that training never saw. "
      "FLIP: how visible the difference is, from 0 to 1. Error: mean difference of the channels, 0 <span "
      "class=\"scale\"></span> {:.0f} % and more. Framed: the <span class=\"best\">best</span> and the <span "
      "class=\"worst\">worst</span> tile.</p>\n",
      r.held_out->views.size(), kFullError * 100);
  if (r.fit && !r.fit->held_out.empty()) html += confirmation_html(r.fit->held_out);
  for (const ReportPictures::View& view : views)
    html += fmt::format(
        "<div class=\"card view\"><header><b>{}</b><span>PSNR {:.2f} dB &nbsp; SSIM {:.4f} &nbsp; FLIP "
        "{:.4f}{}{}</span></header><div class=\"triple\">{}{}{}</div></div>\n",
        io::html_escaped(view.metrics.name), view.metrics.psnr, view.metrics.ssim, view.metrics.flip.value_or(0),
        tiles_text(view.metrics), confirmation_text(r, view.metrics.view), picture_html(view.photo, "photo", view),
        picture_html(view.render, "render", view), picture_html(view.error, "error", view));
  if (views.size() == r.held_out->views.size()) return html;
  html +=
      "<div class=\"card\"><h3>All held-out views</h3><table><tr><th>view</th><th class=\"number\">PSNR, dB</th><th "
      "class=\"number\">SSIM</th><th class=\"number\">FLIP</th><th class=\"number\">worst tile, dB</th><th "
      "class=\"number\">best tile, dB</th></tr>\n";
  for (const splat::ViewMetrics& view : r.held_out->views)
    html += fmt::format(
        "<tr><td>{}</td><td class=\"number\">{:.2f}</td><td class=\"number\">{:.4f}</td><td "
        "class=\"number\">{:.4f}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        io::html_escaped(view.name), view.psnr, view.ssim, view.flip.value_or(0),
        view.tiles ? fmt::format("{:.2f}", view.tiles->worst.psnr) : "",
        view.tiles ? fmt::format("{:.2f}", view.tiles->best.psnr) : "");
  return html + "</table></div>\n";
}

std::string settings_html(const nlohmann::json& settings) {
  std::string html = "<h2>Settings</h2>\n<div class=\"card settings\">\n";
  for (const auto& [name, value] : settings.items())
    html += fmt::format(
        "<div><span class=\"soft\">{}</span><span>{}</span></div>\n", io::html_escaped(name),
        io::html_escaped(value.is_string() ? value.get<std::string>()
                                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  return html + "</div>\n";
}

}  // namespace

void ReportPictures::add(const splat::ViewMetrics& metrics, const splat::ImageF& render,
                         const splat::TrainingImage& photo) {
  const size_t index = seen_++;
  const size_t wanted = std::min(expected_, kMaxPictureViews);
  const bool chosen = expected_ <= wanted || index * wanted / expected_ != (index + 1) * wanted / expected_;
  if (!chosen || bytes_ > kReportPictureBytes) return;
  views_.push_back({metrics, photo.width, photo.height, small_jpeg(to_image8(photo)), small_jpeg(to_image8(render)),
                    small_jpeg(error_map(render, photo))});
  bytes_ += views_.back().photo.size() + views_.back().render.size() + views_.back().error.size();
}

std::string report_html(const RunRecord& record, const nlohmann::json& settings,
                        const std::vector<ReportPictures::View>& views) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} - hipsplat report</title><style>{}</style></head><body><main>\n",
      io::html_escaped(record.scene), kReportStyle);
  html += header_html(record) + charts_html(record) + views_html(record, views) + photo_fit_html(record) +
          settings_html(settings);
  html += fmt::format(
      "<footer>Seed {}. {} views trained on. Figures are of the written splat file; PSNR, SSIM and FLIP on 8-bit "
      "values, "
      "SSIM with an 11x11 window of sigma 1.5.</footer>\n",
      record.seed, record.training_views);
  return html + "</main></body></html>\n";
}

}  // namespace app
