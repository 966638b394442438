// The implementation of studio/window/window.h, shared by its files.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "studio/window/viewport.h"
#include "studio/window/window.h"
#include "studio/window/window_layout.h"
#include "studio/window/window_trace.h"
#include "studio/window/workspace.h"
#include "viewer/shell/area.h"
#include "viewer/shell/gamepad.h"
#include "viewer/shell/gl_window.h"
#include "viewer/widgets/fonts.h"

struct GLFWwindow;

namespace viewer {

class Window::Impl {
 public:
  Impl(const WindowOptions& options, Bridge& bridge, std::unique_ptr<GlWindow> window);
  ~Impl();

  splat::Status build();
  splat::Result<WindowResult> run();

 private:
  // window_input.cpp: GLFW's callbacks
  static Impl& of(GLFWwindow* window);
  void install_callbacks();
  void toggle_full_screen();
  void on_cursor(double x, double y);
  void on_button(int button, int action, int modifiers);
  void on_wheel(double sideways, double notches);
  void on_key(int key, int scancode, int action, int modifiers);
  bool edit_by_mouse(const InputEvent& event);
  void pick_for_tool(double x, double y);  // px of the scene
  bool point_by_key(int key, bool repeated, Modifiers modifiers);
  bool shortcut(int key, int scancode, Modifiers modifiers);  // the window's own
  void on_drop(int count, const char** paths);
  void touched();  // called first by every callback
  InputEvent mouse_event(InputEvent::Kind kind, Modifiers modifiers) const;

  // window.cpp: the loop
  void wait_for_something();
  double seconds_to_spare() const;  // how long the next frame can wait in favour of the run
  double seconds_to_picture() const;
  void frame();
  void follow_gamepad();
  void apply_appearance();
  void draw_scene();
  void draw_photo_frame();
  void present();
  void note_frame_time();
  void name_window();
  void note_window_size();
  void close_if_interrupted();
  [[noreturn]] void leave_without_display();
  bool screenshot_due() const;
  splat::Image8 take_screenshot();
  void save_window_picture(bool covered);

  static constexpr int kFramesAfterInput = 3;  // ImGui needs a moment to settle

  WindowOptions options_;
  std::unique_ptr<GlWindow> window_;
  Fonts fonts_;
  Workspace work_;
  Viewport viewport_;
  WindowResult result_;
  std::atomic<bool> saved_{false};  // Quit was answered

  WindowLayout layout_{work_};
  WindowTrace trace_{options_.trace, work_, viewport_, layout_};
  float pixels_per_unit_ = 1;  // framebuffer px per ImGui unit
  float applied_scale_ = 0;    // 0: none yet

  int frames_wanted_ = kFramesAfterInput, frames_ = 0;
  FrameClock clock_;
  Gamepad gamepad_;
  double last_frame_ = 0, frame_ms_ = 0;  // s, ms
  double touched_at_ = 0, busy_ms_ = 0;   // s, of the last frame
  double mouse_x_ = 0, mouse_y_ = 0;      // ImGui units
  int drags_ = 0;                         // buttons held that went down over the scene
  double press_x_ = 0, press_y_ = 0, last_press_ = -1;
  bool pressed_left_ = false;
  int uncovered_frames_ = 0;  // while saving the whole window is pending
  bool resized_ = false;
  Area windowed_;  // on the desktop, before it filled the screen; without a width: it does not
  std::string title_;
};

}  // namespace viewer
