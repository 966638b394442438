// The views that a path stands for: of a dataset, whose photos are named as well, of a cameras.json, or those that the
// splats of a run were trained with. In the order of their names.
#pragma once

#include <filesystem>
#include <vector>

#include "app/jobs/outcome.h"
#include "io/cameras_json.h"
#include "io/dataset/load_dataset.h"

namespace app {

Outcome read_views(const std::filesystem::path& cameras, const io::DatasetOptions& options,
                   std::vector<io::NamedView>& views, std::vector<std::filesystem::path>& photos);

}  // namespace app
