#include "app/settings/film.h"

#include <fmt/format.h>

#include "io/files_below.h"

namespace app {

using splat::Error;
using splat::Status;

namespace {

constexpr const char* kFilm = "Films along a path";  // heading in --help
constexpr int kMostPictures = 10'000'000;
constexpr int kMostTasks = 10'000;
constexpr int kLeastSide = 16;  // px
constexpr unsigned kFilms = kRender | kTrain;

nlohmann::json number_unless(double value, double nothing) {
  return value == nothing ? nlohmann::json() : nlohmann::json(value);
}

// A number from `low` to `high`; `nothing` stands for no value.
OptionRow bounded_row(OptionRow row, double* target, double low, double high, double nothing = 0) {
  row.in_config = false;
  row.set = [name = row.name, target, low, high](const std::string& text) -> Status {
    const auto value = parse_number(text);
    if (!value || !(*value >= low) || *value > high)
      return Error{fmt::format("--{} needs a number from {} to {}, not '{}'", name, low, high, text)};
    *target = *value;
    return {};
  };
  row.get = [target, nothing] { return number_unless(*target, nothing); };
  return row;
}

OptionRow outside_config(OptionRow row) {
  row.in_config = false;
  return row;
}

// "100:200", "100:", ":200".
Status parse_range(const std::string& text, FilmSettings& choices) {
  const size_t colon = text.find(':');
  const auto part = [](const std::string& word, int otherwise) {  // -1: not a number
    return word.empty() ? otherwise : parse_integer(word).value_or(-1);
  };
  const int64_t first = part(text.substr(0, colon), 0);
  const int64_t end = colon == std::string::npos ? -1 : part(text.substr(colon + 1), kMostPictures);
  if (first < 0 || end <= first || end > kMostPictures)
    return Error{
        fmt::format("--range needs the first picture and the one after the last, such as 100:200, not '{}'", text)};
  choices.first = int(first), choices.end = int(end);
  return {};
}

OptionRow path_choice_row(OptionRow row, std::string* target) {
  row.in_config = false;
  row.is_path = true;
  row.set = [target](const std::string& text) -> Status {
    if (text.empty()) return Error{"--path needs a file, orbit, wiggle or photos"};
    *target = text;
    return {};
  };
  row.get = [target] { return target->empty() ? nlohmann::json() : nlohmann::json(*target); };
  return row;
}

// "3/10".
Status parse_task(const std::string& text, FilmSettings& choices) {
  const size_t slash = text.find('/');
  const int64_t task = parse_integer(text.substr(0, slash)).value_or(-1);
  const int64_t tasks = slash == std::string::npos ? -1 : parse_integer(text.substr(slash + 1)).value_or(-1);
  if (task < 0 || task >= tasks || tasks > kMostTasks)
    return Error{
        fmt::format("--task needs a number from 0 and how many tasks there are, such as 3/10, not '{}'", text)};
  choices.task = int(task), choices.tasks = int(tasks);
  return {};
}

// "25", "29.97", "30000/1001".
OptionRow rate_row(OptionRow row, double* target) {
  row.in_config = false;
  row.set = [target](const std::string& text) -> Status {
    const size_t slash = text.find('/');
    const double above = parse_number(text.substr(0, slash)).value_or(0);
    const double below = slash == std::string::npos ? 1 : parse_number(text.substr(slash + 1)).value_or(0);
    const double rate = below > 0 ? above / below : 0;
    if (!(rate >= 0.01 && rate <= 1000))
      return Error{
          fmt::format("--fps needs a number from 0.01 to 1000, or a fraction such as 30000/1001, not '{}'", text)};
    *target = rate;
    return {};
  };
  row.get = [target] { return number_unless(*target, 0); };
  return row;
}

OptionRow task_row(OptionRow row, FilmSettings& choices) {
  row.in_config = false;
  row.set = [&choices](const std::string& text) { return parse_task(text, choices); };
  row.get = [&choices] {
    return choices.tasks > 0 ? nlohmann::json(fmt::format("{}/{}", choices.task, choices.tasks)) : nlohmann::json();
  };
  return row;
}

OptionRow range_row(OptionRow row, FilmSettings& choices) {
  row.in_config = false;
  row.set = [&choices](const std::string& text) { return parse_range(text, choices); };
  row.get = [&choices] {
    const std::string end = choices.end < 0 ? "" : std::to_string(choices.end);
    return choices.first > 0 || choices.end >= 0 ? nlohmann::json(fmt::format("{}:{}", choices.first, end))
                                                 : nlohmann::json();
  };
  return row;
}

// How each picture is made.
void add_picture_rows(std::vector<OptionRow>& rows, FilmSettings& c) {
  rows.push_back(
      labelled(outside_config(choice_row({kFilm, "", "projection", "NAME",
                                          "normal, 360 (all directions, for players of 360-degree films) or stereo "
                                          "(left and right eye side by side)",
                                          kRender},
                                         &c.projection, {"normal", "360", "stereo"})),
               "Projection"));
  rows.push_back(labelled(outside_config(flag_row({kFilm, "", "transparent", "",
                                                   "no background: .webm, .mov or a folder of PNG pictures", kRender},
                                                  &c.transparent)),
                          "Transparent"));
  rows.push_back(labelled(
      outside_config(flag_row({kFilm, "", "depth", "",
                               "a 16-bit depth map beside each picture of a folder; film.json has its scale", kRender},
                              &c.depth)),
      "Depth maps"));
  rows.push_back(
      labelled(outside_config(integer_row({kFilm, "", "samples", "N",
                                           "make each picture the mean of N: smoother edges, --shutter and --aperture; "
                                           "4 is 2x supersampling; 0: 1, or 16 with one of these",
                                           kRender},
                                          &c.samples, 0, 4096)),
               "Samples"));
  rows.push_back(
      labelled(bounded_row({kFilm, "", "shutter", "0..1",
                            "motion blur: the part of a picture's time that it is exposed; films have 0.5", kRender},
                           &c.shutter, 0, 1),
               "Shutter", NumberField{.high = 1}));
  rows.push_back(labelled(
      bounded_row({kFilm, "", "aperture", "SIZE",
                   "depth of field: diameter of the lens in units of the scene, sharp at the path's target", kRender},
                  &c.aperture, 0, 1e12),
      "Lens", NumberField{.step = 0.01}));
}

}  // namespace

bool is_film_name(const std::filesystem::path& output) {
  const std::string ending = io::lower(output.extension().string());
  return ending == ".mp4" || ending == ".webm" || ending == ".mov";
}

Status check_film(const FilmSettings& film, const std::filesystem::path& output) {
  const bool file = is_film_name(output);
  const std::string ending = io::lower(output.extension().string());
  if ((film.width != 0 || film.height != 0) && (film.width < kLeastSide || film.height < kLeastSide))
    return Error{"--size needs a width and height of at least 16x16 px for a film, such as 1920x1080"};
  if ((file || film.projection == "stereo") && (film.width % 2 != 0 || film.height % 2 != 0))
    return Error{"--size of a film needs an even width and height, such as 1920x1080"};
  for (const char* other : {".avi", ".mkv", ".gif", ".m4v", ".mpg", ".wmv", ".mp4", ".mov", ".webm", ".png", ".jpg",
                            ".jpeg", ".webp", ".json", ".ply", ".html"})
    if (!file && ending == other)
      return Error{fmt::format("a film is written as .mp4, .webm or .mov, or as pictures in a folder; not as '{}'",
                               output.string())};
  if (film.depth && file) return Error{"--depth writes PNG pictures: give a folder"};
  if (film.depth && film.projection != "normal") return Error{"--depth needs --projection normal"};
  if (film.transparent && ending == ".mp4")
    return Error{"an .mp4 has no transparency: write .webm, .mov, or a folder of PNG pictures"};
  return {};
}

void add_film_rows(std::vector<OptionRow>& rows, FilmSettings& c) {
  rows.push_back(path_choice_row({kFilm, "", "path", "FILE|orbit|wiggle|photos",
                                  "a film along this path: a path.json or another program's, once round the scene, a "
                                  "small swing before the first camera, or along the photos; of convert: what a web "
                                  "page plays; length, speed and looks of films: --help-all",
                                  kRender | kConvert | kTrain},
                                 &c.path));
  rows.push_back(outside_config(path_row({kFilm, "", "film", "FILM|DIR",
                                          "of train: a film of how the scene forms, along --path (default: orbit), "
                                          "from the first splats to the last",
                                          kTrain},
                                         &c.of_training)));
  rows.push_back(
      labelled(rate_row({kFilm, "", "fps", "N",
                         "pictures a second, such as 25, 29.97 or 30000/1001 (default: the path's, else 30)", kFilms},
                        &c.per_second),
               "Pictures a second", NumberField{.step = 1}));
  rows.push_back(bounded_row({kFilm, "", "seconds", "N", "length of the film (default: the path's, else 10)", kFilms},
                             &c.seconds, 0.001, 86400));
  rows.push_back(labelled(
      outside_config(integer_row(
          {kFilm, "", "crf", "N", "quality of .mp4 and .webm: 0 is the best, 18 looks like the pictures", kFilms},
          &c.quality, 0, 63)),
      "Quality", NumberField{.high = 51, .usual = double(FilmSettings().quality)}));
  rows.push_back(range_row(
      {kFilm, "", "range", "A:B", "only pictures A to B-1, counted from 0, as a part of a longer film", kRender}, c));
  rows.push_back(outside_config(
      integer_row({kFilm, "", "slurm", "N",
                   "write a script beside the film that has Slurm draw it in N tasks, and do no more", kRender},
                  &c.slurm, 1, kMostTasks)));
  rows.push_back(
      task_row({kFilm, "", "task", "K/N",
                "draw only the K-th of N parts, K from 0; without it the same command then joins them", kRender},
               c));
  add_picture_rows(rows, c);
}

}  // namespace app
