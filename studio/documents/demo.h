// The demo dataset that comes with the program.
#pragma once

#include <filesystem>

namespace app {

std::filesystem::path demo_folder();  // empty: it is not there

}  // namespace app
