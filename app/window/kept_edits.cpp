#include "app/window/kept_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/console/small_file.h"
#include "app/window/scene_memory_file.h"
#include "io/atomic_file.h"
#include "splat/core/fnv1a.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uintmax_t kMostKeptBytes = uintmax_t(1) << 32;  // more rows than a file of splats has
constexpr uint8_t kMostState = 15;                        // all bits of splat::edit::StateBit
constexpr std::string_view kEnding = ".edits";

fs::path whole_path(const fs::path& splats) {
  std::error_code code;
  fs::path whole = fs::weakly_canonical(splats, code);
  return code ? splats : whole;
}

fs::path folder_in(const fs::path& config) { return config / "edits"; }

// The same name in every run.
fs::path file_of(const fs::path& config, const fs::path& splats) {
  return folder_in(config) / fmt::format("{:016x}{}", splat::fnv1a(whole_path(splats).string()), kEnding);
}

fs::path lock_of(fs::path file) { return file.replace_extension(".lock"); }

// A line of JSON, then a byte a row.
std::optional<KeptEdits> read(const fs::path& file) {
  if (!OutputLock::check(lock_of(file))) return std::nullopt;
  const auto text = read_small_file(file, kMostKeptBytes);
  if (!text) return std::nullopt;
  const size_t line = text->find('\n');
  if (line == std::string::npos) return std::nullopt;
  const json head = json::parse(text->substr(0, line), nullptr, false);
  if (!head.is_object() || !head.contains("splats") || !head["splats"].is_string() || !head.contains("content") ||
      !head["content"].is_string())
    return std::nullopt;
  KeptEdits edits{head["splats"].get<std::string>(), head["content"].get<std::string>(), {}};
  edits.states.assign(text->begin() + std::ptrdiff_t(line) + 1, text->end());
  const bool whole = std::all_of(edits.states.begin(), edits.states.end(), [](uint8_t s) { return s <= kMostState; });
  return whole ? std::optional(std::move(edits)) : std::nullopt;
}

}  // namespace

std::optional<KeptEdits> kept_edits(const fs::path& config, const fs::path& splats) {
  auto edits = config.empty() ? std::nullopt : read(file_of(config, splats));
  return edits && edits->splats == whole_path(splats) ? std::move(edits) : std::nullopt;
}

std::optional<KeptEdits> newest_kept_edits(const fs::path& config) {
  if (config.empty()) return std::nullopt;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code code;
  for (fs::directory_iterator entry(folder_in(config), code), end; !code && entry != end; entry.increment(code)) {
    std::error_code no_time;
    const auto time = entry->last_write_time(no_time);
    if (!no_time && entry->path().extension() == kEnding) files.emplace_back(time, entry->path());
  }
  std::sort(files.rbegin(), files.rend());
  for (const auto& [time, file] : files)
    if (auto edits = read(file); edits && content_of(edits->splats) == edits->content) return edits;
  return std::nullopt;
}

void forget_kept_edits(const fs::path& config, const fs::path& splats) {
  if (config.empty()) return;
  std::error_code code;
  fs::remove(file_of(config, splats), code);
}

EditsKeeper::EditsKeeper(const fs::path& config, const fs::path& splats)
    : config_(config), splats_(whole_path(splats)) {}

splat::Status EditsKeeper::keep(const std::vector<uint8_t>& states) {
  if (config_.empty()) return {};
  const fs::path file = file_of(config_, splats_);
  std::error_code code;
  fs::create_directories(file.parent_path(), code);  // an error shows when the file is written
  SPLAT_TRY(lock_.take(lock_of(file)));
  const json head{{"splats", splats_.string()}, {"content", content_of(splats_)}};
  io::AtomicFile out(file);
  out.write(head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  out.write(std::as_bytes(std::span(states)));
  return out.commit();
}

void EditsKeeper::forget() {
  forget_kept_edits(config_, splats_);
  lock_.release();
}

}  // namespace app
