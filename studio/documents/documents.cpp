#include "studio/documents/documents.h"

#include <algorithm>
#include <utility>

#include "align/align.h"
#include "app/jobs/host/host.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/scene/scene_picture.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/folder_contents.h"
#include "io/meshes/mesh_read.h"
#include "splat/core/log.h"
#include "studio/context.h"
#include "studio/documents/chosen_photos.h"
#include "studio/documents/opened_model.h"
#include "studio/documents/recent_pictures.h"
#include "studio/documents/scene_memory_file.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr int kThumbnailSide = 160;  // px

// What is known of the opened splats beside their numbers, for files written from them.
io::SplatFileInfo info_of(const OpenedSplats& opened, const io::SceneFrame& frame) {
  io::SplatFileInfo info;
  info.antialiased = opened.filter.antialias;
  info.low_pass = opened.filter.low_pass;
  info.iteration = opened.iteration;
  const UpSource source = opened.up.source;  // what is only guessed from the shape is not written
  if (source == UpSource::kFile || source == UpSource::kCameras) info.view_up = viewer::array3(opened.up.up);
  info.frame = frame;
  return info;
}

DisplaySettings settings_as_trained(const OpenedSplats& opened) {
  DisplaySettings settings;
  settings.filter = opened.filter;
  settings.background = opened.background.value_or(settings.background);
  return settings;
}

std::vector<splat::DatasetView> views_of(const std::optional<splat::Dataset>& photos) {
  return photos ? photos->views : std::vector<splat::DatasetView>();
}

}  // namespace

// ---- what is open

fs::path Documents::training_data() {
  return with([](const OpenScene& scene) { return scene.photos && scene.may_train ? scene.photos->root : fs::path(); });
}

std::optional<splat::DatasetView> Documents::photo_view(int index) {
  return with([&](const OpenScene& scene) -> std::optional<splat::DatasetView> {
    if (!scene.photos || index < 0 || size_t(index) >= scene.photos->views.size()) return std::nullopt;
    return scene.photos->views[size_t(index)];
  });
}

std::array<float, 3> Documents::background_as_trained() {
  return with([](const OpenScene& scene) { return scene.as_trained.background; });
}

// Metres per unit of the open scene, with the scale that was measured in it.
double Documents::to_metres(std::optional<double> measured) {
  return with([&](const OpenScene& scene) {
    io::SceneFrame frame = scene.file_info.frame;
    if (scene.splats.empty() && scene.photos)
      frame = {scene.photos->origin, scene.photos->epsg, scene.photos->metres_per_unit};
    if (measured) frame.metres_per_unit = *measured;
    return frame.to_metres();
  });
}

// ---- requests

void Documents::handle_requests() {
  Bus& requests = context_.bridge.requests;
  requests.on<OpenPath>([this](OpenPath&& wanted) { open_path(wanted.path); });
  requests.on<OpenPhotos>([this](OpenPhotos&& wanted) {
    const auto folder = folder_of_photos(wanted.photos);
    folder ? open_path(*folder) : context_.fail(folder.error().message, "Open folder");
  });
  requests.on<CloseAll>([this](CloseAll&&) { close_all(); });
  requests.on<WantPhoto>([this](WantPhoto&& wanted) { send_photo(wanted.view, wanted.max_side); });
  requests.on<WantPackedModel>([this](WantPackedModel&&) { send_packed_model(); });
  requests.on<WantRecentPictures>(
      [this](WantRecentPictures&& wanted) { send_recent_pictures(std::move(wanted.scenes)); });
  requests.on<RememberScene>([this](RememberScene&& seen) {
    context_.writings.add([this, seen = std::move(seen)] {
      if (const auto status = remember_scene(context_.config, seen.path, seen.memory); !status)
        log::warning(status.error().message);
    });
  });
}

void Documents::leave(std::optional<PathKind> next) {
  context_.jobs.cancel();
  ++context_.forecasts;
  ++pictures_wanted_;
  context_.all([&](Service& service) { service.leave_scene(next); });
}

void Documents::wind_down() {
  ++thumbnails_wanted_;
  ++pictures_wanted_;
}

void Documents::open_path(const fs::path& path, bool restores_edits) {
  if (io::is_mesh_file(path)) return open_mesh(path);
  const Recognised found = recognise(path);
  leave(found.kind);
  if (found.kind == PathKind::kCity) return open_city(found.path);
  if (found.kind == PathKind::kDataset || align::is_video(found.path)) {
    io::DatasetOptions as_trained = context_.options.dataset;
    as_trained.eval = true;
    return open_photo_set({found.path, as_trained});
  }
  Job& job = context_.jobs.begin(found.path.filename().string());
  std::error_code code;
  const uintmax_t bytes = fs::file_size(found.path, code);
  job.file_bytes = code ? 0 : bytes;
  context_.openings.add(
      [this, path = found.path, restores_edits, &job] { open_splat_file(path, restores_edits, job); });
}

void Documents::open_photo_set(PhotoSet wanted) {
  context_.jobs.cancel();
  Job& job = context_.jobs.begin(wanted.path.filename().string());
  context_.openings.add([this, wanted = std::move(wanted), &job] { open_photos(wanted, job); });
}

void Documents::close_all() {
  leave({});
  ++thumbnails_wanted_;
  with([&](OpenScene& scene) {
    context_.all([](Service& service) { service.scene_changed(false); });
    context_.model.opened().set_model({});
    scene = OpenScene(scene.openings);
  });
}

void Documents::send_photo(int index, int max_side) {
  const auto view = photo_view(index);
  if (!view) return;
  context_.openings.add([this, view = *view, index, max_side] {
    auto picture = read_photo(view, background_as_trained(), max_side);
    if (!picture) return log::error(picture.error().message);
    context_.report(Photo{index, std::move(*picture)});
  });
}

void Documents::send_packed_model() {
  with([&](const OpenScene& scene) {  // the engine's next model is that of the next opening
    context_.model.opened().run(
        [this, opened = scene.openings](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
          splat::ThreadPool pool(context_.options.device.threads);
          PackedModel packed = pack_model(model, pool);
          packed.opened = opened;
          packed.revision = edited ? edited->revision() : 0;
          context_.report(std::move(packed));
        });
  });
}

void Documents::make_thumbnails(std::vector<splat::DatasetView> views, bool more) {
  pictures_.add([this, more, mine = ++thumbnails_wanted_, views = std::move(views)] {
    if (!more) thumbnails_of_.clear();
    for (size_t i = 0; i < views.size() && thumbnails_wanted_ == mine; ++i) {
      if (thumbnails_of_.contains(views[i].name)) continue;
      auto picture = read_photo(views[i], background_as_trained(), kThumbnailSide);
      if (!picture || thumbnails_wanted_ != mine) continue;
      thumbnails_of_.insert(views[i].name);
      context_.report(Thumbnail{int(i), views[i].name, std::move(*picture)});
    }
  });
}

// Until something is opened, which needs the processor more.
void Documents::send_recent_pictures(std::vector<fs::path> scenes) {
  pictures_.add([this, mine = ++pictures_wanted_, scenes = std::move(scenes)] {
    for (const fs::path& scene : scenes) {
      if (pictures_wanted_ != mine) return;
      if (auto picture = recent_picture(cache_folder(), scene, context_.options.device.threads))
        context_.report(RecentPicture{scene, std::move(*picture)});
    }
  });
}

// ---- on the thread that opens

void Documents::open_splat_file(const fs::path& path, bool restores_edits, Job& job) {
  const MarkDone mark_done(job);
  splat::ThreadPool pool(context_.options.device.threads);
  SplatsToShow as{path, restores_edits};
  if (auto part = job.watch.cancelled ? std::nullopt : open_part(path, pool); part && !job.watch.cancelled)
    show_splats(std::move(*part), as);
  auto opened = open_splats(path, pool, job.watch);
  if (as.part_shown > 0 && (job.watch.cancelled || !opened)) give_up_part(path);
  if (job.watch.cancelled) return;
  if (!opened && opened.error().message.find(": open the folder") != std::string::npos)  // one photo
    return context_.fail(opened.error().message, "Open folder");
  if (!opened) return context_.fail(opened.error().message, "Open");
  show_splats(std::move(*opened), as);
}

// What was shown of a file that cannot be read to its end, or is not to be.
void Documents::give_up_part(const fs::path& path) {
  OpenedSplats nothing;
  nothing.path = path;
  with([&](OpenScene& scene) {
    scene = OpenScene(scene.openings + 1);
    nothing.number = scene.openings;
    context_.model.opened().set_model({});
  });
  context_.report(std::move(nothing));
}

// Called twice for a large file: with a sample of its splats, then with all.
void Documents::show_splats(OpenedSplatFile&& opened, SplatsToShow& as) {
  OpenedSplats& splats = opened.for_window;
  const fs::path path = splats.path;
  const bool is_part = splats.part, is_first = as.part_shown == 0;
  if (!is_part)
    for (const std::string& warning : splats.warnings) log::warning(warning);
  if (as.remembered_as == context_.options.low_pass_of) splats.filter.low_pass = context_.options.low_pass;
  splats.memory = remembered_scene(context_.config, as.remembered_as);
  auto views = views_of(opened.photos);
  with([&](OpenScene& scene) {  // whoever finds this scene open finds its model with the engine
    const uint64_t openings = scene.openings + (is_first ? 1 : 0);
    scene = OpenScene(openings);
    scene.splats = splats.path;
    scene.photos = std::move(opened.photos);
    scene.file_info = info_of(splats, opened.frame);
    scene.as_trained = settings_as_trained(splats);
    splats.number = is_first ? openings : as.part_shown;
    if (splats.continuation) scene.run = std::move(opened.settings);
    if (is_first) context_.all([](Service& service) { service.scene_changed(false); });
    EngineThread& engine = context_.model.opened();
    if (is_part)
      engine.set_part({std::move(opened.model), std::move(opened.part)}, splats.rows);
    else
      engine.set_model(std::move(opened.model));
    as.part_shown = is_part ? splats.number : 0;
    context_.report(std::move(splats));
  });
  if (is_first) make_thumbnails(std::move(views));
  if (is_part) return;
  context_.all([&](Service& service) { service.splats_opened(path, as.restores_edits); });
}

void Documents::open_photos(const PhotoSet& wanted, Job& job) {
  const MarkDone mark_done(job);
  const io::FoundCameras found = io::find_cameras(wanted.path);
  const bool foreign = found.kind == io::FoundCameras::Kind::kOtherProgram && io::contents_of(wanted.path).photos > 0;
  if (foreign) log::warning(found.sentence);
  if (const fs::path video = align::only_video_in(wanted.path); !video.empty()) return ask_for_alignment(video);
  if (foreign || align::is_unaligned(wanted.path))
    ask_for_alignment(wanted.path);
  else
    show_photo_set(wanted, job);
}

bool Documents::show_photo_set(const PhotoSet& wanted, const Job& job) {
  auto opened = open_data(wanted.path, wanted.options);
  if (job.watch.cancelled) return false;
  if (!opened) {
    if (io::contents_of(wanted.path).splats.empty())
      context_.fail(opened.error().message, "Open folder");
    else
      context_.fail(opened.error().message, "Open");
    return false;
  }
  for (const std::string& note : opened->dataset.notes) log::info(note);
  for (const std::string& warning : opened->dataset.warnings) log::warning(warning);
  const bool of_run = bool(wanted.then);
  opened->for_window.memory = remembered_scene(context_.config, wanted.path);
  opened->for_window.of_run = of_run;
  auto views = opened->dataset.views;
  const bool shown = with([&](OpenScene& scene) {
    if (job.watch.cancelled) return false;  // what is opened in its place comes after this lock, or came before
    scene.splats.clear();
    scene.photos = std::move(opened->dataset);
    scene.may_train = true;
    scene.run.reset();
    context_.all([&](Service& service) { service.scene_changed(of_run); });
    context_.model.opened().set_model({});
    context_.report(std::move(opened->for_window));
    return true;
  });
  if (!shown) return false;
  if (wanted.then) wanted.then();
  make_thumbnails(std::move(views));
  return true;
}

}  // namespace studio
