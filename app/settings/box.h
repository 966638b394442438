// Boxes on the command line: --crop-box and --region.
#pragma once

#include <string>

#include "app/settings/row.h"
#include "splat/model/box.h"

namespace app {

inline constexpr const char* kBoxValue = "X,Y,Z,X,Y,Z|JSON";

// Two opposite corners, "x,y,z,x,y,z"; with a quaternion after them, "...,w,x,y,z", turned about its middle; or a file
// that the window has saved (io/box_file.h). `option`: how an error calls it.
splat::Result<splat::Box> parse_box(const std::string& option, const std::string& text);
std::string text_of(const splat::Box& box);  // as it is parsed, to the last bit

// An empty box: none was given.
OptionRow box_row(OptionRow row, splat::Box* target);

}  // namespace app
