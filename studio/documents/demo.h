// The demo dataset that comes with the program.
#pragma once

#include <filesystem>

#include "studio/names.h"

namespace studio {

std::filesystem::path demo_folder();  // empty: it is not there

}  // namespace studio
