// Scenes that say where on earth they lie (scene.json), brought together.
#pragma once

#include <string>

#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace app {

// Moves the positions of `file`, so that they are counted from where those of `frame` are, by the difference in double
// precision; where both say how long a unit is and neither where it lies, the units become those of `frame`. The text
// is a warning, or empty: where one of the two does not say where it lies, both are taken to be in one frame; where
// they lie far apart, floats lose. Different reference systems are an error. file.frame is then that of both.
splat::Result<std::string> bring_into_frame(const io::SceneFrame& frame, io::SplatFile& file);

}  // namespace app
