#include "studio/mesh/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/jobs/host/host.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "io/meshes/mesh_read.h"
#include "splat/core/log.h"
#include "splat/model/thinned.h"
#include "studio/job_monitor.h"
#include "viewer/live/draw_picture.h"

namespace studio {

namespace log = splat::log;

namespace {

MeshPlan plan_of(const MeshSettings& settings, int threads) {
  return {settings, texture_side(settings, true), threads};
}

uint8_t byte_of(float value) { return uint8_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)); }

PackedMesh packed(const mesh::TriangleMesh& mesh, const splat::Image8& texture) {
  PackedMesh packed;
  packed.vertices.resize(mesh.positions.size());
  for (size_t v = 0; v < packed.vertices.size(); ++v) {
    MeshVertex& vertex = packed.vertices[v];
    vertex.position = mesh.positions[v];
    vertex.normal = mesh.normals[v];
    if (!mesh.uvs.empty()) vertex.uv = mesh.uvs[v];
    for (size_t c = 0; c < 3 && !mesh.colours.empty(); ++c) vertex.rgba[c] = byte_of(mesh.colours[v][c]);
  }
  packed.indices.reserve(3 * mesh.faces.size());
  for (const mesh::Face& face : mesh.faces) packed.indices.insert(packed.indices.end(), face.begin(), face.end());
  packed.texture = texture;
  return packed;
}

ShownMesh shown_mesh(const MadeMesh& made) {
  ShownMesh shown;
  shown.vertices = made.mesh.positions.size();
  shown.faces = made.mesh.faces.size();
  shown.open_edges = made.defects.open_edges;
  shown.texture = made.texture.width;
  shown.coloured = !made.mesh.colours.empty();
  for (const mesh::Vec3& p : made.mesh.positions) shown.bounds.add({p[0], p[1], p[2]});
  shown.up = {viewer::vec3(made.up), UpSource::kFile};
  shown.packed = packed(made.mesh, made.texture);
  return shown;
}

}  // namespace

MeshService::MeshService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<MakeMesh>([this](MakeMesh&& wanted) { make(std::move(wanted)); });
  requests.on<WantMeshPrediction>([this](WantMeshPrediction&& wanted) { predict(std::move(wanted.request)); });
  requests.on<SaveMesh>([this](SaveMesh&& wanted) { save(std::move(wanted)); });
  requests.on<OpenMesh>([this](OpenMesh&& wanted) { open(wanted.path); });
  requests.on<CloseMesh>([this](CloseMesh&&) { forget(); });
  context_.documents.open_mesh = [this](const std::filesystem::path& path) { open(path); };
}

void MeshService::scene_changed(bool same) {
  if (!same) forget();
}

void MeshService::forget() {
  context_.writings.add([this] { made_.reset(); });
}

void MeshService::make(MakeMesh&& wanted) {
  context_.jobs.cancel();
  ++context_.forecasts;  // they would slow it down
  Job& job = context_.jobs.begin_reporting("mesh");
  const auto begin = [this, &job, request = wanted.request](splat::Gaussians model,
                                                            std::optional<splat::ScreenFilter> filter) {
    context_.makings.add([this, &job, request, filter, model = std::move(model)]() mutable {
      make_of(std::move(model), filter, request, job);
    });
  };
  if (LiveTraining* run = context_.model.run())
    return run->ask(
        [begin](TrainingRun& now) { begin(now.trainer().model(), splat::screen_filter(now.options().train)); });
  context_.model.opened().run([begin](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    begin(edited ? edited->saved() : model, {});
  });
}

// The open scene as input of a mesh; its photos are not read yet.
MeshInput MeshService::input_of(splat::Gaussians&& model, std::optional<splat::ScreenFilter> filter,
                                const MeshRequest& wanted) {
  MeshInput input;
  std::optional<splat::Dataset> photos;
  context_.documents.with([&](const OpenScene& scene) {
    photos = scene.photos;
    input.name = (scene.splats.empty() && photos ? photos->root : scene.splats).string();
    DisplaySettings look = scene.as_trained;
    look.filter = filter.value_or(look.filter);
    input.look = viewer::render_settings(look);
    if (photos) input.up = photos->view_up;
    if (scene.file_info.view_up) input.up = *scene.file_info.view_up;
  });
  input.splats = std::move(model);
  if (photos && wanted.from_photos) input.dataset = std::move(*photos);
  return input;
}

void MeshService::make_of(splat::Gaussians model, std::optional<splat::ScreenFilter> filter, const MeshRequest& wanted,
                          Job& job) {
  const MarkDone mark_done(job);
  if (job.watch.cancelled) return;
  const auto began = std::chrono::steady_clock::now();
  MeshInput input = input_of(std::move(model), filter, wanted);
  const std::string name = input.name;
  if (input.splats.size() == 0) return log::error("there are no splats to make a mesh of: open a file or train first");
  const int threads = context_.options.device.threads;
  JobMonitor monitor(job, "The mesh is not done, and is lost then.");
  if (!input.dataset.views.empty()) {
    monitor.stage("reading the photos");
    PhotoWatch reading = photos_for(monitor);
    reading.cancelled = &job.watch.cancelled;
    const PhotoOptions photos{0, threads, input.look.background};
    if (const Outcome outcome = open_photos(input.dataset, photos, input.photos, reading); !outcome) {
      if (!job.watch.cancelled) log::error(outcome.sentence);
      return;
    }
  }
  const auto backend = context_.devices.lend();
  if (!backend) return log::error(backend.error().message);
  auto made = std::make_unique<MadeMesh>();
  const Outcome outcome = make_mesh(std::move(input), plan_of(wanted.settings, threads), **backend, monitor, *made);
  if (job.watch.cancelled) return log::info("no mesh was made: it was cancelled");
  if (!outcome) return log::error(outcome.sentence);
  ShownMesh shown = shown_mesh(*made);
  shown.name = name;
  shown.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  log::info(fmt::format("mesh of {} faces, made in {}", human_count(shown.faces), human_duration(shown.seconds)));
  show(std::move(made), std::move(shown), job);
}

// Not over a scene that was opened meanwhile.
void MeshService::show(std::unique_ptr<MadeMesh> made, ShownMesh shown, const Job& job) {
  context_.documents.with([&](const OpenScene&) {
    if (job.watch.cancelled) return;
    context_.writings.add([this, made = std::move(made)]() mutable { made_ = std::move(made); });
    context_.report(std::move(shown));
  });
}

void MeshService::open(const std::filesystem::path& path) {
  context_.jobs.cancel();
  Job& job = context_.jobs.begin(path.filename().string());
  context_.openings.add([this, path, &job] { open_file(path, job); });
}

// Which way is up, of a file that does not say so: as in the scene beside it, else by its shape.
void MeshService::open_file(const std::filesystem::path& path, Job& job) {
  const MarkDone mark_done(job);
  auto read = io::read_mesh(path);
  if (job.watch.cancelled) return;
  if (!read) return context_.fail(read.error().message, "Open mesh");
  for (const std::string& warning : read->warnings) log::warning("'" + path.string() + "': " + warning);
  auto made = std::make_unique<MadeMesh>();
  made->mesh = std::move(read->mesh);
  made->texture = std::move(read->texture);
  made->defects = mesh::find_defects(made->mesh);
  const auto& positions = made->mesh.positions;
  const auto of_scene = context_.documents.with([](const OpenScene& scene) {
    return scene.photos ? std::optional(scene.photos->view_up) : scene.file_info.view_up;
  });
  const auto known = read->up ? read->up : of_scene;
  const UpGuess up = viewer::guess_up(known ? std::optional(viewer::vec3(*known)) : std::nullopt, {},
                                      {positions.data()->data(), 3 * positions.size()});
  made->up = viewer::array3(up.up);
  ShownMesh shown = shown_mesh(*made);
  shown.up = up;
  shown.name = path.string();
  shown.opened = true;
  log::info(fmt::format("'{}': {} mesh of {} faces", path.string(), read->format, human_count(shown.faces)));
  show(std::move(made), std::move(shown), job);
}

void MeshService::predict(MeshRequest&& request) {
  const uint64_t mine = ++context_.forecasts;
  if (context_.model.trains()) return;
  const auto estimate = [this, mine, request = std::move(request)](const splat::Gaussians& all) {
    if (context_.forecasts != mine) return;
    splat::ThreadPool pool(context_.options.device.threads);
    context_.openings.add(
        [this, mine, request, splats = all.size(), some = splat::thinned(all, kEstimateSplats, pool).model]() mutable {
          predict_of(std::move(some), splats, request, mine);
        });
  };
  if (LiveTraining* run = context_.model.run())  // it has come to its end, and has the splats that are seen
    return run->ask([estimate](TrainingRun& now) { estimate(now.trainer().model()); });
  context_.model.opened().run([estimate](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    edited ? estimate(edited->saved()) : estimate(model);
  });
}

void MeshService::predict_of(splat::Gaussians&& some, size_t splats, const MeshRequest& request, uint64_t mine) {
  const auto stop = [&] { return context_.forecasts != mine; };
  if (stop() || splats == 0) return;
  MeshPrediction answer;
  answer.request = request;
  auto backend = context_.devices.lend();
  const MeshPlan plan = plan_of(request.settings, context_.options.device.threads);
  const auto found = backend ? predict_mesh(input_of(std::move(some), {}, request), splats, plan, **backend, stop)
                             : splat::Result<std::optional<Prediction>>(backend.error());
  if (stop()) return;
  if (!found) answer.problem = found.error().message;
  if (found && *found) answer.takes = **found;
  context_.report(std::move(answer));
}

void MeshService::save(SaveMesh&& wanted) {
  context_.writings.add([this, path = wanted.path, metres = wanted.metres_per_unit] {
    if (!made_) return log::error("there is no mesh to save: make one first");
    const bool textured = !made_->texture.pixels.empty() && io::holds_texture(path);
    io::remove_dead_partial_files_of(path);
    const auto status = io::write_mesh(path, made_->mesh, made_->up, textured ? made_->texture : splat::Image8(),
                                       context_.documents.to_metres(metres));
    if (!status) return context_.fail(status.error().message, path, "Save mesh as");
    context_.say_done(
        fmt::format("mesh of {} faces written to '{}'", human_count(made_->mesh.faces.size()), path.string()), path);
  });
}

}  // namespace studio
