// Camera paths and films in the window: the timeline under the scene, the path in it, its section, files of paths, and
// the dialog that makes a film. What plays moves the navigator, as the user does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "studio/feature.h"
#include "studio/film/film_dialog.h"
#include "studio/film/messages.h"
#include "studio/film/path_editor.h"
#include "studio/film/path_marks.h"
#include "studio/film/path_panel.h"
#include "studio/window/workspace.h"

namespace studio {

class FilmFeature final : public Feature {
 public:
  explicit FilmFeature(Workspace& shared);

  void each_frame() override;
  void scene_left(bool same) override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  float strip_height() const override;
  void draw_strip() override;
  void draw_dialogs() override;
  void draw_over_scene(const ScenePlace& scene) override;
  bool take_pointer(const InputEvent& event, double scale) override;
  Layer* layer() override { return &marks_; }
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  void add_state(nlohmann::json& state) const override;

 private:
  // feature.cpp
  bool usable() const;  // there is a scene, and it is not edited
  bool shown() const { return open_ && usable(); }
  void follow_memory();
  void play();
  void set_playing(bool on);
  void seek(double seconds);  // the view goes there
  void go_to_key(size_t key);
  void step_key(int by);
  splat::CameraPose present_pose() const;
  void add_key();
  void remove_key();
  void give_marks();
  void add_strip_actions(std::vector<Action>& actions);
  void draw_section();
  void ask_film();

  // timeline.cpp
  void transport_row();
  void ruler();
  void draw_ticks(float x, float y, float width) const;
  void draw_keys(float x, float y, float width);

  PathEditor editor_;
  FilmDialog film_{work, editor_};
  PathPanel panel_{work, editor_, film_.settings, [this] { set_playing(false), time_ = 0; }};
  PathMarks marks_;
  bool open_ = false, playing_ = false;
  double time_ = 0;                   // s of the path: the timeline's
  double played_at_ = 0;              // s of the window, when time_ was moved last
  std::optional<CameraState> shown_;  // as playing or scrubbing left the view
  uint64_t paths_seen_ = 0;           // of Workspace::paths_set
  uint64_t remembered_ = 0;           // the revision that the workspace has
  double ruler_end_ = 10;             // s; it stays while a key is dragged

  std::optional<size_t> dragged_;  // in the timeline
  bool dragging_in_scene_ = false, moved_in_scene_ = false;
  double grab_x_ = 0, grab_y_ = 0, grab_depth_ = 0;  // px from the key's camera to the mouse; world units
};

}  // namespace studio
