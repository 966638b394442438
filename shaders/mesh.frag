#version 330 core
// The surface of a mesh: its own colours as they are, or lit from the camera so that its form shows.

in vec3 at;
in vec3 facing;
in vec2 uv;
in vec4 colour;

uniform sampler2D picture;
uniform int paint;  // 0: texture, 1: colours of vertices, 2: lit, 3: dark below lines, 4: lines

out vec4 painted;

const vec3 kClay = vec3(0.80, 0.79, 0.76);
const vec3 kBack = vec3(0.52, 0.30, 0.26);  // seen from inside
const vec3 kBelowLines = vec3(0.13, 0.14, 0.16);
const vec3 kLines = vec3(0.62, 0.76, 0.92);

void main() {
  float lit = dot(normalize(facing), normalize(-at));
  float light = 0.25 + 0.75 * abs(lit);
  vec3 rgb = paint == 0   ? texture(picture, uv).rgb
             : paint == 1 ? colour.rgb
             : paint == 2 ? (lit < 0.0 ? kBack : kClay) * light
             : paint == 3 ? kBelowLines
                          : kLines * light;
  painted = vec4(rgb, 1.0);
}
