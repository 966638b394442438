// The rows of the option table, in the order of --help.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

#include "app/settings/bench_scenes.h"
#include "app/settings/box.h"
#include "app/settings/data.h"
#include "app/settings/options.h"
#include "app/settings/suggest.h"
#include "splat/core/parallel.h"

namespace app {

using splat::BackgroundMode;
using splat::Error;
using splat::Status;

namespace {

constexpr int kMaxThreads = 4096;
constexpr int kMostMinutes = 7 * 24 * 60;
constexpr unsigned kTrainVerbs = kTrain | kBlocks;
constexpr unsigned kDeviceVerbs = kTrainVerbs | kRender | kEvaluate | kMesh | kBench | kWindow | kConvert;

const char* const kCommands = "Commands";
const char* const kTraining = "Training";
const char* const kOutput = "Output";
const char* const kDevice = "Device";
const char* const kWindowGroup = "Window";
const char* const kGeneral = "General";
const char* const kFine = "Fine settings of training, also as --set NAME=VALUE";

OptionRow verb_row(OptionRow row, Options& options, Verb verb) {
  row.in_config = false;
  row.verbs = verb;
  row.is_path = !row.value.empty();
  row.set = [&options, verb](const std::string& text) -> Status {
    if (!text.empty() && text != "true") options.input = text;
    options.verb = verb;
    return {};
  };
  row.get = [] { return nlohmann::json(); };
  return row;
}

OptionRow number_row(OptionRow row, float* target) {
  row.set = [name = row.name, target](const std::string& text) -> Status {
    const auto value = parse_number(text);
    if (!value) return Error{fmt::format("--{} needs a number, not '{}'", name, text)};
    *target = float(*value);
    return {};
  };
  row.get = [target] { return nlohmann::json::parse(fmt::format("{}", *target)); };  // 0.2, not 0.20000000298
  return row;
}

void add_command_rows(std::vector<OptionRow>& rows, Options& o) {
  rows.push_back(verb_row({kCommands, "", "train", "DATASET",
                           "train on posed photos (COLMAP, transforms.json), or on photos or a video whose cameras are "
                           "found first; needs -o",
                           0},
                          o, kTrain));
  rows.push_back(verb_row({kCommands, "", "align", "PHOTOS|VIDEO",
                           "find the cameras of photos or of a video with COLMAP; needs -o SCENE; the same command "
                           "continues a run that was interrupted",
                           0},
                          o, kAlign));
  rows.push_back(verb_row({kCommands, "", "render", "SPLATS",
                           "render splats: pictures of --cameras, or a film along --path; needs -o DIR|FILM", 0},
                          o, kRender));
  rows.push_back(verb_row(
      {kCommands, "", "evaluate", "SPLATS", "PSNR, SSIM and FLIP on held-out views; needs --data", 0}, o, kEvaluate));
  rows.push_back(verb_row({kCommands, "", "mesh", "SPLATS",
                           "a triangle mesh of the surface; needs -o FILE.glb|.obj|.ply, and is better with --data", 0},
                          o, kMesh));
  rows.push_back(verb_row({kCommands, "", "thumbnail", "SPLATS",
                           "a small square picture of splats, as file managers show them; needs -o PNG", 0},
                          o, kThumbnail));
  rows.push_back(verb_row(
      {kCommands, "", "convert", "IN... OUT", "convert to the format of OUT's extension; several inputs are merged", 0},
      o, kConvert));
  rows.push_back(
      verb_row({kCommands, "", "info", "SPLATS|DATASET",
                "what it is, what is in it, what is wrong with it; the up axis if the file or a cameras.json beside "
                "it gives it",
                0},
               o, kInfo));
  OptionRow blocks = verb_row({kCommands, "", "blocks", "ACTION",
                               "a scene too large for one run, in blocks that are trained on their own: plan DATASET "
                               "-o CITY, train CITY BLOCK, merge CITY, all CITY (in a row), status CITY",
                               0},
                              o, kBlocks);
  blocks.is_path = false;
  blocks.choices = blocks_actions();
  blocks.set = [&o](const std::string& text) -> Status {
    o.verb = kBlocks;
    return parse_blocks_action(text, o.blocks.action);
  };
  rows.push_back(blocks);
  rows.push_back(verb_row(
      {kCommands, "", "doctor", "", "which backends and devices work here, and why the others do not", 0}, o, kDoctor));
  rows.push_back(verb_row(
      {kCommands, "", "bench", "", "time the stages of training on this machine, on synthetic scenes", 0}, o, kBench));
}

// "black", "white", "random" or three numbers.
Status parse_background(const std::string& text, splat::TrainConfig& config) {
  for (BackgroundMode mode :
       {BackgroundMode::kAuto, BackgroundMode::kBlack, BackgroundMode::kWhite, BackgroundMode::kRandom})
    if (text == splat::name_of(mode)) {
      config.background = mode;
      return {};
    }
  const std::vector<std::string> parts = split_list(text);
  std::array<float, 3> colour{};
  bool good = parts.size() == 3;
  for (size_t i = 0; good && i < 3; ++i) {
    const auto value = parse_number(parts[i]);
    good = value && *value >= 0 && *value <= 1;
    if (good) colour[i] = float(*value);
  }
  if (!good)
    return Error{fmt::format(
        "--background is auto, black, white, random or three numbers from 0 to 1 such as 0.5,0.5,0.5, not '{}'", text)};
  config.background = BackgroundMode::kColour;
  config.background_colour = colour;
  return {};
}

OptionRow background_row(OptionRow row, splat::TrainConfig* config) {
  row.set = [config](const std::string& text) { return parse_background(text, *config); };
  row.get = [config] {
    const auto& c = config->background_colour;
    if (config->background == BackgroundMode::kAuto) return nlohmann::json();
    return nlohmann::json(config->background == BackgroundMode::kColour
                              ? fmt::format("{},{},{}", c[0], c[1], c[2])
                              : std::string(splat::name_of(config->background)));
  };
  return row;
}

OptionRow strategy_row(OptionRow row, splat::TrainConfig* config) {
  std::string list;
  std::vector<std::pair<std::string, splat::StrategyKind>> values;
  for (const splat::StrategyRow& strategy : splat::strategies()) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", strategy.name, strategy.help);
    values.emplace_back(strategy.name, strategy.kind);
  }
  row.help += " (" + list + ")";
  return enum_row(std::move(row), &config->strategy, values);
}

OptionRow minutes_row(Options& o) {
  OptionRow minutes{
      kTraining, "", "minutes", "N", "train for this many minutes instead; all schedules follow the clock", kTrain};
  minutes.in_config = false;
  minutes.unit = "minutes", minutes.label = "Training time";
  minutes.set = [&o](const std::string& text) -> Status {
    const auto value = parse_number(text);
    if (!value || !(*value > 0) || *value > kMostMinutes)
      return Error{fmt::format("--minutes wants a time above 0 and up to {} minutes, not '{}'", kMostMinutes, text)};
    o.minutes = *value;
    return {};
  };
  minutes.get = [&o] { return o.minutes > 0 ? nlohmann::json(o.minutes) : nlohmann::json(); };
  return minutes;
}

void add_training_rows(std::vector<OptionRow>& rows, Options& o) {
  constexpr uint64_t kMaxCount = uint64_t(1) << 32;
  rows.push_back(
      integer_row({kTraining, "i", "iterations", "N", "length of training; 0: write the initial splats", kTrainVerbs},
                  &o.train.iterations, 0, splat::kMostIterations));
  rows.push_back(minutes_row(o));
  rows.push_back(
      strategy_row({kTraining, "", "strategy", "NAME", "how splats are added and removed", kTrainVerbs}, &o.train));
  rows.push_back(integer_row(
      {kTraining, "", "max-splats", "N",
       "largest number of splats; 0: limited by the photos' pixels; convert keeps those that contribute most",
       kTrainVerbs | kConvert},
      &o.train.max_splats, 0, kMaxCount));
  rows.push_back(labelled(
      integer_row({kTraining, "", "sh-degree", "0..3", "degree of view-dependent colour", kTrainVerbs | kConvert},
                  &o.train.sh_degree, 0, splat::kMaxShDegree),
      "SH degree"));
  rows.push_back(
      integer_row({kTraining, "", "seed", "N", "the same seed gives the same file, whatever --threads", kTrainVerbs},
                  &o.train.seed, 0, std::numeric_limits<uint64_t>::max()));
  rows.push_back(background_row(
      {kTraining, "", "background", "COLOUR",
       "behind splats and transparent photos: black, white, r,g,b from 0 to 1, or random (evaluated on black); "
       "auto: random every second time where photos are transparent, else black",
       kTrainVerbs | kRender | kEvaluate | kConvert},
      &o.train));
  rows.push_back(
      auto_row({kTraining, "", "exposure", "MODE",
                "train a gain and a bias for each photo; auto: where photos differ in brightness", kTrainVerbs},
               &o.train.exposure));
  rows.push_back(labelled(auto_row({kTraining, "", "poses", "MODE",
                                    "refine the cameras of the photos; auto: where they do not fit the scene", kTrain},
                                   &o.train.poses),
                          "Camera poses"));
  rows.push_back(
      flag_row({kTraining, "", "surface", "", "for a mesh: flatten splats and make their normals agree", kTrain},
               &o.train.surface));
  rows.push_back(box_row({kTraining, "", "region", kBoxValue,
                          "train only what lies in this box, in the coordinates of the splats; of mesh: the surface "
                          "in it. Corners, or a box that the window has saved",
                          kTrain | kMesh},
                         &o.train.region));
  rows.push_back(flag_row({kTraining, "", "region-alone", "",
                           "drop splats around the region, too, instead of training them without growth: less memory, "
                           "but what photos show behind it stays in it",
                           kTrain},
                          &o.train.region_alone));
  rows.push_back(
      flag_row({kTraining, "", "antialias", "", "compensate opacity for the screen-space low-pass (Mip-Splatting)",
                kTrainVerbs | kRender | kEvaluate},
               &o.train.antialias));
  rows.push_back(number_row({kTraining, "", "low-pass", "PX2",
                             "blur of splats on the screen, px^2: 0.3, or as the file says; TRELLIS draws its splats "
                             "with 0.1, SHARP with 0",
                             kTrainVerbs | kRender | kEvaluate | kMesh | kWindow},
                            &o.train.low_pass));
}

void add_output_rows(std::vector<OptionRow>& rows, Options& o) {
  OptionRow output = path_row(
      {kOutput, "o", "output", "OUT", "a .ply file, or a folder for everything (INRIA's layout, report, checkpoints)",
       kTrainVerbs | kRender | kConvert | kAlign | kMesh | kThumbnail},
      &o.output);
  output.in_config = false;
  rows.push_back(output);
  OptionRow force = flag_row({kOutput, "", "force", "",
                              "replace a file that -o did not name, that holds something else (splats, a mesh, a "
                              "picture), or that is write-protected",
                              kTrainVerbs | kRender | kConvert | kMesh | kThumbnail | kWindow},
                             &o.force);
  force.in_config = false, force.label = "Replace existing files";
  rows.push_back(force);
  rows.push_back(
      labelled(integers_row({kOutput, "", "save-at", "N,N", "also save the splats at these iterations", kTrain},
                            &o.save.at, 1, splat::kMostIterations),
               "Save splats at"));
  rows.push_back(
      integer_row({kOutput, "", "checkpoint-every", "N",
                   "iterations between checkpoints; the newest two are kept; 0: only at the end", kTrainVerbs},
                  &o.save.checkpoint_every, 0, splat::kMostIterations));
  OptionRow resume = path_row({kOutput, "", "resume", "CHECKPOINT",
                               "continue this run, to its own number of iterations or a larger --iterations", kTrain},
                              &o.resume);
  resume.in_config = false;
  rows.push_back(resume);
  OptionRow init = path_row({kOutput, "", "init", "FILE",
                             "start from the splats of this file (any format), or the points of a .ply, .xyz or .pts, "
                             "instead of the dataset's points",
                             kTrain},
                            &o.init);
  init.label = "Initial splats";
  init.in_config = false;
  rows.push_back(init);
  OptionRow cameras = path_row(
      {kOutput, "", "cameras", "DATASET|RUN", "views to render: a dataset, a cameras.json or a training run", kRender},
      &o.cameras);
  cameras.in_config = false;
  rows.push_back(cameras);
  OptionRow data = path_row({kOutput, "", "data", "DATASET",
                             "photos to compare with; of mesh: its views and colours; of --clean: what it goes by",
                             kEvaluate | kMesh | kConvert},
                            &o.data);
  data.in_config = false;
  rows.push_back(data);
  OptionRow align = flag_row({kOutput, "", "align-poses", "",
                              "also score held-out views with their cameras fitted to their photos", kEvaluate},
                             &o.align_poses);
  align.in_config = false;
  rows.push_back(align);
}

void add_device_rows(std::vector<OptionRow>& rows, Options& o) {
  rows.push_back(choice_row(
      {kDevice, "", "backend", "NAME", "auto, cpu, hip or cuda; an error if it is not usable here", kDeviceVerbs},
      &o.device.backend, {"auto", "cpu", "hip", "cuda"}));
  rows.push_back(
      integer_row({kDevice, "", "device", "N", "index as hipsplat doctor lists it; -1: the best", kDeviceVerbs},
                  &o.device.index, -1, 1023));
  rows.push_back(flag_row({kDevice, "", "deterministic", "",
                           "the same bytes in every run on a GPU too, for some time and memory, and of align, whose "
                           "COLMAP then uses one thread; training on the CPU always is deterministic",
                           kDeviceVerbs | kAlign},
                          &o.device.deterministic));
  rows.push_back(integer_row({kDevice, "", "threads", "N",
                              fmt::format("processor threads; 0: all ({} here)", splat::available_cores()), kAnyVerb},
                             &o.device.threads, 0, kMaxThreads));
}

void add_bench_rows(std::vector<OptionRow>& rows, Options& o) {
  OptionRow scenes{kDevice, "", "bench-scenes", "N@WxH,...", "scenes that bench times: splats@width x height", kBench};
  scenes.in_config = false;
  scenes.set = [&o](const std::string& text) -> Status {
    SPLAT_ASSIGN_OR_RETURN(o.bench.scenes, parse_bench_scenes(text));
    return {};
  };
  scenes.get = [&o] {
    std::string text;
    for (const splat::bench::SceneSize& scene : o.bench.scenes) text += (text.empty() ? "" : ",") + scene_name(scene);
    return nlohmann::json(text);
  };
  rows.push_back(scenes);
  OptionRow repeats =
      integer_row({kDevice, "", "bench-repeats", "N", "timed iterations a scene; 0: about 4 seconds of them", kBench},
                  &o.bench.repeats, 0, splat::kMostIterations);
  repeats.in_config = false;
  rows.push_back(repeats);
}

// "1600x900"; "256" is (256, 0).
Status parse_size(const std::string& text, Options& o) {
  const size_t cross = text.find('x');
  const int64_t width = parse_integer(text.substr(0, cross)).value_or(0);
  const int64_t height = cross == std::string::npos ? 0 : parse_integer(text.substr(cross + 1)).value_or(0);
  const bool square = cross == std::string::npos;  // of hipsplat thumbnail
  if (width < 1 || (height < 1 && !square) || width > 16384 || height > 16384)
    return Error{fmt::format("--size needs a width and height in px such as 1600x900, not '{}'", text)};
  o.window.width = int(width), o.window.height = int(height);
  return {};
}

OptionRow serve_row(Options& o) {
  OptionRow row{
      kOutput,
      "",
      "serve",
      "[PORT]",
      "show it in a browser, at an address with a secret part: the run as it trains, or the splats in place of "
      "the window; [ADDRESS:]PORT is where (default: 127.0.0.1, for this machine alone)",
      kTrain | kWindow};
  row.in_config = false;
  row.set = [&o](const std::string& text) { return parse_serve(text, o.serve); };
  row.get = [] { return nlohmann::json(); };
  return row;
}

void add_window_rows(std::vector<OptionRow>& rows, Options& o) {
  OptionRow screenshot =
      path_row({kWindowGroup, "", "screenshot", "PNG", "save a picture of the whole window and quit", kWindow},
               &o.window.screenshot);
  screenshot.in_config = false;
  rows.push_back(screenshot);
  OptionRow size{kWindowGroup,
                 "",
                 "size",
                 "WxH",
                 "size of the window in px (default: as last time); of thumbnail: 256 by default; of a film: 1920x1080",
                 kWindow | kThumbnail | kRender | kTrain};
  size.in_config = false;
  size.set = [&o](const std::string& text) { return parse_size(text, o); };
  size.get = [] { return nlohmann::json(); };
  rows.push_back(size);
  OptionRow after{
      kWindowGroup, "", "after", "SECONDS", "when --screenshot is taken (default: once everything is drawn)", kWindow};
  after.in_config = false;
  after.set = [&o](const std::string& text) -> Status {
    const auto value = parse_number(text);
    if (!value || *value < 0 || *value > 86400) return Error{fmt::format("--after needs seconds, not '{}'", text)};
    o.window.screenshot_after = *value;
    return {};
  };
  after.get = [] { return nlohmann::json(); };
  rows.push_back(after);
}

OptionRow general_flag(const char* short_name, const char* name, const char* help, bool* target) {
  OptionRow row = flag_row({kGeneral, short_name, name, "", help, kAnyVerb}, target);
  row.in_config = false;
  return row;
}

void add_general_rows(std::vector<OptionRow>& rows, Options& o) {
  OptionRow config = path_row(
      {kGeneral, "", "config", "FILE", "settings as JSON, same names; the command line wins", kAnyVerb}, &o.config);
  config.in_config = false;
  rows.push_back(config);
  rows.push_back(general_flag("", "json", "results on stdout as JSON, one object a line", &o.console.json));
  rows.push_back(general_flag("", "quiet", "only warnings and errors on stderr", &o.console.quiet));
  rows.push_back(general_flag("h", "help", "this text; COMMAND --help: the options of a command", &o.help));
  rows.push_back(general_flag("", "help-all",
                              "everything, with the rare options and the fine settings; of COMMAND: all of its own",
                              &o.help_all));
  rows.push_back(general_flag("", "version", "the version", &o.version));
}

// Any setting that a --config file may hold, by its name there.
OptionRow set_row(Options& o) {
  OptionRow row{kTraining,
                "",
                "set",
                "NAME=VALUE",
                "a fine setting of training, such as budget-dropout=0.1; once for each; --help-all names them",
                kTrainVerbs};
  row.in_config = false;
  row.repeats = true;
  row.set = [&o](const std::string& text) -> Status {
    const size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      return Error{fmt::format("--set wants NAME=VALUE, such as budget-dropout=0.1, not '{}'", text)};
    std::string name = text.substr(0, sign);
    std::replace(name.begin(), name.end(), '_', '-');
    std::vector<std::string> known;
    for (const OptionRow& setting : option_table(o)) {
      if (!setting.in_config || !is_training_setting(setting)) continue;
      known.push_back(setting.name);
      if (setting.name != name) continue;
      SPLAT_TRY(setting.set(text.substr(sign + 1)));
      o.given.insert(name);
      return {};
    }
    const std::string near = nearest_word(name, known);
    return Error{fmt::format("--set: there is no setting '{}'{}", name,
                             near.empty() ? "; --help-all names them" : fmt::format(" (did you mean {}?)", near))};
  };
  row.get = [] { return nlohmann::json(); };
  return row;
}

// What few people need, or what is right by default: not on the pages of --help.
constexpr const char* kRare[] = {"test-images",   "matcher",
                                 "frames",        "region-alone",
                                 "save-at",       "checkpoint-every",
                                 "align-poses",   "place",
                                 "morton",        "survey",
                                 "spz-version",   "drop-invalid",
                                 "block-cameras", "scaffold-iterations",
                                 "device",        "bench-scenes",
                                 "bench-repeats", "after",
                                 "screenshot",    "exposure",
                                 "poses",         "depths",
                                 "crf",           "range",
                                 "projection",    "transparent",
                                 "depth",         "samples",
                                 "shutter",       "aperture",
                                 "fps",           "seconds",
                                 "low-pass",      "leave-out",
                                 "film",          "slurm",
                                 "task"};

// Every setting of TrainConfig that has no row of its own, under the name visit_fields() gives it; the others' units.
void add_fine_rows(std::vector<OptionRow>& rows, Options& o) {
  splat::visit_fields(o.train, [&](const splat::Setting& setting, auto& field) {
    std::string name = setting.name;
    std::replace(name.begin(), name.end(), '_', '-');
    using Field = std::decay_t<decltype(field)>;
    const auto known = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == name; });
    if (known != rows.end()) return void(known->unit = setting.unit);
    OptionRow row{kFine, "", name, "N", setting.help, kTrainVerbs};
    row.unit = setting.unit, row.label = setting.label;
    if constexpr (std::is_same_v<Field, float>)
      rows.push_back(number_row(row, &field));
    else if constexpr (std::is_same_v<Field, int>)
      rows.push_back(integer_row(row, &field, splat::kAuto, splat::kMostIterations));
    else if constexpr (std::is_same_v<Field, uint64_t>)
      rows.push_back(integer_row(row, &field, 0, std::numeric_limits<uint64_t>::max()));
  });
}

}  // namespace

bool is_command(const OptionRow& row) { return row.group == kCommands; }
std::string shown_name(const OptionRow& row) { return (is_command(row) ? "" : "--") + row.name; }
bool is_fine_setting(const OptionRow& row) { return row.group == kFine; }
bool is_training_setting(const OptionRow& row) { return row.group == kTraining || is_fine_setting(row); }

std::vector<OptionRow> option_table(Options& options) {
  std::vector<OptionRow> rows;
  add_command_rows(rows, options);
  add_data_rows(rows, options);
  add_align_rows(rows, options.align);
  add_mesh_rows(rows, options.mesh);
  add_film_rows(rows, options.film);
  add_training_rows(rows, options);
  add_output_rows(rows, options);
  rows.push_back(serve_row(options));
  add_convert_rows(rows, options.convert);
  add_blocks_rows(rows, options.blocks);
  add_device_rows(rows, options);
  add_bench_rows(rows, options);
  add_window_rows(rows, options);
  add_general_rows(rows, options);
  rows.push_back(set_row(options));
  add_fine_rows(rows, options);
  for (OptionRow& row : rows)
    row.rare = is_fine_setting(row) || std::find(std::begin(kRare), std::end(kRare), row.name) != std::end(kRare);
  return rows;
}

}  // namespace app
