// A window without a window: a session, and everything it has reported so far.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "studio/align/messages.h"
#include "studio/blocks/messages.h"
#include "studio/compare/messages.h"
#include "studio/edit/messages.h"
#include "studio/film/messages.h"
#include "studio/masks/messages.h"
#include "studio/mesh/messages.h"
#include "studio/model/messages.h"
#include "studio/runs/messages.h"
#include "studio/session.h"

namespace app::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kSlower = 20;  // than without the sanitizer, at most
#else
inline constexpr double kSlower = 1;
#endif

class LiveWindow {
 public:
  explicit LiveWindow(int threads = 2, const std::filesystem::path& config = {})
      : LiveWindow(options(threads), config) {}
  explicit LiveWindow(const SessionOptions& options, const std::filesystem::path& config = {})
      : session_(options, bridge_, config) {}
  static SessionOptions options(int threads) {
    SessionOptions options;
    options.device.backend = "cpu";
    options.device.threads = threads;
    return options;
  }

  template <class Request>
  void send(Request request) {
    timed([&] { bridge_.requests.put(std::move(request)); });
  }
  void look(std::optional<viewer::RenderRequest> request) {
    timed([&] { bridge_.view.put(std::move(request)); });
  }

  // What a frame of the window does: takes over whatever there is.
  void pump() {
    timed([&] {
      if (auto value = bridge_.reports.take<viewer::OpenedSplats>()) splats = std::move(value);
      if (auto value = bridge_.reports.take<viewer::PackedModel>()) packed = std::move(value);
      if (auto value = bridge_.reports.take<viewer::PredictedSizes>()) predicted_sizes = std::move(value);
      if (auto value = bridge_.reports.take<viewer::OpenedDataset>()) dataset = std::move(value);
      if (auto value = bridge_.reports.take<viewer::UnalignedPhotos>()) unaligned = std::move(value);
      if (auto value = bridge_.reports.take<viewer::RunPreview>()) preflight = std::move(value);
      if (auto value = bridge_.reports.take<viewer::RunHistory>()) run_history = std::move(value);
      if (auto value = bridge_.reports.take<viewer::OpenedRun>()) opened_run = std::move(value);
      if (auto value = bridge_.reports.take<viewer::RunPrediction>()) run_prediction = std::move(value);
      if (auto value = bridge_.reports.take<viewer::CityScene>()) city = std::move(*value);
      if (auto value = bridge_.reports.take<viewer::BlocksForecast>()) blocks_forecast = std::move(value);
      if (auto value = bridge_.reports.take<viewer::CityPlanned>()) planned = std::move(value);
      if (auto value = bridge_.reports.take<viewer::WorkProgress>()) works.push_back(std::move(*value));
      if (auto value = bridge_.reports.take<viewer::TrainingState>()) training = std::move(*value);
      if (auto value = bridge_.reports.take<viewer::Photo>()) photo = std::move(value);
      if (auto value = bridge_.reports.take<viewer::Comparison>()) comparison = std::move(value);
      if (auto value = bridge_.reports.take<viewer::MaskPhoto>()) mask_photo = std::move(value);
      if (auto value = bridge_.reports.take<viewer::MaskSaved>()) mask_saved = value;
      if (auto value = bridge_.reports.take<viewer::Devices>()) devices = std::move(value);
      if (auto value = bridge_.reports.take<viewer::PickedPoint>()) picked = std::move(value);
      if (auto value = bridge_.reports.take<viewer::EditedScene>()) edited = std::move(value);
      if (auto value = bridge_.reports.take<viewer::EditsFound>()) edits_found = std::move(value);
      if (auto value = bridge_.reports.take<viewer::CleanupProposal>()) cleanup = std::move(value);
      if (auto value = bridge_.reports.take<viewer::CleanupEffect>()) cleanup_effect = value;
      if (auto value = bridge_.reports.take<viewer::OutputTaken>()) output_taken = std::move(value);
      if (auto value = bridge_.reports.take<viewer::ShownMesh>()) mesh = std::move(value);
      if (auto value = bridge_.reports.take<viewer::MeshPrediction>()) mesh_prediction = std::move(value);
      if (auto value = bridge_.reports.take<viewer::PathRead>()) path = std::move(value);
      if (auto value = bridge_.reports.take<viewer::FilmPreview>()) preview = std::move(value);
      if (auto value = bridge_.reports.take<viewer::FilmEnded>()) film = std::move(value);
      if (auto value = bridge_.reports.take<viewer::EngineImage>()) {
        image = std::move(value);
        ++images;
      }
      if (auto value = bridge_.reports.take<viewer::PictureToCopy>()) to_copy = std::move(value);
      if (bridge_.reports.take<viewer::QuitDone>()) quit_done = true;
      while (auto value = bridge_.reports.take<viewer::Thumbnail>()) thumbnails.push_back(std::move(*value));
      while (auto value = bridge_.reports.take<viewer::RecentPicture>()) recent_pictures.push_back(std::move(*value));
      while (auto value = bridge_.reports.take<viewer::Notice>()) notices.push_back(std::move(*value));
    });
  }

  bool wait(const std::function<bool()>& condition, double seconds = 20) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kSlower * seconds);
    for (;;) {
      pump();
      if (condition()) return true;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  bool wait_for(viewer::RunStatus status, double seconds = 20) {
    return wait([&] { return training.status == status; }, seconds);
  }
  bool noticed(const std::string& part, viewer::NoticeKind kind) const {
    return std::any_of(notices.begin(), notices.end(), [&](const viewer::Notice& notice) {
      return notice.kind == kind && notice.text.find(part) != std::string::npos;
    });
  }
  std::string all_notices() const {
    std::string text;
    for (const viewer::Notice& notice : notices) text += notice.text + "\n";
    return text;
  }
  double longest_call_ms() const { return longest_call_ms_; }

  std::optional<viewer::OpenedSplats> splats;
  std::optional<viewer::PackedModel> packed;
  std::optional<viewer::PredictedSizes> predicted_sizes;
  std::optional<viewer::OpenedDataset> dataset;
  std::optional<viewer::UnalignedPhotos> unaligned;
  std::optional<viewer::RunPreview> preflight;
  std::optional<viewer::RunHistory> run_history;
  std::optional<viewer::OpenedRun> opened_run;
  std::optional<viewer::RunPrediction> run_prediction;
  std::vector<viewer::RecentPicture> recent_pictures;
  viewer::CityScene city;
  std::optional<viewer::BlocksForecast> blocks_forecast;
  std::optional<viewer::CityPlanned> planned;
  std::vector<viewer::WorkProgress> works;
  viewer::TrainingState training;
  std::optional<viewer::Photo> photo;
  std::optional<viewer::Comparison> comparison;
  std::optional<viewer::MaskPhoto> mask_photo;
  std::optional<viewer::MaskSaved> mask_saved;
  std::optional<viewer::Devices> devices;
  std::optional<viewer::PickedPoint> picked;
  std::optional<viewer::EditedScene> edited;
  std::optional<viewer::EditsFound> edits_found;
  std::optional<viewer::CleanupProposal> cleanup;
  std::optional<viewer::CleanupEffect> cleanup_effect;
  std::optional<viewer::OutputTaken> output_taken;
  std::optional<viewer::ShownMesh> mesh;
  std::optional<viewer::MeshPrediction> mesh_prediction;
  std::optional<viewer::PictureToCopy> to_copy;
  std::optional<viewer::PathRead> path;
  std::optional<viewer::FilmPreview> preview;
  std::optional<viewer::FilmEnded> film;
  std::optional<viewer::EngineImage> image;
  int images = 0;
  bool quit_done = false;
  std::vector<viewer::Thumbnail> thumbnails;
  std::vector<viewer::Notice> notices;

 private:
  template <class Call>
  void timed(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    longest_call_ms_ = std::max(longest_call_ms_, ms);
  }

  double longest_call_ms_ = 0;
  viewer::Bridge bridge_;
  Session session_;
};

}  // namespace app::test
