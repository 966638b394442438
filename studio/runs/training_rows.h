// What stands around the start of a run, beside what is expected of it: rows of the current window.
#pragma once

#include <optional>
#include <string>

#include "studio/runs/messages.h"
#include "studio/window/workspace.h"

namespace studio {

void draw_dataset_line(Workspace& work);  // "Ready: 48 photos, 5 437 points", and a button for the rest
void draw_refused(Workspace& work);       // why a run cannot start, where it cannot
void draw_presets(Workspace& work);
void draw_output_row(Workspace& work);  // the folder of the results
// Where the memory of this machine keeps a run from what the photos determine.
void offer_blocks(Workspace& work, const std::optional<RunPrediction>& prediction);

}  // namespace studio
