#include "viewer/scene_name.h"

namespace viewer {
namespace {

// "7000" of "iteration_7000"; empty: not such a name.
std::string iteration_of(const std::string& name) {
  const std::string prefix = "iteration_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : "";
}

}  // namespace

std::filesystem::path folder_of_results(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path(), above = folder.parent_path();
  if (above.filename() == "point_cloud") return above.parent_path();
  return folder.filename() == "checkpoints" ? above : folder;
}

std::string scene_name(const std::filesystem::path& path) {
  const std::filesystem::path file = path.has_filename() ? path : path.parent_path(), folder = file.parent_path();
  const std::filesystem::path run = folder_of_results(file);
  const bool splats = run != folder && file.filename() == "point_cloud.ply";
  const bool checkpoint = run != folder && file.extension() == ".checkpoint";
  const std::string iteration = splats       ? iteration_of(folder.filename().string())
                                : checkpoint ? iteration_of(file.stem().string())
                                             : "";
  if (iteration.empty() || run.filename().empty()) return file.filename().string();
  return run.filename().string() + ", " + (checkpoint ? "checkpoint of " : "") + "iteration " + iteration;
}

}  // namespace viewer
