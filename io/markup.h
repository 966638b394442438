// Text and files within HTML.
#pragma once

#include <string>
#include <string_view>

namespace io {

std::string html_escaped(std::string_view text);
std::string base64(std::string_view bytes);  // RFC 4648, padded

}  // namespace io
