// A thread's current device is its own affair: every call that works on another one gives it back, also where it fails.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/gpu_rasteriser.h"
#include "splat/backend/gpu/gpu_triangles.h"
#include "splat/backend/row_rules.h"
#include "splat/backend/surface_settings.h"
#include "tests/splat/backend/gpu/gpu_emulated.h"

namespace splat::test {
namespace {

int current_device() {
  int device = -1;
  EXPECT_EQ(hipGetDevice(&device), hipSuccess);
  return device;
}

// Two devices; the caller's is the first, the work's the second.
class CurrentDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    hip_emulator::device().count = 2;
    hip_emulator::counters().devices = 0;
  }
  void TearDown() override {
    hip_emulator::device() = {};
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
  }
  // Does it, on the second device alone if it uses any.
  static void call(const char* name, const std::function<void()>& work) {
    SCOPED_TRACE(name);
    work();
    EXPECT_EQ(current_device(), 0);
    EXPECT_EQ(hip_emulator::counters().devices & ~uint64_t(2), 0u) << "worked on the caller's";
  }
};

TEST_F(CurrentDevice, IsTheCallersAfterEveryCallOfABackend) {
  const Scene scene = small_scene();
  std::unique_ptr<GpuBackend> backend;
  call("make", [&] { backend = make_gpu_backend({.name = "emulated", .device = 1}); });
  Gaussians rows, v_model;
  Ellipsoids ellipsoids;
  AdamMoments moments;
  DensifyStatistics statistics;
  RowVerdicts verdicts;
  ImageF image;
  Contributions contributions;
  std::vector<float> values;
  std::array<float, 3> background{};
  const std::vector<uint32_t> some{1, 3};
  const std::vector<View> views{scene.view};
  const auto forward = [&] { backend->forward(scene.view, scene.settings); };
  const auto backward = [&] { forward(), backend->loss(scene.target, {}), backend->backward(); };
  const std::vector<std::pair<const char*, std::function<void()>>> calls{
      {"upload", [&] { backend->upload(scene.model); }},
      {"reserve", [&] { backend->reserve(500); }},
      {"forward", forward},
      {"read_image", [&] { backend->read_image(image); }},
      {"read_transmittance", [&] { backend->read_transmittance(values); }},
      {"read_contributions", [&] { backend->read_contributions({}, contributions); }},
      {"read_depth", [&] { backend->read_depth(DepthKind::kMedian, values); }},
      {"loss", [&] { backend->loss(scene.target, {.photo = 1}); }},
      {"add_surface_loss", [&] { backend->add_surface_loss({.normal_weight = 0.1f}); }},
      {"backward", [&] { backend->backward(); }},
      {"read_gradients", [&] { backend->read_gradients(v_model, background); }},
      {"read_pose_gradient", [&] { backend->read_pose_gradient(); }},
      {"update", [&] { backend->update({}); }},
      {"again", [&] { backward(), backend->update({.iteration = 2}); }},
      {"set_image_gradient", [&] { forward(), backend->set_image_gradient(image); }},
      {"download_rows", [&] { backend->download_rows(0, 3, rows); }},
      {"download_ellipsoid_rows", [&] { backend->download_ellipsoid_rows(1, 2, ellipsoids); }},
      {"download_moment_rows", [&] { backend->download_moments(moments); }},
      {"upload_moment_rows", [&] { backend->upload_moments(moments); }},
      {"recall", [&] { backend->recall(backend->adam_history()); }},
      {"read_statistics_rows", [&] { backend->read_statistics(statistics); }},
      {"write_statistics_rows", [&] { backend->write_statistics(statistics); }},
      {"reset_statistics", [&] { backend->reset_statistics(); }},
      {"judge_rows", [&] { backend->judge_rows({.views = views, .nearer = 3, .paths = {}, .around = {}}, verdicts); }},
      {"append_rows", [&] { backend->append_rows(rows); }},
      {"write_rows",
       [&] {
         backend->write_rows(std::vector<uint32_t>{0, 1, 2}, rows, true);
       }},
      {"copy_rows", [&] { backend->copy_rows(some, some, ellipsoids, true); }},
      {"keep_and_copy_rows", [&] { backend->keep_and_copy_rows(some, some, ellipsoids); }},
      {"keep_rows", [&] { backend->keep_rows(some); }},
      {"sort_rows_in_space", [&] { backend->sort_rows_in_space(); }},
      {"limit_opacity", [&] { backend->limit_opacity(0.5f); }},
      {"lower_opacity", [&] { backend->lower_opacity(0.1f, 0.01f); }},
      {"add_noise", [&] { backend->add_noise({.strength = 1, .seed = 1, .iteration = 1}); }},
      {"set_looks",
       [&] {
         backend->set_looks({.looks = std::vector<uint8_t>{1, 0}});
       }},
      {"fix_rows", [&] { backend->fix_rows(1); }},
      {"stage_times", [&] { backend->stage_times(), backend->wait(); }},
      {"no room", [&] {
         hip_emulator::device().full_after_allocations = hip_emulator::counters().allocations;
         EXPECT_THROW(backend->reserve(1'000'000), DeviceError);
         hip_emulator::device().full_after_allocations = ~uint64_t(0);
       }}};
  for (const auto& [name, work] : calls) call(name, work);
  EXPECT_EQ(hip_emulator::counters().devices, 2u);
  call("the end", [&] { backend.reset(); });
  EXPECT_THROW(make_gpu_backend({.name = "emulated", .device = 7}), DeviceError);
  EXPECT_EQ(current_device(), 0);
}

// Of a caller whose device is the backend's, or the last of three, likewise.
TEST_F(CurrentDevice, MayBeAnyOfThem) {
  hip_emulator::device().count = 3;
  const auto backend = make_gpu_backend({.name = "emulated", .device = 1});
  for (const int device : {2, 1, 0}) {
    ASSERT_EQ(hipSetDevice(device), hipSuccess);
    backend->upload(small_scene().model);
    iterate_once(*backend, small_scene());
    EXPECT_EQ(current_device(), device);
  }
}

TEST_F(CurrentDevice, IsTheCallersAfterEveryCallOfARasteriser) {
  std::unique_ptr<raster::Rasteriser<float>> rasteriser;
  call("make", [&] { rasteriser = make_gpu_rasteriser({.device = 1}); });
  const std::vector<float> means{0, 0, 2}, quats{1, 0, 0, 0}, scales{0.1f, 0.1f, 0.1f}, one{1}, colours{1, 0, 0};
  std::vector<float> picture(3 * 16 * 16), v_means(3);
  raster::Call<float> drawing;
  drawing.scene.splats = 1, drawing.scene.means = means.data(), drawing.scene.quats = quats.data();
  drawing.scene.scales = scales.data(), drawing.scene.opacities = one.data(), drawing.scene.colours = colours.data();
  const raster::Camera camera{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 16, 16, 8, 8};
  drawing.cameras = {&camera, 1};
  drawing.settings.width = drawing.settings.height = 16;
  drawing.pictures.colour = picture.data();
  drawing.keep = true;
  std::unique_ptr<raster::Drawn<float>> drawn;
  call("forward", [&] { drawn = rasteriser->forward(drawing); });
  EXPECT_GT(picture[3 * (8 * 16 + 8)], 0.5f);
  call("backward_pictures", [&] { drawn->backward_pictures({picture.data(), nullptr, nullptr}, {}); });
  raster::SceneGradients<float> gradients;
  gradients.means = v_means.data();
  call("backward_scene", [&] { drawn->backward_scene(nullptr, gradients); });
  call("the end of a drawing", [&] { drawn.reset(); });
  call("the end", [&] { rasteriser.reset(); });
  EXPECT_EQ(hip_emulator::counters().devices, 2u);
}

TEST_F(CurrentDevice, IsTheCallersAfterEveryCallOfTriangles) {
  std::unique_ptr<triangles::Rasteriser> rasteriser;
  call("make", [&] { rasteriser = make_gpu_triangles(1); });
  const std::vector<float> positions{-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1};
  std::vector<int32_t> corners{0, 1, 2};
  std::vector<float> rast(4 * 8 * 8), rast_db(4 * 8 * 8);
  triangles::Scene scene{};
  scene.positions = positions.data(), scene.vertices = 3, scene.triangles = {corners.data(), 1};
  scene.pictures = 1, scene.width = scene.height = 8;
  call("rasterize", [&] { EXPECT_TRUE(rasteriser->rasterize(scene, rast.data(), rast_db.data(), nullptr)); });
  corners[2] = 9;
  call("a wrong corner", [&] { EXPECT_FALSE(rasteriser->rasterize(scene, rast.data(), rast_db.data(), nullptr)); });
  call("the end", [&] { rasteriser.reset(); });
  EXPECT_EQ(hip_emulator::counters().devices, 2u);
}

}  // namespace
}  // namespace splat::test
