// The programs that find the cameras of photos and read videos: installed, and in which version?
#pragma once

#include "app/jobs/host/check.h"

namespace app {

Checks align_checks();

}  // namespace app
