// Splat files, datasets and their thumbnails.
#include <algorithm>
#include <utility>

#include "align/align.h"
#include "app/input/recognise.h"
#include "app/window/opening.h"
#include "app/window/scene_memory_file.h"
#include "app/window/window_session_impl.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/folder_contents.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr int kThumbnailSide = 160;  // px

// What is known of the opened splats beside their numbers, for files written from them.
io::SplatFileInfo info_of(const viewer::OpenedSplats& opened, const io::SceneFrame& frame) {
  io::SplatFileInfo info;
  info.antialiased = opened.antialiased;
  info.iteration = opened.iteration;
  const viewer::UpSource source = opened.up.source;  // what is only guessed from the shape is not written
  if (source == viewer::UpSource::kFile || source == viewer::UpSource::kCameras)
    info.view_up = viewer::array3(opened.up.up);
  info.frame = frame;
  return info;
}

viewer::DisplaySettings settings_as_trained(const viewer::OpenedSplats& opened) {
  viewer::DisplaySettings settings;
  settings.antialias = opened.antialiased;
  settings.background = opened.background.value_or(settings.background);
  return settings;
}

std::vector<splat::DatasetView> views_of(const std::optional<splat::Dataset>& photos) {
  return photos ? photos->views : std::vector<splat::DatasetView>();
}

}  // namespace

void WindowSession::Impl::cancel_opening() {
  std::erase_if(all_openings, [this](const Opening& one) { return one.done && &one != opening; });
  for (Opening& one : all_openings) one.watch.cancelled = true;  // files that are to be added to the first, too
  if (!opening) return;
  opening = nullptr;
  state.work.put({});
}

void WindowSession::Impl::say_progress() {
  if (opening->done) {
    opening = nullptr;
    state.work.put({});
    return;
  }
  if (opening->reports) {
    if (auto progress = opening->progress.take()) state.work.put(std::move(*progress));
    return;
  }
  const uint64_t read = opening->watch.bytes;
  const bool known = opening->file_bytes > 0 && read > 0;
  const float fraction = known ? std::min(1.0f, float(double(read) / double(opening->file_bytes))) : -1;
  state.work.put({(fraction < 1 ? "reading " : "preparing ") + opening->name, fraction, true});
}

Opening* WindowSession::Impl::begin_opening(const std::string& name) {
  opening = &all_openings.emplace_back();
  opening->name = name;
  state.work.put({"opening " + name, -1, true});
  return opening;
}

// To train on them: the splats alone are looked at with fewer of the photos' facts.
bool WindowSession::Impl::open_photos_of_run(const viewer::StartTraining& then) {
  PhotoSetToOpen wanted;
  {
    std::lock_guard lock(scene_mutex);
    if (scene.may_train || !scene.run) return false;
    wanted = {scene.run->input, scene.run->dataset, then};
  }
  cancel_opening();
  Opening* mine = begin_opening(wanted.path.filename().string());
  openings.add([this, wanted = std::move(wanted), mine] { open_photo_set(wanted, *mine); });
  return true;
}

void WindowSession::Impl::carry_out(viewer::OpenPath& command) { open_path(command.path, false); }

void WindowSession::Impl::open_path(const fs::path& path, bool restores_edits) {
  cancel_opening();
  ++predictions_wanted;
  ++pictures_wanted;
  end_training(true);
  const Recognised found = recognise(path);
  if (found.kind == PathKind::kCity) return begin_city(found.path, {});
  close_city();
  begin_opening(found.path.filename().string())->restores_edits = restores_edits;
  if (found.kind == PathKind::kDataset || align::is_video(found.path)) {
    io::DatasetOptions as_trained = options.dataset;
    as_trained.eval = true;
    openings.add(
        [this, wanted = PhotoSetToOpen{found.path, as_trained, {}}, mine = opening] { open_photo_set(wanted, *mine); });
  } else {
    std::error_code code;
    const uintmax_t bytes = fs::file_size(found.path, code);
    opening->file_bytes = code ? 0 : bytes;
    openings.add([this, path = found.path, mine = opening] { open_splat_file(path, *mine); });
  }
}

void WindowSession::Impl::open_splat_file(const fs::path& path, Opening& mine) {
  const MarkDone mark_done(mine);
  splat::ThreadPool pool(options.device.threads);
  if (auto part = mine.watch.cancelled ? std::nullopt : open_part(path, pool); part && !mine.watch.cancelled)
    show_splats(std::move(*part), path, mine);
  auto opened = open_splats(path, pool, mine.watch);
  if (mine.part_shown > 0 && (mine.watch.cancelled || !opened)) give_up_part(path);
  if (mine.watch.cancelled) return;
  if (!opened) return log::error(opened.error().message);
  show_splats(std::move(*opened), path, mine);
}

// What was shown of a file that cannot be read to its end, or is not to be.
void WindowSession::Impl::give_up_part(const fs::path& path) {
  viewer::OpenedSplats nothing;
  nothing.path = path;
  {
    std::lock_guard lock(scene_mutex);
    scene = {};
    nothing.number = ++openings_shown;
    engine.set_model({});
  }
  state.splats.put(std::move(nothing));
}

// Called twice for a large file: with a sample of its splats, then with all.
void WindowSession::Impl::show_splats(OpenedSplatFile&& opened, const fs::path& remembered_as, Opening& mine) {
  viewer::OpenedSplats& splats = opened.for_window;
  const fs::path path = splats.path;
  const bool is_part = splats.part, is_first = mine.part_shown == 0;
  if (!is_part)
    for (const std::string& warning : splats.warnings) log::warning(warning);
  splats.memory = remembered_scene(config, remembered_as);
  auto views = views_of(opened.photos);
  {
    // Whoever finds this scene open finds its model with the engine: a step on it would be dropped before.
    std::lock_guard lock(scene_mutex);
    const io::SplatFileInfo info = info_of(splats, opened.frame);
    scene = {splats.path, std::move(opened.photos), false, {}, info, settings_as_trained(splats)};
    splats.number = is_first ? ++openings_shown : mine.part_shown;
    if (splats.continuation) scene.run = std::move(opened.settings);
    if (is_first) end_editing();
    if (is_part)
      engine.set_part({std::move(opened.model), std::move(opened.part)}, splats.rows);
    else
      engine.set_model(std::move(opened.model));
    mine.part_shown = is_part ? splats.number : 0;
  }
  if (is_first) forget_mesh();
  state.splats.put(std::move(splats));
  if (is_first) make_thumbnails(std::move(views));
  if (is_part) return;
  if (mine.restores_edits)
    restore_edits(path);
  else
    offer_kept_edits_of(path);
}

void WindowSession::Impl::open_photo_set(const PhotoSetToOpen& wanted, Opening& mine) {
  const MarkDone mark_done(mine);
  const io::FoundCameras found = io::find_cameras(wanted.path);
  const bool foreign = found.kind == io::FoundCameras::Kind::kOtherProgram && io::contents_of(wanted.path).photos > 0;
  if (foreign) log::warning(found.sentence);
  if (foreign || align::is_unaligned(wanted.path))
    ask_for_alignment(wanted.path);
  else
    show_photo_set(wanted, mine);
}

// False: cancelled, or it cannot be opened, which was said.
bool WindowSession::Impl::show_photo_set(const PhotoSetToOpen& wanted, const Opening& mine) {
  auto opened = open_data(wanted.path, wanted.options);
  if (mine.watch.cancelled) return false;
  if (!opened) {
    log::error(opened.error().message);
    return false;
  }
  for (const std::string& note : opened->dataset.notes) log::info(note);
  for (const std::string& warning : opened->dataset.warnings) log::warning(warning);
  opened->for_window.memory = remembered_scene(config, wanted.path);
  opened->for_window.of_run = wanted.then.has_value();
  auto views = opened->dataset.views;
  {
    std::lock_guard lock(scene_mutex);
    scene.splats.clear();
    scene.photos = std::move(opened->dataset);
    scene.may_train = true;
    scene.run.reset();
  }
  end_editing();
  if (!wanted.then) forget_mesh();
  engine.set_model({});
  state.dataset.put(std::move(opened->for_window));
  if (wanted.then) state.commands.put(*wanted.then);
  make_thumbnails(std::move(views));
  return true;
}

// In place of those of the scene before.
void WindowSession::Impl::make_thumbnails(std::vector<splat::DatasetView> views) {
  const uint64_t mine = ++thumbnails_wanted;
  thumbnails.add([this, mine, views = std::move(views)] {
    for (size_t i = 0; i < views.size() && thumbnails_wanted == mine; ++i)
      if (auto picture = read_photo(views[i], background_as_trained(), kThumbnailSide);
          picture && thumbnails_wanted == mine)
        state.thumbnails.put({int(i), std::move(*picture)});
  });
}

void WindowSession::Impl::carry_out(viewer::CloseAll&) {
  cancel_opening();
  close_city();
  end_training(true);
  end_editing();
  forget_mesh();
  engine.set_model({});
  ++thumbnails_wanted;
  std::lock_guard lock(scene_mutex);
  scene = {};
}

void WindowSession::Impl::carry_out(viewer::RememberScene& command) {
  writings.add([this, command = std::move(command)] {
    if (const auto status = remember_scene(config, command.path, command.memory); !status)
      log::warning(status.error().message);
  });
}

}  // namespace app
