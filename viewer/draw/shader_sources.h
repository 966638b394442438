// The sources in shaders/, embedded when building (cmake/embed_texts.cmake).
#pragma once

#include <string_view>

namespace viewer {

std::string_view shader_source(std::string_view name);  // "splats.vert"; empty: no shader of that name

}  // namespace viewer
