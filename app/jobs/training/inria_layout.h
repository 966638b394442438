// The file that other tools look for beside splats: INRIA's cfg_args (SIBR and evaluation scripts read the source path
// and the resolution from it). cameras.json and input.ply are io's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/settings/options.h"
#include "splat/model/dataset.h"

namespace app {

// "Namespace(data_device='cpu', eval=True, ...)" as Python prints it; paths are absolute. A size
// in px is the width of the widest photo as it was trained on, which is what INRIA's means.
std::string cfg_args_text(const Options& options, const splat::Dataset& dataset);

// The dataset settings in a cfg_args of hipsplat or INRIA's code; nullopt: the text is none, or names no source.
struct CfgArgs {
  std::filesystem::path source;
  std::string images;
  int resolution = 0;  // as in io::DatasetOptions
  bool eval = false, white_background = false;
};
std::optional<CfgArgs> parse_cfg_args(std::string_view text);

}  // namespace app
