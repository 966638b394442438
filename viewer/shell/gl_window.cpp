#include "viewer/shell/gl_window.h"

#include <glad/gl.h>
// GLFW after glad, which brings the OpenGL header.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "splat/core/log.h"
#include "splat/core/system.h"
#include "viewer/widgets/logo.h"

namespace viewer {
namespace {

constexpr const char* kHeadlessHint = "; headless work needs none: see --help";

std::string last_glfw_sentence() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason was given";
}

splat::Error no_display() {
  const bool named = splat::environment("DISPLAY") || splat::environment("WAYLAND_DISPLAY");
  const std::string why =
      named ? "the display that DISPLAY or WAYLAND_DISPLAY names cannot be opened (" + last_glfw_sentence() + ")"
            : "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)";
  return {"the window cannot be opened: " + why + kHeadlessHint};
}

splat::Error no_opengl(const std::string& why) {
  return {"the window cannot be opened: it needs OpenGL 3.3 (" + why +
          "); install the graphics driver, or libgl1-mesa-dri to draw in software" + kHeadlessHint};
}

void GLAD_API_PTR on_message(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text, const void* counter) {
  if (type != GL_DEBUG_TYPE_ERROR && type != GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) return;
  ++*static_cast<int*>(const_cast<void*>(counter));
  splat::log::warning(std::string("OpenGL: ") + text);
}

bool is_software(std::string_view renderer) {
  for (const char* name : {"llvmpipe", "softpipe", "SWR", "Software Rasterizer", "lavapipe"})
    if (renderer.find(name) != std::string_view::npos) return true;
  return false;
}

std::string gl_string(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text ? reinterpret_cast<const char*>(text) : "unknown";
}

void set_hints(const GlWindowOptions& options) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug);
  glfwWindowHint(GLFW_VISIBLE, options.visible);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "hipsplat");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "hipsplat");
}

// As large as this, or as the screen has room: where no window manager makes a window smaller, its right side is cut.
std::array<int, 2> fitting(int width, int height) {
  int x = 0, y = 0, room_x = 0, room_y = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(monitor, &x, &y, &room_x, &room_y);
  return {room_x > 0 ? std::min(width, room_x) : width, room_y > 0 ? std::min(height, room_y) : height};
}

// For the desktop's list of windows; Wayland takes it from the menu entry.
void set_icon(GLFWwindow* window) {
  std::vector<std::vector<uint8_t>> pixels;
  std::vector<GLFWimage> images;
  for (const int side : {16, 32, 48, 128}) {
    pixels.push_back(logo_pixels(side));
    images.push_back({side, side, pixels.back().data()});
  }
  glfwSetWindowIcon(window, int(images.size()), images.data());
}

}  // namespace

splat::Result<std::unique_ptr<GlWindow>> GlWindow::open(const GlWindowOptions& options) {
  glfwSetErrorCallback(nullptr);
#ifdef GLFW_PLATFORM  // GLFW 3.4, which tries Wayland even where nothing names it; Wayland's library then complains
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  glfwInitHint(GLFW_PLATFORM, wayland && *wayland ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
#endif
  if (!glfwInit()) return no_display();
  std::unique_ptr<GlWindow> window(new GlWindow);
  set_hints(options);
  const auto [width, height] =
      options.fits ? fitting(options.width, options.height) : std::array<int, 2>{options.width, options.height};
  window->window_ = glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
  if (!window->window_) return no_opengl(last_glfw_sentence());
  if (options.visible) set_icon(window->window_);
  glfwMakeContextCurrent(window->window_);
  if (!gladLoadGL(glfwGetProcAddress)) return no_opengl("its functions cannot be loaded");
  glfwSwapInterval(1);
  window->renderer_ = gl_string(GL_RENDERER);
  window->version_ = gl_string(GL_VERSION);
  window->software_ = is_software(window->renderer_);
  if (options.debug && GLAD_GL_KHR_debug) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, &window->problems_);
  }
  return window;
}

GlWindow::~GlWindow() {
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlWindow::toggle_full_screen() {
  if (windowed_.width > 0) {
    glfwSetWindowMonitor(window_, nullptr, int(windowed_.x), int(windowed_.y), int(windowed_.width),
                         int(windowed_.height), GLFW_DONT_CARE);
    windowed_ = {};
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &width, &height);
  windowed_ = {float(x), float(y), float(width), float(height)};
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace viewer
