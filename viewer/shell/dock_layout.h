// Where the panels are: docked around the scene, as tabs, or floating over it. Dear ImGui keeps it, also as text
// between two starts. What lies beside the scene keeps the width or height that it was given; a window too small for
// that narrows it for as long as it is small.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "viewer/shell/area.h"

struct ImGuiDockNode;

namespace viewer {

// Sections that can be panels by themselves; else they are in a column, "left" or "right". The log is a panel too.
inline constexpr std::string_view kSections[] = {"path",   "mesh",       "photos", "comparison", "display",
                                                 "camera", "histograms", "curves", "history"};

class DockLayout {
 public:
  static constexpr int kFramesToSettle = 3;  // from the first with a panel to that where its tab has its width

  // Before the first frame. text: of finish(), px at `scale`; any other text stands for the usual layout.
  void load(const std::string& text, float scale);
  void reset();  // to the usual layout: left, scene above log, right
  // Once a frame, before begin(): makes `room` the place of all panels and returns what is left to the scene.
  Area update(const Area& room, float scale);
  // A panel as a window; ImGui::End() follows, whatever it returns. False: nothing of it is seen. open: cleared by its
  // close button; null: it has none.
  bool begin(const std::string& panel, const std::string& title, bool* open);
  std::string finish();  // after the last panel of a frame: the layout

  const std::vector<std::string>& alone() const { return alone_; }  // the sections that are panels by themselves
  bool detached(std::string_view section) const;
  void detach(const std::string& section);  // floating over the scene
  void attach(const std::string& section);  // back in its column
  std::string in_front() const;             // of panels that are tabs, each after a blank

 private:
  void build(const Area& room);
  void narrow(ImGuiDockNode& node, const Area& room, float grown);

  struct Narrowed {
    unsigned node;
    int axis;
    float wanted, set;  // px
  };

  float scale_ = 1;
  bool usual_ = true;  // the usual layout is to be built
  Area scene_;
  std::vector<std::string> alone_;
  std::vector<Narrowed> narrowed_;  // from update() to finish()
};

}  // namespace viewer
