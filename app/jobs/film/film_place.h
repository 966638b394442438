// Where a film goes, and what is kept of it beside its pictures, so that it can go on.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/jobs/film/film_plan.h"
#include "app/settings/tasks.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"

namespace app {

struct FilmPlace {
  std::filesystem::path output, ffmpeg;  // ffmpeg: empty where the output is a folder of pictures
  bool encoded() const { return !ffmpeg.empty(); }
};

// Without ffmpeg a film becomes a folder of its name, with a warning; an error where that is a file.
splat::Result<FilmPlace> film_place(const std::filesystem::path& output);

// For film.json: the path, and how it is drawn.
nlohmann::json film_description(const RenderTask& task, const FilmPlan& plan, const splat::RenderSettings& look);

}  // namespace app
