#version 330 core
// What one splat adds to one pixel. Twin of splat/math/gaussian_weight.h and blend.h: premultiplied colour, drawn from
// far to near with (one, one minus alpha) it gives the same sum.

in vec2 sigmas;
flat in vec3 colour;
flat in float opacity;
flat in float reach;

uniform int mode;         // 0 splats, 1 centres, 2 rings, 3 depth
uniform float centre_px;  // radius of a centre

out vec4 premultiplied;

const float kAlphaMin = 1.0 / 255.0;
const float kAlphaMax = 0.99;
const float kRingWidth = 0.06;     // of the radius
const float kRingAlpha = 0.85;
const float kInsideRing = 0.12;    // of the splat's own alpha

void main() {
  float distance = length(sigmas);
  float alpha;
  if (mode == 1) {
    alpha = clamp(centre_px + 0.5 - distance, 0.0, 1.0);
  } else {
    alpha = min(opacity * exp(-0.5 * distance * distance), kAlphaMax);
    if (!(alpha >= kAlphaMin)) discard;
    if (mode == 2) alpha = distance > reach * (1.0 - kRingWidth) ? kRingAlpha * opacity : alpha * kInsideRing;
  }
  premultiplied = vec4(colour * alpha, alpha);
}
