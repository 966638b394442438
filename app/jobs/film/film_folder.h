// Where the pictures of a film may not land: among photos, in a training run's own folders, in a folder of somebody
// else's that has the name of the film's pieces. Links and ".." are followed first.
#pragma once

#include <filesystem>

#include "app/jobs/film/film_place.h"
#include "app/settings/options.h"
#include "splat/core/result.h"

namespace app {

// An error where `folder` holds photos, or is the folder of a training run. It need not exist.
splat::Status check_film_folder(const std::filesystem::path& folder);

// The same of FILM.mp4.parts, whose pieces are removed where they are of another film: one that is there must be empty
// or have a film's note.
splat::Status check_film_parts(const std::filesystem::path& parts);

// The film of a run that is about to begin may not land where the run itself writes either, nor among its dataset's
// photos.
splat::Status check_training_film(const FilmPlace& place, const Options& options);

}  // namespace app
