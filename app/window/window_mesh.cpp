// Meshes: made of the splats that are open on the opening thread, shown by the window, kept by the writing thread for
// the files.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/console/host.h"
#include "app/meshing/mesh_making.h"
#include "app/run/session.h"
#include "app/window/shown_mesh.h"
#include "app/window/window_session_impl.h"
#include "devices/registry.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "splat/core/log.h"
#include "splat/model/thinned.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

// In the window's box of work in progress.
class WatchInWindow final : public MeshWatch {
 public:
  explicit WatchInWindow(Opening& opening) : opening_(opening) {}

  void stage(const std::string& name) override {
    stage_ = name;
    say(-1);
  }
  void step(size_t done, size_t total) override { say(total > 0 ? float(double(done) / double(total)) : -1); }
  void predicted(uint64_t bytes, double seconds) override { bytes_ = bytes, seconds_ = seconds; }
  bool cancelled() override { return opening_.watch.cancelled; }

 private:
  void say(float fraction) {
    std::string text = opening_.name + ": " + stage_;
    if (seconds_ > 0)
      text += fmt::format(" (about {} and {} in all)", human_duration(seconds_), human_bytes(bytes_));
    else if (bytes_ > 0)
      text += fmt::format(" (with about {} of memory)", human_bytes(bytes_));
    opening_.progress.put({std::move(text), fraction, true});
  }

  Opening& opening_;
  std::string stage_;
  uint64_t bytes_ = 0;
  double seconds_ = 0;
};

MeshSettings settings_of(const viewer::MeshChoices& wanted, int threads) {
  const MeshChoices choices{wanted.detail, wanted.faces, wanted.texture, wanted.watertight};
  return {choices, texture_side(choices, true), threads};
}

}  // namespace

void WindowSession::Impl::carry_out(viewer::MakeMesh& command) {
  cancel_opening();
  ++predictions_wanted;  // they would slow it down
  Opening* mine = begin_opening("mesh");
  mine->reports = true;
  const auto make = [this, mine, choices = command.choices](splat::Gaussians model, std::optional<bool> antialias) {
    openings.add([this, mine, choices, antialias, model = std::move(model)]() mutable {
      make_mesh_of(std::move(model), antialias, choices, *mine);
    });
  };
  if (training)
    return training->ask([make](TrainingRun& run) { make(run.trainer().model(), run.options().train.antialias); });
  engine.run([make](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    make(edited ? edited->saved() : model, {});
  });
}

// The open scene as input of a mesh; its photos are not read yet.
MeshInput WindowSession::Impl::mesh_input(splat::Gaussians&& model, std::optional<bool> antialias,
                                          const viewer::MeshChoices& wanted) {
  MeshInput input;
  std::optional<splat::Dataset> photos;
  {
    std::lock_guard lock(scene_mutex);
    photos = scene.photos;
    input.name = (scene.splats.empty() && photos ? photos->root : scene.splats).string();
    input.look.antialias = antialias.value_or(scene.as_trained.antialias);
    input.look.background = scene.as_trained.background;
    if (photos) input.up = photos->view_up;
    if (scene.file_info.view_up) input.up = *scene.file_info.view_up;
  }
  input.region = wanted.region.value_or(splat::Box{});
  input.splats = std::move(model);
  if (photos && wanted.from_photos) input.dataset = std::move(*photos);
  return input;
}

void WindowSession::Impl::make_mesh_of(splat::Gaussians model, std::optional<bool> antialias,
                                       const viewer::MeshChoices& wanted, Opening& mine) {
  const MarkDone mark_done(mine);
  if (mine.watch.cancelled) return;
  const auto began = std::chrono::steady_clock::now();
  MeshInput input = mesh_input(std::move(model), antialias, wanted);
  const std::string name = input.name;
  if (input.splats.size() == 0) return log::error("there are no splats to make a mesh of: open a file or train first");
  WatchInWindow watch(mine);
  if (!input.dataset.views.empty()) {
    watch.stage("reading the photos");
    const PhotoWatch reading{[&](size_t done, size_t total) { watch.step(done, total); }, &mine.watch.cancelled};
    const PhotoOptions photos{0, options.device.threads, {}, input.look.background};
    if (const Outcome outcome = open_photos(input.dataset, photos, input.photos, reading); !outcome) {
      if (!mine.watch.cancelled) log::error(outcome.sentence);
      return;
    }
  }
  splat::BackendChoice chosen;
  if (const Outcome outcome = open_backend(options.device, chosen); !outcome) return log::error(outcome.sentence);
  const MeshSettings settings = settings_of(wanted, options.device.threads);
  auto made = std::make_unique<MadeMesh>();
  const Outcome outcome = make_mesh(std::move(input), settings, *chosen.backend, watch, *made);
  if (mine.watch.cancelled) return log::info("no mesh was made: it was cancelled");
  if (!outcome) return log::error(outcome.sentence);
  viewer::ShownMesh shown = shown_mesh(*made);
  shown.name = name;
  shown.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  log::info(fmt::format("mesh of {} faces, made in {}", human_count(shown.faces), human_duration(shown.seconds)));
  writings.add([this, made = std::move(made)]() mutable { mesh = std::move(made); });
  state.mesh.put(std::move(shown));
}

// On the thread that makes it, with its share of the processor: that is what is timed.
void WindowSession::Impl::carry_out(viewer::WantMeshPrediction& command) {
  const uint64_t mine = ++predictions_wanted;
  if (training_now()) return;
  engine.run([this, mine, choices = std::move(command.choices)](const splat::Gaussians& model,
                                                                const splat::edit::EditedModel* edited) {
    if (predictions_wanted != mine) return;
    splat::ThreadPool pool(options.device.threads);
    const splat::Gaussians left = edited ? edited->saved() : splat::Gaussians();
    const splat::Gaussians& all = edited ? left : model;
    openings.add(
        [this, mine, choices, splats = all.size(), some = splat::thinned(all, kEstimateSplats, pool).model]() mutable {
          predict_mesh(std::move(some), splats, choices, mine);
        });
  });
}

void WindowSession::Impl::predict_mesh(splat::Gaussians&& some, size_t splats, const viewer::MeshChoices& choices,
                                       uint64_t mine) {
  const auto stop = [&] { return predictions_wanted != mine; };
  if (stop() || splats == 0) return;
  viewer::MeshPrediction answer;
  answer.choices = choices;
  auto made = splat::make_backend(options.device.backend, options.device.index, options.device.threads);
  const auto estimate = made ? estimate_mesh(mesh_input(std::move(some), {}, choices), splats,
                                             settings_of(choices, options.device.threads), *made->backend, stop)
                             : splat::Result<std::optional<MeshEstimate>>(made.error());
  if (stop()) return;
  if (!estimate) answer.problem = estimate.error().message;
  if (estimate && *estimate) answer.seconds = (*estimate)->seconds, answer.memory_bytes = (*estimate)->memory_bytes;
  state.mesh_prediction.put(std::move(answer));
}

// Metres per unit of the open scene, with the scale that was measured in it.
double WindowSession::Impl::to_metres(std::optional<double> measured) {
  std::lock_guard lock(scene_mutex);
  io::SceneFrame frame = scene.file_info.frame;
  if (scene.splats.empty() && scene.photos)
    frame = {scene.photos->origin, scene.photos->epsg, scene.photos->metres_per_unit};
  if (measured) frame.metres_per_unit = *measured;
  return frame.to_metres();
}

void WindowSession::Impl::carry_out(viewer::SaveMesh& command) {
  writings.add([this, path = command.path, metres = command.metres_per_unit] {
    if (!mesh) return log::error("there is no mesh to save: make one first");
    const bool textured = !mesh->texture.pixels.empty() && io::holds_texture(path);
    io::remove_dead_partial_files_of(path);
    const auto status =
        io::write_mesh(path, mesh->mesh, mesh->up, textured ? mesh->texture : splat::Image8(), to_metres(metres));
    if (!status) return log::error(status.error().message);
    say_done(state,
             fmt::format("mesh of {} faces written to '{}'", human_count(mesh->mesh.faces.size()), path.string()));
  });
}

void WindowSession::Impl::carry_out(viewer::CloseMesh&) { forget_mesh(); }

void WindowSession::Impl::forget_mesh() {
  writings.add([this] { mesh.reset(); });
}

}  // namespace app
