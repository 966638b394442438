// Fields for settings, drawn from the rows that the command line has of them (app/settings/row.h): the label, a control
// for the kind of value, and what the row's help says as the tip.
#pragma once

#include <span>

#include "app/settings/row.h"
#include "studio/names.h"

namespace studio {

// In the current window, a row below the other. The rows are bound to the record that is changed; one without a label
// is left out.
void draw_form(std::span<const OptionRow> rows);

}  // namespace studio
