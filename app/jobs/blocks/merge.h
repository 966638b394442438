// hipsplat blocks merge: of every trained block the splats in its own cell, as one file.
#pragma once

#include <filesystem>

#include "app/jobs/blocks/city.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"
#include "io/companion.h"
#include "io/splats/common/splat_file.h"

namespace app {

struct Merged {
  std::filesystem::path file;
  std::vector<uint64_t> splats;  // of each block
  uint64_t written = 0;
};

// Blocks come in the order of their numbers, each along a Morton curve, so the bytes do not depend on when and where
// they were trained. `survey`: in survey coordinates (io::SplatFileInfo). An error that names those not done. Cost:
// each block's file is read twice, one at a time in memory.
splat::Result<Merged> merge_city(const City& city, const std::filesystem::path& file, bool survey = false,
                                 const io::Beside& beside = {});

// Into options.output, else city.ply, unless that must not be replaced or another process is at it.
Outcome merge_city(const City& city, const Options& options, Merged& merged);

}  // namespace app
