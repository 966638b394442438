// Camera paths and films in the window: files of paths, what a film is to be made with, a picture of it beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/settings/film.h"
#include "splat/model/image.h"
#include "splat/path/camera_path.h"
#include "studio/names.h"

namespace studio {

// A film of what is open. Its size and its pictures a second are always given, the file of its path never.
struct FilmRequest {
  std::filesystem::path splats;  // the file that is filmed, or the folder of a run
  splat::CameraPath path;
  FilmSettings settings = usual_film();
  std::filesystem::path output;  // a film by its ending, else a folder of pictures

  static FilmSettings usual_film();

  friend bool operator==(const FilmRequest&, const FilmRequest&) = default;
};

// ---- requests

struct ReadPath {  // of all formats (io/paths/path_file.h); answered by a PathRead
  std::filesystem::path file;
};
struct SavePath {  // ours, or with nerfstudio set its camera_path.json, with a pose a picture
  std::filesystem::path file;
  splat::CameraPath path;
  bool nerfstudio = false;
  FilmSettings pictures = FilmRequest::usual_film();
};
struct MakeFilm {  // answered by a FilmEnded, ended by CancelWork; the path is kept beside the film
  FilmRequest film;
  bool ends_work() const { return true; }
};
struct WantFilmPreview {  // of what is open, at this time of the path; answered by a FilmPreview unless another comes
  FilmRequest film;
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
  FilmRequest film;
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
