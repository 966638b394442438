// The command line (and --config files) -> the settings every command works from. One table of rows (option_row.h) is
// the source of the parser, --help, config.json and the suggestions for mistyped names; the command line wins over
// --config. Contradictions that need no file to be opened are found here, each as one sentence.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/jobs/outcome.h"
#include "app/settings/align.h"
#include "app/settings/blocks.h"
#include "app/settings/convert.h"
#include "app/settings/film.h"
#include "app/settings/mesh.h"
#include "app/settings/row.h"
#include "app/settings/serve.h"
#include "io/dataset/load_dataset.h"
#include "splat/bench/bench_scene.h"
#include "splat/train/config.h"

namespace app {

inline constexpr int kDefaultCheckpointEvery = 5000;  // iterations

// ---- parts, each with its own readers

struct DeviceOptions {
  std::string backend = "auto";
  int index = -1;   // of the device; -1: the best
  int threads = 0;  // of the processor; 0: every core
  bool deterministic = false;

  friend bool operator==(const DeviceOptions&, const DeviceOptions&) = default;
};

struct ConsoleOptions {
  bool json = false, quiet = false;
};

struct SaveOptions {
  std::vector<int> at;                             // iterations whose splats are kept
  int checkpoint_every = kDefaultCheckpointEvery;  // iterations; 0: at the end only

  friend bool operator==(const SaveOptions&, const SaveOptions&) = default;
};

struct BenchOptions {
  std::vector<splat::bench::SceneSize> scenes{{8'600, 250, 186}, {100'000, 500, 375}, {1'000'000, 1600, 1060}};
  int repeats = 0;  // timed iterations a scene; 0: about 4 s of them
};

struct WindowStart {
  std::filesystem::path screenshot;  // a PNG of the window, then the end; empty: none
  int width = 0, height = 0;         // 0: as remembered
  double screenshot_after = -1;      // s; < 0: once the picture is complete
};

// ---- all of them: read by the parser and by a training run, whose folder keeps every setting. The other commands get
// the parts that they need (tasks.h).
// What a training run is made with.
struct RunSettings {
  RunSettings() { dataset.depths = io::DepthMaps::kAuto; }

  std::filesystem::path resume;  // a checkpoint
  std::filesystem::path init;    // a splat file to start from, in place of the dataset's points
  splat::TrainConfig train;
  double minutes = 0;          // of training, in place of a number of iterations; 0: by iterations
  io::DatasetOptions dataset;  // with depth maps: the commands that do not train leave them out (tasks.h)
  DeviceOptions device;
  SaveOptions save;

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

struct Options : RunSettings {
  Verb verb = kNoVerb;
  std::filesystem::path input;              // what the verb works on: DATASET or FILE
  std::vector<std::filesystem::path> also;  // of the window: splat files that join it
  std::filesystem::path output;             // -o
  bool force = false;                       // the output replaces whatever file is there
  std::filesystem::path cameras;            // hipsplat render: a dataset or cameras.json
  std::filesystem::path data;               // hipsplat evaluate: a dataset
  bool align_poses = false;                 // hipsplat evaluate: with the held-out cameras fitted to their photos, too
  std::filesystem::path config;             // a JSON file of settings

  ConvertOptions convert;
  AlignSettings align;
  MeshSettings mesh;  // its region is that of training
  BlocksOptions blocks;
  BenchOptions bench;
  WindowStart window;
  ConsoleOptions console;
  bool help = false, help_all = false, version = false;

  std::vector<std::string> words;  // the command line
  std::set<std::string> typed;     // names of the options on the command line
  std::set<std::string> given;     // those, and what --config sets
  FilmSettings film;               // hipsplat render --path
  ServeChoice serve;               // of hipsplat train, and of splats in place of the window

  bool was_given(const std::string& name) const { return given.contains(name); }
};

// The rows for `options`, which must stay where it is while they are used.
std::vector<OptionRow> option_table(Options& options);

bool is_command(const OptionRow& row);         // train, info, ...
std::string shown_name(const OptionRow& row);  // as users are to type it: "--faces", of a command "mesh"
// Whether the row sets a field of splat::TrainConfig.
bool is_training_setting(const OptionRow& row);
bool is_fine_setting(const OptionRow& row);  // of those, one that only --help-all lists

// Sets a row of `options` as if it were on the command line.
splat::Status give(const OptionRow& row, const std::string& text, Options& options);

// "unknown option '--iteratons' (did you mean --iterations?)"
Outcome unknown_option(const std::string& argument, const std::vector<OptionRow>& rows);

// Fills what follows from other options, and finds contradictions: after everything is set.
Outcome settle_options(Options& options);

// Everything but the program's name. `options` is complete and free of contradictions when the outcome is ok.
Outcome parse_options(std::vector<std::string> arguments, Options& options);

// --help: the commands and the window's options; of a command: its options. All of these pages have at most 50 options
// together: rare and fine settings are on those of --help-all alone, which without a command lists everything.
std::string help_text(const Options& asked);

// The settings as a --config file would hold them, names with underscores; those without a value are left out.
nlohmann::json settings_json(const Options& options);

// Sets the rows that `settings` names, but for those in options.given; `source` is how errors call it. Names may have
// dashes or underscores.
splat::Status apply_settings(const nlohmann::json& settings, const std::string& source, Options& options);
splat::Status apply_config_file(Options& options);  // likewise those of options.config

// Settings of a job without a command line, as an object: "input" (text; of convert also a list), and the options by
// their names with dashes or underscores, each as if it were typed; null is not given. Then settle_options().
Outcome read_job(Verb verb, const nlohmann::json& settings, Options& options);

}  // namespace app
