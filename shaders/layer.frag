#version 330 core
// A picture that does not cover all of the target, laid over it; its colours are premultiplied.

in vec2 uv;

uniform sampler2D picture;
uniform float weight;  // [0,1] how much of it is blended over what is there

out vec4 premultiplied;

void main() { premultiplied = texture(picture, uv) * weight; }
