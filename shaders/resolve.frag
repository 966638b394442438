#version 330 core
// From what the splats added up to, to the picture that is shown.

in vec2 uv;

uniform sampler2D sums;    // premultiplied colour and alpha; for depth: depth times alpha and alpha
uniform int mode;          // 0 colour, 1 depth, 2 accumulated opacity
uniform vec2 depth_range;  // nearest and farthest shown, world units

out vec4 premultiplied;

const vec3 kRamp[6] = vec3[](vec3(0.99, 0.95, 0.70), vec3(0.99, 0.68, 0.38), vec3(0.89, 0.35, 0.40),
                             vec3(0.57, 0.20, 0.49), vec3(0.26, 0.12, 0.43), vec3(0.06, 0.05, 0.15));  // near to far

vec3 ramp(float t) {
  float place = clamp(t, 0.0, 1.0) * 5.0;
  int below = min(int(place), 4);
  return mix(kRamp[below], kRamp[below + 1], place - float(below));
}

void main() {
  vec4 sum = texelFetch(sums, ivec2(gl_FragCoord.xy), 0);
  float alpha = clamp(sum.a, 0.0, 1.0);
  if (mode == 0) {
    premultiplied = vec4(sum.rgb, alpha);
  } else if (mode == 1) {
    float depth = sum.a > 0.0 ? sum.r / sum.a : depth_range.y;
    float t = log(depth / depth_range.x) / log(depth_range.y / depth_range.x);
    premultiplied = vec4(ramp(t), 1.0) * smoothstep(0.0, 0.3, alpha);
  } else {
    premultiplied = vec4(vec3(alpha), 1.0);
  }
}
