#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/jobs/align/alignment.h"
#include "app/jobs/blocks/city.h"
#include "app/jobs/host/bytes_on_disk.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/scene/trained_scene.h"
#include "app/jobs/training/report/pictures.h"
#include "app/jobs/training/run_output.h"
#include "io/dataset/folder_contents.h"
#include "io/dataset/image_store.h"
#include "io/dataset/preflight.h"
#include "io/splats/formats.h"
#include "io/splats/ply/ply.h"
#include "splat/core/system.h"
#include "splat/model/stray_views.h"
#include "splat/train/init.h"
#include "studio/documents/demo.h"
#include "studio/documents/opened_model.h"
#include "studio/documents/result_place.h"
#include "studio/model/continuation.h"
#include "viewer/camera/up_axis.h"
#include "viewer/live/pace.h"

namespace studio {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;

namespace {

Bounds bounds_of(const splat::Dataset& dataset) {
  Bounds bounds = viewer::robust_bounds(dataset.points.xyz);
  if (!bounds.empty()) return bounds;
  const auto pose_of = [](const splat::DatasetView& view) { return view.cam_from_world; };
  for (const splat::DatasetView& view : splat::without_outside<splat::DatasetView>(dataset.views, pose_of))
    bounds.add(viewer::vec3(view.cam_from_world.origin_in_source()));
  return bounds;
}

void add_memory(const splat::Dataset& dataset, OpenedDataset& opened) {
  const HostMemory memory = host_memory();
  opened.available_bytes = memory.available_bytes;
  const uint64_t starting = splat::starting_splats(dataset, {});
  auto plan = plan_memory(memory, base_bytes(dataset), io::image_bytes(dataset), starting, kBytesPerSplat,
                          kBytesPerSplatAtStart);
  if (plan) {
    plan->add_lists(most_pixels(dataset), starting);
    plan->add_matching(default_matching_bytes(dataset));
    opened.needed_bytes = plan->needed_bytes;
    opened.splats_that_fit = plan->splats_that_fit;
  } else {
    opened.warnings.push_back(plan.error().message);
  }
}

// A folder `name` beside `path`, or below the home folder (`at_home`, or where the other cannot be written), that is
// not there yet or is one to go on with.
template <class GoesOn>
fs::path beside(const fs::path& path, const std::string& name, bool at_home, const GoesOn& goes_on) {
  std::error_code code;
  fs::path parent = path.parent_path();
  if (at_home || !check_writable_folder(parent)) parent = home_of_results();
  fs::path folder = parent / name;
  for (int i = 2; fs::exists(folder, code) && !goes_on(folder); ++i) folder = parent / fmt::format("{}_{}", name, i);
  return folder;
}

io::Preflight preflight_of(const splat::Dataset& dataset) {
  io::PreflightOptions settings;
  settings.bytes_per_splat = kBytesPerSplatAtStart;
  settings.base_bytes = base_bytes(dataset);
  settings.random_splats = size_t(splat::TrainConfig{}.random_splats);
  settings.matching_bytes = default_matching_bytes(dataset);
  settings.machine_bytes = host_memory().total_bytes;
  return io::make_preflight(dataset, settings);
}

}  // namespace

std::optional<OpenedSplatFile> open_part(const fs::path& path, splat::ThreadPool& pool) {
  constexpr size_t kFrom = 1'500'000;  // splats: fewer are read in no time
  const auto count = [](size_t all) { return all < kFrom ? 0 : ResolutionPace::part_of(all); };
  auto part = io::read_part_of_splat_ply(path, count, pool);
  if (!part || !*part) return std::nullopt;  // what is wrong shows when all of it is read
  SplatInput input;
  input.path = path;
  input.file = std::move((*part)->file);
  input.file.bytes = bytes_on_disk(path);
  TrainedScene trained = trained_scene_of(path, input.file.gaussians, pool.threads());
  OpenedSplatFile opened = opened_with(std::move(input), std::move(trained), path, pool);
  opened.part = std::move((*part)->rows);
  opened.for_window.rows = (*part)->all;
  opened.for_window.part = true;
  return opened;
}

Result<OpenedSplatFile> open_splats(const fs::path& path, splat::ThreadPool& pool, io::ReadWatch& watch) {
  SPLAT_ASSIGN_OR_RETURN(SplatInput input, read_splat_input(path, pool.threads(), &watch));
  TrainedScene trained = trained_scene_of(path, input.file.gaussians, pool.threads());
  return opened_with(std::move(input), std::move(trained), path, pool);
}

OpenedSplatFile opened_with(SplatInput input, TrainedScene trained, const fs::path& path, splat::ThreadPool& pool) {
  io::SplatFile& file = input.file;
  OpenedSplatFile result;
  OpenedSplats& opened = result.for_window;
  opened.path = path;
  opened.format = std::move(file.format);
  opened.producer = std::move(file.producer);
  opened.warnings = std::move(file.warnings);
  opened.warnings.insert(opened.warnings.end(), trained.warnings.begin(), trained.warnings.end());
  opened.filter = file.filter();
  opened.front_at_z = file.front_at_z;
  result.frame = file.frame;
  opened.metres_per_unit = file.frame.metres_per_unit;
  opened.background = trained.background;
  opened.file_bytes = file.bytes;
  opened.cameras = std::move(trained.cameras);
  opened.has_photos = trained.photos.has_value();
  std::optional<Vec3> up;
  if (file.view_up) up = viewer::vec3(*file.view_up);
  opened.up = viewer::guess_up(up, opened.cameras, file.gaussians.means);
  describe_model(file.gaussians, pool, opened);
  result.model = std::move(file.gaussians);
  opened.continuation = continuation_of(input.path, trained);
  result.photos = std::move(trained.photos);
  result.settings = std::move(trained.settings);
  return result;
}

Result<OpenedData> open_data(const fs::path& path, const io::DatasetOptions& options) {
  OpenedData opened;
  SPLAT_ASSIGN_OR_RETURN(opened.dataset, io::load_dataset(path, options));
  std::error_code code;
  io::DatasetOptions with_masks = options;
  with_masks.masks_folder = masks_place(opened.dataset.root);
  const auto masked = [](const splat::DatasetView& view) { return !view.mask_path.empty(); };
  const bool has_own = std::any_of(opened.dataset.views.begin(), opened.dataset.views.end(), masked);
  if (!has_own && options.masks_folder.empty() && fs::is_directory(with_masks.masks_folder, code)) {
    SPLAT_ASSIGN_OR_RETURN(opened.dataset, io::load_dataset(path, with_masks));
    opened.for_window.masks = with_masks.masks_folder;
  }
  const splat::Dataset& dataset = opened.dataset;
  const io::Preflight preflight = preflight_of(dataset);
  OpenedDataset& out = opened.for_window;
  out.path = path;
  out.format = dataset.format;
  out.cameras = photo_cameras(dataset);
  out.points = dataset.points;
  out.up = viewer::guess_up({}, out.cameras, dataset.points.xyz);
  out.bounds = bounds_of(dataset);
  out.preflight = io::preflight_lines(preflight);
  out.warnings = preflight.warnings;
  out.registered = preflight.registered;
  out.held_out = preflight.held_out.size();
  out.lenses = preflight.cameras.size();
  out.missing = dataset.missing_images;
  out.extra = dataset.extra_images;
  out.suggested_output = suggested_output(path);
  add_memory(dataset, out);
  return opened;
}

Result<RunPreview> run_preview_for(const fs::path& dataset, const TrainingChoices& choices) {
  SPLAT_ASSIGN_OR_RETURN(const Options options, options_of(dataset, choices));
  SPLAT_ASSIGN_OR_RETURN(const splat::Dataset loaded, io::load_dataset(dataset, options.dataset));
  return RunPreview{held_out_names(loaded), io::preflight_lines(preflight_of(loaded)), {}};
}

std::vector<std::string> held_out_names(const splat::Dataset& dataset) {
  std::vector<std::string> names;
  for (const int view : dataset.held_out_views()) names.push_back(dataset.views[size_t(view)].name);
  return names;
}

namespace {

template <class GoesOn>
fs::path beside_dataset(const fs::path& dataset, const char* ending, const GoesOn& goes_on) {
  std::error_code code;
  fs::path folder = fs::absolute(dataset, code).lexically_normal();  // not where a link leads
  if (!folder.has_filename() || !fs::is_directory(folder, code)) folder = folder.parent_path();
  const bool demo = fs::equivalent(folder, demo_folder(), code);  // whose folder is the program's
  return beside(folder, folder.filename().string() + ending, demo, goes_on);
}

}  // namespace

fs::path suggested_output(const fs::path& dataset) {
  return beside_dataset(dataset, "_splats", [](const fs::path&) { return false; });
}

fs::path suggested_city(const fs::path& dataset) {
  return beside_dataset(dataset, "_city", [](const fs::path& folder) {
    const auto city = read_city(folder);
    return city && city->blocks.empty();
  });
}

splat::Status make_home_of(const fs::path& output) {
  if (output.parent_path() != home_of_results()) return {};
  std::error_code code;
  fs::create_directories(output.parent_path(), code);
  if (!code) return {};
  return splat::Error{"cannot create the folder '" + output.parent_path().string() + "': " + code.message() +
                      "; choose another place for the results"};
}

fs::path suggested_scene(const fs::path& photos) {
  std::error_code code;
  fs::path folder = fs::absolute(photos, code).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return beside(folder, folder.stem().string() + "_scene", false,
                [&](const fs::path& scene) { return aligned_from(scene) == fs::weakly_canonical(folder, code); });
}

std::vector<FormatRow> format_rows() {
  std::vector<FormatRow> rows;
  for (const io::SplatFormatEntry& format : io::splat_formats())
    if (format.write)
      rows.push_back({std::string(format.name),
                      std::string(format.output_extensions.front()),
                      std::string(format.loss),
                      std::string(format.loses),
                      std::string(format.opened_by),
                      format.compressed,
                      {format.extensions.begin(), format.extensions.end()}});
  std::stable_partition(rows.begin(), rows.end(), [](const FormatRow& row) { return row.loss.empty(); });
  return rows;
}

std::vector<std::string> splat_endings() {
  std::vector<std::string> endings{".zip", ".gz"};  // one of the others, packed
  for (const io::SplatFormatEntry& format : io::splat_formats())
    if (format.read) endings.insert(endings.end(), format.extensions.begin(), format.extensions.end());
  return endings;
}

std::vector<std::string> opened_endings() {
  std::vector<std::string> endings = splat_endings();
  for (const char* more : {".obj", ".json", ".checkpoint"}) endings.push_back(more);  // a mesh, cameras, a run's
  endings.insert(endings.end(), io::video_extensions().begin(), io::video_extensions().end());
  return endings;
}

}  // namespace studio
