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

namespace studio::test {

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
      if (auto value = bridge_.reports.take<studio::OpenedSplats>()) splats = std::move(value);
      if (auto value = bridge_.reports.take<studio::PackedModel>()) packed = std::move(value);
      if (auto value = bridge_.reports.take<studio::PredictedSizes>()) predicted_sizes = std::move(value);
      if (auto value = bridge_.reports.take<studio::OpenedDataset>()) dataset = std::move(value);
      if (auto value = bridge_.reports.take<studio::UnalignedPhotos>()) unaligned = std::move(value);
      if (auto value = bridge_.reports.take<studio::RunPreview>()) preflight = std::move(value);
      if (auto value = bridge_.reports.take<studio::RunHistory>()) run_history = std::move(value);
      if (auto value = bridge_.reports.take<studio::OpenedRun>()) opened_run = std::move(value);
      if (auto value = bridge_.reports.take<studio::RunPrediction>()) run_prediction = std::move(value);
      if (auto value = bridge_.reports.take<studio::CityScene>()) city = std::move(*value);
      if (auto value = bridge_.reports.take<studio::BlocksForecast>()) blocks_forecast = std::move(value);
      if (auto value = bridge_.reports.take<studio::CityPlanned>()) planned = std::move(value);
      if (auto value = bridge_.reports.take<studio::WorkProgress>()) works.push_back(std::move(*value));
      if (auto value = bridge_.reports.take<studio::TrainingState>()) training = std::move(*value);
      if (auto value = bridge_.reports.take<studio::Photo>()) photo = std::move(value);
      if (auto value = bridge_.reports.take<studio::Comparison>()) comparison = std::move(value);
      if (auto value = bridge_.reports.take<studio::MaskPhoto>()) mask_photo = std::move(value);
      if (auto value = bridge_.reports.take<studio::MaskSaved>()) mask_saved = value;
      if (auto value = bridge_.reports.take<studio::Abilities>()) devices = std::move(value);
      if (auto value = bridge_.reports.take<studio::PickedPoint>()) picked = std::move(value);
      if (auto value = bridge_.reports.take<studio::EditedScene>()) edited = std::move(value);
      if (auto value = bridge_.reports.take<studio::EditsFound>()) edits_found = std::move(value);
      if (auto value = bridge_.reports.take<studio::CleanupProposal>()) cleanup = std::move(value);
      if (auto value = bridge_.reports.take<studio::CleanupEffect>()) cleanup_effect = value;
      if (auto value = bridge_.reports.take<studio::OutputTaken>()) output_taken = std::move(value);
      if (auto value = bridge_.reports.take<studio::ShownMesh>()) mesh = std::move(value);
      if (auto value = bridge_.reports.take<studio::MeshPrediction>()) mesh_prediction = std::move(value);
      if (auto value = bridge_.reports.take<studio::PathRead>()) path = std::move(value);
      if (auto value = bridge_.reports.take<studio::FilmPreview>()) preview = std::move(value);
      if (auto value = bridge_.reports.take<studio::FilmEnded>()) film = std::move(value);
      if (auto value = bridge_.reports.take<viewer::EngineImage>()) {
        image = std::move(value);
        ++images;
      }
      if (auto value = bridge_.reports.take<studio::PictureToCopy>()) to_copy = std::move(value);
      if (bridge_.reports.take<studio::QuitDone>()) quit_done = true;
      while (auto value = bridge_.reports.take<studio::Thumbnail>()) thumbnails.push_back(std::move(*value));
      while (auto value = bridge_.reports.take<studio::RecentPicture>()) recent_pictures.push_back(std::move(*value));
      while (auto value = bridge_.reports.take<studio::Notice>()) notices.push_back(std::move(*value));
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
  bool wait_for(studio::RunStatus status, double seconds = 20) {
    return wait([&] { return training.status == status; }, seconds);
  }
  bool noticed(const std::string& part, studio::NoticeKind kind) const {
    return std::any_of(notices.begin(), notices.end(), [&](const studio::Notice& notice) {
      return notice.kind == kind && notice.text.find(part) != std::string::npos;
    });
  }
  std::string all_notices() const {
    std::string text;
    for (const studio::Notice& notice : notices) text += notice.text + "\n";
    return text;
  }
  double longest_call_ms() const { return longest_call_ms_; }

  std::optional<studio::OpenedSplats> splats;
  std::optional<studio::PackedModel> packed;
  std::optional<studio::PredictedSizes> predicted_sizes;
  std::optional<studio::OpenedDataset> dataset;
  std::optional<studio::UnalignedPhotos> unaligned;
  std::optional<studio::RunPreview> preflight;
  std::optional<studio::RunHistory> run_history;
  std::optional<studio::OpenedRun> opened_run;
  std::optional<studio::RunPrediction> run_prediction;
  std::vector<studio::RecentPicture> recent_pictures;
  studio::CityScene city;
  std::optional<studio::BlocksForecast> blocks_forecast;
  std::optional<studio::CityPlanned> planned;
  std::vector<studio::WorkProgress> works;
  studio::TrainingState training;
  std::optional<studio::Photo> photo;
  std::optional<studio::Comparison> comparison;
  std::optional<studio::MaskPhoto> mask_photo;
  std::optional<studio::MaskSaved> mask_saved;
  std::optional<studio::Abilities> devices;
  std::optional<studio::PickedPoint> picked;
  std::optional<studio::EditedScene> edited;
  std::optional<studio::EditsFound> edits_found;
  std::optional<studio::CleanupProposal> cleanup;
  std::optional<studio::CleanupEffect> cleanup_effect;
  std::optional<studio::OutputTaken> output_taken;
  std::optional<studio::ShownMesh> mesh;
  std::optional<studio::MeshPrediction> mesh_prediction;
  std::optional<studio::PictureToCopy> to_copy;
  std::optional<studio::PathRead> path;
  std::optional<studio::FilmPreview> preview;
  std::optional<studio::FilmEnded> film;
  std::optional<viewer::EngineImage> image;
  int images = 0;
  bool quit_done = false;
  std::vector<studio::Thumbnail> thumbnails;
  std::vector<studio::Notice> notices;

 private:
  template <class Call>
  void timed(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    longest_call_ms_ = std::max(longest_call_ms_, ms);
  }

  double longest_call_ms_ = 0;
  studio::Bridge bridge_;
  Session session_;
};

}  // namespace studio::test
