// Splats from wherever a user may have them: a splat file of any format, a coloured point cloud, the folder of an
// unpacked SOG, a checkpoint, the folder of a training run or of a scene in blocks. What the commands
// and the window read.
#pragma once

#include <filesystem>

#include "io/splats/common/splat_file.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"

namespace io {
struct ReadWatch;
}

namespace app {

struct SplatInput {
  io::SplatFile file;          // a checkpoint's model as if it were a splat file
  std::filesystem::path path;  // where it was read: in the folder, where one was given (recognise.h)
};

// A coloured point cloud (PLY with red, green, blue) becomes round, opaque splats of half the distance to their nearest
// neighbours, at most the median of that, with a warning. An error for datasets and cameras. `watch` follows and ends
// the reading of a splat file (io/read_watch.h).
splat::Result<SplatInput> read_splat_input(const std::filesystem::path& given, int threads = 0,
                                           io::ReadWatch* watch = nullptr);

// `asked`, with the filter that the splats were trained with: antialiased where either says so, and their low pass
// unless another one was given.
splat::RenderSettings as_trained(splat::RenderSettings asked, bool low_pass_given, const splat::ScreenFilter& trained);

}  // namespace app
