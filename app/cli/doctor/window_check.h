// Can the window open here, and with which OpenGL?
#pragma once

#include "app/jobs/host/check.h"

namespace app {

// Opens a hidden window for a moment. A machine without a display is in order: the headless commands need none.
Check window_check();

}  // namespace app
