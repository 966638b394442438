// What each command works from: the part of the options that it reads, and nothing else. Training is the exception: the
// folder of a run keeps every setting.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/settings/options.h"
#include "splat/backend/backend.h"

namespace app {

struct AlignTask {
  std::filesystem::path input, scene, masks;
  std::filesystem::path log;  // log.txt, appended; empty: none
  AlignSettings settings;
  int threads = 0;
  bool deterministic = false;
  bool quiet = false;  // info lines are not on stderr
};

struct RenderTask {
  std::filesystem::path splats, cameras, output;  // cameras: of a film, empty where none were named
  bool force = false;                             // pictures replace whatever files are there
  splat::RenderSettings look;                     // antialias: also for files that do not say so
  bool low_pass_given = false;                    // else the file's counts
  io::DatasetOptions dataset;                     // where the cameras are a dataset's
  DeviceOptions device;
  ConsoleOptions console;
  FilmSettings film;               // its path empty: pictures of the cameras
  std::vector<std::string> words;  // the command line
};

struct EvaluateTask {
  std::filesystem::path splats, data;
  bool align_poses = false;
  splat::RenderSettings look;
  bool low_pass_given = false;
  io::DatasetOptions dataset;
  DeviceOptions device;
  ConsoleOptions console;
};

struct MeshTask {
  std::filesystem::path splats, data, output;  // data: empty where there are no photos
  bool force = false;                          // the mesh replaces whatever file is there
  MeshSettings settings;
  splat::RenderSettings look;
  bool low_pass_given = false;
  io::DatasetOptions dataset;
  DeviceOptions device;
};

struct ThumbnailTask {
  std::filesystem::path splats, output;
  bool force = false;
  int side = 0;  // px
  int threads = 0;
};

struct ConvertTask {
  std::filesystem::path output;
  bool output_named = false;  // by -o, not by the last word
  bool force = false;
  ConvertOptions convert;
  std::filesystem::path data;  // the photos that --clean goes by, and what they are compared with
  std::string path;            // FilmSettings::path, for a web page
  splat::RenderSettings look;
  io::DatasetOptions dataset;
  DeviceOptions device;
  ConsoleOptions console;
};

struct InfoTask {
  std::filesystem::path path;
  io::DatasetOptions dataset;
  int threads = 0;
  ConsoleOptions console;
  uint64_t random_splats = 0;  // what training would start from where a dataset has no points
};

struct BenchTask {
  BenchOptions bench;
  DeviceOptions device;
  ConsoleOptions console;
};

struct WindowTask {
  std::filesystem::path path;               // opened at the start; empty: nothing
  std::vector<std::filesystem::path> also;  // splat files that join it
  std::optional<float> low_pass;            // of `path`; none: as that says
  WindowStart start;
  bool force = false;  // the picture of the window replaces whatever file is there
  io::DatasetOptions dataset;
  DeviceOptions device;
};

struct ServeTask {
  std::filesystem::path splats;
  std::optional<float> low_pass;  // none: as the splats say
  ServeChoice where;
  int threads = 0;
  ConsoleOptions console;
};

AlignTask align_task(const Options& options);
RenderTask render_task(const Options& options);
EvaluateTask evaluate_task(const Options& options);
MeshTask mesh_task(const Options& options);
ThumbnailTask thumbnail_task(const Options& options);
ConvertTask convert_task(const Options& options);
InfoTask info_task(const Options& options);
BenchTask bench_task(const Options& options);
WindowTask window_task(const Options& options);
ServeTask serve_task(const Options& options);

}  // namespace app
