#version 300 es
// Four vertices a splat, 2048 splats an instance: corners of the quad that just holds the ellipse alpha >= 1/255, from
// what project.frag found. Row 0 of the picture is the top one.
precision highp float;
precision highp int;
precision highp usampler2D;

uniform usampler2D places, paints;
uniform usampler2D order;  // which splat is drawn when
uniform int visible;       // splats in it
uniform int first;         // instance
uniform vec2 sizePx;

out vec2 sigmas;  // offset from the centre in standard deviations along the ellipse's axes
flat out vec3 colour;
flat out float opacity;

void main() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // nothing is drawn
  int turn = gl_VertexID >> 2, corner = gl_VertexID & 3;
  int block = first + gl_InstanceID;
  if (block * 2048 + turn >= visible) return;
  uint splat = texelFetch(order, ivec2(turn, block), 0).x;
  ivec2 at = ivec2(int(splat & 2047u), int(splat >> 11));
  uvec4 place = texelFetch(places, at, 0);
  vec2 shortOpacity = unpackHalf2x16(place.w);
  opacity = shortOpacity.y;
  if (opacity == 0.0) return;
  vec2 axis = unpackHalf2x16(place.z), across = normalize(vec2(-axis.y, axis.x)) * shortOpacity.x;
  sigmas = (vec2(corner & 1, corner >> 1) * 2.0 - 1.0) * sqrt(2.0 * log(max(255.0 * opacity, 1.0)));
  vec2 pixel = uintBitsToFloat(place.xy) + axis * sigmas.x + across * sigmas.y;
  gl_Position = vec4(vec2(2.0, -2.0) * pixel / sizePx + vec2(-1.0, 1.0), 0.0, 1.0);
  uvec2 paint = texelFetch(paints, at, 0).xy;
  colour = vec3(unpackHalf2x16(paint.x), unpackHalf2x16(paint.y).x);
}
