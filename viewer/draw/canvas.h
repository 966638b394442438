// An 8-bit picture to draw into, shown as a texture; row 0 is the picture's top row.
#pragma once

#include <array>

#include "splat/model/image.h"
#include "viewer/draw/gl_objects.h"

namespace viewer {

class Canvas {
 public:
  void begin(int width, int height, const std::array<float, 3>& background);  // px; binds and clears it
  void end();                                                                 // binds the window's framebuffer again
  GLuint texture() { return texture_.get(); }
  int width() const { return width_; }
  int height() const { return height_; }
  splat::Image8 read();  // RGB

 private:
  GlFramebuffer framebuffer_;
  GlTexture texture_;
  int width_ = 0, height_ = 0;  // px
};

// A picture of the engine's, a photo or a thumbnail on the GPU.
class PictureTexture {
 public:
  void set(int width, int height, int channels, const uint8_t* pixels);  // [H,W,channels], 3 or 4
  void set(const splat::Image8& picture) {
    set(picture.width, picture.height, picture.channels, picture.pixels.data());
  }
  bool empty() const { return width_ == 0; }
  GLuint texture() { return texture_.get(); }
  int width() const { return width_; }
  int height() const { return height_; }
  void clear();

 private:
  GlTexture texture_;
  int width_ = 0, height_ = 0, channels_ = 0;
};

}  // namespace viewer
