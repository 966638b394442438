// What hipsplat info says of photos and videos without cameras: what finding the cameras has to work with, and what it
// needs.
#pragma once

#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// Every photo is decoded once, at a fraction of its size; of a video its header is read by ffprobe, where that is
// there.
Outcome unaligned_info(const InfoTask& task);

}  // namespace app
