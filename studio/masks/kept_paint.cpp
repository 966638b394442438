#include "studio/masks/kept_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/jobs/host/small_file.h"
#include "io/atomic_file.h"
#include "splat/core/fnv1a.h"
#include "studio/documents/scene_memory_file.h"

namespace studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uintmax_t kMostBytes = 64 << 20;
constexpr double kFarthest = 1000;  // widths of the picture: a stroke may leave it

std::string path_of(const splat::DatasetView& photo) {
  std::error_code code;
  const fs::path whole = fs::weakly_canonical(photo.image_path, code);
  return (code ? photo.image_path : whole).string();
}

// What is no UTF-8 in it is replaced, in the file as where it is compared.
std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

// That the paint was meant for.
std::string contents_of(const splat::DatasetView& photo) {
  return content_of(photo.image_path) + " " + content_of(photo.mask_path);
}

fs::path lock_of(fs::path file) { return file.replace_extension(".lock"); }

json json_of(const PaintStep& step) {
  json row{{"kind", int(step.kind)}, {"erases", step.erases}, {"radius", step.radius}, {"points", json::array()}};
  for (const PaintPoint& point : step.points) row["points"].push_back(point);
  return row;
}

std::optional<float> number_of(const json& value) {
  if (!value.is_number() || !(std::abs(value.get<double>()) <= kFarthest)) return std::nullopt;
  return value.get<float>();
}

std::optional<PaintStep> step_of(const json& row) {
  if (!row.is_object()) return std::nullopt;
  const json kind = row.value("kind", json()), erases = row.value("erases", json()),
             points = row.value("points", json());
  const auto radius = number_of(row.value("radius", json()));
  if (!kind.is_number_unsigned() || kind > int(PaintKind::kClear) || !erases.is_boolean() || !radius || *radius < 0 ||
      !points.is_array())
    return std::nullopt;
  PaintStep step{PaintKind(kind.get<int>()), erases.get<bool>(), *radius};
  for (const json& point : points) {
    const auto x = point.is_array() && point.size() == 2 ? number_of(point[0]) : std::nullopt,
               y = x ? number_of(point[1]) : std::nullopt;
    if (!y) return std::nullopt;
    step.points.push_back({*x, *y});
  }
  return step;
}

std::vector<PaintStep> read(const fs::path& file, const splat::DatasetView& photo) {
  const auto text = read_small_file(file, kMostBytes);
  const json kept = text ? json::parse(*text, nullptr, false) : json();
  if (!kept.is_object() || text_of(kept.value("photo", json())) != text_of(path_of(photo)) ||
      kept.value("content", json()) != contents_of(photo) || !kept.value("steps", json()).is_array())
    return {};
  std::vector<PaintStep> steps;
  for (const json& row : kept["steps"]) {
    auto step = step_of(row);
    if (!step) return {};
    steps.push_back(std::move(*step));
  }
  return steps;
}

}  // namespace

fs::path PaintKeeper::file_of(const splat::DatasetView& photo) const {
  return config_ / "paint" / fmt::format("{:016x}.paint", splat::fnv1a(path_of(photo)));
}

splat::Status PaintKeeper::keep(const splat::DatasetView& photo, const std::vector<PaintStep>& steps) {
  if (config_.empty()) return {};
  const fs::path file = file_of(photo);
  std::error_code code;
  fs::create_directories(file.parent_path(), code);  // an error shows when the file is written
  if (!locks_.contains(file) && !locks_[file].take(lock_of(file))) {
    locks_.erase(file);
    return splat::Error{"the paint on '" + photo.photo_name() + "' is not kept until it is saved: " +
                        "another window paints there, or '" + file.parent_path().string() + "' cannot be written"};
  }
  if (steps.empty()) {
    fs::remove(file, code);
    locks_.erase(file);
    return {};
  }
  json kept{{"photo", path_of(photo)}, {"content", contents_of(photo)}, {"steps", json::array()}};
  for (const PaintStep& step : steps) kept["steps"].push_back(json_of(step));
  return io::write_file_atomically(file, text_of(kept) + "\n");
}

std::vector<PaintStep> PaintKeeper::kept(const splat::DatasetView& photo) const {
  if (config_.empty() || !OutputLock::check(lock_of(file_of(photo)))) return {};
  return read(file_of(photo), photo);
}

std::optional<size_t> PaintKeeper::find(const std::vector<splat::DatasetView>& photos) const {
  std::error_code code;
  if (config_.empty() || fs::is_empty(config_ / "paint", code) || code) return std::nullopt;
  const auto found =
      std::find_if(photos.begin(), photos.end(), [&](const auto& photo) { return !kept(photo).empty(); });
  return found == photos.end() ? std::nullopt : std::optional(size_t(found - photos.begin()));
}

}  // namespace studio
