// The files other tools look for beside a splat: INRIA's cfg_args (SIBR and evaluation scripts read the source path and
// the resolution from it). cameras.json and input.ply are io's.
#pragma once

#include <string>

#include "app/options.h"

namespace app {

// "Namespace(data_device='cpu', eval=True, ...)" as Python prints it; paths are absolute.
std::string cfg_args_text(const Options& options);

}  // namespace app
