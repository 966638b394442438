#version 330 core
// The vertices of a mesh; twin of the pinhole in splat/math/project.h.

layout(location = 0) in vec3 position;  // world
layout(location = 1) in vec3 normal;    // unit, world
layout(location = 2) in vec2 place;     // in the texture
layout(location = 3) in vec4 rgba;

uniform mat3 rotation;     // cam_from_world
uniform vec3 translation;  // cam_from_world
uniform vec2 focal_px;
uniform vec2 principal_px;
uniform vec2 size_px;
uniform float near_plane;  // depth: what is nearer is not drawn

out vec3 at;      // of the camera's frame
out vec3 facing;  // the normal there
out vec2 uv;
out vec4 colour;

void main() {
  at = rotation * position + translation;
  facing = rotation * normal;
  uv = place;
  colour = rgba;
  vec2 ndc_times_z = 2.0 * (focal_px * at.xy + principal_px * at.z) / size_px - at.z;
  gl_Position = vec4(ndc_times_z, at.z - 2.0 * near_plane, at.z);  // clipped at the near plane
}
