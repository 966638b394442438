#include "studio/align/feature.h"

#include <algorithm>
#include <utility>

#include "studio/window/form.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void settings_rows(AlignmentRequest& request, bool video) {
  std::vector<OptionRow> rows;
  add_align_rows(rows, request.settings);
  if (!video) std::erase_if(rows, [](const OptionRow& row) { return row.name == "frames"; });
  draw_form(rows);
  checkbox("Train when they are found", &request.train,
           "Start training by itself, with the settings of the training panel. Default off");
}

// As it was on two cores (docs/benchmarks.md), for a folder; a video's frames are not counted yet.
std::string usual_time(const UnalignedPhotos& photos) {
  if (photos.video || photos.photos == 0) return "minutes";
  return photos.photos < 60 ? "about a minute" : photos.photos < 150 ? "some minutes" : "ten minutes and more";
}

std::string what_is_known(const UnalignedPhotos& photos) {
  const std::string name = "'" + photos.input.filename().string() + "'";
  if (photos.video)
    return name +
           " is a video: training needs to know from where each picture was taken. hipsplat takes frames from it and "
           "finds that out.";
  return name + " holds " + photos.holds + ". From where each photo was taken is not known: hipsplat finds that out.";
}

// A folder of datasets is more likely one of them.
bool open_one_of(Workspace& work, const UnalignedPhotos& photos) {
  constexpr size_t kMost = 4;
  if (photos.datasets.empty()) return false;
  faint_text(work.appearance, "Datasets in it, with their cameras:");
  EvenRow row(work.appearance, int(std::min(photos.datasets.size(), kMost)));
  for (size_t i = 0; i < std::min(photos.datasets.size(), kMost); ++i) {
    const std::string label = "Open '" + photos.datasets[i].filename().string() + "'";
    if (!row.button(label.c_str(), photos.datasets[i].c_str())) continue;
    work.open(photos.datasets[i]);
    return true;
  }
  return false;
}

}  // namespace

AlignFeature::AlignFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<UnalignedPhotos>([this](UnalignedPhotos&& question) {
    request_.input = question.input;
    request_.scene = question.scene;
    photos_ = std::move(question);
    asks_ = true;
  });
}

void AlignFeature::draw_dialogs() {
  constexpr size_t kFew = 20;
  const UnalignedPhotos& photos = photos_;
  if (!begin_modal("No cameras yet", asks_)) return;
  ImGui::TextWrapped("%s", what_is_known(photos).c_str());
  faint_text(work.appearance,
             (photos.begun ? "It was begun before and goes on where it was, in "
                           : "It takes " + usual_time(photos) + ", goes on later if it is cut short, and writes to ") +
                 "'" + photos.scene.string() + "'.");
  if (photos.photos > 0 && photos.photos < kFew)
    coloured_text(
        work.appearance.colours().warning,
        photos.photos == 1
            ? "One photo shows no depth: it takes 20 and more, from other places, that overlap by two thirds."
            : "So few photos do not always find their places; 20 and more that overlap by two thirds do better.");
  const bool other = open_one_of(work, photos);
  if (!photos.impossible.empty()) coloured_text(work.appearance.colours().warning, photos.impossible);
  ImGui::Spacing();
  settings_rows(request_, photos.video);
  ImGui::Spacing();
  const bool possible = photos.impossible.empty();
  ImGui::BeginDisabled(!possible);
  const bool start =
      main_button(work.appearance, "Find the cameras", "Cameras and points appear here while they are found", 0) ||
      (possible && work.dialogs.confirmed);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Back to the window") || work.dialogs.escaped;
  if (start) work.ask(StartAlignment{request_, work.choices});
  if (start || cancel || other || !asks_) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace studio
