#version 300 es
// What one splat adds to one pixel: premultiplied colour. Twin of splat/math/gaussian_weight.h and blend.h.
precision highp float;

in vec2 sigmas;
flat in vec3 colour;
flat in float opacity;

out vec4 premultiplied;

void main() {
  float alpha = min(opacity * exp(-0.5 * dot(sigmas, sigmas)), 0.99);
  if (!(alpha >= 1.0 / 255.0)) alpha = 0.0;  // what blending leaves as it is; to discard costs more
  premultiplied = vec4(colour * alpha, alpha);
}
