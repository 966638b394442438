// Films along a path: hipsplat render --path. The next picture is drawn while the one before is written or encoded.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"
#include "splat/backend/backend.h"

namespace app {

// For a film that is not the process's only work: who lends the backend.
struct FilmLoan {
  std::function<splat::Result<std::unique_ptr<splat::Backend>>(uint64_t splats, uint64_t pixels)> lend;
  std::filesystem::path output{};  // set: where the film is; a folder where there is no ffmpeg
};

// The result is a "summary"; steps count the pictures that were missing. Cancelled, what is finished stays.
Outcome make_film(const RenderTask& task, Monitor& monitor, FilmLoan* loan = nullptr);

}  // namespace app
