#include "app/cli/doctor/window_check.h"

#if defined(HIPSPLAT_WINDOW)

#include "splat/core/system.h"
#include "viewer/shell/gl_window.h"
#endif

namespace app {

Check window_check() {
#if defined(HIPSPLAT_WINDOW)
  if (!splat::environment("DISPLAY") && !splat::environment("WAYLAND_DISPLAY"))
    return {"opengl", true, "there is no display here; the headless commands need none", ""};
  viewer::GlWindowOptions options;
  options.width = options.height = 64;
  options.visible = false;
  const auto window = viewer::GlWindow::open(options);
  const std::string cure = "install or update the graphics driver (Debian and Ubuntu: libgl1-mesa-dri)";
  if (!window) return {"opengl", false, window.error().message, cure};
  const viewer::GlWindow& opened = **window;
  return {"opengl", !opened.software(),
          opened.version() + ", " + opened.renderer() + (opened.software() ? ": drawn by the processor, slowly" : ""),
          cure};
#else
  return {"opengl", true, "this hipsplat was built without its window", ""};
#endif
}

}  // namespace app
