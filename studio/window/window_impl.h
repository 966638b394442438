// The implementation of studio/window/window.h, shared by its files.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "studio/window/frame_pace.h"
#include "studio/window/viewport.h"
#include "studio/window/window.h"
#include "studio/window/window_layout.h"
#include "studio/window/window_trace.h"
#include "studio/window/workspace.h"
#include "viewer/shell/gl_window.h"
#include "viewer/widgets/fonts.h"

struct GLFWwindow;

namespace studio {

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
  void on_cursor(double x, double y);
  void on_button(int button, int action, int modifiers);
  void on_wheel(double sideways, double notches);
  void on_key(int key, int scancode, int action, int modifiers);
  bool edit_by_mouse(const InputEvent& event);
  void offer_menu(const InputEvent& event);
  bool point_by_key(int key, bool repeated, Modifiers modifiers);
  bool shortcut(int key, int scancode, Modifiers modifiers);  // the window's own
  void on_drop(int count, const char** paths);
  void touched() { pace_.touched(); }  // called first by every callback
  InputEvent mouse_event(InputEvent::Kind kind, Modifiers modifiers) const;

  // window.cpp: the loop
  void frame();
  void toggle_full_screen();
  void follow_hidden_panels();
  void apply_appearance();
  void draw_scene();
  void present();
  void note_frame_time();
  void name_window();
  void note_window_size();
  void close_if_interrupted();
  [[noreturn]] void leave_without_display();
  bool screenshot_due() const;
  void save_window_picture(bool covered);

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

  FramePace pace_{work_, viewport_, options_.screenshot};
  int frames_ = 0;
  double frame_ms_ = 0;
  double mouse_x_ = 0, mouse_y_ = 0;  // ImGui units
  double press_x_ = 0, press_y_ = 0, last_press_ = -1;
  bool pressed_left_ = false, pressed_right_ = false;
  bool alt_alone_ = false;    // it is held, and nothing has come with it: let go, it opens the menus
  int uncovered_frames_ = 0;  // while saving the whole window is pending
  bool resized_ = false;
  bool were_hidden_ = false, hidden_before_ = false;  // panels: in the frame before; when the window filled the screen
  std::string title_;
};

}  // namespace studio
