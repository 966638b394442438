#include "viewer/draw/canvas.h"

namespace viewer {
namespace {

void set_filter(GLint filter) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

void Canvas::begin(int width, int height, const std::array<float, 3>& background) {
  if (width != width_ || height != height_) {
    width_ = width, height_ = height;
    glBindTexture(GL_TEXTURE_2D, texture_.get());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    set_filter(GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.get(), 0);
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(background[0], background[1], background[2], 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Canvas::end() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

splat::Image8 Canvas::read() {
  splat::Image8 image{width_, height_, 3, {}};
  image.pixels.resize(size_t(width_) * size_t(height_) * 3);
  if (width_ == 0) return image;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return image;
}

void PictureTexture::set(int width, int height, int channels, const uint8_t* pixels) {
  SPLAT_CHECK(channels == 3 || channels == 4);
  const GLenum format = channels == 3 ? GL_RGB : GL_RGBA;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  if (width == width_ && height == height_ && channels == channels_) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format, GL_UNSIGNED_BYTE, pixels);
    return;
  }
  width_ = width, height_ = height, channels_ = channels;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, format, GL_UNSIGNED_BYTE, pixels);
  set_filter(GL_LINEAR);
}

void PictureTexture::clear() {
  texture_.reset();
  width_ = height_ = channels_ = 0;
}

}  // namespace viewer
