// Camera paths and films in the window: files of paths, what a film is to be made with, a picture of it beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "splat/model/image.h"
#include "splat/path/camera_path.h"
#include "studio/names.h"

namespace studio {

// The choices of `hipsplat render --path`, by the names and with the defaults of the command line; tests compare them.
struct FilmSettings {
  int width = 1920, height = 1080;    // px
  double per_second = 30;             // pictures
  int quality = 18;                   // CRF of .mp4 and .webm
  std::string projection = "normal";  // "normal", "360", "stereo"
  bool transparent = false, depth = false;
  int samples = 0;      // 0: 1, or 16 with a shutter or an aperture
  double shutter = 0;   // part of a picture's time
  double aperture = 0;  // world units

  friend bool operator==(const FilmSettings&, const FilmSettings&) = default;
};

struct FilmChoices {
  std::filesystem::path splats;  // the file that is filmed, or the folder of a run
  splat::CameraPath path;
  FilmSettings settings;
  std::filesystem::path output;  // a film by its ending, else a folder of pictures

  friend bool operator==(const FilmChoices&, const FilmChoices&) = default;
};

// ---- requests

struct ReadPath {  // of all formats (io/paths/path_file.h); answered by a PathRead
  std::filesystem::path file;
};
struct SavePath {  // ours, or with nerfstudio set its camera_path.json, with a pose a picture
  std::filesystem::path file;
  splat::CameraPath path;
  bool nerfstudio = false;
  FilmSettings pictures{};
};
struct MakeFilm {  // answered by a FilmEnded, ended by CancelWork; the path is kept beside the film
  FilmChoices film;
  bool ends_work() const { return true; }
};
struct WantFilmPreview {  // of what is open, at this time of the path; answered by a FilmPreview unless another comes
  FilmChoices film;
  double seconds = 0;
};

// ---- reports

struct PathRead {
  std::filesystem::path file;
  splat::CameraPath path;
  double per_second = 0;      // pictures, that the file asks for; 0: none
  int width = 0, height = 0;  // px, likewise
};

// A picture of the film, smaller where it is large, and what follows from drawing it.
struct FilmPreview {
  using OnlyNewest = void;
  FilmChoices film;
  splat::Image8 picture;       // RGB or RGBA
  double seconds = 0;          // that all pictures are expected to take, without encoding them
  uint64_t picture_bytes = 0;  // of one as PNG, about
  std::string problem;         // why there is none; empty: there is one
};

struct FilmEnded {
  std::filesystem::path output;
  bool whole = false;    // else it was cancelled: what is finished stays
  std::string sentence;  // what came of it
  std::string command;   // for a shell: makes the same film, or goes on with it
};

}  // namespace studio
