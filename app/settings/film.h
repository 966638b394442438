// What a film along a path is made with (render --path, train --film).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct FilmSettings {
  std::string path;                   // a file (io/paths), or orbit, wiggle, photos; empty: the views of --cameras
  int width = 0, height = 0;          // px; 0: the path's, else the usual
  double per_second = 0;              // pictures; 0: the file's, else 30
  double seconds = 0;                 // of the whole film; 0: the path's
  int quality = 18;                   // CRF of the encoder: less is better
  int first = 0, end = -1;            // pictures first .. end - 1; end -1: to the last
  std::string projection = "normal";  // normal, 360, stereo
  bool transparent = false;           // no background
  bool depth = false;                 // a depth map beside each picture
  int samples = 0;                    // how many are averaged for a picture; 0: 1, or 16 with a shutter or an aperture
  double shutter = 0;                 // part of the time of a picture that it is exposed, 0..1
  double aperture = 0;                // diameter of the lens, world units
  std::filesystem::path of_training;  // hipsplat train: a film of the run; empty: none
  int task = 0, tasks = 0;            // only what task `task` of `tasks` draws; tasks 0: all of it, and joins it
  int slurm = 0;                      // tasks of the script that is written instead of the film; 0: none is

  friend bool operator==(const FilmSettings&, const FilmSettings&) = default;
};

inline constexpr int kUsualFilmWidth = 1920, kUsualFilmHeight = 1080;  // px, where neither settings nor path say so
inline constexpr double kUsualFilmRate = 30;                           // pictures a second, likewise

bool is_film_name(const std::filesystem::path& output);  // .mp4, .webm or .mov

// Contradictions among them, and with the name of what is written, which says what it is.
splat::Status check_film(const FilmSettings& settings, const std::filesystem::path& output);

// All but the size, which a window has, too.
void add_film_rows(std::vector<OptionRow>& rows, FilmSettings& settings);

}  // namespace app
