// What the application reports to the window: values that arrive whole, in mailboxes (the newest counts) and queues.
// The window never calls the application, and never waits for it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "devices/registry.h"
#include "splat/model/camera.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"
#include "splat/model/splat_histograms.h"
#include "splat/train/progress.h"
#include "viewer/camera/navigator.h"
#include "viewer/camera/up_axis.h"
#include "viewer/changed_rows.h"
#include "viewer/city.h"
#include "viewer/commands.h"
#include "viewer/draw/packed_splats.h"
#include "viewer/edit/cleanup.h"
#include "viewer/live/engine_image.h"
#include "viewer/mailbox.h"
#include "viewer/mesh.h"
#include "viewer/run_history.h"
#include "viewer/scene_memory.h"

namespace viewer {

// Splats in the form in which OpenGL draws them.
struct PackedModel {
  PackedSplats splats;
  std::vector<float> centres_radii;  // [N,4] for DepthSorter::set_splats()
  uint64_t opened = 0;               // OpenedSplats::number
  uint64_t revision = 0;             // EditedModel::revision(); 0: as they were opened
};

struct OpenedSplats {
  std::filesystem::path path;
  std::string format, producer;
  std::vector<std::string> warnings;
  bool antialiased = false;
  uint64_t file_bytes = 0;
  UpGuess up;  // guess_up()
  // Cameras of the run that made it, if known; photos can be requested by index if has_photos.
  std::vector<PhotoCamera> cameras;
  bool has_photos = false;
  std::optional<Continuation> continuation;
  std::optional<std::array<float, 3>> background;  // that it was trained with, [0,1]
  SceneMemory memory;                              // from the last time it was open
  splat::Histogram opacity, size;                  // splat_histograms.h
  size_t rows = 0;                                 // N
  bool part = false;  // the file is still being read: histograms and bounds are of some of the rows, which are drawn
  int sh_degree = 0;
  PackedModel packed;          // without splats: WantPackedModel asks for it, once OpenGL is to draw
  Bounds bounds;               // without outliers: for Navigator::set_scene()
  double metres_per_unit = 0;  // that the file says; 0: nothing
  std::filesystem::path city;  // that they are a part of (CityScene::path); empty: none
  int iteration = -1;          // >= 0: the model of a training run; belongs to the dataset that is open
  uint64_t number = 0;         // of the opening, PackedModel::opened
};

using DatasetCamera = PhotoCamera;  // name, view at training size, held_out

struct OpenedDataset {
  std::filesystem::path path;
  std::string format;
  std::vector<DatasetCamera> cameras;  // index = view number everywhere
  splat::PointCloud points;
  UpGuess up;                          // guess_up(): from the cameras, else the points
  Bounds bounds;                       // of the points, without outliers
  std::vector<std::string> preflight;  // text lines: cameras, photos, missing ones, memory
  std::vector<std::string> warnings;
  size_t registered = 0, held_out = 0, lenses = 0;
  std::string refused;                             // why a run with the present choices cannot start
  std::vector<std::string> missing, extra;         // file names, all of them
  uint64_t needed_bytes = 0, available_bytes = 0;  // memory at the start of training
  uint64_t splats_that_fit = 0;
  std::filesystem::path suggested_output;
  SceneMemory memory;    // from the last time it was open
  bool of_run = false;   // its splats are open already, and a run on it goes on: it is looked at from where it is
  bool growing = false;  // its cameras are still being found: more will come, and it cannot be trained on yet
};

// What a run with other choices would find; also what the run that has begun holds out.
struct RunPreview {
  std::vector<std::string> held_out;  // names of cameras
  std::vector<std::string> lines;     // as OpenedDataset::preflight; none: as before
  std::string refused;                // why such a run cannot start; then there is nothing else
};

// What a run with these choices is expected to take.
struct RunPrediction {
  TrainingChoices choices;
  double seconds = 0;  // of training
  uint64_t splats = 0, memory_bytes = 0, result_bytes = 0;
  std::string problem;  // why nothing can be predicted; empty: the figures stand
};

struct Thumbnail {
  int view = 0;
  splat::Image8 picture;  // RGB, longest side about 160 px
};

struct RecentPicture {
  std::filesystem::path scene;
  splat::Image8 picture;  // RGB, longest side about 190 px
};

struct WorkProgress {   // opening, exporting
  std::string what;     // "reading photos"; empty: nothing is going on
  float fraction = -1;  // [0,1]; negative: unknown
  bool can_cancel = false;
};

enum class RunStatus { kNone, kPreparing, kRunning, kPaused, kStopping, kFinished, kStopped, kFailed };

struct TrainingState {
  RunStatus status = RunStatus::kNone;
  int iteration = 0, iterations = 0;
  double iterations_per_second = 0;
  double loss = 0;  // moving average
  size_t splats = 0;
  std::optional<double> psnr, ssim;  // held-out, latest
  double seconds = 0, seconds_left = 0;
  std::vector<splat::HistoryEntry> history;
  std::vector<std::array<float, 2>> speed;  // (iteration, iterations per second)
  uint64_t memory_bytes = 0, memory_available_bytes = 0;
  std::string backend, device, reason;
  std::filesystem::path output, last_checkpoint;
  std::optional<Continuation> continuation;  // of a run that has ended
  std::string sentence;                      // the reason of a failure, or the latest event
  uint64_t seed = 0;
  int sh_degree = splat::kMaxShDegree;  // that the run reaches
  double view_share = 0;                // of the run's time that live pictures took, 0..1
};

struct PickedPoint {
  std::optional<Vec3> point;  // none: no surface there
  PickUse use = PickUse::kFocus;
  std::optional<uint32_t> object{};  // as asked for
};

// Training was not started, since its output folder holds a run already.
struct OutputTaken {
  std::filesystem::path output, free;  // free: a folder that is not taken
  TrainingChoices choices;
};

struct QuitDone {};  // everything is saved: the window may close

// One option of training with its help.
struct SettingRow {
  std::string name, placeholder, help;
  std::string default_value;         // "automatic": decided by the run's length or its photos
  std::vector<std::string> choices;  // where there are only these
  bool fine = false;                 // one that only --help-all lists

  bool is_flag() const { return placeholder.empty(); }
};

struct Photo {
  int view = 0;
  splat::Image8 picture;  // RGB
};

struct Comparison {
  int view = 0, iteration = 0;
  splat::Image8 render, photo, error;  // RGB, same size; without pixels: it could not be made
  double psnr = 0, ssim = 0;
};

// An error also pops up. Done: what the user asked for, shown over the scene for a moment; the log has it already.
enum class NoticeKind { kInfo, kWarning, kError, kDone };

struct Notice {
  NoticeKind kind = NoticeKind::kInfo;
  std::string text;  // one sentence
};

// A splat format that can be written.
struct FormatRow {
  std::string name, extension, loss;    // "SPZ", ".spz", a sentence on what it does not keep; empty: keeps everything
  std::vector<std::string> extensions;  // all that name it, ".gltf" too, which is only read
};

struct Devices {
  std::vector<splat::BackendStatus> backends;
  std::vector<SettingRow> settings;
  std::vector<FormatRow> formats;
};

// One of them, shared by the window and the application; outlives the threads of both.
struct AppState {
  CommandQueue commands;                              // window -> application
  Mailbox<std::optional<RenderRequest>> engine_view;  // what the engine is to draw from now on; nullopt: nothing
  // application -> window
  Mailbox<OpenedSplats> splats;
  Mailbox<PackedModel> packed;
  Mailbox<OpenedDataset> dataset;
  Mailbox<UnalignedPhotos> unaligned;
  Mailbox<RunPreview> run_preview;
  Mailbox<std::string> command_line;
  Mailbox<RunHistory> run_history;
  Mailbox<RunPrediction> run_prediction;
  Mailbox<WorkProgress> work;
  Mailbox<TrainingState> training;
  Mailbox<Photo> photo;
  Mailbox<Comparison> comparison;
  Mailbox<Devices> devices;
  Mailbox<EngineImage> engine_image;  // of the run while there is one, else of the opened splats
  Mailbox<PickedPoint> picked;
  Mailbox<OutputTaken> output_taken;
  Queue<ChangedRows> changed_rows;  // before the EditedScene that says how they stand
  Mailbox<CityScene> city;          // of the scene in blocks that is open, whenever it has changed; empty: none
  Mailbox<EditedScene> edited;
  Mailbox<CleanupProposal> cleanup;  // without reasons: it came to nothing
  Mailbox<CleanupEffect> cleanup_effect;
  Mailbox<EditsFound> edits_found;
  Mailbox<ShownMesh> mesh;
  Mailbox<MeshPrediction> mesh_prediction;
  Mailbox<QuitDone> quit_done;
  Queue<Thumbnail> thumbnails;
  Queue<RecentPicture> recent_pictures;
  Queue<Notice> notices;

  // Sets the waker of every mailbox and queue that the application fills.
  void set_waker(const std::function<void()>& wake_window) {
    const auto set = [&](auto&... boxes) { (boxes.set_waker(wake_window), ...); };
    set(splats, packed, dataset, unaligned, run_preview, command_line, run_history, run_prediction, work, training,
        photo, comparison, devices, engine_image, picked, output_taken, changed_rows, city, edited, cleanup,
        cleanup_effect, edits_found, mesh, mesh_prediction, quit_done, thumbnails, recent_pictures, notices);
  }
};

}  // namespace viewer
