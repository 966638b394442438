// Files and datasets -> what the window shows of them, made on the opening thread so that the window only has to move
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/input/splat_input.h"
#include "app/jobs/scene/trained_scene.h"
#include "app/settings/options.h"
#include "io/read_watch.h"
#include "io/scene_json.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "studio/documents/messages.h"
#include "studio/window/messages.h"

namespace studio {

// A splat file or a checkpoint, with the cameras and photos of the run that it comes from, where they are there.
struct OpenedSplatFile {
  OpenedSplats for_window;
  splat::Gaussians model;
  std::vector<uint32_t> part;            // the rows that it is of, of a file that is read in part; else empty
  std::optional<splat::Dataset> photos;  // views as for_window.cameras
  std::optional<Options> settings;       // of the run, where known
  io::SceneFrame frame;                  // what positions are counted from
};
splat::Result<OpenedSplatFile> open_splats(const std::filesystem::path& path, splat::ThreadPool& pool,
                                           io::ReadWatch& watch);

// A sample of a file that takes long to read (io::read_part_of_splat_ply); none: read it whole at once.
std::optional<OpenedSplatFile> open_part(const std::filesystem::path& path, splat::ThreadPool& pool);

// What was read, with what is known of the run that it comes from.
OpenedSplatFile opened_with(SplatInput input, TrainedScene trained, const std::filesystem::path& path,
                            splat::ThreadPool& pool);

struct OpenedData {
  splat::Dataset dataset;
  OpenedDataset for_window;
};
splat::Result<OpenedData> open_data(const std::filesystem::path& path, const io::DatasetOptions& options);

// What a run with these choices would find: text lines, and the photos it would hold out.
splat::Result<RunPreview> run_preview_for(const std::filesystem::path& dataset, const TrainingChoices& choices);
std::vector<std::string> held_out_names(const splat::Dataset& dataset);

// Beside the dataset, or in ~/hipsplat where that cannot be written or the dataset is the demo; a name that is not
// taken.
std::filesystem::path suggested_output(const std::filesystem::path& dataset);

// Likewise for a plan in blocks; one that was begun there is taken again.
std::filesystem::path suggested_city(const std::filesystem::path& dataset);

// Makes ~/hipsplat for results that go there: a new user does not have it. Folders above other results must be there.
splat::Status make_home_of(const std::filesystem::path& output);

// For the cameras of photos that have none: a folder beside them likewise; one of an earlier attempt on the same photos
// is taken again.
std::filesystem::path suggested_scene(const std::filesystem::path& photos);

std::vector<FormatRow> format_rows();       // that can be written; those that keep everything first
std::vector<std::string> splat_endings();   // of files that are read as splats, lower case, with their dots
std::vector<std::string> opened_endings();  // of all files that OpenPath takes

}  // namespace studio
