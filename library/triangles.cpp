#include <cmath>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "library/device.h"
#include "library/structs.h"
#include "splat/core/parallel.h"
#include "splat/raster/triangles/triangles.h"

namespace triangles = splat::triangles;

namespace library {
namespace {

constexpr uint64_t kMostTriangles = (uint64_t(1) << 24) - 1, kMostVertices = INT32_MAX;
constexpr uint64_t kMostNumbers = uint64_t(1) << 48;  // of an array: more than machines have memory for
constexpr int32_t kMostChannels = 1 << 16, kMostPictures = 1 << 16, kMostAcross = 65535;

void check_count(uint64_t value, uint64_t most, const char* name) {
  if (value > most) refuse(std::string(name) + " is " + std::to_string(value) + "; it is 0 to " + std::to_string(most));
}
void check_count(int32_t value, int32_t most, const char* name) {
  if (value < 0 || value > most)
    refuse(std::string(name) + " is " + std::to_string(value) + "; it is 0 to " + std::to_string(most));
}
void check_picture(int32_t width, int32_t height) {
  check_count(width, kMostAcross, "width");
  check_count(height, kMostAcross, "height");
}

// An array with this number of rows. It may be null where it has no numbers.
template <class T>
void check_array(const T* array, uint64_t rows, uint64_t numbers, const char* name) {
  if (numbers > 0 && rows > kMostNumbers / numbers)
    refuse(std::string(name) + " would have " + std::to_string(rows) + " x " + std::to_string(numbers) +
           " numbers, which is too many");
  if (rows * numbers > 0) check_pointer(array, name);
}

triangles::Triangles checked(const hs_triangles& given) {
  check_count(given.count, kMostTriangles, "count of triangles");
  check_count(given.vertices, kMostVertices, "vertices");
  check_array(given.corners, given.count, 3, "corners");
  return {given.corners, given.count};
}

// Pixels of all pictures.
uint64_t pixels_of(int32_t pictures, int32_t width, int32_t height) {
  check_count(pictures, kMostPictures, "pictures");
  check_picture(width, height);
  return uint64_t(pictures) * uint64_t(width) * uint64_t(height);
}

// What computes a call, and on how many of the host's threads.
struct Place {
  hs_device* device;
  void* stream;
  int32_t threads;

  Place(const hs_triangles& all, int32_t on) : device(all.device), stream(all.stream), threads(on) {
    check_threads(threads);
    if (device && !is_gpu(*device)) device = nullptr;
  }
};
void throw_error(const splat::Status& status) {
  if (!status) refuse(status.error().message);
}
// by_gpu(rasteriser, stream) or by_host(pool). A call's threads are made for it, and gone with it.
template <class Gpu, class Host>
void compute(const Place& place, Gpu&& by_gpu, Host&& by_host) {
  if (place.device) {
    const std::lock_guard lock(place.device->busy);
    if (!place.device->of_triangles) place.device->of_triangles = make_triangle_rasteriser(*place.device);
    return throw_error(by_gpu(*place.device->of_triangles, place.stream));
  }
  if (place.threads == 1) return throw_error(by_host(nullptr));
  splat::ThreadPool pool(place.threads);
  throw_error(by_host(&pool));
}

struct Scene {
  triangles::Scene scene;
  uint64_t pixels;
  hs_triangles list;
  int32_t threads;

  Scene(const hs_triangles* all, const hs_triangle_scene* given) : list(read_struct(all, "triangles")) {
    const hs_triangle_scene s = read_struct(given, "scene");
    scene.triangles = checked(list);
    pixels = pixels_of(s.pictures, s.width, s.height);
    check_array(s.positions, (s.ranges ? 1 : uint64_t(s.pictures)) * list.vertices, 4, "positions");
    scene.positions = s.positions;
    scene.pictures = size_t(s.pictures);
    scene.vertices = list.vertices;
    scene.ranges = s.ranges;
    scene.width = s.width;
    scene.height = s.height;
    threads = s.threads;
  }
};

struct Attributes {
  triangles::Attributes attributes;
  uint64_t pixels, channels, slopes;
  hs_triangles list;
  int32_t threads;

  Attributes(const hs_triangles* all, const hs_triangle_attributes* given) : list(read_struct(all, "triangles")) {
    const hs_triangle_attributes a = read_struct(given, "attributes");
    const triangles::Triangles drawn = checked(list);
    pixels = pixels_of(a.pictures, a.width, a.height);
    check_count(a.channels, kMostChannels, "channels");
    check_count(a.differentiated_count, kMostChannels, "differentiated_count");
    check_count(a.by_picture, 1, "by_picture");
    if (a.differentiated_count > 0 && !a.rast_db) refuse("derivatives are wanted, but rast_db is null");
    channels = uint64_t(a.channels), slopes = 2 * uint64_t(a.differentiated_count);
    check_array(a.differentiated, slopes / 2, 1, "differentiated");
    check_array(a.values, (a.by_picture ? uint64_t(a.pictures) : 1) * list.vertices, channels, "values");
    check_array(a.rast, pixels, 4, "rast");
    attributes = {a.values,
                  a.by_picture == 1,
                  list.vertices,
                  a.channels,
                  drawn,
                  a.rast,
                  a.rast_db,
                  size_t(a.pictures),
                  a.width,
                  a.height,
                  std::span(a.differentiated, slopes / 2)};
    threads = a.threads;
  }
};

triangles::FaceScene face_scene(const hs_triangles& all, const hs_face_scene& s) {
  const triangles::Triangles faces = checked(all);
  check_picture(s.width, s.height);
  check_array(s.positions, all.vertices, 4, "positions");
  if (!std::isfinite(s.occlusion_truncation)) refuse("occlusion_truncation is not finite");
  return {s.positions, all.vertices, faces, s.width, s.height, s.depth_prior, s.occlusion_truncation};
}

triangles::FaceValues face_values(const hs_triangles& all, const hs_face_values& v) {
  const triangles::Triangles faces = checked(all);
  check_count(v.channels, kMostChannels, "channels");
  check_array(v.values, all.vertices, uint64_t(v.channels), "values");
  check_array(v.face_numbers, v.pixels, 1, "face_numbers");
  check_array(v.shares, v.pixels, 3, "shares");
  return {v.values, all.vertices, v.channels, faces, v.pixels, v.face_numbers, v.shares};
}

}  // namespace
}  // namespace library

extern "C" {

hs_status hs_triangles_rasterize(const hs_triangles* list, const hs_triangle_scene* given, float* rast,
                                 float* rast_db) {
  return library::guarded([&] {
    const library::Scene s(list, given);
    library::check_array(rast, s.pixels, 4, "rast");
    library::compute(
        {s.list, s.threads},
        [&](triangles::Rasteriser& gpu, void* stream) { return gpu.rasterize(s.scene, rast, rast_db, stream); },
        [&](splat::ThreadPool* pool) { return triangles::rasterize(s.scene, rast, rast_db, pool); });
  });
}

hs_status hs_triangles_rasterize_backward(const hs_triangles* list, const hs_triangle_scene* given, const float* rast,
                                          const float* v_rast, const float* v_rast_db, float* v_positions) {
  return library::guarded([&] {
    const library::Scene s(list, given);
    library::check_array(rast, s.pixels, 4, "rast");
    library::check_array(v_rast, s.pixels, 4, "v_rast");
    library::check_array(v_positions, (s.scene.ranges ? 1 : s.scene.pictures) * s.scene.vertices, 4, "v_positions");
    library::compute(
        {s.list, s.threads},
        [&](triangles::Rasteriser& gpu, void* stream) {
          return gpu.rasterize_backward(s.scene, rast, v_rast, v_rast_db, v_positions, stream);
        },
        [&](splat::ThreadPool* pool) {
          return triangles::rasterize_backward(s.scene, rast, v_rast, v_rast_db, v_positions, pool);
        });
  });
}

hs_status hs_triangles_interpolate(const hs_triangles* list, const hs_triangle_attributes* given, float* out,
                                   float* out_da) {
  return library::guarded([&] {
    const library::Attributes a(list, given);
    library::check_array(out, a.pixels, a.channels, "out");
    library::check_array(out_da, a.pixels, a.slopes, "out_da");
    library::compute(
        {a.list, a.threads},
        [&](triangles::Rasteriser& gpu, void* stream) { return gpu.interpolate(a.attributes, out, out_da, stream); },
        [&](splat::ThreadPool* pool) { return triangles::interpolate(a.attributes, out, out_da, pool); });
  });
}

hs_status hs_triangles_interpolate_backward(const hs_triangles* list, const hs_triangle_attributes* given,
                                            const float* v_out, const float* v_out_da,
                                            const hs_triangle_gradients* gradients) {
  return library::guarded([&] {
    const library::Attributes a(list, given);
    const hs_triangle_gradients g = library::read_struct(gradients, "gradients");
    library::check_array(v_out, a.pixels, a.channels, "v_out");
    library::compute(
        {a.list, a.threads},
        [&](triangles::Rasteriser& gpu, void* stream) {
          return gpu.interpolate_backward(a.attributes, v_out, v_out_da, {g.values, g.rast, g.rast_db}, stream);
        },
        [&](splat::ThreadPool* pool) {
          return triangles::interpolate_backward(a.attributes, v_out, v_out_da, {g.values, g.rast, g.rast_db}, pool);
        });
  });
}

hs_status hs_triangles_rasterize_faces(const hs_triangles* list, const hs_face_scene* given, int32_t* face_numbers,
                                       float* shares) {
  return library::guarded([&] {
    const hs_face_scene s = library::read_struct(given, "scene");
    const hs_triangles all = library::read_struct(list, "triangles");
    const triangles::FaceScene scene = library::face_scene(all, s);
    const uint64_t pixels = uint64_t(s.width) * uint64_t(s.height);
    library::check_array(face_numbers, pixels, 1, "face_numbers");
    library::check_array(shares, pixels, 3, "shares");
    library::compute(
        {all, s.threads},
        [&](triangles::Rasteriser& gpu, void* stream) {
          return gpu.rasterize_faces(scene, face_numbers, shares, stream);
        },
        [&](splat::ThreadPool* pool) { return triangles::rasterize_faces(scene, face_numbers, shares, pool); });
  });
}

hs_status hs_triangles_interpolate_faces(const hs_triangles* list, const hs_face_values* given, float* out) {
  return library::guarded([&] {
    const hs_face_values v = library::read_struct(given, "values");
    const hs_triangles all = library::read_struct(list, "triangles");
    const triangles::FaceValues values = library::face_values(all, v);
    library::check_array(out, v.pixels, uint64_t(v.channels), "out");
    library::compute(
        {all, v.threads},
        [&](triangles::Rasteriser& gpu, void* stream) { return gpu.interpolate_faces(values, out, stream); },
        [&](splat::ThreadPool* pool) { return triangles::interpolate_faces(values, out, pool); });
  });
}
}
