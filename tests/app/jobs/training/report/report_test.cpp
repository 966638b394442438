#include "app/jobs/training/report/report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/jobs/training/report/chart.h"
#include "app/jobs/training/report/pictures.h"

namespace app {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Chart, TicksAreRoundAndCoverTheData) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  for (double scale : {1e-6, 1.0, 3e7}) {
    const std::vector<double> ticks = round_ticks(0.3 * scale, 7.7 * scale, 5);
    EXPECT_LE(ticks.front(), 0.3 * scale);
    EXPECT_GE(ticks.back(), 7.7 * scale);
    EXPECT_LE(ticks.size(), 12u);
  }
  EXPECT_GE(round_ticks(5, 5, 5).size(), 2u);  // a flat curve
}

TEST(Chart, DrawsEveryPointInsideTheBox) {
  const std::string svg = chart_svg({"PSNR", "dB", false, {{0, 20}, {50, 25}, {100, 22}}});
  size_t dots = 0;
  for (size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++dots;
  EXPECT_EQ(dots, 3u);
  EXPECT_TRUE(contains(svg, "<svg"));
  EXPECT_TRUE(contains(svg, "</svg>"));
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_TRUE(contains(chart_svg({"Loss", "", true, {}}), "nothing to show"));
  EXPECT_FALSE(contains(chart_svg({"Splats", "", true, {{0, 7}}}), "nan"));
}

TEST(Pictures, RendersAreClampedAndErrorsRankByBrightness) {
  splat::ImageF render{2, 1, {-1.0f, 0.5f, 2.0f, 0.5f, 0.5f, 0.5f}};
  const splat::Image8 image = to_image8(render);
  EXPECT_EQ(image.pixels, (std::vector<uint8_t>{0, 255, 128, 128, 128, 128}));

  const splat::TrainingImage photo{2, 1, {0, 128, 255, 128, 128, 128}, {}};
  const splat::Image8 same = error_map(render, photo);
  EXPECT_LE(same.pixels[0] + same.pixels[1] + same.pixels[2], 8) << "no error is black";
  splat::ImageF wrong = render;
  wrong.rgb = {1, 1, 0, 1, 1, 1};
  const splat::Image8 bad = error_map(wrong, photo);
  EXPECT_GT(bad.pixels[0] + bad.pixels[1] + bad.pixels[2], 500) << "a large error is bright";
}

TEST(Pictures, MaskedPixelsShowNoError) {
  const splat::ImageF render{1, 1, {1, 1, 1}};
  const splat::Image8 map = error_map(render, {1, 1, {0, 0, 0}, {0}});
  EXPECT_EQ(map.pixels[0], map.pixels[1]);
  EXPECT_EQ(map.pixels[1], map.pixels[2]);
}

RunRecord record_of(size_t views) {
  RunRecord record;
  record.scene = "<b>&scene";
  record.iterations = 10;
  record.splats = 1234567;
  record.history = {{1, 0.5, 10, false, 0, 0}, {10, 0.25, 12, true, 21.5, 0.7}};
  record.held_out.emplace();
  for (size_t i = 0; i < views; ++i)
    record.held_out->views.push_back({int(i), "view" + std::to_string(i), 20, 0.5, {}, {}, {}});
  return record;
}

TEST(RunRecord, TellsOfATrainingThatWentOnForTooLong) {
  RunRecord record = record_of(1);
  record.iterations = 30000;
  record.held_out->psnr = 26.66;
  record.history = {
      {3000, 0.1, 10, true, 27.96, 0.9}, {6000, 0.1, 10, true, 27.6, 0.9}, {30000, 0.1, 10, true, 26.66, 0.9}};
  EXPECT_TRUE(contains(overfitting_note(record), "27.96 dB at iteration 3000")) << overfitting_note(record);
  record.held_out->psnr = record.history.back().psnr = 27.7;
  EXPECT_EQ(overfitting_note(record), "") << "a difference that another seed makes too";
  record.held_out.reset();
  EXPECT_EQ(overfitting_note(record), "");
}

TEST(Report, IsOneFileThatNeedsNothingElse) {
  const RunRecord record = record_of(1);
  ReportPictures pictures(1);
  pictures.add(record.held_out->views[0], {8, 8, std::vector<float>(192, 0.5f)},
               {8, 8, std::vector<uint8_t>(192, 100), {}});
  const std::string html = report_html(record, {{"iterations", 10}}, pictures.views());
  EXPECT_TRUE(contains(html, "&lt;b&gt;&amp;scene"));
  EXPECT_FALSE(contains(html, "<b>&scene"));
  EXPECT_FALSE(contains(html, "http://"));
  EXPECT_FALSE(contains(html, "https://"));
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_TRUE(contains(html, "data:image/jpeg;base64,"));
  EXPECT_TRUE(contains(html, "1 234 567"));
  EXPECT_TRUE(contains(html, "view0"));
  EXPECT_TRUE(contains(html, "iterations"));
}

TEST(Report, SaysSoWhenNothingWasHeldOut) {
  RunRecord record = record_of(0);
  record.held_out.reset();
  EXPECT_TRUE(contains(report_html(record, {}, {}), "No view was held out"));
}

TEST(Report, ManyViewsAreThinnedEvenlyAndListed) {
  const RunRecord record = record_of(40);
  ReportPictures pictures(40);
  const splat::ImageF render{8, 8, std::vector<float>(192, 0.5f)};
  const splat::TrainingImage photo{8, 8, std::vector<uint8_t>(192, 100), {}};
  for (const splat::ViewMetrics& view : record.held_out->views) pictures.add(view, render, photo);
  EXPECT_EQ(pictures.views().size(), 12u);
  EXPECT_LT(pictures.views().front().metrics.view, 4);
  EXPECT_GT(pictures.views().back().metrics.view, 36);
  EXPECT_TRUE(contains(report_html(record, {}, pictures.views()), "All held-out views"));
}

splat::TrainingFit fit_of(size_t photos, size_t training_photos) {
  splat::TrainingFit fit;
  for (size_t i = 0; i < photos; ++i)
    fit.photos.push_back({int(i), "photo<" + std::to_string(i), 20.25 + double(i), i == 0, {}});
  fit.training_photos = training_photos;
  fit.psnr = 33.5;
  fit.median = 34;
  fit.seen = splat::SplatsSeen{2000, 20, 150};
  return fit;
}

TEST(Report, ShowsHowWellThePhotosTrainedOnFit) {
  RunRecord record = record_of(2);
  record.held_out->psnr = 31.25;
  EXPECT_FALSE(contains(report_html(record, {}, {}), "Photos trained on"));
  record.fit = fit_of(30, 30);
  const std::string html = report_html(record, {}, {});
  for (const char* part : {"train-test gap", "2.25", "33.50 dB over 30 of 30 photos", "photo&lt;0", "20.25",
                           "far below the others", "150 (7.5 %)", "20 (1.0 %)", "photo&lt;9"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_FALSE(contains(html, "photo&lt;10")) << "the worst are enough";
  for (splat::PhotoFit& photo : record.fit->photos) photo.poor = photo.view < 12;
  EXPECT_TRUE(contains(report_html(record, {}, {}), "photo&lt;11")) << "but none that stands out is missing";
  record.held_out.reset();
  EXPECT_FALSE(contains(report_html(record, {}, {}), "train-test gap"));
}

TEST(Report, SaysWhichPhotosAreDarker) {
  RunRecord record = record_of(1);
  record.fit = fit_of(3, 3);
  record.exposure = ExposureRecord{false, 0.07, {}};
  EXPECT_TRUE(contains(report_html(record, {}, {}), "0.07 stops"));
  EXPECT_TRUE(contains(report_html(record, {}, {}), "taken as they are"));
  const double dark = std::exp2(-0.4 / 2.2), same = 1.001;
  record.exposure = ExposureRecord{
      true, 0.31, {{"photo12", {{{dark, 0}, {dark, 0}, {dark, 0}}}}, {"photo13", {{{same, 0}, {same, 0}, {same, 0}}}}}};
  const std::string html = report_html(record, {}, {});
  EXPECT_TRUE(contains(html, "photo12</td><td class=\"number\">0.4 stops darker"));
  EXPECT_FALSE(contains(html, "photo13"));
  const nlohmann::json json = to_json(record)["exposure"];
  EXPECT_EQ(json["trained"], true);
  EXPECT_NEAR(json["photos"][0]["stops"].get<double>(), -0.4, 1e-9);
}

TEST(Report, SaysWhichCamerasMoved) {
  RunRecord record = record_of(1);
  EXPECT_FALSE(to_json(record).contains("poses"));
  record.fit = fit_of(3, 3);
  record.poses = PoseRecord{false, 0.21, {}};
  EXPECT_TRUE(contains(report_html(record, {}, {}), "0.21 px from where it is given"));
  EXPECT_TRUE(contains(report_html(record, {}, {}), "taken as they are"));
  record.poses = PoseRecord{true, 1.31, {{"photo<2", 0.4}, {"photo3", 0.8}}};
  record.held_out->psnr_aligned = 29.25;
  record.held_out->ssim_aligned = 0.91;
  record.held_out->views[0].aligned = splat::ViewMetrics::Aligned{29.25, 0.91, 0.3};
  const std::string html = report_html(record, {}, {});
  for (const char* part : {"moved by 0.60 px on average", "photo3</td><td class=\"number\">0.8 px",
                           "photo&lt;2</td><td class=\"number\">0.4 px", "29.25"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_LT(html.find("photo3</td><td class=\"number\">0.8"), html.find("photo&lt;2</td><td class=\"number\">0.4"));
  const nlohmann::json json = to_json(record);
  EXPECT_EQ(json["poses"]["refined"], true);
  EXPECT_EQ(json["poses"]["photos"][1]["moved_px"], 0.8);
  EXPECT_EQ(json["psnr_aligned"], 29.25);
  EXPECT_EQ(json["views"][0]["aligned_by_px"], 0.3);
}

TEST(Report, FramesTheBestAndTheWorstTile) {
  RunRecord record = record_of(1);
  record.held_out->views[0].tiles = splat::TileExtremes{{0, 0, 2, 2, 41.125}, {4, 2, 2, 2, 17.625}};
  ReportPictures pictures(1);
  pictures.add(record.held_out->views[0], {8, 8, std::vector<float>(192, 0.5f)},
               {8, 8, std::vector<uint8_t>(192, 100), {}});
  const std::string html = report_html(record, {}, pictures.views());
  EXPECT_TRUE(contains(html, "tile worst\" style=\"left:50.00%;top:25.00%;width:25.00%;height:25.00%\""));
  EXPECT_TRUE(contains(html, "tile best\" style=\"left:0.00%"));
  EXPECT_TRUE(contains(html, "17.62"));
  EXPECT_TRUE(contains(html, "41.12"));
}

TEST(Metrics, HoldTheFitOfEveryPhoto) {
  RunRecord record = record_of(1);
  record.held_out->psnr = 31.25;
  record.held_out->views[0].tiles = splat::TileExtremes{{0, 0, 2, 2, 41.125}, {4, 2, 3, 5, 17.625}};
  record.fit = fit_of(30, 60);
  nlohmann::json json = to_json(record);
  EXPECT_EQ(json["views"][0]["worst_tile"],
            (nlohmann::json{{"x", 4}, {"y", 2}, {"width", 3}, {"height", 5}, {"psnr", 17.625}}));
  EXPECT_EQ(json["views"][0]["best_tile"]["psnr"], 41.125);
  const nlohmann::json& fit = json["training_fit"];
  EXPECT_EQ(fit["photos"].size(), 30u);
  EXPECT_EQ(fit["photos"][0], (nlohmann::json{{"name", "photo<0"}, {"psnr", 20.25}, {"far_below_median", true}}));
  EXPECT_EQ(fit["training_photos"], 60);
  EXPECT_EQ(fit["psnr"], 33.5);
  EXPECT_EQ(fit["median_psnr"], 34);
  EXPECT_EQ(fit["train_test_gap"], 2.25);
  EXPECT_EQ(fit["splats_seen_by_one_photo"], 150);
  EXPECT_EQ(fit["splats_seen_by_no_photo"], 20);
  record.fit->seen.reset();
  record.held_out.reset();
  json = to_json(record);
  EXPECT_TRUE(json["training_fit"]["splats_seen_by_one_photo"].is_null());
  EXPECT_TRUE(json["training_fit"]["train_test_gap"].is_null());
}

TEST(Report, SaysWhatNoPhotoConfirms) {
  RunRecord record = record_of(2);
  record.fit = fit_of(3, 3);
  ReportPictures pictures(2);
  for (const splat::ViewMetrics& view : record.held_out->views)
    pictures.add(view, {8, 8, std::vector<float>(192, 0.5f)}, {8, 8, std::vector<uint8_t>(192, 100), {}});
  EXPECT_FALSE(contains(report_html(record, {}, pictures.views()), "no photo trained on confirms"));
  EXPECT_FALSE(to_json(record)["training_fit"].contains("held_out"));
  record.fit->held_out = {{0, "view0", 0.25, 0.125, 24.5}, {1, "view1", 0, 0, 25.5}};
  const std::string html = report_html(record, {}, pictures.views());
  EXPECT_TRUE(contains(html, "confirmed by one photo alone 12.5 %, by none 25.0 %"));
  EXPECT_TRUE(contains(html,
                       "no photo trained on confirms 12.5 % of what held-out views draw, one alone 6.2 %; the "
                       "rest has 25.00 dB"));
  const nlohmann::json held_out = to_json(record)["training_fit"]["held_out"];
  EXPECT_EQ(held_out["confirmed_by_no_photo"], 0.125);
  EXPECT_EQ(held_out["psnr_confirmed_by_two"], 25.0);
  EXPECT_EQ(held_out["views"][0]["name"], "view0");
  EXPECT_EQ(held_out["views"][0]["confirmed_by_one_photo"], 0.125);
  record.fit->held_out = {{0, "view0", 1, 0, {}}};
  EXPECT_FALSE(contains(confirmation_sentence(record.fit->held_out), "dB"));
  EXPECT_TRUE(to_json(record)["training_fit"]["held_out"]["psnr_confirmed_by_two"].is_null());
}

TEST(Metrics, SayInOneLineHowWellThePhotosFit) {
  splat::Evaluation held_out;
  held_out.psnr = 31.25;
  EXPECT_EQ(fit_sentence(fit_of(30, 60), held_out),
            "PSNR 33.50 dB over 30 photos of 60 (gap to held out 2.25 dB), worst photo<0 20.25 dB (1 far below the "
            "median, 34.00 dB); 7.5 % of the splats are seen by one photo alone");
  EXPECT_FALSE(contains(fit_sentence(fit_of(30, 30), {}), "gap"));
}

TEST(Metrics, HaveTheAgreedNames) {
  const nlohmann::json json = to_json(record_of(2));
  for (const char* name : {"backend", "device", "reason", "seed", "iterations", "seconds", "iterations_per_second",
                           "splats", "psnr", "ssim", "flip", "views", "peak_rss_bytes", "history"})
    EXPECT_TRUE(json.contains(name)) << name;
  EXPECT_EQ(json["views"].size(), 2u);
  EXPECT_EQ(json["history"][1]["psnr"], 21.5);
  RunRecord without = record_of(0);
  without.held_out.reset();
  EXPECT_TRUE(to_json(without)["psnr"].is_null());
  EXPECT_TRUE(to_json(without)["ssim"].is_null());
  EXPECT_TRUE(to_json(without)["flip"].is_null());
}

TEST(Metrics, NamesThatAreNotUtf8AreStillWritten) {
  RunRecord record = record_of(0);
  record.dataset = "caf\xe9";
  EXPECT_TRUE(nlohmann::json::accept(json_line(to_json(record))));
}

}  // namespace
}  // namespace app
