// What joins the window's thread and the application's threads; outlives both.
#pragma once

#include <optional>

#include "studio/names.h"
#include "viewer/bus.h"
#include "viewer/live/engine_image.h"
#include "viewer/mailbox.h"

namespace studio {

struct Bridge {
  Bus requests;                                // window -> application
  Bus reports;                                 // application -> window
  Mailbox<std::optional<RenderRequest>> view;  // what the engine is to draw from now on; nullopt: nothing
};

}  // namespace studio
