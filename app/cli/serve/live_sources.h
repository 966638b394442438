// What a served page has beside the viewer of web/: the sources in web/live, embedded when building.
#pragma once

#include <string_view>

namespace app {

std::string_view live_source(std::string_view name);  // "live.js"; empty: no file of that name

}  // namespace app
