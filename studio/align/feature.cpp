#include "studio/align/feature.h"

#include <algorithm>
#include <utility>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void settings_rows(AlignmentChoices& choices, bool video) {
  named_choice_row(
      "Quality",
      "The size at which photos are looked at and how many features each may have: fast 1000 px and 2048, normal "
      "1600 and 4096, fine 2400 and 8192. Default normal",
      "##align_quality", choices.quality, {"fast", "normal", "fine"});
  named_choice_row("Lens", "Fisheye where straight lines are bent in the photos. Default normal", "##align_lens",
                   choices.lens, {"normal", "fisheye"});
  if (video) {
    Row row("Frames", "How many to take from the video, the sharpest of each interval; 0: by its length. Default 0");
    if (ImGui::InputInt("##align_frames", &choices.frames, 10, 100))
      choices.frames = std::clamp(choices.frames, 0, 5000);
  }
  checkbox("Train when they are found", &choices.train,
           "Start training by itself, with the settings of the training panel. Default off");
}

}  // namespace

AlignFeature::AlignFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<UnalignedPhotos>([this](UnalignedPhotos&& question) {
    choices_.input = question.input;
    choices_.scene = question.scene;
    photos_ = std::move(question);
    asks_ = true;
  });
}

void AlignFeature::draw_dialogs() {
  const UnalignedPhotos& photos = photos_;
  if (!begin_modal("No cameras yet", asks_)) return;
  const std::string name = "'" + photos.input.filename().string() + "'";
  const std::string what =
      photos.video ? name +
                         " is a video: training needs to know from where each picture was taken. hipsplat takes "
                         "frames from it and finds that out."
                   : name + " holds " + photos.holds +
                         ". From where each photo was taken is not known: hipsplat finds that out.";
  ImGui::TextWrapped("%s", what.c_str());
  faint_text(work.appearance, std::string(photos.begun ? "It was begun before and goes on where it was, in "
                                                       : "It takes minutes, goes on later if it is cut short, and "
                                                         "writes to ") +
                                  "'" + photos.scene.string() + "'.");
  if (!photos.impossible.empty()) coloured_text(work.appearance.colours().warning, photos.impossible);
  ImGui::Spacing();
  settings_rows(choices_, photos.video);
  ImGui::Spacing();
  const bool possible = photos.impossible.empty();
  ImGui::BeginDisabled(!possible);
  const bool start =
      main_button(work.appearance, "Find the cameras", "Cameras and points appear here while they are found", 0) ||
      (possible && work.dialogs.confirmed);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Back to the window") || work.dialogs.escaped;
  if (start) work.ask(StartAlignment{choices_, work.choices});
  if (start || cancel || !asks_) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace viewer
