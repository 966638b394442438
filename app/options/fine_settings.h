// One line of help for each setting of training that has no row of its own in the option table.
#pragma once

#include <string_view>

namespace app {

// `name` as in --config files, "densify_until"; empty for a name that is not here (a test sees to it that none lacks).
std::string_view help_of_fine_setting(std::string_view name);

}  // namespace app
