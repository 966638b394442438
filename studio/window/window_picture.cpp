#include "studio/window/window_picture.h"

#include <glad/gl.h>
// GLFW after glad.
#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cstddef>

#include "viewer/draw/canvas.h"

namespace studio {

splat::Image8 window_picture(GLFWwindow* window) {
  Canvas canvas;
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  canvas.begin(width, height, {0, 0, 0});
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  canvas.end();
  splat::Image8 image = canvas.read();
  const size_t row = size_t(width) * 3;  // OpenGL's window has its first row at the bottom
  for (size_t y = 0; y < size_t(height) / 2; ++y)
    std::swap_ranges(image.pixels.begin() + ptrdiff_t(y * row), image.pixels.begin() + ptrdiff_t((y + 1) * row),
                     image.pixels.end() - ptrdiff_t((y + 1) * row));
  return image;
}

}  // namespace studio
