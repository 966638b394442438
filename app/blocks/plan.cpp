#include "app/blocks/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/blocks/scripts.h"
#include "app/input/run_folder.h"
#include "app/run/memory_plan.h"
#include "app/run/output_lock.h"
#include "app/run/run_record.h"
#include "app/run/session.h"
#include "app/run/training_run.h"
#include "io/bytes.h"
#include "io/dataset/image_store.h"
#include "io/io.h"
#include "io/json.h"
#include "io/scene_json.h"
#include "splat/blocks/shares.h"
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
constexpr double kMargin = 0.2;

// The settings of a block's run, without what each job chooses for itself.
json settings_of(const Options& options) {
  json settings = settings_json(options);
  for (const char* name : {"backend", "device", "deterministic", "threads"}) settings.erase(name);
  return settings;
}

size_t block_count(const Options& options, size_t cameras) {
  if (options.blocks.count > 0) return size_t(options.blocks.count);
  const auto most = size_t(options.blocks.cameras);
  return std::max<size_t>(1, (cameras + most - 1) / most);
}

int scaffold_iterations(const Options& options) {
  const int given = options.blocks.scaffold_iterations;
  return given > 0 ? given : std::min(kScaffoldIterations, options.train.iterations);
}

std::string request_of(const Options& options, const splat::Dataset& dataset, const City& city) {
  const json request{{"dataset", splat::dataset_fingerprint(dataset)},
                     {"settings", city.settings},
                     {"blocks", block_count(options, dataset.training_views().size())},
                     {"scaffold_iterations", city.scaffold_iterations}};
  return hash_text(json_line(request));
}

int longest_side(const splat::Dataset& dataset) {
  int side = 0;
  for (const splat::DatasetView& view : dataset.views) side = std::max({side, view.camera.width, view.camera.height});
  return side;
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
  if (!scaffold.resume.empty()) scaffold.given.clear();  // the checkpoint has them
  return scaffold;
}

bool scaffold_done(const City& city) {
  std::error_code code;
  const fs::path result = newest_result(city.scaffold_folder());
  return result.filename() == "point_cloud.ply" && fs::exists(city.scaffold_folder() / "metrics.json", code) &&
         result.parent_path().filename() == fmt::format("iteration_{}", city.scaffold_iterations);
}

Outcome train_scaffold(const Options& options, const splat::Dataset& dataset, const City& city) {
  if (scaffold_done(city)) return done();
  splat::log::info(fmt::format("scaffold: the whole scene in {} iterations, in '{}'", city.scaffold_iterations,
                               city.scaffold_folder().string()));
  TrainingRun run(scaffold_options(options, dataset, city));
  Outcome outcome = run.prepare();
  if (outcome) outcome = run.train();
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

// At most: every splat that the photos of the block determine, the scaffold around it, all of its photos.
uint64_t predicted_bytes(const splat::Dataset& whole, const Block& block, const Options& options,
                         uint64_t scaffold_splats) {
  splat::Dataset part;
  for (const splat::DatasetView& view : whole.views)
    if (std::binary_search(block.views.begin(), block.views.end(), view.name)) part.views.push_back(view);
  const splat::GrowthLimit limit = splat::growth_limit(options.train.max_splats, 0, part, options.train.sh_degree);
  return base_bytes(part) + io::image_bytes(part) + scaffold_splats * kBytesPerSplatAtStart +
         std::max(limit.splats, scaffold_splats) * kBytesPerSplat;
}

Outcome cut(const Options& options, const splat::Dataset& dataset, City& city) {
  const std::vector<int> cameras = dataset.training_views();
  city.ground = splat::blocks::ground_of(dataset);
  const auto places = splat::blocks::cameras_on(city.ground, dataset, cameras);
  city.bounds = splat::blocks::bounds_of(places);
  city.margin = kMargin;
  auto cells = splat::blocks::cut_into_cells(places, block_count(options, cameras.size()));
  if (!cells) return bad_input(cells.error());
  for (const splat::blocks::Cell& cell : *cells) city.blocks.emplace_back().cell = cell;
  return done();
}

Outcome give_views(const Options& options, const splat::Dataset& dataset, City& city) {
  auto scaffold = io::read_splat_file(newest_result(city.scaffold_folder()));
  if (!scaffold) return bad_input(scaffold.error());
  city.scaffold_splats = scaffold->gaussians.size();
  splat::BackendChoice chosen;
  if (Outcome outcome = open_backend(options.device, chosen); !outcome) return outcome;
  std::vector<splat::blocks::Cell> cells;
  for (const Block& block : city.blocks) cells.push_back(block.cell);
  const auto shares = splat::blocks::measure_shares(*chosen.backend, dataset, scaffold->gaussians, city.ground, cells);
  const auto views = splat::blocks::choose_views(dataset, city.ground, cells, shares, {.margin = city.margin});
  for (size_t k = 0; k < city.blocks.size(); ++k) {
    Block& block = city.blocks[k];
    for (const int view : views[k]) {
      block.views.push_back(dataset.views[size_t(view)].name);
      block.training_views += !dataset.views[size_t(view)].held_out;
    }
    std::sort(block.views.begin(), block.views.end());
    block.predicted_bytes = predicted_bytes(dataset, block, options, city.scaffold_splats);
  }
  return done();
}

Outcome check_place(const fs::path& folder) {
  if (const Status status = check_writable_folder(folder); !status) return bad_input(status.error());
  std::error_code code;
  if (!has_city(folder) && fs::is_directory(folder, code) && !fs::is_empty(folder, code))
    return bad_input(fmt::format("'{}' is not empty, and holds no plan: choose another place", folder.string()));
  return done();
}

// A plan that was begun here is gone on with; another one is not touched.
Outcome begin(const fs::path& folder, City& city) {
  if (!has_city(folder)) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (const Status status = write_city(city); !status) return bad_input(status.error());
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

Outcome plan_city(const Options& options, City& city) {
  if (Outcome outcome = check_place(options.output); !outcome) return outcome;
  splat::Dataset dataset;
  if (Outcome outcome = open_dataset(options.input, options.dataset, dataset); !outcome) return outcome;
  if (dataset.training_views().empty())
    return bad_input(fmt::format("'{}' has no photos to train on", options.input.string()));
  city.folder = options.output;
  city.dataset = options.input;
  city.settings = settings_of(options);
  city.iterations = options.train.iterations;
  city.scaffold_iterations = scaffold_iterations(options);
  city.view_up = dataset.view_up;
  city.antialiased = options.train.antialias;
  city.request = request_of(options, dataset, city);
  City cut_city = city;
  if (Outcome outcome = cut(options, dataset, cut_city); !outcome) return outcome;  // before anything is written
  if (Outcome outcome = begin(options.output, city); !outcome) return outcome;
  if (!city.blocks.empty()) {
    splat::log::info(fmt::format("'{}' is planned already", options.output.string()));
    return done();
  }
  OutputLock lock;
  if (const Status status = lock.take(options.output / ".hipsplat.lock"); !status) return bad_input(status.error());
  if (Outcome outcome = train_scaffold(options, dataset, city); !outcome) return outcome;
  auto colours = scaffold_colours(city);
  if (!colours) return bad_input(colours.error());
  if (Outcome outcome = cut(options, dataset, city); !outcome) return outcome;
  city.colours = std::move(*colours);
  if (Outcome outcome = give_views(options, dataset, city); !outcome) return outcome;
  if (const Status status = write_scripts(city); !status) return failed(status.error());
  if (const io::SceneFrame frame{dataset.origin, dataset.epsg}; frame.says_something())
    if (const Status status = io::write_scene_json(city.folder, frame); !status) return failed(status.error());
  const Status written = write_city(city);
  return written ? done() : failed(written.error());
}

}  // namespace app
