#include "studio/edit/kept_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/jobs/host/small_file.h"
#include "io/atomic_file.h"
#include "splat/core/fnv1a.h"
#include "studio/documents/scene_memory_file.h"

namespace studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uintmax_t kMostKeptBytes = uintmax_t(1) << 36;  // more rows than a file of splats has
constexpr uint8_t kMostState = 63;                        // all bits of splat::edit::StateBit
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

json json_of(const splat::Similarity& s) {
  return {s.scale,      s.rotation.w,     s.rotation.x,     s.rotation.y,
          s.rotation.z, s.translation[0], s.translation[1], s.translation[2]};
}

std::optional<splat::Similarity> similarity_of(const json& row) {
  if (!row.is_array() || row.size() != 8) return std::nullopt;
  std::array<double, 8> v{};
  for (size_t i = 0; i < v.size(); ++i) {
    if (!row[i].is_number()) return std::nullopt;
    v[i] = row[i].get<double>();
    if (!std::isfinite(v[i])) return std::nullopt;
  }
  if (!(v[0] > 0) || !(std::hypot(std::hypot(v[1], v[2]), std::hypot(v[3], v[4])) > 0)) return std::nullopt;
  return splat::Similarity{v[0], {v[1], v[2], v[3], v[4]}, {v[5], v[6], v[7]}};
}

json json_of(const splat::edit::Object& object) {
  return {{"name", object.name},
          {"visible", object.visible},
          {"locked", object.locked},
          {"placed", json_of(object.placed)}};
}

std::optional<splat::edit::Object> object_of(const json& row) {
  if (!row.is_object()) return std::nullopt;
  const auto has = [&](const char* name, json::value_t type) { return row.contains(name) && row[name].type() == type; };
  if (!has("name", json::value_t::string) || !has("visible", json::value_t::boolean) ||
      !has("locked", json::value_t::boolean) || !row.contains("placed"))
    return std::nullopt;
  const auto placed = similarity_of(row["placed"]);
  if (!placed) return std::nullopt;
  return splat::edit::Object{row["name"].get<std::string>(), row["visible"].get<bool>(), row["locked"].get<bool>(),
                             *placed};
}

json json_of(const splat::edit::AddedFile& file) {
  json row{{"path", file.path}, {"content", file.content}, {"rows", file.rows}, {"sh_degree", file.sh_degree}};
  if (file.metres_per_unit) row["metres_per_unit"] = *file.metres_per_unit;
  return row;
}

std::optional<splat::edit::AddedFile> added_file_of(const json& row) {
  if (!row.is_object() || !row.contains("path") || !row["path"].is_string() || !row.contains("content") ||
      !row["content"].is_string())
    return std::nullopt;
  const auto number = [&](const char* name, uint64_t most) {
    const auto found = row.find(name);
    const bool known = found != row.end() && found->is_number_unsigned() && found->get<uint64_t>() <= most;
    return known ? std::optional(found->get<uint64_t>()) : std::nullopt;
  };
  const auto rows = number("rows", UINT32_MAX), degree = number("sh_degree", splat::kMaxShDegree);
  if (!rows || !degree) return std::nullopt;
  std::optional<double> scale;
  if (const auto found = row.find("metres_per_unit"); found != row.end()) {
    if (!found->is_number() || !(found->get<double>() >= 0)) return std::nullopt;
    scale = found->get<double>();
  }
  return splat::edit::AddedFile{row["path"].get<std::string>(), row["content"].get<std::string>(), uint32_t(*rows),
                                int(*degree), scale};
}

template <class T>
json json_list(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(json_of(value));
  return list;
}

// Each by `read`; false: one of them is damaged. None at all: nothing is read.
template <class T, class Read>
bool read_list(const json& head, const char* name, const Read& read, std::vector<T>& values) {
  if (!head.contains(name)) return true;
  for (const json& row : head[name]) {
    auto value = read(row);
    if (!value) return false;
    values.push_back(std::move(*value));
  }
  return true;
}

// How many numbers follow the states, in the order of EditedState.
json head_of(const splat::edit::EditedState& edits) {
  return {{"rows", edits.states.size()},           {"copies", edits.copies.size()},   {"objects", edits.objects.size()},
          {"placements", edits.placements.size()}, {"moves", json_list(edits.moves)}, {"added", json_list(edits.added)},
          {"list", json_list(edits.list)},         {"placed", json_of(edits.placed)}};
}

// Takes `count` values from the front of `bytes`; false: it holds fewer.
template <class T>
bool take(std::string_view& bytes, uint64_t count, std::vector<T>& values) {
  if (count > bytes.size() / sizeof(T)) return false;
  values.resize(size_t(count));
  if (count > 0) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  bytes.remove_prefix(values.size() * sizeof(T));
  return true;
}

// Without "rows": of a version that knew states alone.
std::optional<splat::edit::EditedState> edits_of(const json& head, std::string_view bytes) {
  splat::edit::EditedState edits;
  const auto count = [&](const char* name, uint64_t otherwise) {
    const auto found = head.find(name);
    return found != head.end() && found->is_number_unsigned() ? found->get<uint64_t>() : otherwise;
  };
  if (!take(bytes, count("rows", bytes.size()), edits.states) || !take(bytes, count("copies", 0), edits.copies) ||
      !take(bytes, count("objects", 0), edits.objects) || !take(bytes, count("placements", 0), edits.placements) ||
      !bytes.empty())
    return std::nullopt;
  if (!head.contains("moves")) edits.moves.emplace_back();
  if (!read_list(head, "moves", similarity_of, edits.moves) || !read_list(head, "added", added_file_of, edits.added) ||
      !read_list(head, "list", object_of, edits.list))
    return std::nullopt;
  if (head.contains("placed")) {
    const auto placed = similarity_of(head["placed"]);
    if (!placed) return std::nullopt;
    edits.placed = *placed;
  }
  const bool known_states =
      std::all_of(edits.states.begin(), edits.states.end(), [](uint8_t s) { return s <= kMostState; });
  return known_states && splat::edit::is_consistent(edits) ? std::optional(std::move(edits)) : std::nullopt;
}

// A line of JSON, then the numbers by row.
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
  auto edits = edits_of(head, std::string_view(*text).substr(line + 1));
  if (!edits) return std::nullopt;
  return KeptEdits{head["splats"].get<std::string>(), head["content"].get<std::string>(), std::move(*edits)};
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

splat::Status EditsKeeper::keep(const splat::edit::EditedState& edits) {
  if (config_.empty()) return {};
  const fs::path file = file_of(config_, splats_);
  std::error_code code;
  fs::create_directories(file.parent_path(), code);  // an error shows when the file is written
  SPLAT_TRY(lock_.take(lock_of(file)));
  json head = head_of(edits);
  head["splats"] = splats_.string();
  head["content"] = content_of(splats_);
  io::AtomicFile out(file);
  out.write(head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  out.write(std::as_bytes(std::span(edits.states)));
  for (const std::vector<uint32_t>* numbers : {&edits.copies, &edits.objects, &edits.placements})
    out.write(std::as_bytes(std::span(*numbers)));
  return out.commit();
}

void EditsKeeper::forget() {
  forget_kept_edits(config_, splats_);
  lock_.release();
}

}  // namespace studio
