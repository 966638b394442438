#include <algorithm>
#include <cmath>

#include "studio/window/panels.h"
#include "viewer/dialogs/desktop_clipboard.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr int kLeastSide = 16, kMostSide = 16384;  // px

int limited(double side) { return int(std::clamp(std::round(side), double(kLeastSide), double(kMostSide))); }

void resize(PictureChoice& choice, const splat::PinholeCamera& seen, int width) {
  choice.width = limited(width);
  if (choice.tied) choice.height = limited(double(choice.width) * seen.height / seen.width);
}

void preset_buttons(PictureChoice& choice, const splat::PinholeCamera& seen) {
  struct Preset {
    const char* name;
    const char* tip;
    int width, height;  // 0: of the view, times `times`
    int times;
  };
  static const Preset presets[] = {{"As seen", "As large as the scene in the window", 0, 0, 1},
                                   {"Twice", "Twice as wide and high as the scene in the window", 0, 0, 2},
                                   {"1920x1080", "Full HD; not tied to the shape of the view", 1920, 1080, 1},
                                   {"3840x2160", "4K; not tied to the shape of the view", 3840, 2160, 1}};
  for (const Preset& preset : presets) {
    if (&preset != presets) ImGui::SameLine();
    if (!button(preset.name, preset.tip)) continue;
    choice.tied = preset.width == 0;
    choice.width = limited(preset.width > 0 ? preset.width : preset.times * seen.width);
    choice.height = limited(preset.height > 0 ? preset.height : preset.times * seen.height);
  }
}

void size_rows(PictureChoice& choice, const splat::PinholeCamera& seen) {
  preset_buttons(choice, seen);
  int width = choice.width, height = choice.height;
  {
    Row row("Width", "Pixels, 16 to 16384. Default twice the scene in the window");
    if (ImGui::InputInt("##width", &width, 16, 256)) resize(choice, seen, width);
  }
  {
    Row row("Height", "Pixels, 16 to 16384. Default twice the scene in the window");
    if (ImGui::InputInt("##height", &height, 16, 256)) {
      choice.height = limited(height);
      if (choice.tied) choice.width = limited(double(choice.height) * seen.width / seen.height);
    }
  }
  if (checkbox("Keep the shape of the view", &choice.tied,
               "Width and height change together. Off: a wider picture shows more at the sides. Default on") &&
      choice.tied)
    resize(choice, seen, choice.width);
}

void scene_rows(PictureChoice& choice, const splat::PinholeCamera& seen) {
  size_rows(choice, seen);
  checkbox("Transparent background", &choice.transparent,
           "Where no splats are, the picture is transparent, for putting it over something else. Default off");
}

// path: empty for the clipboard.
void ask_rendering(Workspace& work, const PictureChoice& choice, const std::filesystem::path& path) {
  work.ask(SaveRendering{
      {work.look.navigator.view(choice.width, choice.height), work.look.display}, path, choice.transparent});
}

void ask_where(Workspace& work) {
  work.ask_file(FileDialog::Kind::kSaveFile, "Save a picture (PNG)", "view.png",
                [&](const std::filesystem::path& path) {
                  const PictureChoice& choice = work.dialogs.picture;
                  if (choice.whole_window)
                    work.dialogs.picture.window_file = path;
                  else
                    ask_rendering(work, choice, path);
                });
}

}  // namespace

void ask_save_picture(Workspace& work) {
  PictureChoice& choice = work.dialogs.picture;
  const splat::PinholeCamera seen = work.look.navigator.view().camera;
  choice.asking = true;
  if (choice.width == 0 || choice.tied) resize(choice, seen, choice.width > 0 ? choice.width : 2 * seen.width);
}

void copy_picture(Workspace& work) {
  const splat::PinholeCamera seen = work.look.navigator.view().camera;
  PictureChoice as_seen;
  as_seen.width = seen.width, as_seen.height = seen.height;
  ask_rendering(work, as_seen, {});
}

void take_picture_to_copy(Workspace& work, const PictureToCopy& made) {
  if (copy_png_to_clipboard(made.png)) return work.say("the picture is on the clipboard");
  work.say("pictures are copied by xclip or wl-copy, and neither is installed: save the picture instead (Ctrl+P)");
}

void draw_picture_dialog(Workspace& work) {
  PictureChoice& choice = work.dialogs.picture;
  if (!begin_modal("Save picture", choice.asking)) return;
  const splat::PinholeCamera seen = work.look.navigator.view().camera;
  int what = choice.whole_window;
  {
    Row row("Picture of",
            "the scene: drawn by the engine at any size, without grid and cameras; the whole window: with its panels, "
            "as it is on the screen. Default the scene");
    viewer::choice("##what", &what, {"the scene", "the whole window"});
    choice.whole_window = what == 1;
  }
  if (choice.whole_window)
    faint_text(work.appearance,
               "As large as the window. For other sizes: hipsplat FILE --screenshot PNG --size 1600x900");
  else
    scene_rows(choice, seen);
  ImGui::Spacing();
  if (!choice.whole_window && button("Copy to the clipboard", "This picture, for another program to paste")) {
    ask_rendering(work, choice, {});
    choice.asking = false;
    ImGui::CloseCurrentPopup();
  }
  const bool save =
      save_or_cancel(work.appearance, "Choose the file; it is written as PNG", work.dialogs.confirmed, choice.asking);
  ImGui::EndPopup();
  if (save) ask_where(work);
}

}  // namespace studio
