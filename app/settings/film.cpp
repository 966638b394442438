#include "app/settings/film.h"

#include <fmt/format.h>

#include "io/files_below.h"

namespace app {

using splat::Error;
using splat::Status;

namespace {

constexpr int kMostPictures = 10'000'000;
constexpr int kMostTasks = 10'000;
constexpr unsigned kFilms = kRender | kTrain;

// A number above `low` (or from it on, where it is the default) and up to `high`.
OptionRow bounded_row(OptionRow row, double* target, double low, double high) {
  row.in_config = false;
  row.set = [name = row.name, target, low, high](const std::string& text) -> Status {
    const auto value = parse_number(text);
    if (!value || !(*value >= low) || *value > high)
      return Error{fmt::format("--{} needs a number from {} to {}, not '{}'", name, low, high, text)};
    *target = *value;
    return {};
  };
  row.get = [] { return nlohmann::json(); };
  return row;
}

OptionRow outside_config(OptionRow row) {
  row.in_config = false;
  return row;
}

// "100:200", "100:", ":200".
Status parse_range(const std::string& text, FilmChoices& choices) {
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
  row.get = [] { return nlohmann::json(); };
  return row;
}

// "3/10".
Status parse_task(const std::string& text, FilmChoices& choices) {
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
  row.get = [] { return nlohmann::json(); };
  return row;
}

OptionRow task_row(OptionRow row, FilmChoices& choices) {
  row.in_config = false;
  row.set = [&choices](const std::string& text) { return parse_task(text, choices); };
  row.get = [] { return nlohmann::json(); };
  return row;
}

OptionRow range_row(OptionRow row, FilmChoices& choices) {
  row.in_config = false;
  row.set = [&choices](const std::string& text) { return parse_range(text, choices); };
  row.get = [] { return nlohmann::json(); };
  return row;
}

}  // namespace

bool is_film_name(const std::filesystem::path& output) {
  const std::string ending = io::lower(output.extension().string());
  return ending == ".mp4" || ending == ".webm" || ending == ".mov";
}

void add_film_rows(std::vector<OptionRow>& rows, FilmChoices& c) {
  const char* const kFilm = "Films along a path";
  rows.push_back(path_choice_row({kFilm, "", "path", "FILE|orbit|wiggle|photos",
                                  "a film along this path: a path.json or another program's, once round the scene, a "
                                  "small swing before the first camera, or along the photos; of --convert: what a web "
                                  "page plays; length, speed and looks of films: --help-all",
                                  kRender | kConvert | kTrain},
                                 &c.path));
  rows.push_back(outside_config(path_row({kFilm, "", "film", "FILM|DIR",
                                          "of --train: a film of how the scene forms, along --path (default: orbit), "
                                          "from the first splats to the last",
                                          kTrain},
                                         &c.of_training)));
  rows.push_back(rate_row({kFilm, "", "fps", "N",
                           "pictures a second, such as 25, 29.97 or 30000/1001 (default: the "
                           "path's, else 30)",
                           kFilms},
                          &c.per_second));
  rows.push_back(bounded_row({kFilm, "", "seconds", "N", "length of the film (default: the path's, else 10)", kFilms},
                             &c.seconds, 0.001, 86400));
  rows.push_back(outside_config(integer_row(
      {kFilm, "", "crf", "N", "quality of .mp4 and .webm: 0 is the best, 18 looks like the pictures", kFilms},
      &c.quality, 0, 63)));
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
  rows.push_back(outside_config(choice_row({kFilm, "", "projection", "NAME",
                                            "normal, 360 (all directions, for players of 360-degree films) or stereo "
                                            "(left and right eye side by side)",
                                            kRender},
                                           &c.projection, {"normal", "360", "stereo"})));
  rows.push_back(outside_config(
      flag_row({kFilm, "", "transparent", "", "no background: .webm, .mov or a folder of PNG pictures", kRender},
               &c.transparent)));
  rows.push_back(outside_config(flag_row(
      {kFilm, "", "depth", "", "a 16-bit depth map beside each picture of a folder; film.json has its scale", kRender},
      &c.depth)));
  rows.push_back(
      outside_config(integer_row({kFilm, "", "samples", "N",
                                  "make each picture the mean of N: smoother edges, --shutter and --aperture; 4 is 2x "
                                  "supersampling; 0: 1, or 16 with one of these",
                                  kRender},
                                 &c.samples, 0, 4096)));
  rows.push_back(bounded_row({kFilm, "", "shutter", "0..1",
                              "motion blur: the part of a picture's time that it is exposed; films have 0.5", kRender},
                             &c.shutter, 0, 1));
  rows.push_back(
      bounded_row({kFilm, "", "aperture", "SIZE",
                   "depth of field: diameter of the lens in units of the scene, sharp at the path's target", kRender},
                  &c.aperture, 0, 1e12));
}

}  // namespace app
