#version 330 core
// Points and ends of lines in the world; twin of the pinhole in splat/math/project.h. Depth is kept for clipping only.

layout(location = 0) in vec3 position;  // world
layout(location = 1) in vec4 rgba;

uniform mat3 rotation;     // cam_from_world
uniform vec3 translation;  // cam_from_world
uniform vec2 focal_px;
uniform vec2 principal_px;
uniform vec2 size_px;
uniform float point_px;  // diameter
uniform float nearest = 0.01;  // depth: what is nearer is not drawn

out vec4 colour;

void main() {
  vec3 p = rotation * position + translation;
  vec2 ndc_times_z = 2.0 * (focal_px * p.xy + principal_px * p.z) / size_px - p.z;
  gl_Position = vec4(ndc_times_z, p.z - 2.0 * nearest, p.z);  // clipped where z/w < -1
  gl_PointSize = point_px;
  colour = rgba;
}
