#include "app/jobs/film/film_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/jobs/align/alignment.h"
#include "app/jobs/film/film_target.h"
#include "app/jobs/training/run_place.h"
#include "io/atomic_file.h"
#include "io/dataset/photo_folder.h"
#include "io/io.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {

constexpr const char* kElsewhere = "choose another place for the film, or give --force";

fs::path real(const fs::path& path) {
  std::error_code code;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path.empty() ? fs::path(".") : path, code), code);
  return whole.has_filename() ? whole : whole.parent_path();
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// picture_000007.png, depth_000007.png.
bool is_of_a_film(const std::string& name) {
  const bool begins = name.starts_with("picture_") || name.starts_with("depth_");
  const size_t at = name.find('_') + 1, dot = name.find('.');
  return begins && name.substr(std::min(dot, name.size())) == ".png" && dot - at >= 6 &&
         name.find_first_not_of("0123456789", at) == dot;
}

// The name of a photo in `folder` itself; empty: it holds none.
std::string photo_in(const fs::path& folder) {
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::string name = entry->path().filename().string();
    const bool picture = io::is_picture(name) || io::is_unread_picture(name);
    if (std::error_code none; picture && !name.starts_with('.') && !is_of_a_film(name) && entry->is_regular_file(none))
      return name;
  }
  return "";
}

Error among_photos(const fs::path& folder, const std::string& photo) {
  return Error{fmt::format("'{}' holds photos ('{}'), and the pictures of a film would land among them: {}",
                           folder.string(), photo, kElsewhere)};
}

Error within_the_run(const fs::path& folder) {
  return Error{fmt::format("'{}' is where a training run keeps its files, and a film needs a place of its own: {}",
                           folder.string(), kElsewhere)};
}

// Where photos of the dataset may lie: what is new below a folder of them would be read as photos, too.
std::vector<fs::path> photo_roots(const Options& options) {
  std::error_code code;
  std::vector<fs::path> roots;
  const fs::path images = options.dataset.images_folder;
  if (!images.empty()) roots.push_back(real(images));
  const bool is_folder = fs::is_directory(options.input, code);
  if (!is_folder && options.input.extension() != ".json") return roots;
  const fs::path folder = is_folder ? options.input : options.input.parent_path();
  for (const fs::path& root : {folder, folder / "images", folder / "input", folder / images})
    roots.push_back(real(root));
  return roots;
}

// In a folder with photos, or below one: but in the run's own.
Status check_among_photos(const fs::path& place, const Options& options) {
  const fs::path output = real(options.output);
  for (const fs::path& root : photo_roots(options))
    for (fs::path folder = place; is_within(folder, root) && folder != output; folder = folder.parent_path()) {
      if (const std::string photo = photo_in(folder); !photo.empty()) return among_photos(folder, photo);
      if (folder == folder.parent_path()) break;
    }
  return {};
}

}  // namespace

Status check_film_folder(const fs::path& folder) {
  if (const std::string photo = photo_in(folder); !photo.empty()) return among_photos(folder, photo);
  for (fs::path inner = real(folder); inner.has_relative_path(); inner = inner.parent_path()) {
    const fs::path name = inner.filename();
    if (inner == real(folder) && is_run_folder(inner)) return within_the_run(inner);
    if ((name == "point_cloud" || name == "checkpoints") && is_run_folder(inner.parent_path()))
      return within_the_run(inner);
  }
  return {};
}

Status check_film_parts(const fs::path& parts) {
  std::error_code code;
  if (fs::exists(parts, code) && !fs::is_directory(parts, code))
    return Error{
        fmt::format("'{}' is a file, and the pieces of the film need a folder of that name: choose another "
                    "name for the film",
                    parts.string())};
  if (film_note(parts, nlohmann::json::object()) == FilmNote::kForeign)
    return Error{fmt::format("'{}' is there already and belongs to no film: choose another name, or give --force",
                             (parts / "film.json").string())};
  if (film_note(parts, nlohmann::json::object()) != FilmNote::kNone) return {};
  for (fs::directory_iterator entry(parts, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(".hipsplat") || !io::target_of_partial_file(name).empty()) continue;
    return Error{fmt::format(
        "'{}' is there already and belongs to no film, of which it would be a piece: choose another name, or give "
        "--force",
        entry->path().string())};
  }
  return {};
}

Status check_training_film(const FilmPlace& place, const Options& options) {
  fs::path pictures = place.output;
  if (place.encoded()) {
    pictures += ".pictures";
    SPLAT_TRY(check_film_parts(place.output.string() + ".parts"));
  }
  SPLAT_TRY(check_film_folder(pictures));
  if (film_note(pictures, nlohmann::json::object()) == FilmNote::kForeign)
    return Error{
        fmt::format("'{}' is there already and belongs to no film: {}", (pictures / "film.json").string(), kElsewhere)};
  const fs::path lands = place.encoded() ? real(place.output).parent_path() : real(pictures);
  SPLAT_TRY(check_among_photos(lands, options));
  const fs::path output = real(options.output);
  const auto format = io::splat_format_by_extension(options.output);
  const bool file = format && *format;
  if (is_within(lands, real(scene_beside(options.output, file)))) return within_the_run(lands);
  if (file) return lands == output ? within_the_run(lands) : Status();
  if (lands == output && !place.encoded()) return within_the_run(lands);
  for (const char* name : {"point_cloud", "checkpoints"})
    if (is_within(lands, real(options.output / name))) return within_the_run(lands);
  return {};
}

}  // namespace app
