#include "studio/film/film_task.h"

#include <fmt/format.h>

#include "app/settings/film.h"

namespace studio {

namespace fs = std::filesystem;

fs::path path_file_of(const fs::path& output) {
  fs::path file = output;
  if (is_film_name(file)) file.replace_extension();
  return file += ".path.json";
}

FilmSettings FilmRequest::usual_film() {
  FilmSettings settings;
  settings.width = kUsualFilmWidth, settings.height = kUsualFilmHeight, settings.per_second = kUsualFilmRate;
  return settings;
}

std::vector<std::string> film_words(const FilmRequest& film, const SessionOptions& session) {
  FilmSettings settings = film.settings, usual;
  settings.path = path_file_of(film.output).string();
  std::vector<OptionRow> rows, usual_rows;
  add_film_rows(rows, settings), add_film_rows(usual_rows, usual);
  std::vector<std::string> words{"render", film.splats.string()};
  for (std::string& word : typed_words(rows, usual_rows)) words.push_back(std::move(word));
  words.insert(words.end(),
               {"-o", film.output.string(), "--size", fmt::format("{}x{}", settings.width, settings.height)});
  const auto add = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
  if (film.splats == session.low_pass_of) add("--low-pass", fmt::format("{}", session.low_pass));
  if (session.device.backend != DeviceOptions().backend) add("--backend", session.device.backend);
  return words;
}

splat::Result<RenderTask> film_task(const FilmRequest& film, const SessionOptions& session) {
  SPLAT_TRY(check_film(film.settings, film.output));
  RenderTask task;
  task.splats = film.splats, task.output = film.output;
  task.film = film.settings;
  task.film.path = path_file_of(film.output).string();
  task.low_pass_given = film.splats == session.low_pass_of;
  splat::TrainConfig look;
  if (task.low_pass_given) look.low_pass = session.low_pass;
  task.look = splat::evaluation_settings(look);
  task.device = session.device;
  task.console.quiet = true;
  task.words = film_words(film, session);
  return task;
}

}  // namespace studio
