#include "studio/documents/result_place.h"

#include <fmt/format.h>

#include <system_error>

#include "app/jobs/training/run_output.h"
#include "splat/core/fnv1a.h"
#include "splat/core/system.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

constexpr uintmax_t kLeastRoom = 1 << 20;  // bytes: a file system with less is full

fs::path temporary_place() {
  std::error_code code;
  return fs::temp_directory_path(code) / "hipsplat";
}

}  // namespace

fs::path home_of_results() {
  std::error_code code;
  const char* home = splat::environment("HOME");
  if (home && *home && fs::is_directory(home, code)) {
    fs::path folder = fs::path(home) / "hipsplat";
    if (check_writable_folder(folder, true)) return folder;
  }
  return temporary_place();
}

bool is_lost_at_the_next_start(const fs::path& folder) {
  const std::string place = temporary_place().string();
  const char* home = splat::environment("HOME");
  return folder.string().starts_with(place) && !(home && *home && folder.string().starts_with(home));
}

bool takes_results(const fs::path& folder) {
  std::error_code code;
  if (folder.empty() || !fs::is_directory(folder, code) || !check_writable_folder(folder)) return false;
  const fs::space_info space = fs::space(folder, code);
  return code || space.available >= kLeastRoom;
}

fs::path masks_place(const fs::path& dataset) {
  std::error_code code;
  const fs::path whole = fs::weakly_canonical(dataset, code);
  return home_of_results() /
         fmt::format("{}_masks_{:08x}", whole.filename().string(), uint32_t(splat::fnv1a(whole.string())));
}

fs::path place_for_results(const std::vector<fs::path>& wanted, const std::set<fs::path>& refused) {
  for (const fs::path& folder : wanted)
    if (!refused.contains(folder) && takes_results(folder)) return folder;
  std::error_code code;
  fs::path home = home_of_results();
  if (refused.contains(home)) home = temporary_place();
  fs::create_directories(home, code);  // an error shows when a file is written
  return home;
}

}  // namespace studio
