// hipsplat convert --align-to: splats laid on those of another file that show the same surfaces.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/jobs/outcome.h"
#include "io/scene_json.h"
#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"
#include "splat/registration/icp.h"

namespace app {

struct AlignedTo {
  splat::registration::IcpResult fit;
  splat::registration::Plausibility likely;
  std::vector<std::string> warnings;
};

// Moves and turns the model, in the frame given; they must lie about right. An error where they do not fit: the model
// is then as it was.
Outcome align_to(const std::filesystem::path& reference, const io::SceneFrame& frame, splat::Gaussians& model,
                 splat::ThreadPool& pool, AlignedTo& aligned);

nlohmann::json to_json(const AlignedTo& aligned);

}  // namespace app
