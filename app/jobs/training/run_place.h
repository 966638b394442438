// What stands where a training run writes. Files of earlier runs are replaced; those of others are not: a folder is a
// run's of hipsplat by its config.json.
#pragma once

#include <filesystem>

#include "app/jobs/training/run_output.h"
#include "app/settings/options.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace app {

// What the file of a run's splats says beside them.
io::SplatFileInfo info_of_result(const Options& options, const splat::Dataset& dataset);

bool is_run_folder(const std::filesystem::path& folder);

// An error where a file of somebody else's would be replaced: the splats, the checkpoint or scene.json beside them, or
// in a folder those of fixed names. force: the user insists.
splat::Status check_run_place(const RunOutput& output, bool force);

// An error where a pipe, a socket or a device stands under a name of the files that a run has in `folder`, or another
// thing in the place of its folders: it would be waited for, or the run would fail at its end.
splat::Status check_ordinary_files(const std::filesystem::path& folder);

}  // namespace app
