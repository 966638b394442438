// Masks painted on photos in the window: a photo in place of the scene, tools above it, what is left out reddish.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "studio/feature.h"
#include "studio/masks/messages.h"
#include "studio/window/workspace.h"

namespace studio {

class MaskFeature final : public Feature {
 public:
  explicit MaskFeature(Workspace& shared);

  void scene_left(bool same) override;
  void scene_opened() override { work.ask(FindPaint{}); }
  bool unsaved() const override { return !steps_.empty() || !others_.empty(); }
  void leave(const std::function<void()>& then) override;
  void draw_dialogs() override;  // mask_picture.cpp
  bool covers_scene() const override { return on_; }
  const char* covering_hint() const override;
  void draw_in_place_of_scene() override;  // mask_picture.cpp
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  void escape() override;
  void add_state(nlohmann::json& state) const override;

 private:
  bool possible() const;
  void open(int view);   // on this photo, as its mask is saved
  void go_to(int view);  // likewise, with what was painted there; what was painted here waits
  void next(int by);
  void take(MaskPhoto&& arrived);
  void take(const MaskSaved& saved);
  void keep() { work.ask(KeepPaint{view_, steps_}); }  // beyond the end of the window
  void save();                                         // of this photo
  void save_here();
  void save_all();
  void discard_all();
  void close();

  bool paintable() const { return photo_ && saving_ == 0; }
  void set_polygon(bool polygon) { polygon_ = polygon, corners_.clear(); }
  void add(PaintStep step);
  void undo();
  void redo();
  void show();  // the picture with what is left out as it is now

  void tool_row();  // mask_picture.cpp, like those that follow
  void step_buttons();
  void canvas();
  void ask_about_found();
  void stroke_to(const PaintPoint& at, bool begins);
  void corner_at(const PaintPoint& at, float reach);  // closes the polygon at its first corner, within reach of it

  bool on_ = false, erases_ = false, polygon_ = false;
  bool in_stroke_ = false;  // the last step goes on while the button is held
  bool asks_ = false, just_asked_ = false;
  int saving_ = 0;  // masks that were not answered for yet
  int view_ = -1;
  float size_ = 5;                                // % of the picture's width, across the brush
  std::vector<PaintStep> steps_;                  // that are not saved
  std::map<int, std::vector<PaintStep>> others_;  // likewise, of other photos, by view
  std::vector<PaintStep> undone_;                 // newest last
  std::function<void()> then_;                    // once they are saved or given up; empty: nothing waits for that
  std::vector<PaintPoint> corners_;               // of a polygon that is not closed yet
  std::optional<MaskPhoto> photo_;                // of view_, once it is there
  MaskChanges changes_;                           // steps_ of it, at its size
  std::optional<PaintFound> found_;               // whether to go on with it
  PictureTexture shown_;
};

}  // namespace studio
