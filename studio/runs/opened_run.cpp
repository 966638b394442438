#include "studio/runs/opened_run.h"

#include <algorithm>
#include <string>
#include <utility>

#include "studio/runs/run_curves.h"
#include "studio/runs/run_words.h"
#include "studio/window/window_actions.h"
#include "viewer/dialogs/desktop_open.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr size_t kMostPictured = 500'000;  // splats: of more the picture would take long, and memory

}  // namespace

const PastRun* OpenedRunView::run() const {
  const Received& received = work_.received;
  const bool is_open = opened_ && !received.dataset && received.splats && received.splats->path == opened_->splats;
  return is_open && !received.shows_run() ? &opened_->run : nullptr;
}

// A run is listed by its folder, whose newest splats open, not by a file in it.
void OpenedRunView::take(OpenedRun&& opened) {
  opened_ = std::move(opened);
  const PastRun* const found = run();
  if (!found) return;
  if (found->file == opened_->splats) work_.settings.replace_recent(found->file.string(), found->folder.string());
  if (work_.received.splat_rows <= kMostPictured) work_.ask(WantRecentPictures{{found->folder}});
}

void OpenedRunView::draw_head() {
  constexpr float kPictureEms = 9;  // its height
  const PastRun& shown = *run();
  ImGui::TextUnformatted(elided(shown.folder.filename().string(), ImGui::GetContentRegionAvail().x).c_str());
  tooltip(shown.folder.c_str());
  coloured_text(state_colour(work_.appearance, shown), as_sentence(state_text(shown)));
  const auto found = work_.received.recent_pictures.find(shown.folder.string());
  const float below = ImGui::GetCursorPosY() + kPictureEms * ImGui::GetFontSize();
  if (found != work_.received.recent_pictures.end()) {
    PictureTexture& picture = found->second;
    const float width = float(picture.width()), height = float(picture.height());
    const float scale = std::min(ImGui::GetContentRegionAvail().x / width, kPictureEms * ImGui::GetFontSize() / height);
    ImGui::Image(texture_id(picture.texture()), {scale * width, scale * height});
  }
  if (work_.received.splat_rows <= kMostPictured) {  // its room, also while it is on its way
    ImGui::SetCursorPosY(below);
    ImGui::Dummy({0, 0});
  }
  if (opened_->iteration >= 0 && opened_->iteration < shown.iterations.value_or(0))
    faint_text(work_.appearance, "These are its splats after " + count_text(uint64_t(opened_->iteration)) +
                                     " iterations; it went on to " + count_text(uint64_t(*shown.iterations)) + ".");
}

bool OpenedRunView::draw_buttons() {
  const PastRun& shown = *run();
  {
    EvenRow row(work_.appearance, 2);
    if (row.button("Open report", "Figures, curves and held-out photos, in the browser"))
      open_outside(work_, shown.folder / "report.html");
    if (row.button("Open folder", shown.folder.c_str())) open_outside(work_, shown.folder);
  }
  EvenRow row(work_.appearance, 2);
  const bool all = row.button("All runs...", "This run beside the others of its dataset");
  const auto mesh = feature_action(work_, "File", "Make a mesh");
  ImGui::BeginDisabled(!mesh || !mesh->possible);
  if (row.button("Mesh...", "Triangles with colours out of the splats, for other programs")) mesh->run();
  ImGui::EndDisabled();
  return all;
}

void OpenedRunView::draw_figures() const {
  const PastRun& shown = *run();
  const int reached = shown.iterations.value_or(0);
  draw_large_psnr(work_.appearance, shown.psnr, shown.ssim, "PSNR was not measured");
  if (shown.splats > 0) fact("Splats", count_text(shown.splats));
  if (reached > 0) fact("Iterations", count_text(uint64_t(reached)));
  if (shown.seconds > 0) {
    fact("Time", duration_text(shown.seconds), "All that it was trained for, before it was continued too");
    if (reached > 0) fact("Speed", number_text(reached / shown.seconds, "%.1f it/s"), "On average");
  }
  fact("Dataset", shown.dataset.filename().string(), shown.dataset.c_str());
  if (!shown.differs.empty()) fact("Settings", differences_text(shown), "Those that are not the usual ones");
  fact("Results", shown.folder.filename().string(), shown.folder.c_str());
  fact("Written", date_text(shown.written));
}

void open_outside(Workspace& work, const std::filesystem::path& path) {
  if (!open_with_desktop(path)) work.say("xdg-open is not installed; open '" + path.string() + "' by hand");
}

}  // namespace studio
