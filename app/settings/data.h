// What the photos are and how they are read: the rows of the option table under "Data".
#pragma once

#include <vector>

#include "app/settings/options.h"

namespace app {

void add_data_rows(std::vector<OptionRow>& rows, Options& options);

}  // namespace app
