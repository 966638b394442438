// A fragment shader over the whole viewport.
#pragma once

#include <string_view>

#include "viewer/draw/gl_objects.h"

namespace viewer {

class FullScreen {
 public:
  splat::Status build(std::string_view fragment) { return shader.build("fullscreen.vert", fragment); }
  void draw(bool blended) {  // premultiplied over what is there, or in its place; the shader is in use
    glBindVertexArray(nothing_.get());
    blended ? glEnable(GL_BLEND) : glDisable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
  }
  void draw_texture(GLuint texture, float weight, bool blended) {
    shader.use();
    shader.set("picture", 0);
    shader.set("weight", weight);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    draw(blended);
  }

  Shader shader;

 private:
  GlVertexArray nothing_;
};

}  // namespace viewer
