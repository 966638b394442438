// One line of help for each setting of training that has no row of its own in the option table.
#pragma once

#include <string_view>

namespace app {

// `name` as in --config files, "densify_until"; empty for an unknown name (a test checks that none is missing).
std::string_view help_of_fine_setting(std::string_view name);

}  // namespace app
