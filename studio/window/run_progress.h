// How far a run is, in one line: the same words in its panel and in the status bar. And how fast the picture is drawn,
// which the status bar says beside it.
#pragma once

#include <string>

#include "studio/documents/run_state.h"

namespace studio {

float run_share(const TrainingState& run);  // of its iterations that are done, [0,1]
// "63 %   2:40 left   28.91 dB   40 026 splats": what is known of it. Empty: no run is in progress.
std::string progress_line(const TrainingState& run);
// "28 fps, preview 1/4", of a picture that takes this long and has 1/divisor of its width; at rest it has no rate.
std::string speed_text(double milliseconds, int divisor, bool moves);
std::string clock_text(double seconds);  // "2:40", "1:02:40"

}  // namespace studio
