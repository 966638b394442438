// Settings of the window that are saved, as JSON, by the application. A field that is missing or out of range keeps its
// default.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/box.h"
#include "studio/names.h"
#include "viewer/camera/navigator.h"
#include "viewer/widgets/theme.h"

namespace studio {

// Behind the splats: the colour they were trained with, the same dark grey for all, or a gradient.
enum class Backdrop : int { kTrained, kGrey, kGradient };

enum class RendererChoice : int { kAuto, kOpenGl, kEngine };

enum class SelectionColour : int { kOrange, kBlue, kGreen, kMagenta, kWhite };

struct WindowSettings {
  ThemeChoice theme = ThemeChoice::kDark;
  float interface_scale = 1;       // times what the display asks for, 0.75..2
  int width = 1440, height = 900;  // screen coordinates
  bool maximized = false;
  bool left_open = true, right_open = true, log_open = false;
  std::string layout;      // of the panels, as Dear ImGui keeps it; empty: the usual one
  float layout_scale = 1;  // px per unit of its sizes
  RendererChoice renderer = RendererChoice::kAuto;
  bool show_grid = true, show_cameras = true;
  bool camera_photos = false;  // the photos in them
  float camera_size = 1;       // of the photos' cameras as drawn: 1 is a twentieth of the scene
  NavigationSettings navigation;
  Backdrop backdrop = Backdrop::kTrained;
  SelectionColour selection_colour = SelectionColour::kOrange;
  bool reopen_last = false;               // at a start without a scene
  int threads = 0;                        // of the processor, from the next start on; 0: every core
  std::vector<std::string> recent;        // paths, newest first, at most kMaxRecent
  std::map<std::string, int64_t> opened;  // by path of `recent`: when, seconds since 1970
  std::string last_folder;
  std::optional<splat::Box> last_box;  // that something was done with last, in any scene

  static constexpr size_t kMaxRecent = 10;
  void add_recent(const std::string& path);  // opened now
  void replace_recent(const std::string& path, const std::string& by);
  friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

std::string settings_text(const WindowSettings& settings);   // JSON
WindowSettings settings_from_text(const std::string& text);  // any text; what is not valid is skipped

}  // namespace studio
