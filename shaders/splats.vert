#version 330 core
// One splat an instance, four corners of the quad that just holds the ellipse alpha >= 1/255.
// Twin of splat/math: project.h (projection, low-pass, compensation), covariance.h, sh.h, tile_bounds.h (extents) and
// constants.h. Pixels as in the engine: y down, row 0 of the target is the top row of the picture.

layout(location = 0) in uint splat;  // which one: the draw order

uniform samplerBuffer geometry;   // 2 texels a splat: mean (world), opacity | scale (one standard deviation), unused
uniform samplerBuffer rotations;  // 1 texel a splat: unit quaternion wxyz, (q + 1) / 2
uniform samplerBuffer colours[3];  // SH planes: the coefficients of red, green, blue, each in plane_texels texels
uniform samplerBuffer states;     // 1 texel a splat: splat/edit/edited_model.h's bits / 255
uniform samplerBuffer reasons;    // 1 texel a splat: the number of its tint / 255
uniform bool has_states;
uniform int selection;            // 0: not to be seen, 1: in one tint, 2: by `reasons`
uniform vec4 tints[8];            // rgb and share, viewer/live/shown_states.h
// Splats that are drawn elsewhere than they are: those with (state & moved_bits) == moved_value.
// Twin: splat/model/transform.h, where the colours are turned instead of the direction they are seen from.
uniform bool moving;
uniform int moved_bits, moved_value;
uniform mat3 moved_rotation;
uniform float moved_scale;
uniform vec3 moved_translation;
uniform int plane_texels;         // 0 (degree 0: one texel of r, g, b), 1 (degree 1), 3 (degree 2), 4 (degree 3)
uniform int sh_degree;            // used for colour, at most what is stored

uniform mat3 rotation;      // cam_from_world
uniform vec3 translation;   // cam_from_world
uniform vec3 centre;        // of the camera, world
uniform vec2 focal_px;
uniform vec2 principal_px;
uniform vec2 size_px;
uniform vec4 jacobian_limits;  // u min, u max, v min, v max of x/z and y/z
uniform float near_plane;      // depth: what is nearer is not drawn
uniform float splat_scale;     // 1: as they are
uniform bool antialias;
uniform float low_pass;        // px^2
uniform int mode;              // 0 splats, 1 centres, 2 rings, 3 depth
uniform float centre_px;       // radius of a centre

out vec2 sigmas;                 // offset from the centre in standard deviations along the ellipse's axes
flat out vec3 colour;
flat out float opacity;
flat out float reach;            // where alpha falls below 1/255, in standard deviations

const int kSelected = 1, kNotShown = 22;
const float kAlphaMin = 1.0 / 255.0;
const float kDeterminantMin = 1e-12;
const float kDeterminantMax = 1e36;
const float kMaxMeanPx = 1e7;
const float kSh0 = 0.28209479177387814;
const vec4 kOutside = vec4(2.0, 2.0, 2.0, 1.0);  // all corners there: nothing is drawn

mat3 rotation_from_quat(vec4 q) {  // wxyz; columns are the splat's axes
  float w = q.x, x = q.y, y = q.z, z = q.w;
  return mat3(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y),
              2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
              2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y));
}

vec3 plane_dot(int texel, vec4 basis) {  // one group of four coefficients of all channels
  int at = int(splat) * plane_texels + texel;
  return vec3(dot(texelFetch(colours[0], at), basis), dot(texelFetch(colours[1], at), basis),
              dot(texelFetch(colours[2], at), basis));
}

vec3 sh_colour(vec3 d) {  // before it is cut off at 0
  if (plane_texels == 0) return 0.5 + kSh0 * texelFetch(colours[0], int(splat)).rgb;
  vec4 b0 = vec4(kSh0, 0.0, 0.0, 0.0);
  if (sh_degree >= 1) b0.yzw = 0.4886025119029199 * vec3(-d.y, d.z, -d.x);
  vec3 sum = vec3(0.5) + plane_dot(0, b0);
  if (sh_degree < 2) return sum;
  float xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z, xy = d.x * d.y;
  vec4 b1 = vec4(1.0925484305920792 * xy, -1.0925484305920792 * d.y * d.z,
                 0.31539156525252005 * (2.0 * zz - xx - yy), -1.0925484305920792 * d.x * d.z);
  vec4 b2 = vec4(0.5462742152960396 * (xx - yy), 0.0, 0.0, 0.0);
  vec4 b3 = vec4(0.0);
  if (sh_degree >= 3) {
    float ring = 4.0 * zz - xx - yy;
    b2.yzw = vec3(-0.5900435899266435 * d.y * (3.0 * xx - yy), 2.890611442640554 * xy * d.z,
                  -0.4570457994644658 * d.y * ring);
    b3 = vec4(0.3731763325901154 * d.z * (2.0 * zz - 3.0 * (xx + yy)), -0.4570457994644658 * d.x * ring,
              1.4453057213202769 * d.z * (xx - yy), -0.5900435899266435 * d.x * (xx - 3.0 * yy));
  }
  sum += plane_dot(1, b1) + plane_dot(2, b2);
  if (sh_degree >= 3) sum += plane_dot(3, b3);
  return sum;
}

void main() {
  gl_Position = kOutside;
  int state = has_states ? int(texelFetch(states, int(splat)).r * 255.0 + 0.5) : 0;
  if ((state & kNotShown) != 0) return;
  vec4 mean_opacity = texelFetch(geometry, int(splat) * 2);
  bool moved = moving && (state & moved_bits) == moved_value;
  if (moved) mean_opacity.xyz = moved_scale * (moved_rotation * mean_opacity.xyz) + moved_translation;
  vec3 p = rotation * mean_opacity.xyz + translation;
  if (!(p.z >= near_plane)) return;

  vec3 scale = texelFetch(geometry, int(splat) * 2 + 1).xyz * splat_scale;
  mat3 factor = rotation_from_quat(normalize(texelFetch(rotations, int(splat)) * 2.0 - 1.0));
  if (moved) {
    factor = moved_rotation * factor;
    scale *= moved_scale;
  }
  factor = mat3(factor[0] * scale.x, factor[1] * scale.y, factor[2] * scale.z);
  vec2 uv = p.xy / p.z;
  vec2 limited = clamp(uv, jacobian_limits.xz, jacobian_limits.yw);
  vec3 w0 = vec3(rotation[0][0], rotation[1][0], rotation[2][0]);  // rows
  vec3 w1 = vec3(rotation[0][1], rotation[1][1], rotation[2][1]);
  vec3 w2 = vec3(rotation[0][2], rotation[1][2], rotation[2][2]);
  vec3 a = (focal_px.x / p.z * (w0 - limited.x * w2)) * factor;
  vec3 b = (focal_px.y / p.z * (w1 - limited.y * w2)) * factor;
  vec3 normal = cross(a, b);
  float sharp_determinant = dot(normal, normal);
  float sxx = dot(a, a), sxy = dot(a, b), syy = dot(b, b);
  float determinant = sharp_determinant + low_pass * (sxx + syy + low_pass);
  vec2 mean_px = focal_px * uv + principal_px;
  bool sane = abs(mean_px.x) < kMaxMeanPx && abs(mean_px.y) < kMaxMeanPx && determinant > kDeterminantMin &&
              determinant < kDeterminantMax;
  opacity = mean_opacity.w;
  if (antialias) opacity *= sqrt(sharp_determinant / determinant);
  if (!sane || !(opacity >= kAlphaMin)) return;

  float xx = sxx + low_pass, yy = syy + low_pass;
  float middle = 0.5 * (xx + yy), spread = length(vec2(0.5 * (xx - yy), sxy));
  float large = middle + spread, small = determinant / large;
  vec2 axis = spread < 1e-6 * middle ? vec2(1.0, 0.0)
              : xx >= yy ? normalize(vec2(large - yy, sxy)) : normalize(vec2(sxy, large - xx));
  reach = sqrt(2.0 * log(opacity / kAlphaMin));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  sigmas = corner * reach;
  vec2 lengths = sqrt(vec2(large, small));
  if (mode == 1) {  // discs of a fixed size
    sigmas = corner * (centre_px + 1.0);
    lengths = vec2(1.0);
    axis = vec2(1.0, 0.0);
  }
  vec2 pixel = mean_px + axis * (sigmas.x * lengths.x) + vec2(-axis.y, axis.x) * (sigmas.y * lengths.y);
  gl_Position = vec4(2.0 * pixel / size_px - 1.0, 0.0, 1.0);
  vec3 to_splat = normalize(mean_opacity.xyz - centre);
  if (moved) to_splat = to_splat * moved_rotation;  // by its transpose
  colour = sh_colour(to_splat);
  if (selection != 0 && (state & kSelected) != 0) {
    vec4 tint = tints[selection == 2 ? int(texelFetch(reasons, int(splat)).r * 255.0 + 0.5) : 0];
    colour = mix(colour, tint.rgb, tint.a);
  }
  colour = mode == 3 ? vec3(p.z) : max(colour, 0.0);
}
