#include "app/input/run_folder.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

namespace app {

namespace fs = std::filesystem;

namespace {

// The number at the end of "iteration_7000"; -1: none.
int64_t iteration_in(const std::string& name) {
  const std::string prefix = "iteration_";
  if (!name.starts_with(prefix)) return -1;
  int64_t iteration = -1;
  const char* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data() + prefix.size(), end, iteration);
  return code == std::errc() && stop == end ? iteration : -1;
}

}  // namespace

fs::path run_folder_of(const fs::path& file) {
  std::error_code code;
  const fs::path absolute = fs::absolute(file, code).lexically_normal(), folder = absolute.parent_path();
  std::vector<fs::path> places{folder};
  if (folder.filename() == "checkpoints") places.push_back(folder.parent_path());
  if (folder.parent_path().filename() == "point_cloud") places.push_back(folder.parent_path().parent_path());
  for (const fs::path& place : places)
    if (fs::is_regular_file(place / "cameras.json", code)) return place;
  return {};
}

fs::path newest_result(const fs::path& folder) {
  fs::path newest;
  int64_t latest = -1;
  std::error_code code;
  const auto consider = [&](const std::string& name, const fs::path& file) {
    const int64_t number = iteration_in(name);
    if (number <= latest || !fs::is_regular_file(file, code)) return;
    latest = number;
    newest = file;
  };
  for (const auto& entry : fs::directory_iterator(folder / "point_cloud", code))
    consider(entry.path().filename().string(), entry.path() / "point_cloud.ply");
  if (!newest.empty()) return newest;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", code))
    if (entry.path().extension() == ".checkpoint") consider(entry.path().stem().string(), entry.path());
  return newest;
}

}  // namespace app
