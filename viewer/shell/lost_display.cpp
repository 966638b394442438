#include "viewer/shell/lost_display.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>

namespace viewer {
namespace {

// Symbols of Xlib, libwayland-client and the linked GLFW, which may use either or both; found at run time.
using ErrorHandler = int (*)(void* display);
using ExitHandler = void (*)(void* display, void* data);
using SetErrorHandler = ErrorHandler (*)(ErrorHandler);
using SetExitHandler = void (*)(void* display, ExitHandler, void* data);  // since Xlib 1.7
using GetDisplay = void* (*)();
using GetError = int (*)(void* display);

template <class Function>
Function function_of(const char* library, const char* name) {
  void* const handle = library ? ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : RTLD_DEFAULT;
  if (library && !handle) return nullptr;
  void* const found = ::dlsym(handle, name);
  if (library) ::dlclose(handle);  // whoever has loaded it keeps it
  return reinterpret_cast<Function>(found);
}

template <class Function>
Function xlib(const char* name) {
  return function_of<Function>("libX11.so.6", name);
}

void* display_of(const char* getter) {
  const auto get = function_of<GetDisplay>(nullptr, getter);
  return get ? get() : nullptr;
}

// Xlib's handlers carry no data of ours that could outlive the window.
std::atomic<bool> g_lost{false};
std::function<void()> g_rescue;
std::thread::id g_window_thread;
ErrorHandler g_error_before = nullptr;

[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

void rescue_once() {
  if (!g_lost.exchange(true)) std::thread([] { g_rescue(); }).detach();
}

int on_error(void*) { return 0; }  // what Xlib would write to stderr, rescue() says better

// On the thread that found out: one that only wanted to wake the window goes on, since it may be the one that saves.
void on_exit(void*, void*) {
  rescue_once();
  if (std::this_thread::get_id() == g_window_thread) wait_for_the_end();
}

}  // namespace

LostDisplay::LostDisplay(std::function<void()> rescue) {
  g_rescue = std::move(rescue);
  g_window_thread = std::this_thread::get_id();
  void* const display = display_of("glfwGetX11Display");
  const auto set_exit = xlib<SetExitHandler>("XSetIOErrorExitHandler");
  const auto set_error = xlib<SetErrorHandler>("XSetIOErrorHandler");
  if (!display || !set_exit || !set_error) return;
  g_error_before = set_error(on_error);
  set_exit(display, on_exit, nullptr);
}

LostDisplay::~LostDisplay() {
  if (lost()) wait_for_the_end();  // another thread found out, and the process is about to end
  if (!g_error_before) return;
  xlib<SetErrorHandler>("XSetIOErrorHandler")(std::exchange(g_error_before, nullptr));
  xlib<SetExitHandler>("XSetIOErrorExitHandler")(display_of("glfwGetX11Display"), nullptr, nullptr);  // its own again
}

bool LostDisplay::lost() { return g_lost; }

void LostDisplay::check() {
  if (!lost()) {
    void* const display = display_of("glfwGetWaylandDisplay");
    const auto error_of = function_of<GetError>("libwayland-client.so.0", "wl_display_get_error");
    if (!display || !error_of || error_of(display) == 0) return;
    rescue_once();
  }
  wait_for_the_end();
}

}  // namespace viewer
