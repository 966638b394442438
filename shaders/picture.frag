#version 330 core
// A picture (the engine's, or a photo) stretched over the target.

in vec2 uv;

uniform sampler2D picture;
uniform float weight;  // [0,1] how much of it is blended over what is there

out vec4 premultiplied;

void main() { premultiplied = vec4(texture(picture, uv).rgb, 1.0) * weight; }
