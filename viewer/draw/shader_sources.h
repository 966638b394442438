// The texts of shaders/, put into the program when it is built (cmake/embed_shaders.cmake).
#pragma once

#include <string_view>

namespace viewer {

std::string_view shader_source(std::string_view name);  // "splats.vert"; empty: there is none of that name

}  // namespace viewer
