// Wrong inputs: each is an HS_ERROR_ARGUMENT with a sentence that names what is wrong, and writes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/library/some_splats.h"
#include "tests/support/temp_folder.h"

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class LibraryArguments : public testing::Test {
 protected:
  hs_status render() {
    return hs_render(device_.get(), &splats_, &camera_, 1, &settings_, rgb_.data(), nullptr, nullptr);
  }
  // After `change` drawing is refused with a sentence that has `words`; without it goes on.
  void refuses(const std::string& words, const std::function<void()>& change) {
    const hs_splats splats = splats_;
    const hs_camera camera = camera_;
    const hs_render_settings settings = settings_;
    change();
    EXPECT_EQ(render(), HS_ERROR_ARGUMENT) << words;
    EXPECT_NE(std::string(hs_error()).find(words), std::string::npos) << "'" << hs_error() << "' lacks " << words;
    splats_ = splats;
    camera_ = camera;
    settings_ = settings;
    EXPECT_EQ(render(), HS_OK) << "after " << words << ": " << hs_error();
  }

  const hs_test::Arrays arrays_ = hs_test::some_splats(10, 1);
  const hs_test::Device device_ = hs_test::open_device();
  hs_splats splats_ = arrays_.splats();
  hs_camera camera_ = hs_test::camera(8, 8);
  hs_render_settings settings_ = hs_test::settings(8, 8);
  std::vector<float> rgb_ = std::vector<float>(size_t(3) * 8 * 8);
};

TEST_F(LibraryArguments, OfSplats) {
  refuses("struct_size of splats is 8,", [&] { splats_.struct_size = 8; });
  refuses("struct_size of splats is 0,", [&] { splats_.struct_size = 0; });
  refuses("struct_size of splats is 18446744073709551615", [&] { splats_.struct_size = SIZE_MAX; });
  refuses("count of splats is 9223372036854775807", [&] { splats_.count = INT64_MAX; });
  refuses("count of splats is 18446744073709551615", [&] { splats_.count = UINT64_MAX; });
  refuses("sh_degree is 4", [&] { splats_.sh_degree = 4; });
  refuses("sh_degree is -1", [&] { splats_.sh_degree = -1; });
  refuses("antialiased is 2", [&] { splats_.antialiased = 2; });
  refuses("flat is -3", [&] { splats_.flat = -3; });
  refuses("means is null", [&] { splats_.means = nullptr; });
  refuses("quats is null", [&] { splats_.quats = nullptr; });
  refuses("log_scales is null", [&] { splats_.log_scales = nullptr; });
  refuses("logit_opacities is null", [&] { splats_.logit_opacities = nullptr; });
  refuses("sh is null", [&] { splats_.sh = nullptr; });
  refuses("up or origin is not finite", [&] { splats_.up[1] = kNan; });
  refuses("up or origin is not finite", [&] { splats_.origin[2] = double(INFINITY); });
  refuses("metres_per_unit", [&] { splats_.metres_per_unit = -1; });
  refuses("metres_per_unit", [&] { splats_.metres_per_unit = kNan; });
  refuses("low_pass of the splats", [&] { splats_.low_pass = 101; });
  refuses("low_pass of the splats", [&] { splats_.low_pass = kNan; });
  refuses("epsg is negative", [&] { splats_.epsg = -1; });
}

TEST_F(LibraryArguments, OfSettings) {
  refuses("struct_size of settings", [&] { settings_.struct_size -= 8; });
  refuses("a picture of 0x8 px", [&] { settings_.width = 0; });
  refuses("a picture of 8x-1 px", [&] { settings_.height = -1; });
  refuses("a picture of 16385x8 px", [&] { settings_.width = 16385; });
  refuses("a picture of 2147483647x2147483647", [&] { settings_.width = settings_.height = INT32_MAX; });
  refuses("max_sh_degree is 4", [&] { settings_.max_sh_degree = 4; });
  refuses("antialias is -2", [&] { settings_.antialias = -2; });
  refuses("the background is not finite", [&] { settings_.background[1] = kNan; });
  refuses("low_pass", [&] { settings_.low_pass = -0.3f; });
  refuses("low_pass", [&] { settings_.low_pass = kNan; });
}

TEST_F(LibraryArguments, OfCameras) {
  refuses("camera 0 has a focal length that is not positive", [&] { camera_.fx = 0; });
  refuses("camera 0 has a focal length that is not positive", [&] { camera_.fy = -1; });
  refuses("camera 0 has a number that is not finite", [&] { camera_.fy = double(kNan); });
  refuses("camera 0 has a number that is not finite, or too large", [&] { camera_.cx = 1e300; });
  refuses("camera 0 has a number that is not finite", [&] { camera_.cam_from_world[11] = double(INFINITY); });
  refuses("those of a rotation", [&] { camera_.cam_from_world[0] = 2; });
  refuses("those of a rotation", [&] { camera_.cam_from_world[10] = -1; });
  refuses("those of a rotation", [&] { camera_.cam_from_world[4] = double(kNan); });
  EXPECT_EQ(hs_render(device_.get(), &splats_, &camera_, -1, &settings_, nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_render(device_.get(), &splats_, nullptr, 1, &settings_, nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_render(device_.get(), &splats_, nullptr, 0, &settings_, nullptr, nullptr, nullptr), HS_OK);
  EXPECT_EQ(hs_render(device_.get(), &splats_, &camera_, 1, &settings_, nullptr, nullptr, nullptr), HS_OK);
}

TEST_F(LibraryArguments, NullIsRefusedEverywhere) {
  hs_file* file = nullptr;
  hs_device_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(hs_load(nullptr, &file), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_load("a.ply", nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_file_splats(nullptr, &splats_), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_file_describe(nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_save(nullptr, &splats_, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_save("a.ply", nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_device_open(nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_device_describe(nullptr, &info), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_device_describe(device_.get(), nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_device_list(nullptr, 1, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_device_list(&info, -1, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_render(nullptr, &splats_, &camera_, 1, &settings_, nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_render(device_.get(), nullptr, &camera_, 1, &settings_, nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_render(device_.get(), &splats_, &camera_, 1, nullptr, nullptr, nullptr, nullptr), HS_ERROR_ARGUMENT);
  hs_render_defaults(nullptr);
  hs_device_close(nullptr);
  hs_file_free(nullptr);
}

TEST_F(LibraryArguments, OfOpening) {
  hs_device* device = nullptr;
  for (const hs_device_options& options :
       {hs_device_options{8, "cpu", 0, 0}, hs_device_options{sizeof(hs_device_options), "cpu", -2, 0},
        hs_device_options{sizeof(hs_device_options), "cpu", 0, -1},
        hs_device_options{sizeof(hs_device_options), "cpu", 0, 5000},
        hs_device_options{sizeof(hs_device_options), "", 0, 0}}) {
    EXPECT_EQ(hs_device_open(&options, &device), HS_ERROR_ARGUMENT) << options.index << " " << options.threads;
    EXPECT_EQ(device, nullptr);
  }
}

TEST_F(LibraryArguments, OfSaving) {
  const splat::test::TempFolder folder;
  const std::string path = folder.path() / "a.spz";
  for (const hs_save_options& options : {hs_save_options{sizeof(hs_save_options), 2, 0},
                                         hs_save_options{sizeof(hs_save_options), 0, -1}, hs_save_options{4, 0, 0}})
    EXPECT_EQ(hs_save(path.c_str(), &splats_, &options, nullptr), HS_ERROR_ARGUMENT);
  hs_save_report report{};
  EXPECT_EQ(hs_save(path.c_str(), &splats_, nullptr, &report), HS_ERROR_ARGUMENT);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// A caller that was compiled with a later header: what it does not use is no obstacle, what it uses is.
TEST_F(LibraryArguments, FieldsOfALaterVersionMustBeZero) {
  struct Later {
    hs_render_settings now;
    uint64_t added[2];
  } later{settings_, {0, 0}};
  later.now.struct_size = sizeof later;
  EXPECT_EQ(hs_render(device_.get(), &splats_, &camera_, 1, &later.now, rgb_.data(), nullptr, nullptr), HS_OK);
  later.added[1] = 1;
  EXPECT_EQ(hs_render(device_.get(), &splats_, &camera_, 1, &later.now, rgb_.data(), nullptr, nullptr),
            HS_ERROR_ARGUMENT);
  EXPECT_STREQ(hs_error(), "settings has fields of a later version that are not zero");
}

TEST_F(LibraryArguments, TheVersionIsTheHeaders) {
  const std::string header = std::to_string(HS_VERSION_MAJOR) + "." + std::to_string(HS_VERSION_MINOR) + "." +
                             std::to_string(HS_VERSION_PATCH);
  EXPECT_EQ(hs_version(), header);
}

}  // namespace
