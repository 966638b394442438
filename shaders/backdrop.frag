#version 330 core
// What is behind the splats, where a gradient is chosen.

in vec2 uv;  // (0, 0): the picture's left top

uniform vec3 above, below;

out vec4 premultiplied;

void main() { premultiplied = vec4(mix(above, below, uv.y), 1.0); }
