// The library on a GPU, emulated: its plugin takes the host's memory for the device's, so that pointers go all the way.
// And scratch of the caller's (hs_allocator), there and on the processor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

constexpr int kColumns = 40, kRows = 30;
constexpr size_t kSplats = 60, kPixels = size_t(kColumns) * kRows;

struct Result {
  std::vector<float> rgb = std::vector<float>(3 * kPixels), v_means = std::vector<float>(3 * kSplats),
                     v_opacities = std::vector<float>(kSplats), v_sh = std::vector<float>(12 * kSplats),
                     v_means2d = std::vector<float>(2 * kSplats);
};

class LibraryOnAGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("HIPSPLAT_PLUGINS", HIPSPLAT_TEST_PLUGINS "/working", 1); }
  static void TearDownTestSuite() { unsetenv("HIPSPLAT_PLUGINS"); }

  LibraryOnAGpu() {
    for (const float value : arrays_.log_scales) scales_.push_back(std::exp(value));
    for (const float value : arrays_.logit_opacities) opacities_.push_back(1 / (1 + std::exp(-value)));
  }
  hs_scene scene() const {
    hs_scene scene{};
    scene.struct_size = sizeof scene;
    scene.count = kSplats;
    scene.channels = 3;
    scene.sh_coefficients = 4;
    scene.sh_degree = 1;
    scene.means = arrays_.means.data();
    scene.quats = arrays_.quats.data();
    scene.scales = scales_.data();
    scene.opacities = opacities_.data();
    scene.sh = arrays_.sh.data();
    return scene;
  }
  hs_status draw(hs_device* device, hs_scene scene, Result& result, const hs_allocator* scratch = nullptr) {
    hs_raster_settings settings;
    hs_raster_defaults(&settings);
    settings.width = kColumns, settings.height = kRows;
    settings.scratch = scratch;
    hs_pictures pictures{};
    pictures.struct_size = sizeof pictures;
    pictures.colour = result.rgb.data();
    const hs_camera camera = hs_test::camera(kColumns, kRows);
    hs_drawn* drawn = nullptr;
    hs_status status = hs_rasterize(device, &scene, &camera, 1, nullptr, &settings, &pictures, nullptr, &drawn);
    std::vector<float> v_rgb(3 * kPixels);
    for (size_t i = 0; i < v_rgb.size(); ++i) v_rgb[i] = std::sin(float(i));
    hs_picture_gradients in{};
    in.struct_size = sizeof in, in.colour = v_rgb.data();
    hs_screen_gradients screen{};
    screen.struct_size = sizeof screen, screen.means2d = result.v_means2d.data();
    hs_scene_gradients out{};
    out.struct_size = sizeof out, out.means = result.v_means.data();
    out.opacities = result.v_opacities.data(), out.sh = result.v_sh.data();
    if (status == HS_OK) status = hs_rasterize_backward_pictures(drawn, &in, &screen);
    if (status == HS_OK) status = hs_rasterize_backward_scene(drawn, nullptr, &out);
    hs_drawn_free(drawn);
    return status;
  }

  const hs_test::Arrays arrays_ = hs_test::some_splats(kSplats, 1);
  std::vector<float> scales_, opacities_;
};

// Memory of the host, with books about it.
struct Books {
  hs_allocator allocator{sizeof allocator, this, allocate, free};
  std::map<void*, size_t> held;  // bytes
  size_t allocations = 0, bytes = 0, most = 0, refused_at = SIZE_MAX;
  bool aligned = true;
  hs_device* draws_on = nullptr;     // within allocate(), which is refused
  std::vector<hs_drawn*> let_go_of;  // by the next allocate()
  std::string strange;

  static void* allocate(void* user, size_t size, void* stream) {
    Books& books = *static_cast<Books*>(user);
    if (stream) books.strange += "a stream of another call; ";
    for (hs_drawn* drawn : std::exchange(books.let_go_of, {})) hs_drawn_free(drawn);
    if (books.draws_on) books.draw_within();
    if (++books.allocations >= books.refused_at) return nullptr;
    char* const room = static_cast<char*>(std::aligned_alloc(64, (size + 127) / 64 * 64));
    char* const memory = room + (books.aligned ? 0 : 4);
    books.held[memory] = size;
    books.bytes += size;
    books.most = std::max(books.most, books.bytes);
    return memory;
  }
  static void free(void* user, void* memory) {
    Books& books = *static_cast<Books*>(user);
    const auto found = books.held.find(memory);
    if (found == books.held.end()) {
      books.strange += "freed what was never given; ";
      return;
    }
    books.bytes -= found->second;
    books.held.erase(found);
    std::free(static_cast<char*>(memory) - (books.aligned ? 0 : 4));
  }
  void draw_within() {
    hs_raster_settings settings;
    hs_raster_defaults(&settings);
    settings.width = settings.height = 8;
    hs_scene nothing{};
    nothing.struct_size = sizeof nothing;
    hs_pictures pictures{};
    pictures.struct_size = sizeof pictures;
    const hs_camera camera = hs_test::camera(8, 8);
    hs_rasterize(draws_on, &nothing, &camera, 1, nullptr, &settings, &pictures, nullptr, nullptr);
    if (std::string(hs_error()).find("may not draw") == std::string::npos) strange += "drew within a call; ";
  }
};

void expect_close(const std::vector<float>& a, const std::vector<float>& b, const char* what) {
  double most = 0;
  for (const float value : b) most = std::max(most, std::abs(double(value)));
  EXPECT_GT(most, 0) << what;
  for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4 * most) << what << " " << i;
}

TEST_F(LibraryOnAGpu, DrawsAndDifferentiatesAsTheProcessor) {
  const hs_test::Device gpu = hs_test::open_device("hip"), cpu = hs_test::open_device("cpu", 2);
  ASSERT_NE(gpu, nullptr) << hs_error();
  Result by_gpu, by_cpu;
  ASSERT_EQ(draw(gpu.get(), scene(), by_gpu), HS_OK) << hs_error();
  ASSERT_EQ(draw(cpu.get(), scene(), by_cpu), HS_OK) << hs_error();
  expect_close(by_gpu.rgb, by_cpu.rgb, "rgb");
  expect_close(by_gpu.v_means2d, by_cpu.v_means2d, "means2d");
  expect_close(by_gpu.v_means, by_cpu.v_means, "means");
  expect_close(by_gpu.v_opacities, by_cpu.v_opacities, "opacities");
  expect_close(by_gpu.v_sh, by_cpu.v_sh, "sh");
}

TEST_F(LibraryOnAGpu, DoublesAreForTheHost) {
  const hs_test::Device gpu = hs_test::open_device("hip");
  ASSERT_NE(gpu, nullptr) << hs_error();
  hs_scene doubles = scene();
  doubles.type = HS_FLOAT64;
  Result result;
  EXPECT_EQ(draw(gpu.get(), doubles, result), HS_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(hs_error()).find("HS_FLOAT64 is for the host"), std::string::npos) << hs_error();
}

class ScratchOfTheCallers : public LibraryOnAGpu, public testing::WithParamInterface<const char*> {
 protected:
  ScratchOfTheCallers() : device_(hs_test::open_device(GetParam())) {}

  // Draws one picture, of which something may be kept.
  hs_status draw_once(const hs_allocator& scratch, hs_drawn** kept) {
    hs_raster_settings settings;
    hs_raster_defaults(&settings);
    settings.width = kColumns, settings.height = kRows;
    settings.scratch = &scratch;
    hs_pictures pictures{};
    pictures.struct_size = sizeof pictures;
    const hs_scene given = scene();
    const hs_camera camera = hs_test::camera(kColumns, kRows);
    return hs_rasterize(device_.get(), &given, &camera, 1, nullptr, &settings, &pictures, nullptr, kept);
  }

  const hs_test::Device device_;
  Books books_;
};
INSTANTIATE_TEST_SUITE_P(, ScratchOfTheCallers, testing::Values("cpu", "hip"));

TEST_P(ScratchOfTheCallers, IsAllOfItAndIsGivenBack) {
  Result own, lent;
  ASSERT_EQ(draw(device_.get(), scene(), own), HS_OK) << hs_error();
  ASSERT_EQ(draw(device_.get(), scene(), lent, &books_.allocator), HS_OK) << hs_error();
  expect_close(lent.rgb, own.rgb, "rgb");
  expect_close(lent.v_means, own.v_means, "means");
  EXPECT_TRUE(books_.held.empty());
  EXPECT_GT(books_.allocations, 10u);
  EXPECT_GT(books_.most, 7 * sizeof(float) * kPixels) << "image, its gradient, transmittance";
  const size_t first = books_.allocations;
  ASSERT_EQ(draw(device_.get(), scene(), own), HS_OK) << hs_error();
  EXPECT_EQ(books_.allocations, first) << "a call without an allocator uses none";
  ASSERT_EQ(draw(device_.get(), scene(), lent, &books_.allocator), HS_OK) << hs_error();
  EXPECT_EQ(books_.allocations, 2 * first) << "nothing is kept for later calls";
  EXPECT_EQ(books_.strange, "");
}

TEST_P(ScratchOfTheCallers, IsHeldAsLongAsADrawingIsKept) {
  hs_drawn *first = nullptr, *second = nullptr;
  ASSERT_EQ(draw_once(books_.allocator, nullptr), HS_OK) << hs_error();
  EXPECT_TRUE(books_.held.empty());
  const size_t drawing = books_.most;
  ASSERT_EQ(draw_once(books_.allocator, &first), HS_OK) << hs_error();
  EXPECT_FALSE(books_.held.empty());
  EXPECT_LE(books_.bytes, drawing);
  const std::map<void*, size_t> of_first = books_.held;
  ASSERT_EQ(draw_once(books_.allocator, &second), HS_OK) << hs_error();
  hs_drawn_free(first);
  for (const auto& [memory, bytes] : of_first) EXPECT_FALSE(books_.held.contains(memory));
  EXPECT_FALSE(books_.held.empty());
  hs_drawn_free(second);
  EXPECT_TRUE(books_.held.empty());
  EXPECT_EQ(books_.strange, "");
}

TEST_P(ScratchOfTheCallers, WhereThereIsNoneTheCallFailsAndNothingLeaks) {
  Result result;
  ASSERT_EQ(draw(device_.get(), scene(), result, &books_.allocator), HS_OK) << hs_error();
  const size_t all = books_.allocations;
  for (size_t n = 1; n <= all; ++n) {
    books_.allocations = 0, books_.refused_at = n;
    const hs_status status = draw(device_.get(), scene(), result, &books_.allocator);
    ASSERT_TRUE(books_.held.empty()) << n;
    if (status == HS_OK) continue;  // the processor asked for more than it needs, and then for that
    ASSERT_EQ(status, HS_ERROR_MEMORY) << n << ": " << hs_error();
    EXPECT_NE(std::string(hs_error()).find("the caller's allocator has no memory for"), std::string::npos);
  }
  books_.refused_at = SIZE_MAX;
  EXPECT_EQ(draw(device_.get(), scene(), result, &books_.allocator), HS_OK) << hs_error();
  books_.aligned = false;
  EXPECT_EQ(draw(device_.get(), scene(), result, &books_.allocator), HS_ERROR_MEMORY);
  EXPECT_NE(std::string(hs_error()).find("no multiple of 64"), std::string::npos) << hs_error();
  EXPECT_TRUE(books_.held.empty());
  EXPECT_EQ(books_.strange, "");
}

// As when a collector of garbage runs within a caller's functions.
TEST_P(ScratchOfTheCallers, ItsFunctionsMayLetGoOfDrawingsAndDoNothingElse) {
  hs_drawn *old = nullptr, *other = nullptr;
  ASSERT_EQ(draw_once(books_.allocator, &old), HS_OK) << hs_error();
  ASSERT_EQ(draw_once(books_.allocator, &other), HS_OK) << hs_error();
  books_.let_go_of = {old, other};
  books_.draws_on = device_.get();
  ASSERT_EQ(draw_once(books_.allocator, nullptr), HS_OK) << hs_error();
  EXPECT_TRUE(books_.held.empty());
  EXPECT_EQ(books_.strange, "");
}

TEST_F(LibraryOnAGpu, ScratchIsRefusedWhereItMeansNothing) {
  Books books;
  Result result;
  const hs_test::Device reference = hs_test::open_device("reference");
  EXPECT_EQ(draw(reference.get(), scene(), result, &books.allocator), HS_ERROR_UNSUPPORTED);
  const hs_test::Device cpu = hs_test::open_device("cpu");
  hs_scene doubles = scene();
  doubles.type = HS_FLOAT64;
  EXPECT_EQ(draw(cpu.get(), doubles, result, &books.allocator), HS_ERROR_UNSUPPORTED);
  books.allocator.free = nullptr;
  EXPECT_EQ(draw(cpu.get(), scene(), result, &books.allocator), HS_ERROR_ARGUMENT);
  books.allocator.struct_size = 3;
  EXPECT_EQ(draw(cpu.get(), scene(), result, &books.allocator), HS_ERROR_ARGUMENT);
  EXPECT_EQ(books.allocations, 0u);
}

// In a process of its own: a plugin is loaded once, and a device is what it is then.
TEST_F(LibraryOnAGpu, AFailedCheckOfThePluginIsAnInternalError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto open = [] {
    setenv("HIPSPLAT_EMULATOR", "wave=16", 1);
    hs_device_options options{};
    options.struct_size = sizeof options, options.backend = "hip";
    hs_device* device = nullptr;
    const hs_status status = hs_device_open(&options, &device);
    std::fprintf(stderr, "%s\n", hs_error());
    std::exit(status);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(HS_ERROR_INTERNAL), "gpu_backend.cpp:[0-9]+: .*wave_size == 32");
}

// Two triangles that share an edge, with what their corners carry, through all calls.
struct Triangles {
  static constexpr int kAcross = 20;
  static constexpr size_t kHere = size_t(kAcross) * kAcross;
  std::vector<int32_t> corners{0, 1, 2, 2, 1, 3};
  std::vector<float> positions{-0.9f, -0.8f, 0.1f, 1, 1.5f, -1.2f, 0.2f, 2, -1, 1.3f, 0, 1.5f, 0.7f, 0.8f, 0.3f, 1};
  std::vector<float> values{1, -2, 3, 4, -5, 6, 7, 8};
  std::vector<float> rast = std::vector<float>(4 * kHere), db = rast, out = std::vector<float>(2 * kHere), out_da = out,
                     v_positions = std::vector<float>(16), v_values = std::vector<float>(8), v_rast = rast, v_db = rast,
                     shares = std::vector<float>(3 * kHere), of_faces = out;
  std::vector<int32_t> numbers = std::vector<int32_t>(kHere), wanted{1};

  hs_status run(hs_device* device) {
    hs_triangles all{};
    all.struct_size = sizeof all, all.count = 2, all.vertices = 4, all.corners = corners.data(), all.device = device;
    hs_triangle_scene scene{};
    scene.struct_size = sizeof scene, scene.positions = positions.data(), scene.pictures = 1;
    scene.width = scene.height = kAcross;
    hs_triangle_attributes a{};
    a.struct_size = sizeof a, a.values = values.data(), a.rast = rast.data(), a.rast_db = db.data();
    a.differentiated = wanted.data(), a.differentiated_count = 1, a.channels = 2, a.pictures = 1;
    a.width = a.height = kAcross;
    hs_triangle_gradients gradients{};
    gradients.struct_size = sizeof gradients, gradients.values = v_values.data();
    gradients.rast = v_rast.data(), gradients.rast_db = v_db.data();
    hs_face_scene faces{};
    faces.struct_size = sizeof faces, faces.positions = positions.data(), faces.width = faces.height = kAcross;
    hs_face_values face_values{};
    face_values.struct_size = sizeof face_values, face_values.values = values.data(), face_values.channels = 2;
    face_values.face_numbers = numbers.data(), face_values.shares = shares.data(), face_values.pixels = kHere;
    for (const auto& call : std::vector<std::function<hs_status()>>{
             [&] { return hs_triangles_rasterize(&all, &scene, rast.data(), db.data()); },
             [&] { return hs_triangles_interpolate(&all, &a, out.data(), out_da.data()); },
             [&] { return hs_triangles_interpolate_backward(&all, &a, out.data(), out_da.data(), &gradients); },
             [&] {
               return hs_triangles_rasterize_backward(&all, &scene, rast.data(), v_rast.data(), v_db.data(),
                                                      v_positions.data());
             },
             [&] { return hs_triangles_rasterize_faces(&all, &faces, numbers.data(), shares.data()); },
             [&] { return hs_triangles_interpolate_faces(&all, &face_values, of_faces.data()); }})
      if (const hs_status status = call(); status != HS_OK) return status;
    return HS_OK;
  }
};

TEST_F(LibraryOnAGpu, TrianglesAreAsTheProcessors) {
  const hs_test::Device gpu = hs_test::open_device("hip"), cpu = hs_test::open_device("cpu", 2);
  ASSERT_NE(gpu, nullptr) << hs_error();
  Triangles by_gpu, by_cpu, by_nobody;
  ASSERT_EQ(by_gpu.run(gpu.get()), HS_OK) << hs_error();
  ASSERT_EQ(by_cpu.run(cpu.get()), HS_OK) << hs_error();
  ASSERT_EQ(by_nobody.run(nullptr), HS_OK) << hs_error();
  EXPECT_EQ(by_cpu.v_positions, by_nobody.v_positions);
  EXPECT_EQ(by_gpu.numbers, by_cpu.numbers);
  expect_close(by_gpu.rast, by_cpu.rast, "rast");
  expect_close(by_gpu.db, by_cpu.db, "rast_db");
  expect_close(by_gpu.out, by_cpu.out, "out");
  expect_close(by_gpu.out_da, by_cpu.out_da, "out_da");
  expect_close(by_gpu.v_values, by_cpu.v_values, "v_values");
  expect_close(by_gpu.v_rast, by_cpu.v_rast, "v_rast");
  expect_close(by_gpu.v_positions, by_cpu.v_positions, "v_positions");
  expect_close(by_gpu.shares, by_cpu.shares, "shares");
  expect_close(by_gpu.of_faces, by_cpu.of_faces, "values of faces");
}

TEST_F(LibraryOnAGpu, SaysWhichCornerIsNoVertex) {
  const hs_test::Device gpu = hs_test::open_device("hip");
  ASSERT_NE(gpu, nullptr) << hs_error();
  Triangles wrong;
  wrong.corners[4] = 4;
  EXPECT_EQ(wrong.run(gpu.get()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(std::string(hs_error()), "triangle 1 has vertex 4 of 4");
}

}  // namespace
