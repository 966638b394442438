// The built hipsplat with its window on a virtual display, driven by real input events (xdotool) and followed by what
// it writes to HIPSPLAT_WINDOW_TRACE.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "splat/model/image.h"
#include "tests/support/temp_folder.h"
#include "tests/support/virtual_display.h"

namespace test {

// The last line of the trace that reports the window's state.
struct WindowState {
  std::array<double, 3> position{}, forward{};  // of the camera, world
  std::array<double, 3> up{};
  int at_photo = -1;
  std::string mode, drawn_by, panels;
  size_t detached = 0;                                  // sections that are panels by themselves
  size_t splats = 0, photos = 0, trained = 0;           // trained: splats of the run
  bool alone = false;                                   // the scene, with nothing around it
  std::string tool;                                     // that is chosen, its blanks as "_"
  bool editing = false, unsaved = false, asks = false;  // asks: whether edits may be lost, a run ended
  size_t histogram = 0, selected = 0, hidden = 0, locked = 0, deleted = 0;
  size_t objects = 0;                                             // of the edited splats
  size_t shown_objects = 0, locked_objects = 0, pair_points = 0;  // the last: of the pairs to align by
  std::string object_name;                                        // of the object that is looked at, its blanks as "_"
  bool landed = false;                                            // it is shown where it would lie
  double object_scale = 0, refined = -1;                          // of that; the residual that is shown, -1: none
  bool proposed = false;                                          // a clean-up is looked at
  size_t groups = 0;                                              // of what it proposes
  std::string pointed;                                            // the reason that the mouse points at, or "none"
  size_t measured = 0;                                            // points
  double scale = 0, length = 0;                                   // metres a unit, 0: unknown; of the last line, units
  int training = 0, iteration = 0, kept = -1, errors = 0;         // kept: iteration of the last checkpoint
  int compared = -1;                                          // the photo beside the splats, over the scene; -1: none
  double split = 0, psnr = 0;                                 // of that
  size_t figures = 0;                                         // photos whose PSNR is known
  int mask_view = -1;                                         // the photo whose mask is painted; -1: none
  bool mask_ready = false, mask_asks = false;                 // it can be painted on; whether paint may be lost
  size_t mask_steps = 0, mask_corners = 0;                    // that are not saved; of a polygon that is open
  size_t blocks = 0, blocks_done = 0;                         // of a scene in blocks
  bool blocks_forecast = false, blocks_train = false;         // it is said what would come of a plan; they train here
  int part = -9;                                              // whose splats are open; -1: the scaffold, -2: the whole
  size_t mesh = 0;                                            // its faces; 0: there is none
  size_t runs = 0;                                            // of the dataset, as listed
  size_t bookmark_pictures = 0;                               // in the list of bookmarks
  bool timeline = false, playing = false, previewed = false;  // of the camera path; a picture of the film is there
  size_t path_keys = 0;
  int path_chosen = -1;
  double path_time = -1, path_seconds = 0;  // the time: -1 while it plays
  std::array<double, 3> path_at{};          // of the chosen key
  std::string film;                         // that was made, or cancelled
  bool mesh_drawn = false;
  std::array<double, 6> crop{};  // middle and half sides of the crop box; all 0: there is none
  double crop_turn = 0;          // radians
  int listed = -1;               // rows in the window's own file dialog; -1: it is closed, or reads
  double sorted_ms = 0;          // the newest sort by depth
  std::string in_front;          // of the panels that are tabs, with blanks between them
  std::string focus;  // the control that the keyboard is at, its blanks as "_"; "?": it has no name; "": the scene
  std::string typed;  // in the list of actions, after "="; "-": that is not open
  bool shown = false, settled = false, keys = false;  // shown: there are splats in the picture
  int x = 0, y = 0, width = 0, height = 0;            // of the scene in the window, px
};

// The longest among some frames, ms (viewer/shell/frame_clock.h): by the window's own work, and with OpenGL's drawing.
struct LongestFrames {
  double own = 0, busy = 0;
};

class WindowRun {
 public:
  static constexpr int kWidth = 1100, kHeight = 720;  // px, of the window and its display

  using Environment = std::vector<std::pair<std::string, std::string>>;
  // more: an empty value unsets; settings: what window.json holds at the start.
  explicit WindowRun(std::vector<std::string> arguments, const Environment& more = {}, const std::string& settings = "",
                     std::array<int, 2> size = {kWidth, kHeight});
  ~WindowRun();

  bool can_run() const { return display_.running() && xdotool_; }
  // Waits for the state to become so; false after `seconds`, or when the program ended.
  bool wait(const std::function<bool(const WindowState&)>& wanted, double seconds = 60);
  std::optional<WindowState> state() const;
  std::string trace_text() const;
  ptrdiff_t frames() const;                         // that the trace has reported, about
  LongestFrames longest_frames(size_t from) const;  // of those traced after the first `from` bytes
  void finish_frame();                              // what came before is traced once this returns

  void input(const std::string& xdotool_words);  // "key w", "mousemove 10 20 click 1"; waits for it to be sent
  void click(const std::string& label, int mouse_button = 1);  // the button of this name, once it is there
  std::optional<std::array<int, 2>> place_of(const std::string& button) const;  // px of the window
  void drag(int button, int from_x, int from_y, int to_x, int to_y);
  splat::Image8 picture() const { return display_.picture(); }
  // Waits for the screen to differ from `before` by more than this many levels on average.
  bool wait_for_change(const splat::Image8& before, double levels, double seconds = 20);
  void crash_display() { display_.crash(); }
  pid_t process() const { return process_; }
  int wait_for_end(double seconds = 60);  // exit code; -1: it did not end
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  splat::test::TempFolder folder_;
  VirtualDisplay display_;
  bool xdotool_ = false;
  pid_t process_ = -1;
  int code_ = -1;
};

// What window.json may hold: the usual layout of panels, with the left column so wide, and these panels in it or
// floating, in the words of Dear ImGui.
std::string settings_with_layout(int left_px, const std::string& panels = "[Window][###left]\nDockId=0x00000001\n\n");

// A program to its end with this environment beside the present one; what it wrote to stderr comes in `said`.
int run_program(const std::vector<std::string>& words,
                const std::vector<std::pair<std::string, std::string>>& environment, std::string* said = nullptr);

double process_cpu_seconds(pid_t process);  // of the processor, so far; 0: it has ended

double mean_difference(const splat::Image8& a, const splat::Image8& b);  // of 0..255; of the same size
size_t distinct_colours(const splat::Image8& image, int x, int y, int width, int height);  // in steps of 8 levels

}  // namespace test

#define SKIP_WITHOUT_DISPLAY(run) \
  if (!(run).can_run()) GTEST_SKIP() << "there is no Xvfb or no xdotool here"
