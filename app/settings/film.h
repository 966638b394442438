// Films and pictures along a path (--render --path, --train --film): the choices that belong to them alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct FilmChoices {
  std::string path;                   // a file (io/paths), or orbit, wiggle, photos; empty: the views of --cameras
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
  std::filesystem::path of_training;  // --train: a film of the run; empty: none
  int task = 0, tasks = 0;            // only what task `task` of `tasks` draws; tasks 0: all of it, and joins it
  int slurm = 0;                      // tasks of the script that is written instead of the film; 0: none is
};

bool is_film_name(const std::filesystem::path& output);  // .mp4, .webm or .mov

void add_film_rows(std::vector<OptionRow>& rows, FilmChoices& choices);

}  // namespace app
