// What a resumed run keeps of a film that was drawn before: pictures of iterations that are gone cannot be drawn again.
// Those of a run of another length stay where they are nearer to what is due than the state there is now.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/jobs/film/film_place.h"
#include "splat/core/stop.h"

namespace app {

// After which iteration a picture is drawn: the first that is as far in the run as the picture is in the film.
int iteration_of(int picture, int pictures, int iterations);

struct ResumedFilm {
  std::filesystem::path folder;  // of its pictures
  nlohmann::json film;           // as film.json has it
  int width = 0, height = 0;     // px
  int pictures = 0;
  int iterations = 0, now = 0;  // of the run
};

std::string film_comment(const nlohmann::json& film, int iterations);  // the comment in the file of an encoded film

// Removes the pictures of a run of another length that must be drawn again. Returns the number of kept pictures that
// show another iteration than a picture drawn now would.
int keep_pictures(const ResumedFilm& film);
// Extracts the pictures up to the present iteration from the encoded film, if it is this film. Returns their number.
int take_pictures_back(const ResumedFilm& film, const FilmPlace& place, const splat::StopAsked& stopped);

}  // namespace app
