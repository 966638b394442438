#include "viewer/draw/gl_objects.h"

#include <string>

#include "viewer/draw/shader_sources.h"

namespace viewer {

GLuint BufferKind::make() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return name;
}
void BufferKind::destroy(GLuint name) { glDeleteBuffers(1, &name); }
GLuint TextureKind::make() {
  GLuint name = 0;
  glGenTextures(1, &name);
  return name;
}
void TextureKind::destroy(GLuint name) { glDeleteTextures(1, &name); }
GLuint VertexArrayKind::make() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return name;
}
void VertexArrayKind::destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
GLuint FramebufferKind::make() {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  return name;
}
void FramebufferKind::destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
GLuint ProgramKind::make() { return glCreateProgram(); }
void ProgramKind::destroy(GLuint name) { glDeleteProgram(name); }

namespace {

constexpr GLsizei kLogBytes = 2000;

splat::Status attach_stage(GLuint program, GLenum stage, std::string_view name) {
  const std::string_view source = shader_source(name);
  SPLAT_CHECK(!source.empty());
  const GLuint shader = glCreateShader(stage);
  const char* text = source.data();
  const GLint length = GLint(source.size());
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  std::string said(kLogBytes, '\0');
  GLsizei written = 0;
  glGetShaderInfoLog(shader, kLogBytes, &written, said.data());
  said.resize(size_t(written));
  glAttachShader(program, shader);
  glDeleteShader(shader);  // lives on in the program
  if (good) return {};
  return splat::Error{"the OpenGL driver refuses the shader " + std::string(name) + ": " + said};
}

}  // namespace

splat::Status Shader::build(std::string_view vertex, std::string_view fragment) {
  SPLAT_TRY(attach_stage(program_.get(), GL_VERTEX_SHADER, vertex));
  SPLAT_TRY(attach_stage(program_.get(), GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program_.get());
  GLint good = 0;
  glGetProgramiv(program_.get(), GL_LINK_STATUS, &good);
  if (good) return {};
  std::string said(kLogBytes, '\0');
  GLsizei written = 0;
  glGetProgramInfoLog(program_.get(), kLogBytes, &written, said.data());
  said.resize(size_t(written));
  return splat::Error{"the OpenGL driver cannot link the shaders " + std::string(vertex) + " and " +
                      std::string(fragment) + ": " + said};
}

void Shader::use() { glUseProgram(program_.get()); }
GLint Shader::location(const char* name) { return glGetUniformLocation(program_.get(), name); }
void Shader::set(const char* name, int value) { glUniform1i(location(name), value); }
void Shader::set(const char* name, float value) { glUniform1f(location(name), value); }
void Shader::set(const char* name, float x, float y) { glUniform2f(location(name), x, y); }
void Shader::set(const char* name, float x, float y, float z) { glUniform3f(location(name), x, y, z); }
void Shader::set(const char* name, float x, float y, float z, float w) { glUniform4f(location(name), x, y, z, w); }
void Shader::set_matrix3(const char* name, const float* row_major) {
  glUniformMatrix3fv(location(name), 1, GL_TRUE, row_major);
}

void TexelBuffer::allocate(size_t bytes, GLenum format) {
  bytes_ = bytes;
  glBindBuffer(GL_TEXTURE_BUFFER, buffer_.get());
  glBufferData(GL_TEXTURE_BUFFER, GLsizeiptr(bytes), nullptr, GL_STATIC_DRAW);
  glBindTexture(GL_TEXTURE_BUFFER, texture_.get());
  glTexBuffer(GL_TEXTURE_BUFFER, format, buffer_.get());
}

void TexelBuffer::grow(size_t bytes, GLenum format) {
  if (bytes <= bytes_) return;
  TexelBuffer larger;
  larger.allocate(bytes, format);
  if (bytes_ > 0) {
    glBindBuffer(GL_COPY_READ_BUFFER, buffer_.get());
    glBindBuffer(GL_COPY_WRITE_BUFFER, larger.buffer_.get());
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, GLsizeiptr(bytes_));
  }
  std::swap(*this, larger);
}

void TexelBuffer::write(size_t offset, std::span<const std::byte> bytes) {
  SPLAT_CHECK(offset + bytes.size() <= bytes_);
  glBindBuffer(GL_TEXTURE_BUFFER, buffer_.get());
  glBufferSubData(GL_TEXTURE_BUFFER, GLintptr(offset), GLsizeiptr(bytes.size()), bytes.data());
}

void TexelBuffer::bind(int unit) {
  glActiveTexture(GLenum(GL_TEXTURE0 + unit));
  glBindTexture(GL_TEXTURE_BUFFER, texture_.get());
}

void TexelBuffer::reset() {
  texture_.reset();
  buffer_.reset();
  bytes_ = 0;
}

size_t max_texels() {
  GLint texels = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
  return size_t(texels);
}

}  // namespace viewer
