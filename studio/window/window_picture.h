// A picture of the whole window, as the frame that ImGui rendered last shows it.
#pragma once

#include "splat/model/image.h"
#include "studio/names.h"

struct GLFWwindow;

namespace studio {

splat::Image8 window_picture(GLFWwindow* window);  // RGB, of the size of its framebuffer

}  // namespace studio
