#include "studio/film/film_task.h"

#include <fmt/format.h>

#include "app/settings/options.h"

namespace studio {

namespace fs = std::filesystem;

fs::path path_file_of(const fs::path& output) {
  fs::path file = output;
  if (is_film_name(file)) file.replace_extension();
  return file += ".path.json";
}

std::vector<std::string> film_words(const FilmChoices& film, const SessionOptions& session) {
  const FilmSettings& s = film.settings;
  std::vector<std::string> words{"render", film.splats.string()};
  const auto add = [&](const char* name, const std::string& value) {
    words.insert(words.end(), {std::string("--") + name, value});
  };
  add("path", path_file_of(film.output).string());
  words.insert(words.end(), {"-o", film.output.string()});
  add("size", fmt::format("{}x{}", s.width, s.height));
  add("fps", fmt::format("{}", s.per_second));
  const app::FilmChoices defaults;
  if (s.quality != defaults.quality && is_film_name(film.output)) add("crf", std::to_string(s.quality));
  if (s.projection != defaults.projection) add("projection", s.projection);
  if (s.samples != defaults.samples) add("samples", std::to_string(s.samples));
  if (s.shutter > 0) add("shutter", fmt::format("{}", s.shutter));
  if (s.aperture > 0) add("aperture", fmt::format("{}", s.aperture));
  if (s.transparent) words.emplace_back("--transparent");
  if (s.depth) words.emplace_back("--depth");
  if (film.splats == session.low_pass_of) add("low-pass", fmt::format("{}", session.low_pass));
  if (session.device.backend != DeviceOptions().backend) add("backend", session.device.backend);
  return words;
}

splat::Result<RenderTask> film_task(const FilmChoices& film, const SessionOptions& session) {
  Options options;
  if (const Outcome outcome = parse_options(film_words(film, session), options); !outcome)
    return splat::Error{outcome.sentence};
  RenderTask task = render_task(options);
  task.device = session.device;
  task.console.quiet = true;
  return task;
}

}  // namespace studio
