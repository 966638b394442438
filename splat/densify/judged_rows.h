// A step of density control as one decision about all rows (backend/row_rules.h): made by the backend where the rows
// are, else here, on rows that are downloaded, over groups of them (row_parts.h). Both name the same rows.
#pragma once

#include "splat/backend/backend.h"
#include "splat/backend/row_rules.h"
#include "splat/densify/strategy.h"

namespace splat {

// Rows outside of the scene's region are not cut. Nothing changes but that a picture may have to be drawn anew.
RowVerdicts judged_rows(Backend& backend, const RowRules& rules, const StrategyScene& scene);

// The same without the backend's help. Cost: one download of ellipsoids and statistics.
RowVerdicts judged_rows_here(Backend& backend, const RowRules& rules, const StrategyScene& scene);

}  // namespace splat
