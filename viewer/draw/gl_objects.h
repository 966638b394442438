// OpenGL objects that delete themselves; move-only. Their context must be current. Names are made when first used, so
// that an empty object costs nothing.
#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "splat/core/result.h"

namespace viewer {

template <class Kind>
class GlObject {
 public:
  GlObject() = default;
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() { reset(); }

  GLuint get() {
    if (!name_) name_ = Kind::make();
    return name_;
  }
  bool empty() const { return name_ == 0; }
  void reset() {
    if (name_) Kind::destroy(std::exchange(name_, 0));
  }

 private:
  GLuint name_ = 0;
};

struct BufferKind {
  static GLuint make();
  static void destroy(GLuint name);
};
struct TextureKind {
  static GLuint make();
  static void destroy(GLuint name);
};
struct VertexArrayKind {
  static GLuint make();
  static void destroy(GLuint name);
};
struct FramebufferKind {
  static GLuint make();
  static void destroy(GLuint name);
};
struct ProgramKind {
  static GLuint make();
  static void destroy(GLuint name);
};
using GlBuffer = GlObject<BufferKind>;
using GlTexture = GlObject<TextureKind>;
using GlVertexArray = GlObject<VertexArrayKind>;
using GlFramebuffer = GlObject<FramebufferKind>;

// A linked vertex and fragment shader of shaders/.
class Shader {
 public:
  splat::Status build(std::string_view vertex, std::string_view fragment);  // names of files in shaders/
  void use();
  void set(const char* name, int value);
  void set(const char* name, float value);
  void set(const char* name, float x, float y);
  void set(const char* name, float x, float y, float z);
  void set(const char* name, float x, float y, float z, float w);
  void set_matrix3(const char* name, const float* row_major);  // [3,3]

 private:
  GLint location(const char* name);
  GlObject<ProgramKind> program_;
};

// A buffer that shaders read by texelFetch().
class TexelBuffer {
 public:
  void allocate(size_t bytes, GLenum format);  // contents undefined
  void grow(size_t bytes, GLenum format);      // what was written stays
  void write(size_t offset, std::span<const std::byte> bytes);
  void bind(int unit);
  size_t bytes() const { return bytes_; }
  void reset();

 private:
  GlBuffer buffer_;
  GlTexture texture_;
  size_t bytes_ = 0;
};

size_t max_texels();  // of a TexelBuffer

}  // namespace viewer
