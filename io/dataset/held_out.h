// Which views are kept for evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/dataset/load_dataset.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace io {

// Sets held_out of the sorted photos, panoramas not yet split into views: those named, or with a face named, by
// options.test_images; else, with options.eval, the data's own split
// (`split` of each view, where any is set), else every test_every-th. Then left_out of those that options.leave_out
// names. `unusable`: photos that are out already, and may be named. An error where a name is unknown or nothing is left
// to train on.
splat::Status hold_out(splat::Dataset& dataset, const std::vector<std::optional<bool>>& split,
                       const std::vector<std::string>& unusable, const DatasetOptions& options);

// Cameras that stray (splat/model/stray_views.h): left_out, with a warning that names their photos. Their indices.
std::vector<int> leave_out_strays(splat::Dataset& dataset);

}  // namespace io
