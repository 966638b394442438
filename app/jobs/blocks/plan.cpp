#include "app/jobs/blocks/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/blocks/cut.h"
#include "app/jobs/blocks/scripts.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/session.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/run_record.h"
#include "app/jobs/training/training_run.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/io.h"
#include "io/json.h"
#include "io/scene_json.h"
#include "splat/core/log.h"
#include "splat/train/growth_limit.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Status;

namespace {

constexpr int kScaffoldDivisor = 4;        // of the photos' sides
constexpr int kLeastScaffoldSide = 240;    // px: smaller photos show too little
constexpr int kScaffoldIterations = 7000;  // unless a block's run is shorter
constexpr uint64_t kScaffoldSplats = 1'000'000;
constexpr double kIterationsPerPhoto = 50, kMostIterations = 1e7;

// The settings of a block's run, without what each job chooses for itself.
json settings_of(const Options& options) {
  json settings = settings_json(options);
  for (const char* name : {"backend", "device", "deterministic", "threads"}) settings.erase(name);
  return settings;
}

// Enough for the photos where none are given.
int iterations(const Options& options, const splat::Dataset& dataset) {
  if (options.was_given("iterations")) return options.train.iterations;
  const double enough = kIterationsPerPhoto * double(dataset.training_views().size());
  return std::max(options.train.iterations, int(std::min(enough, kMostIterations)));
}

int scaffold_iterations(const Options& options, const City& city) {
  const int given = options.blocks.scaffold_iterations;
  return given > 0 ? given : std::min(kScaffoldIterations, city.iterations);
}

std::string request_of(const Options& options, const splat::Dataset& dataset, const City& city) {
  const json request{{"dataset", splat::dataset_fingerprint(dataset)},
                     {"settings", city.settings},
                     {"blocks", block_count(options.blocks, dataset.training_views().size())},
                     {"memory", options.blocks.memory},
                     {"scaffold_iterations", city.scaffold_iterations}};
  return hash_text(json_line(request));
}

int longest_side(const splat::Dataset& dataset) {
  int side = 0;
  for (const splat::DatasetView& view : dataset.views) side = std::max({side, view.camera.width, view.camera.height});
  return side;
}

// What of this plan's scaffold was written elsewhere, as its disk was full.
fs::path kept_elsewhere(const City& city) {
  std::error_code code;
  const auto begun = fs::last_write_time(city_file(city.folder), code);
  const auto output = RunOutput::check(city.scaffold_folder());
  return code || !output ? fs::path() : output->spare_checkpoint(begun);
}

Options scaffold_options(const Options& options, const splat::Dataset& dataset, const City& city) {
  Options scaffold = options;
  scaffold.verb = kTrain;
  scaffold.output = city.scaffold_folder();
  scaffold.train.iterations = city.scaffold_iterations;
  scaffold.train.poses = splat::PoseMode::kOff;  // as in the blocks
  const int side = longest_side(dataset);
  scaffold.dataset.resolution = std::clamp(side / kScaffoldDivisor, std::min(kLeastScaffoldSide, side), side);
  if (scaffold.train.max_splats == 0 || scaffold.train.max_splats > kScaffoldSplats)
    scaffold.train.max_splats =
        std::min(kScaffoldSplats, splat::splats_determined_by_pixels(dataset, options.train.sh_degree));
  scaffold.resume = newest_checkpoint(scaffold.output);
  if (scaffold.resume.empty()) scaffold.resume = kept_elsewhere(city);
  if (!scaffold.resume.empty()) scaffold.given.clear();  // the checkpoint has them
  return scaffold;
}

bool scaffold_done(const City& city) {
  std::error_code code;
  const fs::path result = newest_result(city.scaffold_folder());
  return result.filename() == "point_cloud.ply" && fs::exists(city.scaffold_folder() / "metrics.json", code) &&
         result.parent_path().filename() == fmt::format("iteration_{}", city.scaffold_iterations);
}

Outcome train_scaffold(const Options& options, const splat::Dataset& dataset, const City& city,
                       const BlocksWatch& watch) {
  if (scaffold_done(city)) return done();
  splat::log::info(fmt::format("scaffold: the whole scene in {} iterations, in '{}'", city.scaffold_iterations,
                               city.scaffold_folder().string()));
  TrainingRun run(scaffold_options(options, dataset, city), watch.photos());
  Outcome outcome = prepare(run, watch);
  while (outcome && !run.trained()) {
    watch.say("the coarse model of the whole", double(run.trainer().iteration()) / city.scaffold_iterations);
    outcome = advance(run, watch);
  }
  run.stop_where({});  // its end is short, and left half-way the plan would go on from other splats
  if (outcome) outcome = run.finish();
  if (outcome.code == ExitCode::kInterrupted) outcome.sentence = "interrupted; the same command goes on with the plan";
  return outcome;
}

// What the scaffold found about the brightness of the photos; none where they are alike.
splat::Result<std::vector<ScenePart::Colour>> scaffold_colours(const City& city) {
  const fs::path file = city.scaffold_folder() / "metrics.json";
  SPLAT_ASSIGN_OR_RETURN(const std::string text, io::read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json metrics, io::parse_json(text, file.string()));
  std::vector<ScenePart::Colour> colours;
  try {
    if (!metrics.contains("exposure") || !metrics.at("exposure").at("trained").get<bool>()) return colours;
    for (const json& photo : metrics.at("exposure").at("photos")) {
      ScenePart::Colour& colour = colours.emplace_back();
      photo.at("name").get_to(colour.view);
      for (size_t c = 0; c < 3; ++c)
        colour.colour[c] = {photo.at("gain").at(c).get<double>(), photo.at("bias").at(c).get<double>()};
    }
  } catch (const json::exception&) {
    return splat::Error{
        fmt::format("'{}' is damaged: remove the folder 'scaffold', and it is made anew", file.string())};
  }
  return colours;
}

Outcome give_views(const Options& options, const splat::Dataset& dataset, const BlocksWatch& watch, City& city) {
  auto scaffold = io::read_splat_file(newest_result(city.scaffold_folder()));
  if (!scaffold) return bad_input(scaffold.error());
  city.scaffold_splats = scaffold->gaussians.size();
  return fill_blocks(options, dataset, scaffold->gaussians, watch, city);
}

Outcome check_place(const fs::path& folder) {
  if (const Status status = check_writable_folder(folder); !status) return bad_input(status.error());
  std::error_code code;
  io::remove_dead_partial_files_of(city_file(folder));  // of a plan that was killed while it wrote its first file
  if (!has_city(folder) && fs::is_directory(folder, code) && !fs::is_empty(folder, code))
    return bad_input(fmt::format("'{}' is not empty, and holds no plan: choose another place", folder.string()));
  return done();
}

// Refused before anything was done.
void forget(const City& city) {
  std::error_code code;
  fs::remove(city_file(city.folder), code);
  fs::remove(city.scaffold_folder(), code);  // stays where something is in it
  fs::remove(city.folder, code);
}

// A plan that was begun here is gone on with; another one is not touched.
Outcome begin(const fs::path& folder, City& city) {
  if (!has_city(folder)) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (const Status status = write_city(city); !status) {
      forget(city);
      return bad_input(status.error());
    }
    return done();
  }
  auto stored = read_city(folder);
  if (!stored) return bad_input(stored.error());
  if (stored->request != city.request)
    return bad_input(
        fmt::format("'{}' holds the plan of another dataset or of other settings: choose another place, or remove it",
                    folder.string()));
  city = std::move(*stored);
  return done();
}

}  // namespace

Outcome plan_city(const Options& options, City& city, const BlocksWatch& watch) {
  if (Outcome outcome = check_place(options.output); !outcome) return outcome;
  splat::Dataset dataset;
  if (Outcome outcome = open_dataset(options.input, options.dataset, dataset); !outcome) return outcome;
  if (dataset.training_views().empty())
    return bad_input(fmt::format("'{}' has no photos to train on", options.input.string()));
  city.folder = options.output;
  city.dataset = options.input;
  city.settings = settings_of(options);
  city.iterations = iterations(options, dataset);
  city.scaffold_iterations = scaffold_iterations(options, city);
  city.view_up = dataset.view_up;
  city.antialiased = options.train.antialias;
  city.low_pass = options.train.low_pass;
  city.request = request_of(options, dataset, city);
  City cut_city = city;
  if (Outcome outcome = cut_by_cameras(options, dataset, cut_city); !outcome)
    return outcome;  // before anything is written
  const bool is_new = !has_city(options.output);
  if (Outcome outcome = begin(options.output, city); !outcome) return outcome;
  if (!city.blocks.empty()) {
    splat::log::info(fmt::format("'{}' is planned already", options.output.string()));
    return done();
  }
  OutputLock lock;
  if (const Status status = lock.take(options.output / kLockName); !status) return bad_input(status.error());
  io::remove_dead_partial_files(city.folder, "");
  if (Outcome outcome = train_scaffold(options, dataset, city, watch); !outcome) {
    lock.release();
    if (is_new && outcome.code == ExitCode::kUsage) forget(city);
    return outcome;
  }
  auto colours = scaffold_colours(city);
  if (!colours) return bad_input(colours.error());
  if (Outcome outcome = cut_by_cameras(options, dataset, city); !outcome) return outcome;
  city.colours = std::move(*colours);
  if (Outcome outcome = give_views(options, dataset, watch, city); !outcome) return outcome;
  if (const Status status = write_scripts(city); !status) return failed(status.error());
  if (const io::SceneFrame frame{dataset.origin, dataset.epsg, dataset.metres_per_unit}; !frame.empty())
    if (const Status status = io::write_scene_json(city.folder, frame); !status) return failed(status.error());
  const Status written = write_city(city);
  return written ? done() : failed(written.error());
}

Outcome forecast_city(const Options& options, City& city) {
  const auto dataset = io::load_dataset(options.input, options.dataset);
  if (!dataset) return bad_input(dataset.error());
  city.iterations = iterations(options, *dataset);
  city.scaffold_iterations = scaffold_iterations(options, city);
  if (Outcome outcome = cut_by_cameras(options, *dataset, city); !outcome) return outcome;
  const uint64_t scaffold = scaffold_options(options, *dataset, city).train.max_splats;
  return fill_blocks_by_cameras(options, *dataset, scaffold, city);
}

}  // namespace app
