// Splat files, datasets and their thumbnails.
#include <algorithm>

#include "app/opening.h"
#include "app/window_session_impl.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr int kThumbnailSide = 160;  // px

// What is known of the opened splats beside their numbers, for files written from them.
io::SplatFileInfo info_of(const viewer::OpenedSplats& opened) {
  io::SplatFileInfo info;
  info.antialiased = opened.antialiased;
  info.iteration = opened.iteration;
  if (opened.up.source == viewer::UpSource::kFile) info.view_up = viewer::array3(opened.up.up);
  return info;
}

}  // namespace

void WindowSession::Impl::cancel_opening() {
  if (!opening) return;
  opening->watch.cancelled = true;
  opening.reset();
  state.work.put({});
}

void WindowSession::Impl::say_progress() {
  if (opening->done) {
    opening.reset();
    state.work.put({});
    return;
  }
  const uint64_t read = opening->watch.bytes;
  const bool known = opening->file_bytes > 0 && read > 0;
  const float fraction = known ? std::min(1.0f, float(double(read) / double(opening->file_bytes))) : -1;
  state.work.put({(fraction < 1 ? "reading " : "preparing ") + opening->name, fraction, true});
}

void WindowSession::Impl::carry_out(viewer::OpenPath& command) {
  cancel_opening();
  end_training(true);
  const Recognised found = recognise(command.path);
  opening = std::make_shared<Opening>();
  opening->name = found.path.filename().string();
  state.work.put({"opening " + opening->name, -1, true});
  if (found.kind == PathKind::kSplats) {
    std::error_code code;
    const uintmax_t bytes = fs::file_size(found.path, code);
    opening->file_bytes = code ? 0 : bytes;
    openings.add([this, path = found.path, mine = opening] { open_splat_file(path, mine); });
  } else {
    openings.add([this, path = found.path, mine = opening] { open_photo_set(path, mine); });
  }
}

void WindowSession::Impl::open_splat_file(const fs::path& path, const std::shared_ptr<Opening>& mine) {
  const io::WatchReads watched(mine->watch);
  splat::ThreadPool pool(options.threads);
  auto opened = open_splats(path, pool);
  if (!mine->watch.cancelled) {
    if (!opened) {
      log::error(opened.error().message);
    } else {
      for (const std::string& warning : opened->warnings) log::warning(warning);
      {
        std::lock_guard lock(result_mutex);
        file_info = info_of(*opened);
      }
      engine.set_model(opened->gaussians);
      state.splats.put(std::move(*opened));
    }
  }
  mine->done = true;
}

void WindowSession::Impl::open_photo_set(const fs::path& path, const std::shared_ptr<Opening>& mine) {
  Options as_trained = options;
  as_trained.dataset.eval = true;
  auto opened = open_data(path, as_trained);
  if (!mine->watch.cancelled) {
    if (!opened) {
      log::error(opened.error().message);
    } else {
      for (const std::string& note : opened->dataset.notes) log::info(note);
      {
        std::lock_guard lock(result_mutex);
        dataset = std::make_shared<const splat::Dataset>(std::move(opened->dataset));
      }
      state.dataset.put(std::move(opened->for_window));
      make_thumbnails();
    }
  }
  mine->done = true;
}

void WindowSession::Impl::stop_thumbnails() {
  std::lock_guard lock(result_mutex);
  *thumbnails_wanted = false;
}

void WindowSession::Impl::make_thumbnails() {
  stop_thumbnails();  // of the dataset before
  auto wanted = std::make_shared<std::atomic<bool>>(true);
  std::lock_guard lock(result_mutex);
  thumbnails_wanted = wanted;
  thumbnails.add([this, wanted, photos = dataset] {
    for (size_t i = 0; i < photos->views.size() && *wanted; ++i)
      if (auto picture = read_photo(photos->views[i], kThumbnailSide); picture && *wanted)
        state.thumbnails.put({int(i), std::move(*picture)});
  });
}

void WindowSession::Impl::carry_out(viewer::CloseAll&) {
  cancel_opening();
  end_training(true);
  engine.set_model({});
  stop_thumbnails();
  std::lock_guard lock(result_mutex);
  dataset.reset();
}

}  // namespace app
