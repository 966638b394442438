#include "viewer/scene_name.h"

namespace viewer {
namespace {

// "7000" of "iteration_7000"; empty: not such a name.
std::string iteration_of(const std::string& name) {
  const std::string prefix = "iteration_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : "";
}

}  // namespace

std::string scene_name(const std::filesystem::path& path) {
  const std::filesystem::path file = path.has_filename() ? path : path.parent_path(), folder = file.parent_path();
  const bool splats = file.filename() == "point_cloud.ply" && folder.parent_path().filename() == "point_cloud";
  const bool checkpoint = file.extension() == ".checkpoint" && folder.filename() == "checkpoints";
  const std::string iteration = splats       ? iteration_of(folder.filename().string())
                                : checkpoint ? iteration_of(file.stem().string())
                                             : "";
  const std::filesystem::path run = splats ? folder.parent_path().parent_path() : folder.parent_path();
  if (iteration.empty() || run.filename().empty()) return file.filename().string();
  return run.filename().string() + ", " + (checkpoint ? "checkpoint of " : "") + "iteration " + iteration;
}

}  // namespace viewer
