// The sources of the viewer in web/, and the licence, embedded when building (cmake/embed_texts.cmake).
#pragma once

#include <string_view>

namespace io {

std::string_view web_source(std::string_view name);  // "worker.js"; empty: no file of that name

}  // namespace io
