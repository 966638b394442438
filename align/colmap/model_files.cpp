#include "align/colmap/model_files.h"

#include <algorithm>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/system_file.h"

namespace align {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status;

namespace {

constexpr size_t kPoseBytes = 4 + 7 * 8 + 4;  // of an image: id, quaternion, translation, camera id
constexpr size_t kImageBytes = kPoseBytes + 2 + 8;
constexpr size_t kObservationBytes = 3 * 8, kPointBytes = 8 + 3 * 8 + 3 + 8 + 8, kTrackElementBytes = 8;

// Calls on_image(bytes before the name, name, bytes behind it) for every image.
template <class OnImage>
Status for_images(const std::string& bytes, const std::string& name, const OnImage& on_image) {
  io::ByteReader reader(bytes, name);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, reader.read_count(kImageBytes, "images"));
  const std::string_view all(bytes);
  for (uint64_t i = 0; i < count; ++i) {
    const size_t start = reader.position();
    SPLAT_TRY(reader.skip(kPoseBytes, "an image's pose"));
    SPLAT_ASSIGN_OR_RETURN(const std::string image, reader.read_c_string("an image's name"));
    const size_t behind = reader.position();
    SPLAT_ASSIGN_OR_RETURN(const uint64_t observations, reader.read_count(kObservationBytes, "observations"));
    SPLAT_TRY(reader.skip(observations * kObservationBytes, "an image's observations"));
    on_image(all.substr(start, kPoseBytes), image, all.substr(behind, reader.position() - behind));
  }
  return {};
}

Status add_points(const fs::path& file, ModelSummary& summary) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(file));
  io::ByteReader reader(bytes, file.string());
  SPLAT_ASSIGN_OR_RETURN(summary.points, reader.read_count(kPointBytes, "points"));
  double errors = 0;
  for (uint64_t i = 0; i < summary.points; ++i) {
    SPLAT_TRY(reader.skip(8 + 3 * 8 + 3, "a point"));
    SPLAT_ASSIGN_OR_RETURN(const double error, reader.read<double>("a point's error"));
    SPLAT_ASSIGN_OR_RETURN(const uint64_t track, reader.read_count(kTrackElementBytes, "track elements"));
    SPLAT_TRY(reader.skip(track * kTrackElementBytes, "a track"));
    errors += std::max(error, 0.0);
    summary.observations += track;
  }
  if (summary.points > 0) {
    summary.reprojection_error_px = errors / double(summary.points);
    summary.track_length = double(summary.observations) / double(summary.points);
  }
  return {};
}

// At every moment there is a model at `target`, or beside it where the system cannot exchange two folders in one step.
Status put_in_place(const fs::path& part, const fs::path& target) {
  std::error_code code;
  fs::path old = target;
  old += ".hipsplat.old";
  if (io::system_file::exchange(part, target) == 0) {
    old = part;
  } else {
    if (fs::exists(target, code)) {
      fs::remove_all(old, code);
      fs::rename(target, old, code);
    }
    if (!code) fs::rename(part, target, code);
    if (code) return Error{"the model cannot be moved to '" + target.string() + "': " + code.message()};
  }
  fs::remove_all(old, code);
  return {};
}

}  // namespace

Result<ModelSummary> summarise_model(const fs::path& folder) {
  ModelSummary summary;
  const fs::path images = folder / "images.bin";
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(images));
  SPLAT_TRY(for_images(bytes, images.string(), [&](std::string_view, const std::string& name, std::string_view) {
    summary.names.push_back(name);
  }));
  std::sort(summary.names.begin(), summary.names.end());
  SPLAT_TRY(add_points(folder / "points3D.bin", summary));
  return summary;
}

Status copy_model(const fs::path& folder, const std::map<std::string, std::string>& names, const fs::path& target) {
  const fs::path images = folder / "images.bin";
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(images));
  std::string renamed = bytes.substr(0, 8);
  SPLAT_TRY(for_images(bytes, images.string(),
                       [&](std::string_view pose, const std::string& name, std::string_view observations) {
                         const auto other = names.find(name);
                         renamed += pose;
                         renamed += other == names.end() ? name : other->second;
                         renamed += '\0';
                         renamed += observations;
                       }));
  fs::path part = target;
  part += ".hipsplat.part";
  std::error_code code;
  fs::remove_all(part, code);
  fs::create_directories(part, code);
  if (code) return Error{"the folder '" + part.string() + "' cannot be made: " + code.message()};
  SPLAT_TRY(io::write_file_atomically(part / "images.bin", renamed));
  for (const char* name : {"cameras.bin", "points3D.bin", "rigs.bin", "frames.bin"}) {
    if (!io::is_file(folder / name)) continue;
    SPLAT_ASSIGN_OR_RETURN(const std::string table, io::read_file(folder / name));
    SPLAT_TRY(io::write_file_atomically(part / name, table));
  }
  return put_in_place(part, target);
}

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<std::pair<size_t, fs::path>> found;
  const auto consider = [&](const fs::path& path) {
    if (const auto summary = summarise_model(path); summary && !summary->names.empty())
      found.emplace_back(summary->names.size(), path);
  };
  consider(folder);
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) consider(it->path());
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<fs::path> paths;
  for (auto& [count, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace align
