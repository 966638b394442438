#include "studio/runs/known_runs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "app/jobs/host/small_file.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"

namespace studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr size_t kMostKnown = 200;

fs::path file_in(const fs::path& config) { return config / "runs.json"; }

}  // namespace

std::vector<fs::path> known_runs(const fs::path& config) {
  constexpr uintmax_t kMostBytes = 1 << 20;
  const auto text = config.empty() ? std::nullopt : read_small_file(file_in(config), kMostBytes);
  const json read = text ? json::parse(*text, nullptr, false) : json();
  std::vector<fs::path> runs;
  std::error_code code;
  if (!read.is_object() || !read.contains("runs") || !read["runs"].is_array()) return runs;
  for (const json& one : read["runs"])
    if (one.is_string() && runs.size() < kMostKnown && fs::is_directory(one.get<std::string>(), code))
      runs.emplace_back(one.get<std::string>());
  return runs;
}

void note_run(const fs::path& config, const fs::path& run) {
  if (config.empty() || run.empty()) return;
  std::error_code code;
  const fs::path place = fs::weakly_canonical(run, code);
  std::vector<fs::path> runs = known_runs(config);
  if (!runs.empty() && runs.front() == place) return;
  std::erase(runs, place);
  runs.insert(runs.begin(), place);
  if (runs.size() > kMostKnown) runs.resize(kMostKnown);
  json list = json::array();
  for (const fs::path& one : runs) list.push_back(one.string());
  fs::create_directories(config, code);
  (void)io::write_file_atomically(file_in(config), json_text({{"runs", list}}));
}

}  // namespace studio
