#include <cmath>

#include "splat/core/counted.h"
#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

std::string bounds_text(const Bounds& bounds) {
  if (bounds.empty()) return "empty";
  const Vec3 size = bounds.high - bounds.low;
  return number_text(size.x, "%.3g") + " x " + number_text(size.y, "%.3g") + " x " + number_text(size.z, "%.3g");
}

void splat_facts(const Workspace& work) {
  const OpenedSplats& s = *work.received.splats;
  const bool renamed = work.edit.scene && !work.edit.scene->saved_as.empty();
  const std::filesystem::path path = renamed ? work.edit.scene->saved_as : s.path;
  fact("File", scene_name(path), path.c_str());
  fact("Splats", count_text(work.splats_left()));
  fact("Colour", "SH degree " + std::to_string(work.received.splat_degree),
       "Degree of the spherical harmonics: 0 looks the same from everywhere, 3 shows reflections");
  fact("Format", s.format + (s.filter.antialias ? ", antialiased" : ""));
  if (!s.producer.empty()) fact("Made by", s.producer);
  if (s.file_bytes > 0) fact("Size", file_size_text(s.file_bytes));
  fact("Extent", bounds_text(s.bounds), "Size of the box that holds 98 % of the splats, world units");
  for (const std::string& warning : s.warnings) coloured_text(work.appearance.colours().warning, warning);
}

void dataset_facts(const Workspace& work) {
  const OpenedDataset& d = *work.received.dataset;
  fact("Dataset", d.path.filename().string(), d.path.c_str());
  fact("Cameras of", d.format, "What the cameras were read from");
  fact("Photos", count_text(d.cameras.size()) + (d.held_out ? ", " + std::to_string(d.held_out) + " held out" : ""));
  fact("Points", count_text(d.points.size()), "Points of the reconstruction that training starts from");
  if (!d.missing.empty())
    coloured_text(work.appearance.colours().warning,
                  splat::counted(d.missing.size(), "photo is", "photos are") + " not on disk");
  for (const std::string& warning : d.warnings) coloured_text(work.appearance.colours().warning, warning);
}

}  // namespace

void draw_scene_panel(Workspace& work) {
  if (work.received.dataset) dataset_facts(work);
  if (work.received.splats && !work.received.training_active()) splat_facts(work);  // else of the run before
  if (!work.received.splats && !work.received.live()) return;
  EvenRow buttons(work.appearance, 2);
  if (buttons.button("Save splats as...",
                     "Write the splats to a file; the extension (.ply, .spz, ...) selects the format (Ctrl+S)"))
    work.ask_export();
  const auto mesh = feature_action(work, "File", "Make a mesh");
  ImGui::BeginDisabled(!mesh || !mesh->possible);
  if (buttons.button("Make a mesh...", "Triangles with colours out of the splats, for other programs")) mesh->run();
  ImGui::EndDisabled();
}

}  // namespace studio
