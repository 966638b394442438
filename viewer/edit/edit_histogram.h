// The histogram of the edit mode: of one value of the splats, with what is selected in it; dragging over it selects.
#pragma once

#include <optional>

#include "viewer/workspace.h"

namespace viewer {

void draw_edit_histogram(Workspace& work);  // in the current window
// What requests are to bring a histogram of; none: it is folded.
std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work);

}  // namespace viewer
