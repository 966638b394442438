// Targets of the program itself: the settings file of --config, what a path is taken for, and requests to --serve.
#pragma once

#include <string_view>

namespace io::fuzz {

void settings(std::string_view bytes);  // config.json
void http_request(std::string_view bytes);
void path_kind(std::string_view bytes);  // the first byte names a file or folder, the rest is what it holds

}  // namespace io::fuzz
