// Inputs and results of a training run: the source of metrics.json, of the --json summary and of report.html.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/jobs/align/alignment.h"
#include "splat/model/box.h"
#include "splat/model/dataset.h"
#include "splat/train/evaluate.h"
#include "splat/train/photo_fit.h"
#include "splat/train/progress.h"
#include "splat/train/terms/depths.h"
#include "splat/train/terms/exposure.h"

namespace app {

// What was found about the brightness of the photos, and trained for each.
struct ExposureRecord {
  struct Photo {
    std::string name;
    splat::PhotoColour colour;  // of the model, seen through it: a gain below 1 is a dark photo
  };
  bool trained = false;
  double deviation_stops = 0;  // of the photos, early in the run
  std::vector<Photo> photos;   // those trained on; empty where not trained
};

// How far the cameras were from where their photos fit best, and how far they were moved.
struct PoseRecord {
  struct Photo {
    std::string name;
    double moved_px = 0;
  };
  bool refined = false;
  double median_px = 0;       // of photos fitted alone, early in the run; 0: not measured
  std::vector<Photo> photos;  // those trained on; empty where not refined
};

// The photos' depth maps.
struct DepthRecord {
  size_t maps = 0, fitted = 0;            // of the photos trained on
  bool is_depth = false;                  // else inverse depths
  double error = 0, scale_deviation = 0;  // relative, of the fits (splat::Depths)
  std::vector<std::string> left_out;      // names
};
std::optional<DepthRecord> record_of(const splat::Depths& depths, const splat::Dataset& dataset);  // none: no maps

// Where training was kept to a box.
struct RegionRecord {
  splat::Box box;
  size_t splats_around = 0;  // trained beside those in the file
  size_t views_left_out = 0;
};

struct RunRecord {
  std::string scene;    // the dataset's own name: its folder
  std::string dataset;  // as given on the command line
  std::string backend, device, reason;
  uint64_t seed = 0;
  int iterations = 0;       // reached
  int first_iteration = 0;  // more than 0: resumed there
  double seconds = 0;       // spent training, before first_iteration too; without loading, evaluation and writing
  double iterations_per_second = 0;  // likewise
  size_t splats = 0;                 // in the file
  size_t training_views = 0;
  std::vector<std::string> left_out;          // photos, by --leave-out
  std::optional<RegionRecord> region;         // none: everything is the result
  std::optional<AlignmentQuality> alignment;  // where hipsplat found the cameras
  std::optional<splat::Evaluation> held_out;  // none: no view was held out
  std::optional<splat::TrainingFit> fit;      // of the photos trained on
  std::optional<ExposureRecord> exposure;     // none: not looked at
  std::optional<PoseRecord> poses;            // likewise
  std::optional<DepthRecord> depths;          // none: no photo has a map
  uint64_t peak_rss_bytes = 0;                // of the process, during the run
  uint64_t predicted_peak_bytes = 0;          // by memory_plan.h, for the splats there are at the end
  std::vector<splat::HistoryEntry> history;
};

// A sentence where an earlier evaluation was better by more than chance: the run overfits its few photos. Empty
// otherwise.
std::string overfitting_note(const RunRecord& record);

nlohmann::json to_json(const splat::HistoryEntry& entry);
// By how much the photos trained on fit better than those held out, dB.
double train_test_gap(const splat::TrainingFit& fit, const splat::Evaluation& held_out);
// "PSNR 33.10 dB over 42 photos (gap to held out 2.30 dB), worst photo_12.jpg 27.51 dB; ...": for people.
std::string fit_sentence(const splat::TrainingFit& fit, const std::optional<splat::Evaluation>& held_out);

// "with cameras fitted: PSNR 29.10 dB, SSIM 0.9102 (moved by 1.20 px on average)"; of an evaluation that has it.
std::string aligned_sentence(const splat::Evaluation& evaluation);

// "no photo trained on confirms 4.7 % of what held-out views draw, one alone 3.8 %; the rest has 24.40 dB".
std::string confirmation_sentence(std::span<const splat::ViewConfirmation> views);

nlohmann::json views_to_json(const splat::Evaluation& evaluation);
nlohmann::json fit_to_json(const splat::TrainingFit& fit, const std::optional<splat::Evaluation>& held_out);
nlohmann::json exposure_to_json(const ExposureRecord& exposure);
nlohmann::json poses_to_json(const PoseRecord& poses);
nlohmann::json depths_to_json(const DepthRecord& depths);
nlohmann::json region_to_json(const RegionRecord& region);
nlohmann::json to_json(const AlignmentQuality& quality);
nlohmann::json to_json(const RunRecord& record);  // the field names of the summary and metrics.json

std::string json_line(const nlohmann::json& object);  // bytes that are not UTF-8 (file names) become U+FFFD
std::string json_text(const nlohmann::json& object);  // the same, indented, for files

}  // namespace app
