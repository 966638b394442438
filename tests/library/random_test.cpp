// Structs of random bits, with pointers that are null or good: every call ends in a status.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/library/some_splats.h"
#include "tests/support/temp_folder.h"

namespace {

constexpr int kSide = 8;
constexpr size_t kSplats = 5;

// With room behind it, since a random struct_size may claim fields of a later version.
template <class T>
struct Padded {
  T now{};
  unsigned char behind[512] = {};
};

class RandomStructs : public testing::Test {
 protected:
  uint64_t bits() { return random_(); }
  bool one_in(uint64_t n) { return bits() % n == 0; }

  // Now and then a byte, a word, or all of it.
  template <class T>
  void disturb(Padded<T>& padded) {
    auto* bytes = reinterpret_cast<unsigned char*>(&padded);
    if (one_in(8))
      for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(bits());
    for (uint64_t n = bits() % 3; n > 0; --n) bytes[bits() % (sizeof(T) + 16)] = static_cast<unsigned char>(bits());
    if (one_in(4)) {
      static const uint64_t odd[] = {0, 1, UINT64_MAX, uint64_t(1) << 63, 0x7f800000, 0x7fc00000, 0x7ff8000000000000};
      std::memcpy(bytes + 4 * (bits() % (sizeof(T) / 4 - 1)), &odd[bits() % 7], 8);
    }
    if (!one_in(6)) padded.now.struct_size = sizeof(T) + (one_in(4) ? bits() % 300 : 0);
  }
  const float* pointer(const std::vector<float>& good) { return one_in(40) ? nullptr : good.data(); }

  // Not more splats than there are: that no library can find out.
  void disturb_splats() {
    splats_ = {};
    splats_.now = arrays_.splats();
    disturb(splats_);
    splats_.now.means = pointer(arrays_.means);
    splats_.now.quats = pointer(arrays_.quats);
    splats_.now.log_scales = pointer(arrays_.log_scales);
    splats_.now.logit_opacities = pointer(arrays_.logit_opacities);
    splats_.now.sh = pointer(arrays_.sh);
    if (splats_.now.count > kSplats && splats_.now.count <= INT32_MAX) splats_.now.count = bits() % (kSplats + 1);
  }
  void expect_status(hs_status status) {
    ++counts_[status];
    ASSERT_TRUE(status == HS_OK || status == HS_ERROR_ARGUMENT || status == HS_ERROR_UNSUPPORTED ||
                status == HS_ERROR_FILE)
        << status << " " << hs_error();
    if (status != HS_OK) {
      EXPECT_STRNE(hs_error(), "");
    }
  }

  std::mt19937_64 random_{20261126};
  const hs_test::Arrays arrays_ = hs_test::some_splats(kSplats, 3);
  Padded<hs_splats> splats_;
  int counts_[7] = {};
};

TEST_F(RandomStructs, RenderEndsInAStatus) {
  const hs_test::Device device = hs_test::open_device();
  std::vector<float> rgb(size_t(3) * kSide * kSide);
  for (int i = 0; i < 20000; ++i) {
    disturb_splats();
    Padded<hs_render_settings> settings{hs_test::settings(kSide, kSide), {}};
    disturb(settings);
    settings.now.width = one_in(20) ? int32_t(bits()) : kSide;
    settings.now.height = one_in(20) ? -int32_t(bits() % 1000) : kSide;
    if (settings.now.width > kSide) settings.now.width = kSide;
    hs_camera camera = hs_test::camera(kSide, kSide);
    if (one_in(3)) reinterpret_cast<unsigned char*>(&camera)[bits() % sizeof camera] ^= 1u << (bits() % 8);
    expect_status(hs_render(device.get(), &splats_.now, one_in(50) ? nullptr : &camera, 1, &settings.now, rgb.data(),
                            nullptr, nullptr));
  }
  EXPECT_GT(counts_[HS_OK], 1000);
  EXPECT_GT(counts_[HS_ERROR_ARGUMENT], 1000);
}

// Arrays have room for the most that is possible; as floats what lies in them is random too.
TEST_F(RandomStructs, RasteriseEndsInAStatus) {
  const hs_test::Device device = hs_test::open_device();
  std::vector<double> in(kSplats * 64 + size_t(kSide) * kSide * 32), out(size_t(kSide) * kSide * 32 + kSplats * 48);
  std::uniform_real_distribution<double> between(0.1, 0.9);
  for (double& value : in) value = between(random_);
  for (int i = 0; i < 4000; ++i) {
    Padded<hs_scene> scene;
    scene.now.struct_size = sizeof(hs_scene);
    scene.now.channels = 3;
    scene.now.sh_coefficients = 4;
    disturb(scene);
    scene.now.count = one_in(20) ? uint64_t(1) << (31 + bits() % 33) : bits() % (kSplats + 1);
    scene.now.means = scene.now.quats = scene.now.scales = scene.now.opacities = one_in(30) ? nullptr : in.data();
    scene.now.covariances = one_in(30) ? in.data() : nullptr;
    scene.now.sh = one_in(2) ? in.data() : nullptr;
    scene.now.colours = one_in(2) ? in.data() : nullptr;
    Padded<hs_raster_settings> settings;
    hs_raster_defaults(&settings.now);
    settings.now.width = settings.now.height = kSide;
    disturb(settings);
    settings.now.width = one_in(20) ? -int32_t(bits() % 9) : kSide;
    settings.now.height = kSide;
    Padded<hs_allocator> scratch{{sizeof(hs_allocator), nullptr, nullptr, nullptr}, {}};
    disturb(scratch);
    scratch.now.allocate = [](void*, size_t bytes, void*) { return std::aligned_alloc(64, (bytes + 63) / 64 * 64); };
    scratch.now.free = [](void*, void* memory) { std::free(memory); };
    if (one_in(20)) scratch.now.free = nullptr;
    settings.now.scratch = one_in(3) ? &scratch.now : nullptr;
    Padded<hs_pictures> pictures;
    disturb(pictures);
    const size_t size = pictures.now.struct_size;
    pictures.now = {};
    pictures.now.struct_size = size;
    pictures.now.colour = out.data();
    pictures.now.radii = one_in(2) ? reinterpret_cast<int32_t*>(out.data()) : nullptr;
    const hs_camera camera = hs_test::camera(kSide, kSide);
    hs_drawn* drawn = nullptr;
    expect_status(hs_rasterize(device.get(), &scene.now, &camera, 1, nullptr, &settings.now, &pictures.now, nullptr,
                               one_in(2) ? &drawn : nullptr));
    hs_picture_gradients by_pictures{sizeof by_pictures, in.data(), nullptr, nullptr};
    if (drawn) expect_status(hs_rasterize_backward_pictures(drawn, &by_pictures, nullptr));
    hs_drawn_free(drawn);
  }
  EXPECT_GT(counts_[HS_OK], 200);
  EXPECT_GT(counts_[HS_ERROR_ARGUMENT], 200);
}

TEST_F(RandomStructs, SaveAndDescribeEndInAStatus) {
  const splat::test::TempFolder folder;
  const std::string names[] = {"a.ply", "a.spz", "a.glb", "a.splat", "a.txt"};
  const hs_test::Device device = hs_test::open_device();
  for (int i = 0; i < 300; ++i) {
    disturb_splats();
    Padded<hs_save_options> options;
    disturb(options);
    Padded<hs_save_report> report;
    disturb(report);
    Padded<hs_device_info> info;
    disturb(info);
    expect_status(hs_save((folder.path() / names[bits() % 5]).c_str(), &splats_.now, &options.now, &report.now));
    expect_status(hs_device_describe(device.get(), &info.now));
  }
  EXPECT_GT(counts_[HS_OK], 50);
  EXPECT_GT(counts_[HS_ERROR_ARGUMENT], 50);
}

}  // namespace
