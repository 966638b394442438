#include "splat/backend/gpu/gpu_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/raster_stream.h"
#include "splat/backend/gpu/triangle_kernels.h"
#include "splat/core/gpu_buffer.h"
#include "splat/core/gpu_sort.h"
#include "splat/raster/triangles/checks.h"

namespace splat {
namespace gpu {
namespace {

using triangles::AttributeGradients;
using triangles::Attributes;
using triangles::FaceScene;
using triangles::FaceValues;
using triangles::Scene;
using triangles::Triangles;

TriangleList list_of(const Triangles& all, size_t vertices) {
  return {all.corners, uint32_t(all.count), uint32_t(vertices)};
}
size_t pixels_of(const math::PictureSize& size) { return size_t(size.width) * size_t(size.height); }
template <class T>
T* at_picture(T* array, size_t picture, size_t numbers) {
  return array ? array + picture * numbers : nullptr;
}
template <class T>
void fill(T* values, size_t count, int byte, const Target& target) {
  if (count) SPLAT_GPU_CHECK(hipMemsetAsync(values, byte, count * sizeof(T), target.stream));
}

class GpuTriangles final : public triangles::Rasteriser {
 public:
  explicit GpuTriangles(int device) : stream_(device) {
    const CurrentDevice on = stream_.use();
    faults_.reserve_discarding(1);
    report_.reserve_discarding(1);
    checked_ = std::make_unique<Event>();
  }
  ~GpuTriangles() override { gone_.emplace(stream_.device(), std::nothrow); }

  Status rasterize(const Scene& scene, float* rast, float* rast_db, void* stream) override {
    SPLAT_TRY(triangles::check_names(scene.triangles));
    SPLAT_TRY(triangles::check_picture(scene.width, scene.height));
    const TriangleCheck check{list_of(scene.triangles, scene.vertices), scene.ranges, uint32_t(scene.pictures), {}};
    return checked(check, {}, stream, [&](const Target& target) {
      TriangleRast args{};
      args.list = check.list, args.size = {scene.width, scene.height};
      args.near = -1, args.far = std::nextafter(1.0f, 2.0f);
      const size_t numbers = 4 * pixels_of(args.size);
      for (size_t b = 0; b < scene.pictures; ++b) {
        args.positions = scene.ranges ? scene.positions : at_picture(scene.positions, b, 4 * scene.vertices);
        args.range = at_picture(scene.ranges, b, 2);
        args.rast = at_picture(rast, b, numbers), args.rast_db = at_picture(rast_db, b, numbers);
        draw(args, target);
        write_rast(args, target);
      }
    });
  }

  Status rasterize_backward(const Scene& scene, const float* rast, const float* v_rast, const float* v_rast_db,
                            float* v_positions, void* stream) override {
    const size_t lists = scene.ranges ? 1 : scene.pictures, vertices = lists * scene.vertices;
    return checked({list_of(scene.triangles, scene.vertices), nullptr, 0, {}}, {}, stream, [&](const Target& target) {
      const math::PictureSize size{scene.width, scene.height};
      zero_sums(3 * vertices, target);
      for (size_t b = 0; b < scene.pictures; ++b) {
        const size_t list = scene.ranges ? 0 : b, numbers = 4 * pixels_of(size);
        triangle_backward({list_of(scene.triangles, scene.vertices), scene.positions + 4 * list * scene.vertices, size,
                           at_picture(rast, b, numbers), at_picture(v_rast, b, numbers),
                           at_picture(v_rast_db, b, numbers), sums_.data() + 3 * list * scene.vertices},
                          target);
      }
      write_position_gradient({sums_.data(), vertices, size, v_positions}, target);
    });
  }

  Status interpolate(const Attributes& a, float* out, float* out_da, void* stream) override {
    SPLAT_TRY(triangles::check_channels(a));
    return checked({list_of(a.triangles, a.vertices), nullptr, 0, {}}, a.differentiated, stream,
                   [&](const Target& target) {
                     for (size_t b = 0; b < a.pictures; ++b) {
                       TriangleInterpolation args{picture_of(a, b), nullptr, nullptr};
                       const size_t pixels = pixels_of(args.size);
                       args.out = at_picture(out, b, pixels * size_t(a.channels));
                       args.out_da = at_picture(out_da, b, 2 * pixels * a.differentiated.size());
                       interpolate_triangles(args, target);
                     }
                   });
  }

  Status interpolate_backward(const Attributes& a, const float* v_out, const float* v_out_da,
                              const AttributeGradients& gradients, void* stream) override {
    SPLAT_TRY(triangles::check_channels(a));
    return checked({list_of(a.triangles, a.vertices), nullptr, 0, {}}, a.differentiated, stream,
                   [&](const Target& target) {
                     const size_t one = a.vertices * size_t(a.channels),
                                  all = gradients.values ? (a.by_picture ? a.pictures : 1) * one : 0;
                     zero_sums(all, target);
                     for (size_t b = 0; b < a.pictures; ++b) {
                       TriangleValueGradients args{picture_of(a, b), {}, {}, {}, {}, {}};
                       const size_t pixels = pixels_of(args.size);
                       args.v_out = at_picture(v_out, b, pixels * size_t(a.channels));
                       args.v_out_da = at_picture(v_out_da, b, 2 * pixels * a.differentiated.size());
                       args.v_rast = at_picture(gradients.rast, b, 4 * pixels);
                       args.v_rast_db = at_picture(gradients.rast_db, b, 4 * pixels);
                       args.sums = all ? at_picture(sums_.data(), a.by_picture ? b : 0, one) : nullptr;
                       interpolate_triangles_backward(args, target);
                     }
                     write_floats(sums_.data(), gradients.values, all, target);
                   });
  }

  Status rasterize_faces(const FaceScene& scene, int32_t* face_numbers, float* shares, void* stream) override {
    SPLAT_TRY(triangles::check_picture(scene.width, scene.height));
    const TriangleCheck check{list_of(scene.faces, scene.vertices), nullptr, 0, {}};
    return checked(check, {}, stream, [&](const Target& target) {
      TriangleFaces args{};
      args.list = check.list, args.positions = scene.positions, args.size = {scene.width, scene.height};
      args.faces = true, args.steps = math::kFaceDepthSteps;
      args.near = std::nextafter(-1 / math::kFaceDepthSteps, 0.0f), args.far = math::kMostFaceSteps;
      args.prior = scene.depth_prior, args.prior_offset = 0.5f + scene.occlusion_truncation;
      args.numbers = face_numbers, args.shares = shares;
      draw(args, target);
      write_faces(args, target);
    });
  }

  Status interpolate_faces(const FaceValues& v, float* out, void* stream) override {
    const TriangleList list = list_of(v.faces, v.vertices);
    return checked({list, nullptr, 0, {}}, {}, stream, [&](const Target& target) {
      gpu::interpolate_faces({list, v.values, v.channels, v.pixels, v.face_numbers, v.shares, out}, target);
    });
  }

 private:
  // Does the work, and then says what is wrong with the corners: kernels leave alone what is.
  template <class Work>
  Status checked(TriangleCheck check, std::span<const int32_t> wanted, void* stream, const Work& work) {
    const CurrentDevice on = stream_.use();
    check.faults = faults_.data();
    stream_.run(stream, [&](const Target& target) {
      fill(check.faults, 1, 0xff, target);
      check_triangles(check, target);
      SPLAT_GPU_CHECK(
          hipMemcpyAsync(report_.data(), check.faults, sizeof(TriangleFaults), hipMemcpyDeviceToHost, target.stream));
      upload(wanted, target);
      checked_->record(target.stream);
      work(target);
    });
    checked_->wait();
    const TriangleFaults found = *report_.data();
    const Triangles all{check.list.corners, check.list.count};
    if (const size_t corner = found.corner; corner != std::numeric_limits<unsigned long long>::max())
      return triangles::corner_error(corner, read(check.list.corners + corner, stream), check.list.vertices);
    const size_t range = found.range;
    if (range == std::numeric_limits<unsigned long long>::max()) return {};
    const int32_t* const at = check.ranges + 2 * range;
    return triangles::range_error(range, read(at, stream), read(at + 1, stream), all);
  }
  int32_t read(const int32_t* at, void* stream) {
    int32_t value = 0;
    SPLAT_GPU_CHECK(hipMemcpyAsync(&value, at, sizeof value, hipMemcpyDeviceToHost, hipStream_t(stream)));
    SPLAT_GPU_CHECK(hipStreamSynchronize(hipStream_t(stream)));
    return value;
  }

  // Which triangle each pixel of the picture sees.
  void draw(TriangleDrawing& args, const Target& target) {
    const size_t count = args.list.count, pixels = pixels_of(args.size);
    prepared_.reserve_discarding(count);
    for (auto* buffer : {&items_, &first_item_}) buffer->reserve_discarding(count + 1);
    temporary_.reserve_discarding(scan_temporary_bytes(count + 1));
    seen_.reserve_discarding(pixels);
    args.prepared = prepared_.data(), args.items = items_.data(), args.first_item = first_item_.data();
    args.seen = seen_.data();
    args.most_items = std::numeric_limits<uint32_t>::max() / uint32_t(std::max<size_t>(count, 1));
    fill(args.seen, pixels, 0xff, target);
    prepare_triangles(args, target);
    exclusive_scan({temporary_.data(), temporary_.bytes()}, items_.data(), first_item_.data(), count + 1,
                   target.stream);
    draw_triangles(args, target);
  }

  void zero_sums(size_t count, const Target& target) {
    sums_.reserve_discarding(count);
    fill(sums_.data(), count, 0, target);
  }

  // The host's list, on the device. Through memory that no call before still needs: each waits for its check.
  void upload(std::span<const int32_t> wanted, const Target& target) {
    if (wanted.empty()) return;
    wanted_.reserve_discarding(wanted.size());
    wanted_on_host_.reserve_discarding(wanted.size());
    std::copy(wanted.begin(), wanted.end(), wanted_on_host_.data());
    SPLAT_GPU_CHECK(hipMemcpyAsync(wanted_.data(), wanted_on_host_.data(), wanted.size_bytes(), hipMemcpyHostToDevice,
                                   target.stream));
  }

  TriangleValues picture_of(const Attributes& a, size_t picture) {
    const math::PictureSize size{a.width, a.height};
    const size_t values = a.by_picture ? picture * a.vertices * size_t(a.channels) : 0;
    return {list_of(a.triangles, a.vertices),
            a.values + values,
            a.channels,
            size,
            at_picture(a.rast, picture, 4 * pixels_of(size)),
            at_picture(a.rast_db, picture, 4 * pixels_of(size)),
            wanted_.data(),
            int(a.differentiated.size())};
  }

  UntilGone gone_;
  RasterStream stream_;  // outlives what follows
  DeviceBuffer<TriangleFaults> faults_;
  PinnedBuffer<TriangleFaults> report_;
  std::unique_ptr<Event> checked_;
  DeviceBuffer<PreparedTriangle> prepared_;
  DeviceBuffer<uint32_t> items_, first_item_;
  DeviceBuffer<char> temporary_;
  DeviceBuffer<unsigned long long> seen_;
  DeviceBuffer<double> sums_;
  DeviceBuffer<int32_t> wanted_;
  PinnedBuffer<int32_t> wanted_on_host_;
};

}  // namespace
}  // namespace gpu

std::unique_ptr<triangles::Rasteriser> make_gpu_triangles(int device) {
  return std::make_unique<gpu::GpuTriangles>(device);
}

}  // namespace splat
