#include "app/jobs/training/training_seconds.h"

#include <nlohmann/json.hpp>
#include <string>

#include "app/jobs/host/small_file.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Empty: it is not in a run's folder.
fs::path seconds_file(const fs::path& checkpoint) {
  const fs::path folder = checkpoint.parent_path();
  return folder.filename() == "checkpoints" ? folder.parent_path() / "seconds.json" : fs::path();
}

json read_seconds(const fs::path& file) {
  constexpr uintmax_t kMostBytes = 1 << 20;
  const auto text = read_small_file(file, kMostBytes);
  json read = text ? json::parse(*text, nullptr, false) : json();
  return read.is_object() ? read : json::object();
}

}  // namespace

double seconds_at(const fs::path& checkpoint) {
  const json all = read_seconds(seconds_file(checkpoint));
  const auto found = all.find(checkpoint.filename().string());
  const double seconds = found != all.end() && found->is_number() ? found->get<double>() : 0;
  return seconds > 0 && seconds < 1e12 ? seconds : 0;
}

void note_seconds_at(const fs::path& checkpoint, double seconds) {
  const fs::path file = seconds_file(checkpoint);
  if (file.empty()) return;
  const json before = read_seconds(file);
  json kept = json::object();
  std::error_code code;
  for (const auto& [name, value] : before.items())
    if (fs::exists(checkpoint.parent_path() / name, code)) kept[name] = value;
  kept[checkpoint.filename().string()] = seconds;
  (void)io::write_file_atomically(file, json_text(kept));
}

}  // namespace app
