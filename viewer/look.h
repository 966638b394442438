// How the user looks at the scene: from where and in which mode.
#pragma once

#include "viewer/camera/navigator.h"
#include "viewer/camera/up_axis.h"
#include "viewer/display_settings.h"

namespace viewer {

struct Look {
  Navigator navigator;
  UpGuess guessed_up;  // of the open scene
  DisplaySettings display;
  float photo_blend = 0;    // [0,1] of the photo over the scene, at a photo's camera
  bool changed = true;      // the viewport must be drawn again
  bool log_counts = false;  // histograms with logarithmic counts

  // Both at once, without a transition; H comes back there.
  void at_scene(double fov_y_deg, bool front_at_z = false);  // the whole scene, from a little above
  void from_photo(int view);                                 // a view of a trained scene that is known to look good
};

}  // namespace viewer
