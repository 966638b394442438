#include "app/jobs/input/run_folder.h"

#include <charconv>
#include <cstdint>
#include <limits>
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

struct Newest {
  fs::path file;  // empty: none yet
  int64_t iteration = -1;
  void consider(int64_t number, const fs::path& candidate) {
    std::error_code code;
    if (number <= iteration || !fs::is_regular_file(candidate, code)) return;
    iteration = number;
    file = candidate;
  }
};

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

int iteration_of_checkpoint(const fs::path& file) {
  if (file.extension() != ".checkpoint") return -1;
  const int64_t iteration = iteration_in(file.stem().string());
  return iteration <= std::numeric_limits<int>::max() ? int(iteration) : -1;
}

int iteration_of_result(const fs::path& file) {
  const fs::path folder = file.parent_path();
  const bool splats = folder.parent_path().filename() == "point_cloud";
  const int64_t iteration = splats ? iteration_in(folder.filename().string()) : iteration_of_checkpoint(file);
  return iteration <= std::numeric_limits<int>::max() ? int(iteration) : -1;
}

fs::path newest_checkpoint(const fs::path& folder) {
  Newest newest;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", code))
    newest.consider(iteration_of_checkpoint(entry.path()), entry.path());
  return newest.file;
}

fs::path city_file(const fs::path& folder) { return folder / "city.json"; }

fs::path merged_city(const fs::path& folder) { return folder / "city.ply"; }

bool has_city(const fs::path& folder) {
  std::error_code code;
  return fs::is_regular_file(city_file(folder), code);
}

fs::path newest_result(const fs::path& folder) {
  Newest newest;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder / "point_cloud", code))
    newest.consider(iteration_in(entry.path().filename().string()), entry.path() / "point_cloud.ply");
  return newest.file.empty() ? newest_checkpoint(folder) : newest.file;
}

}  // namespace app
