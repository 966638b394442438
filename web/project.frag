#version 300 es
// One splat a fragment: where its ellipse lies in the picture and its colour, for all corners of its quad at once.
// Twin of splat/math (project.h, covariance.h, sh.h, constants.h), as shaders/splats.vert is. Frames and texels:
// worker.js. Pixels: y down.
precision highp float;
precision highp int;
precision highp usampler2D;

uniform usampler2D texel0, texel1, texel2, texel3, texel4;
uniform int shDegree;
uniform int splats;
uniform mat3 rotation;      // cam_from_world
uniform vec3 translation;   // cam_from_world
uniform vec3 centre;        // of the camera, world
uniform vec2 focalPx;
uniform vec2 principalPx;
uniform vec4 jacobianLimits;  // u min, u max, v min, v max of x/z and y/z
uniform float lowPass;     // px^2
uniform bool antialias;
uniform float enlarged;     // 1, but where splats are left out
uniform vec2 space;         // unit of stored sizes, near plane; world

layout(location = 0) out uvec4 place;  // centre in px, two floats | long half axis in px, two halves | short, opacity
layout(location = 1) out uvec2 paint;  // red, green, blue, 0: halves

const float kAlphaMin = 1.0 / 255.0;
const float kDeterminantMin = 1e-12;
const float kDeterminantMax = 1e36;
const float kMaxMeanPx = 1e7;
const float kSh0 = 0.28209479177387814;
const float kMostHalf = 6e4;

vec4 bytes(uint word) {
  return vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, word >> 24);
}

mat3 rotationOf(uint word) {  // columns are the splat's axes
  vec4 q = vec4(0.0);  // xyzw, as stored
  int largest = int(word >> 30);
  float squares = 0.0;
  for (int i = 3; i >= 0; --i) {
    if (i == largest) continue;
    float value = float(word & 511u) / 511.0 * 0.70710678;
    squares += value * value;
    q[i] = (word >> 9 & 1u) == 1u ? -value : value;
    word >>= 10;
  }
  q[largest] = sqrt(max(0.0, 1.0 - squares));
  q = normalize(q) * vec4(1.0, -1.0, -1.0, 1.0);
  float x = q.x, y = q.y, z = q.z, w = q.w;
  return mat3(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y),
              2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
              2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y));
}

vec3 harmonics1(vec3 d, uvec4 t) {
  vec4 b0 = bytes(t.z), b1 = bytes(t.w);
  return 0.4886025119029199 * (d.z * vec3(b0.zw, b1.x) - d.y * vec3(float(t.y >> 24), b0.xy) - d.x * b1.yzw
                               - 128.0 * (d.z - d.y - d.x));
}

vec3 harmonics23(vec3 d, ivec2 at) {
  float xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z, xy = d.x * d.y;
  uvec4 t = texelFetch(texel2, at, 0);
  vec4 c0 = bytes(t.x) - 128.0, c1 = bytes(t.y) - 128.0, c2 = bytes(t.z) - 128.0, c3 = bytes(t.w) - 128.0;
  vec3 sum = 1.0925484305920792 * (xy * c0.xyz - d.y * d.z * vec3(c0.w, c1.xy) - d.x * d.z * c2.yzw) +
             0.31539156525252005 * (2.0 * zz - xx - yy) * vec3(c1.zw, c2.x) + 0.5462742152960396 * (xx - yy) * c3.xyz;
  if (shDegree < 3) return sum;
  float ring = 4.0 * zz - xx - yy;
  t = texelFetch(texel3, at, 0);
  vec4 d0 = bytes(t.x) - 128.0, d1 = bytes(t.y) - 128.0, d2 = bytes(t.z) - 128.0, d3 = bytes(t.w) - 128.0;
  vec4 e0 = bytes(texelFetch(texel4, at, 0).x) - 128.0;
  return sum - 0.5900435899266435 * d.y * (3.0 * xx - yy) * vec3(c3.w, d0.xy) +
         2.890611442640554 * xy * d.z * vec3(d0.zw, d1.x) - 0.4570457994644658 * d.y * ring * d1.yzw +
         0.3731763325901154 * d.z * (2.0 * zz - 3.0 * (xx + yy)) * d2.xyz -
         0.4570457994644658 * d.x * ring * vec3(d2.w, d3.xy) +
         1.4453057213202769 * d.z * (xx - yy) * vec3(d3.zw, e0.x) -
         0.5900435899266435 * d.x * (xx - 3.0 * yy) * e0.yzw;
}

void main() {
  place = uvec4(0u);
  paint = uvec2(0u);
  ivec2 at = ivec2(gl_FragCoord.xy);
  if (at.y * 2048 + at.x >= splats) return;
  uvec4 t0 = texelFetch(texel0, at, 0);
  vec3 mean = uintBitsToFloat(t0.xyz), p = rotation * mean + translation;
  if (!(p.z >= space.y)) return;

  uvec4 t1 = texelFetch(texel1, at, 0);
  vec4 tones = bytes(t1.x);
  float opacity = clamp(tones.x, 0.25, 254.75) / 255.0;
  vec3 scale = enlarged * space.x * exp(bytes(t1.y).xyz / 16.0 - 10.0);
  mat3 factor = rotationOf(t0.w);
  factor = mat3(factor[0] * scale.x, factor[1] * scale.y, factor[2] * scale.z);
  vec2 uv = p.xy / p.z, limited = clamp(uv, jacobianLimits.xz, jacobianLimits.yw);
  mat3 rows = transpose(rotation);
  vec3 a = (focalPx.x / p.z * (rows[0] - limited.x * rows[2])) * factor;
  vec3 b = (focalPx.y / p.z * (rows[1] - limited.y * rows[2])) * factor;
  vec3 normal = cross(a, b);
  float sharp = dot(normal, normal), sxx = dot(a, a), sxy = dot(a, b), syy = dot(b, b);
  float determinant = sharp + lowPass * (sxx + syy + lowPass);
  vec2 meanPx = focalPx * uv + principalPx;
  if (antialias) opacity *= sqrt(sharp / determinant);
  if (!(abs(meanPx.x) < kMaxMeanPx && abs(meanPx.y) < kMaxMeanPx && determinant > kDeterminantMin &&
        determinant < kDeterminantMax && opacity >= kAlphaMin)) return;

  float xx = sxx + lowPass, yy = syy + lowPass;
  float middle = 0.5 * (xx + yy), spread = length(vec2(0.5 * (xx - yy), sxy));
  float large = middle + spread;
  vec2 axis = spread < 1e-6 * middle ? vec2(1.0, 0.0)
              : xx >= yy ? normalize(vec2(large - yy, sxy)) : normalize(vec2(sxy, large - xx));
  vec2 lengths = min(sqrt(vec2(large, determinant / large)), kMostHalf);
  place = uvec4(floatBitsToUint(meanPx), packHalf2x16(axis * lengths.x), packHalf2x16(vec2(lengths.y, opacity)));

  vec3 d = normalize(mean - centre) * vec3(1.0, -1.0, -1.0);  // in the frame of the stored harmonics
  vec3 colour = vec3(0.5) + kSh0 * (tones.yzw - 127.5) / 38.25;
  if (shDegree > 0) colour += harmonics1(d, t1) / 128.0;
  if (shDegree > 1) colour += harmonics23(d, at) / 128.0;
  colour = clamp(colour, 0.0, kMostHalf);
  paint = uvec2(packHalf2x16(colour.rg), packHalf2x16(vec2(colour.b, 0.0)));
}
