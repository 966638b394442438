// Films along a path: --render --path. The next picture is drawn while the one before is written or encoded.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"
#include "splat/backend/backend.h"

namespace app {

// Who follows a film that is not the command's only work, can end it, and lends the backend.
struct FilmWatch {
  std::function<void(size_t done, size_t total)> progress;  // of the pictures that were missing
  const std::atomic<bool>& cancelled;                       // once true, as Ctrl-C: what is finished stays
  std::function<splat::Result<std::unique_ptr<splat::Backend>>(uint64_t splats, uint64_t pixels)> lend;
  std::filesystem::path output{};  // set: where the film is; a folder where there is no ffmpeg
};

Outcome make_film(const RenderTask& task, FilmWatch* watch = nullptr);

}  // namespace app
