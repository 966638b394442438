#include "app/jobs/training/run_start.h"

#include <fmt/format.h>

#include <utility>

#include "app/jobs/host/reading_memory.h"
#include "app/jobs/training/run_files.h"
#include "app/jobs/training/training_seconds.h"
#include "io/io.h"
#include "io/reconstruction/point_files.h"
#include "splat/backend/with_fixed_rows.h"
#include "splat/core/log.h"
#include "splat/train/init.h"

namespace app {

using splat::Status;

namespace {

// The settings of a checkpoint that decide what the dataset looks like, or that follow from it; they hold again unless
// given anew.
nlohmann::json data_settings(const nlohmann::json& settings, const Options& given) {
  nlohmann::json data = nlohmann::json::object();
  for (const char* name :
       {"resolution", "images", "masks", "alpha", "depths", "eval", "test_every", "test_images", "leave_out",
        // which stay as they were asked for: what they came to is the trainer's (load_state)
        "progressive_divisor", "mean_lr_from"})
    if (settings.contains(name)) data[name] = settings[name];
  if (!settings.contains("background")) data["background"] = "auto";
  if (!settings.contains("alpha")) data["alpha"] = "ignore";  // written before there was a choice: it goes on so
  if (given.was_given("test-every")) data.erase("test_images");
  return data;
}

std::vector<splat::View> training_cameras(const splat::Dataset& dataset) {
  std::vector<splat::View> cameras;
  for (const int view : dataset.training_views()) cameras.push_back(dataset.views[size_t(view)].view());
  return cameras;
}

uint64_t bytes_of(const splat::Gaussians& splats) {
  return splats.size() * uint64_t(splat::parameters_per_splat(splats.sh_degree)) * sizeof(float);
}

// Splats that were trained, and not only placed.
bool has_colour_bands(const splat::Gaussians& splats) {
  const size_t width = 3 * size_t(splats.coefficients());
  for (size_t at = 0; at < splats.sh.size(); ++at)
    if (at % width >= 3 && splats.sh[at] != 0) return true;
  return false;
}

// Training settings given beside --resume must be the checkpoint's own, but for the target.
Status check_unchanged(Options& given, const splat::TrainConfig& stored) {
  Options of_checkpoint;
  of_checkpoint.train = stored;
  const std::vector<OptionRow> rows = option_table(given), stored_rows = option_table(of_checkpoint);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!is_training_setting(rows[i]) || !given.was_given(rows[i].name) || rows[i].name == "iterations") continue;
    if (rows[i].get() != stored_rows[i].get())
      return splat::Error{
          fmt::format("--{} {} differs from the checkpoint's {}: only --iterations may change when resuming",
                      rows[i].name, rows[i].get().dump(), stored_rows[i].get().dump())};
  }
  return {};
}

}  // namespace

RunStart::RunStart(std::optional<ScenePart> part)
    : part_(std::move(part)), fixed_splats_(part_ ? part_->fixed.size() : 0) {}

Outcome RunStart::read(Options& options) {
  if (!options.resume.empty())
    if (Outcome outcome = read_resumed(options); !outcome) return outcome;
  return options.init.empty() ? done() : read_initial(options);
}

Outcome RunStart::read_resumed(Options& options) {
  auto file = io::CheckpointFile::open(options.resume);
  if (!file) return bad_input(file.error());
  const splat::Archive& archive = file->archive();
  const std::string name = "'" + options.resume.string() + "'";
  auto config = splat::load_config(archive);
  if (!config) return bad_input(name + ": " + config.error().message);
  if (const Status status = check_unchanged(options, *config); !status) return bad_input(status.error());
  if (options.was_given("iterations") && options.train.iterations < config->iterations)
    splat::log::warning(fmt::format(
        "{} is of a run of {} iterations, for which its learning rates and its growth are planned: ended at "
        "{}, it is less sharp than a run of that length",
        name, config->iterations, options.train.iterations));
  if (options.was_given("iterations")) config->iterations = options.train.iterations;
  options.train = *config;
  if (auto settings = archive.get_string(kSettingsEntry)) {
    const auto json = nlohmann::json::parse(*settings, nullptr, false);
    if (!json.is_object()) return bad_input(name + ": its settings are damaged");
    if (const Status status = apply_settings(data_settings(json, options), name, options); !status)
      return bad_input(status.error());
  }
  seconds_before_ = seconds_at(options.resume);
  resumed_.emplace(std::move(*file));
  return done();
}

Outcome RunStart::read_initial(Options& options) {
  if (const std::string unread = io::unread_point_file(options.init); !unread.empty()) return bad_input(unread);
  if (io::is_point_file(options.init)) {
    options.dataset.points_file = std::exchange(options.init, {});
    return done();
  }
  auto file = read_where_it_fits(options.init, [&] { return io::read_splat_file(options.init); });
  if (!file) return bad_input(file.error());
  if (file->gaussians.size() == 0)
    return bad_input(fmt::format("'{}' has no splats to start from", options.init.string()));
  const uint64_t count = file->gaussians.size(), most = options.train.max_splats;
  if (most > 0 && count > most)
    return bad_input(fmt::format("'{}' has {} splats, more than --max-splats {}", options.init.string(), count, most));
  initial_ = std::move(file->gaussians);
  return done();
}

Status RunStart::keep_to_part(splat::Dataset& dataset) {
  if (!part_) return {};
  scene_cameras_ = training_cameras(dataset);
  return keep_views_of(*part_, dataset);
}

StartingSplats RunStart::splats(const Options& options, const splat::Dataset& dataset) const {
  StartingSplats starting{splat::starting_splats(dataset, options.train)};
  if (initial_)
    starting = {initial_->size(), bytes_of(*initial_),
                "hipsplat convert '" + options.init.string() + "' -o FILE.ply --max-splats"};
  if (part_) starting = {part_->start.size() + fixed_splats_, bytes_of(part_->start) + bytes_of(part_->fixed), ""};
  if (resumed_) {
    starting.fewer = "";
    if (const auto count = resumed_->archive().get<uint64_t>("model/count")) starting.count = *count;
  }
  if (part_ && resumed_) starting.count += fixed_splats_;
  if (initial_) starting.more_bytes_per_splat += kBytesFromFile;
  if (options.serve.asked) starting.more_bytes_per_splat += kBytesServed;
  return starting;
}

void RunStart::enter_part(const splat::Dataset& dataset, splat::BackendChoice& chosen,
                          std::unique_ptr<splat::ImageSource>& photos) {
  if (!part_) return;
  colours_ = held_colours(*part_, dataset);
  photos = photos_of_part(*part_, *chosen.backend, dataset, std::move(photos));
  chosen.backend = splat::with_fixed_rows(std::move(chosen.backend), std::move(part_->fixed));
  if (!resumed_) initial_ = std::move(part_->start);
  part_.reset();
}

void RunStart::fit_settings(splat::TrainConfig& config) const {
  if (!initial_ || !has_colour_bands(*initial_) || config.sh_degree_interval != splat::kAuto) return;
  config.sh_degree_interval = 0;
  splat::log::info("the colour bands of the splats to start from are trained from the first iteration on");
}

Outcome RunStart::make_trainer(const Options& options, const splat::TrainerInputs& inputs,
                               std::unique_ptr<splat::Trainer>& trainer) {
  splat::TrainerInputs all = inputs;
  all.held_colours = colours_, all.scene_cameras = scene_cameras_;
  trainer = std::make_unique<splat::Trainer>(options.train, all);
  const Status status = resumed_   ? trainer->load_state(*resumed_)
                        : initial_ ? trainer->initialise(*initial_)
                                   : trainer->initialise();
  if (!status)
    return bad_input(resumed_ ? "'" + options.resume.string() + "': " + status.error().message
                              : status.error().message);
  resumed_.reset();
  initial_.reset();
  return done();
}

}  // namespace app
