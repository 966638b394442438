// Pictures of splats from where cameras are (render).
#pragma once

#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

struct DrawnPictures {
  std::string drawn_by;  // the backend
  size_t splats = 0;
  std::vector<std::string> written;  // PNG files
};

// Every picture that is written is whole, wherever it ends.
Outcome draw_pictures(const RenderTask& task, Monitor& monitor, DrawnPictures& pictures);

}  // namespace app
