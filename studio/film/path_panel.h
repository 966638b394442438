// The rows on the camera path: the chosen key, the whole path, ready-made ones, files. They change the editor; files
// are the application's.
#pragma once

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "studio/film/messages.h"
#include "studio/film/path_editor.h"
#include "studio/window/workspace.h"

namespace studio {

class PathPanel {
 public:
  // replaced: called where another path takes the place of all of it.
  PathPanel(Workspace& shared, PathEditor& editor, const FilmSettings& film, std::function<void()> replaced)
      : work_(shared), editor_(editor), film_(film), replaced_(std::move(replaced)) {}

  void draw();  // in the current window
  void use(splat::CameraPath path, const char* what);
  void use_usual();  // where there are no keys yet: along the photos, else round the scene
  void ask_save(bool nerfstudio);

 private:
  void key_rows();
  void path_rows();
  void speed_rows();
  void ready_made_list();
  void between_photos();
  void use_bookmarks();
  void use_orbit();
  std::vector<splat::View> photo_views() const;
  std::array<double, 3> scene_middle() const;
  void ask_read();
  bool drag_row(const char* label, const char* tip, const char* id, double& value, const std::array<double, 3>& range,
                const char* format);

  Workspace& work_;
  PathEditor& editor_;
  const FilmSettings& film_;
  std::function<void()> replaced_;
  int from_photo_ = 0, to_photo_ = 1;
};

}  // namespace studio
