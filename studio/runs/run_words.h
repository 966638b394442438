// What is said of a run that was made before: the same words in its panel, in the list of runs and among what was
// opened lately.
#pragma once

#include <array>
#include <string>

#include "studio/runs/messages.h"
#include "viewer/widgets/theme.h"

namespace studio {

std::string state_text(const PastRun& run);   // "stopped at 953 of 2 000"
std::string short_state(const PastRun& run);  // "stopped at 47 %": below a small picture; empty: done
const std::array<float, 4>& state_colour(const Appearance& look, const PastRun& run);
std::string differences_text(const PastRun& run);  // "Seed 3, SH degree 2"; empty: none
std::string date_text(int64_t seconds);            // since 1970 -> "2026-11-27 05:40", here

}  // namespace studio
