// A film of the window is the film of a command: the job's task, and the words that give the same one.
#pragma once

#include <string>
#include <vector>

#include "app/settings/tasks.h"
#include "studio/context.h"
#include "studio/film/messages.h"

namespace studio {

// Where the path of a film is kept, so that the command finds it: "film.path.json" beside "film.mp4".
std::filesystem::path path_file_of(const std::filesystem::path& output);

// The words after "hipsplat", without what is the default anyway; device and low pass as the session has them.
std::vector<std::string> film_words(const FilmRequest& film, const SessionOptions& session);

splat::Result<RenderTask> film_task(const FilmRequest& film, const SessionOptions& session);

}  // namespace studio
