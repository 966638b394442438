#version 330 core
// The colour of a line or point, made premultiplied.

in vec4 colour;  // not premultiplied

uniform float fade;  // [0,1] multiplies alpha

out vec4 premultiplied;

void main() {
  float alpha = colour.a * fade;
  premultiplied = vec4(colour.rgb * alpha, alpha);
}
