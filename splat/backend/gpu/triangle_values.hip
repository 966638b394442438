// What the corners of triangles carry, at the pixels, and its gradients. As splat/raster/triangles/interpolate.cpp and
// backward.cpp on the CPU, which lists pixels by vertex where this adds them up by atomics.
#include "splat/backend/gpu/triangle_access.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;

SPLAT_DEVICE size_t this_thread() { return size_t(blockIdx.x) * kThreads + threadIdx.x; }
dim3 grid_of(size_t threads) { return dim3(unsigned((threads + kThreads - 1) / kThreads)); }

// What a corner carries. By the array's pointer: one that is kept aside may be of any memory, as far as AMD's compiler
// knows.
SPLAT_DEVICE float value_of(const float* values, int channels, const TriangleCorners& c, int corner, int channel) {
  return values[size_t(c.vertex[corner]) * size_t(channels) + size_t(channel)];
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_interpolate_kernel(TriangleInterpolation args) {
  const size_t pixel = this_thread();
  if (pixel >= size_t(args.size.width) * size_t(args.size.height)) return;
  const float* const rast = args.rast + 4 * pixel;
  TriangleCorners c{};
  const bool any = corners_of(args.list, triangle_of(rast[3], args.list), c);
  const auto value = [&](int corner, int channel) { return value_of(args.values, args.channels, c, corner, channel); };
  float* const out = args.out + size_t(args.channels) * pixel;
  for (int i = 0; i < args.channels; ++i)
    out[i] = any ? math::at_shares(rast[0], rast[1], value(0, i), value(1, i), value(2, i)) : 0.0f;
  if (!args.rast_db) return;
  const float* const db = args.rast_db + 4 * pixel;
  float* const slopes = args.out_da + 2 * size_t(args.wanted_count) * pixel;
  for (int d = 0; d < args.wanted_count; ++d) {
    const int i = args.wanted[d];
#pragma unroll
    for (int axis = 0; axis < 2; ++axis)
      slopes[2 * d + axis] =
          any ? math::slope_at_shares(db[axis], db[2 + axis], value(0, i), value(1, i), value(2, i)) : 0.0f;
  }
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) face_interpolate_kernel(FaceInterpolation args) {
  const size_t pixel = this_thread();
  if (pixel >= args.pixels) return;
  const int32_t number = args.numbers[pixel];
  TriangleCorners c{};
  const bool any = corners_of(args.list, number >= 1 ? uint32_t(number) - 1 : kNoTriangle, c);
  for (int i = 0; i < args.channels; ++i) {
    float value = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k)
      if (any) value += args.shares[3 * pixel + size_t(k)] * value_of(args.values, args.channels, c, k, i);
    args.out[size_t(args.channels) * pixel + size_t(i)] = value;
  }
}

// By what rasterising gave.
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_shares_kernel(TriangleValueGradients args) {
  const size_t pixel = this_thread();
  if (pixel >= size_t(args.size.width) * size_t(args.size.height)) return;
  TriangleCorners c{};
  const auto step = [&](int corner, int channel) {
    return double(value_of(args.values, args.channels, c, corner, channel) -
                  value_of(args.values, args.channels, c, 2, channel));
  };
  double v_u = 0, v_v = 0, v_slopes[4] = {0, 0, 0, 0};
  if (corners_of(args.list, triangle_of(args.rast[4 * pixel + 3], args.list), c)) {
    const float* const v_out = args.v_out + size_t(args.channels) * pixel;
    for (int i = 0; i < args.channels; ++i) {
      v_u += double(v_out[i]) * step(0, i);
      v_v += double(v_out[i]) * step(1, i);
    }
    for (int d = 0; d < args.wanted_count && args.v_out_da; ++d) {
      const int i = args.wanted[d];
#pragma unroll
      for (int axis = 0; axis < 2; ++axis) {
        const double g = double(args.v_out_da[2 * (size_t(args.wanted_count) * pixel + size_t(d)) + size_t(axis)]);
        v_slopes[axis] += g * step(0, i);
        v_slopes[2 + axis] += g * step(1, i);
      }
    }
  }
  if (args.v_rast) {
    float* const v = args.v_rast + 4 * pixel;
    v[0] = float(v_u), v[1] = float(v_v), v[2] = v[3] = 0;
  }
  if (!args.v_rast_db) return;
#pragma unroll
  for (int i = 0; i < 4; ++i) args.v_rast_db[4 * pixel + size_t(i)] = float(v_slopes[i]);
}

// By the attributes.
template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kAreaThreads) triangle_values_kernel(TriangleValueGradients args) {
  if constexpr (wave_size_is<kWave>()) {
    const AreaPixel pixel = area_pixel(args.size);
    const size_t at = pixel.exists ? pixel.at : 0;
    const float* const rast = args.rast + 4 * at;
    uint32_t triangle = pixel.exists ? triangle_of(rast[3], args.list) : kNoTriangle;
    TriangleCorners corners{};
    if (!corners_of(args.list, triangle, corners)) triangle = kNoTriangle;
    const double share[3] = {double(rast[0]), double(rast[1]), 1.0 - double(rast[0]) - double(rast[1])};
    const bool slopes = args.v_out_da && args.rast_db;
    by_triangle<kWave>(triangle, [&](const auto& add) {
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        double* const to = args.sums + size_t(corners.vertex[k]) * size_t(args.channels);
        for (int i = 0; i < args.channels; ++i)
          add(share[k] * double(args.v_out[size_t(args.channels) * at + size_t(i)]), to + i);
        for (int d = 0; d < args.wanted_count && slopes; ++d) {
          const float* const db = args.rast_db + 4 * at;
          const float* const v = args.v_out_da + 2 * (size_t(args.wanted_count) * at + size_t(d));
          double sum = 0;
#pragma unroll
          for (int axis = 0; axis < 2; ++axis) {
            const double slope = k == 2 ? -double(db[axis]) - double(db[2 + axis]) : double(db[2 * k + axis]);
            sum += slope * double(v[axis]);
          }
          add(sum, to + args.wanted[d]);
        }
      }
    });
  }
}

struct Floats {
  const double* from;
  float* to;
  size_t count;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) triangle_floats_kernel(Floats args) {
  const size_t i = this_thread();
  if (i < args.count) args.to[i] = float(args.from[i]);
}

size_t pixels_of(const math::PictureSize& size) { return size_t(size.width) * size_t(size.height); }

}  // namespace

void interpolate_triangles(const TriangleInterpolation& args, const Target& target) {
  launch("triangle_interpolate", triangle_interpolate_kernel, grid_of(pixels_of(args.size)), kThreads, target.stream,
         args);
}
void interpolate_triangles_backward(const TriangleValueGradients& args, const Target& target) {
  if (args.v_rast || args.v_rast_db)
    launch("triangle_shares", triangle_shares_kernel, grid_of(pixels_of(args.size)), kThreads, target.stream, args);
  if (args.sums)
    launch("triangle_values", target.wave == 64 ? triangle_values_kernel<64> : triangle_values_kernel<32>,
           area_grid(args.size), kAreaThreads, target.stream, args);
}
void write_floats(const double* from, float* to, size_t count, const Target& target) {
  launch("triangle_floats", triangle_floats_kernel, grid_of(count), kThreads, target.stream, Floats{from, to, count});
}
void interpolate_faces(const FaceInterpolation& args, const Target& target) {
  launch("face_interpolate", face_interpolate_kernel, grid_of(args.pixels), kThreads, target.stream, args);
}

}  // namespace splat::gpu
