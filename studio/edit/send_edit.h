// Requests of the edit mode to the application.
#pragma once

#include <optional>

#include "studio/window/workspace.h"

namespace studio {

void send_edit(Workspace& work, EditRequest request);  // with what every request asks for
// What requests are to bring a histogram of; none: it is folded.
std::optional<splat::edit::RowMeasure> histogram_measure(const Workspace& work);

}  // namespace studio
