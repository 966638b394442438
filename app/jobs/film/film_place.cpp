#include "app/jobs/film/film_place.h"

#include <fmt/format.h>

#include "align/external_tool.h"
#include "io/paths/path_file.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;

splat::Result<FilmPlace> film_place(const fs::path& output) {
  FilmPlace place{output, {}};
  std::error_code code;
  if (!is_film_name(output)) {
    if (fs::exists(output, code) && !fs::is_directory(output, code))
      return splat::Error{fmt::format(
          "'{}' is a file; a film needs a folder for its pictures, or FILM.mp4, .webm or .mov", output.string())};
    return place;
  }
  place.ffmpeg = align::find_program("ffmpeg");
  if (place.encoded()) return place;
  place.output.replace_extension();
  splat::log::warning(fmt::format(
      "ffmpeg, which makes films, is not installed (on Debian or Ubuntu: sudo apt install ffmpeg): the pictures go "
      "to the folder '{}' instead",
      place.output.string()));
  return place;
}

json film_description(const RenderTask& task, const FilmPlan& plan, const splat::RenderSettings& look) {
  const FilmSettings& c = task.film;
  json film{{"version", 1},
            {"path", json::parse(io::path_json(plan.path))},
            {"fps", plan.per_second},
            {"seconds", plan.seconds},
            {"width", plan.width},
            {"height", plan.height},
            {"pictures", plan.pictures},
            {"projection", c.projection},
            {"transparent", c.transparent},
            {"samples", c.samples},
            {"shutter", c.shutter},
            {"aperture", c.aperture},
            {"backend", task.device.backend},
            {"background", look.background},
            {"antialias", look.antialias},
            {"low_pass", look.low_pass}};
  if (c.depth) film["depth_unit"] = plan.depth_unit;
  return film;
}

}  // namespace app
