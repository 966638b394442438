#include "studio/mesh/feature.h"

#include <memory>
#include <utility>

#include "viewer/scene_name.h"

namespace studio {
namespace {

const FileKinds kMeshes{"Meshes", {".glb", ".obj", ".ply"}}, kReadMeshes{"Meshes", {".glb", ".gltf", ".obj", ".ply"}};

}  // namespace

MeshFeature::MeshFeature(Workspace& shared) : Feature(shared), layer_(shared.disposal) {
  work.bridge.reports.on<ShownMesh>([this](ShownMesh&& made) { take(std::move(made)); });
  work.bridge.reports.on<MeshPrediction>([this](MeshPrediction&& found) {
    if (considered_.asked()) prediction_ = std::move(found);  // else of what was chosen before
  });
}

void MeshFeature::take(ShownMesh&& made) {
  const bool alone = !work.received.splats && !work.received.dataset && !work.received.live();
  drop();
  if (alone && made.opened) work.settings.add_recent(made.name);
  if (alone) work.set_scene(made.bounds, {}, made.up, {});
  if (alone) work.look.at_scene(work.settings.navigation.fov_y_deg);
  layer_.set(std::make_unique<const PackedMesh>(std::move(made.packed)));
  layer_.look.shown = true;
  work.received.beside = made.bounds;
  mesh_ = std::move(made);
  work.look.photo_blend = 0;  // which would cover it
  work.look.changed = true;
}

void MeshFeature::drop() {
  if (!mesh_) return;
  mesh_.reset();
  layer_.set(nullptr);
  work.received.beside.reset();
  work.look.changed = true;
}

void MeshFeature::scene_left(bool same) {
  if (!same) drop();
}

bool MeshFeature::can_make() const {
  const Received& received = work.received;
  return received.progress.what.empty() && (received.live() || (received.splats && received.splat_rows > 0));
}

void MeshFeature::each_frame() {
  layer_.look.alone = !work.received.splats && !work.received.dataset;
  if (const std::string problem = std::exchange(layer_.problem, {}); !problem.empty())
    work.received.add_log_line(NoticeKind::kWarning, problem);
}

// For the dialog's present choices.
void MeshFeature::want_prediction() {
  Considered now{request_, work.received.splats_loaded, work.edit.scenes};
  now.request.settings.faces = 0, now.request.settings.watertight = false;
  if (considered_.changes(std::move(now), work.now)) prediction_.reset();
  if (!work.received.training_active() && considered_.due(work.now)) work.ask(WantMeshPrediction{request_});
}

void MeshFeature::ask_open() {
  work.ask_file(
      FileDialog::Kind::kOpenFile, "Open a mesh (.glb, .gltf, .obj or .ply)", "",
      [this](const auto& path) { work.ask(OpenMesh{path}); }, kReadMeshes);
}

void MeshFeature::ask_save() {
  const std::string name = scene_name(work.received.scene_path()), plain = name.substr(0, name.find_first_of(".,", 1));
  work.ask_file(
      FileDialog::Kind::kSaveFile, "Save mesh (.glb, .obj or .ply)", (plain.empty() ? "mesh" : plain) + ".glb",
      [this](const auto& path) {
        work.ask(SaveMesh{path, work.edit.measure.metres_per_unit().value_or(0)});
      },
      kMeshes);
}

void MeshFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  if (column == Column::kLeft && mesh_) sections.push_back({10, "mesh", "Mesh", [this] { draw_panel(); }});
}

void MeshFeature::add_actions(const std::string& menu, std::vector<Action>& actions) {
  if (menu != "File") return;
  actions.push_back(
      {.name = "Open mesh", .run = [this] { ask_open(); }, .menu = "File", .label = "Open mesh...", .rule = true});
  actions.push_back({.name = "Make a mesh",
                     .possible = can_make(),
                     .run = [this] { asks_ = can_make(); },
                     .menu = "File",
                     .label = "Make a mesh..."});
  actions.push_back({.name = "Save mesh as",
                     .possible = mesh_.has_value(),
                     .run = [this] { ask_save(); },
                     .menu = "File",
                     .label = "Save mesh as..."});
}

void MeshFeature::add_state(nlohmann::json& state) const {
  if (mesh_) state["mesh"] = {{"faces", mesh_->faces}, {"drawn", layer_.drawn()}};
}

}  // namespace studio
