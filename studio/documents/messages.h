// What is open: requests to open and save it, and what was found.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"
#include "splat/model/screen_filter.h"
#include "splat/model/splat_histograms.h"
#include "studio/documents/run_state.h"
#include "studio/documents/scene_memory.h"
#include "viewer/camera/navigator.h"
#include "viewer/camera/up_axis.h"
#include "viewer/draw/packed_splats.h"

namespace studio {

// ---- requests

// ends_work(): what is being found or made ends with it (studio/jobs.h).
struct OpenPath {  // splat file or dataset; ends a training run in progress (the window has asked the user)
  std::filesystem::path path;
  bool ends_work() const { return true; }
};
struct AddSplats {  // a splat file to those that are open or being opened, as an object; answered by an EditedScene
  std::filesystem::path path;
  bool with_opening = false;  // asked for together with these: not where edits of them wait to be restored
  std::optional<double> metres_per_unit{};  // of the scene as it is now; 0: not known; none: as it was opened
  bool ends_work() const { return with_opening; }
};
struct OpenPhotos {  // two files or more: their folder where it holds no other photos, else these alone
  std::vector<std::filesystem::path> photos;
  bool ends_work() const { return true; }
};
struct CloseAll {};    // splats, dataset and run; a run in progress saves a checkpoint first
struct ExportSplats {  // the training state, else the opened splats; format by extension
  std::filesystem::path path;
  int max_sh_degree = splat::kMaxShDegree;  // higher bands are left out
  std::optional<uint32_t> object{};         // of the edited splats, alone; none: all
  std::optional<double> metres_per_unit{};  // kept with them; 0: not known; none: as it was opened
  splat::CameraPath camera_path{};          // that a web page plays; without keys: none
};
struct PredictSizes {  // of the files that an ExportSplats would write; answered by PredictedSizes
  int max_sh_degree = splat::kMaxShDegree;
  std::optional<uint32_t> object{};
  bool operator==(const PredictSizes&) const = default;
};
struct RememberScene {  // for the next time this is opened
  std::filesystem::path path;
  SceneMemory memory;
};
struct WantPhoto {   // answered by a Photo
  int view = 0;      // of the dataset, or of the opened splats
  int max_side = 0;  // px; 0: as it is
};
struct WantPackedModel {};   // of the opened splats, as they are now; answered by a PackedModel
struct WantRecentPictures {  // of scenes that were opened lately; answered by a RecentPicture each, or none
  std::vector<std::filesystem::path> scenes;
};

// ---- reports

// Splats in the form in which OpenGL draws them.
struct PackedModel {
  using OnlyNewest = void;
  PackedSplats splats;
  std::vector<float> centres_radii;  // [N,4] for DepthSorter::set_splats()
  uint64_t opened = 0;               // OpenedSplats::number
  uint64_t revision = 0;             // EditedModel::revision(); 0: as they were opened
};

struct PredictedSizes {
  using OnlyNewest = void;
  PredictSizes of;
  size_t splats = 0;
  std::vector<std::optional<uint64_t>> bytes;  // a file in each of Devices::formats; none: not known
};

struct OpenedSplats {
  using OnlyNewest = void;
  std::filesystem::path path;
  std::string format, producer;
  std::vector<std::string> warnings;
  splat::ScreenFilter filter;  // that it was trained with
  uint64_t file_bytes = 0;
  UpGuess up;               // guess_up()
  bool front_at_z = false;  // as io::SplatFile's
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
  Bounds bounds, framed;       // without outliers; what F and Home show: for Navigator::set_scene()
  double metres_per_unit = 0;  // that the file says; 0: nothing
  std::filesystem::path city;  // that they are a part of (CityScene::path); empty: none
  int iteration = -1;          // >= 0: the model of a training run; belongs to the dataset that is open
  uint64_t number = 0;         // of the opening, PackedModel::opened
};

using DatasetCamera = PhotoCamera;  // name, view at training size, held_out

struct OpenedDataset {
  using OnlyNewest = void;
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
  std::filesystem::path masks;  // where those lie that were painted, which is not in the dataset; empty: there are none
  SceneMemory memory;           // from the last time it was open
  bool of_run = false;   // its splats are open already, and a run on it goes on: it is looked at from where it is
  bool growing = false;  // its cameras are still being found: more will come, and it cannot be trained on yet
};

struct Thumbnail {
  int view = 0;
  std::string name;       // of the photo, which may be another view by now where cameras are still being found
  splat::Image8 picture;  // RGB, longest side about 160 px
};

struct RecentPicture {
  std::filesystem::path scene;
  splat::Image8 picture;  // RGB, longest side about 190 px; of the demo 640 px
};

struct Photo {
  using OnlyNewest = void;
  int view = 0;
  splat::Image8 picture;  // RGB
};

}  // namespace studio
