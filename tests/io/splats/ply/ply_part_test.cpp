// Splats that stand for all of a PLY, read before the rest.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "splat/bench/bench_scene.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/thinned.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;

class PartOfPly : public testing::Test {
 protected:
  std::optional<PartOfSplats> part(size_t count, const fs::path& path) {
    auto read = read_part_of_splat_ply(
        path, [&](size_t) { return count; }, pool_);
    EXPECT_TRUE(read.ok()) << read.error().message;
    return read.ok() ? std::move(*read) : std::nullopt;
  }
  fs::path written(int degree) {
    fs::path path = folder_.path() / ("degree" + std::to_string(degree) + ".ply");
    const splat::Gaussians model = splat::with_sh_degree(splat::bench::make_scene({20'000, 256, 160}).model, degree);
    EXPECT_TRUE(write_splat_file(path, model, {.antialiased = true}).ok());
    return path;
  }

  splat::test::TempFolder folder_;
  splat::ThreadPool pool_{2};
};

TEST_F(PartOfPly, IsWhatThinningAllOfItKeeps) {
  for (const int degree : {0, 3}) {
    const fs::path path = written(degree);
    const auto whole = read_splat_ply(path);
    ASSERT_TRUE(whole.ok());
    const splat::Thinned kept = splat::thinned(whole->gaussians, 3'000, pool_);
    const auto read = part(3'000, path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->all, 20'000u);
    EXPECT_EQ(read->rows, kept.rows);
    EXPECT_EQ(read->file.format, whole->format);
    EXPECT_EQ(read->file.antialiased, whole->antialiased);
    EXPECT_EQ(read->file.gaussians.sh_degree, degree);
    splat::visit_arrays(
        kept.model,
        [](const char* name, const std::vector<float>& expected, const std::vector<float>& found, size_t) {
          EXPECT_EQ(expected, found) << name;
        },
        read->file.gaussians);
  }
}

TEST_F(PartOfPly, IsNotReadWhereItIsNotWantedOrCannotBe) {
  const fs::path path = written(1);
  EXPECT_FALSE(part(0, path));
  EXPECT_FALSE(part(20'000, path)) << "that is all of it";
  const fs::path ascii = folder_.write("ascii.ply", R"(ply
format ascii 1.0
element vertex 2
property float x
property float y
property float z
property float f_dc_0
property float f_dc_1
property float f_dc_2
property float opacity
property float scale_0
property float scale_1
property float scale_2
property float rot_0
property float rot_1
property float rot_2
property float rot_3
end_header
0 0 0 1 1 1 1 -3 -3 -3 1 0 0 0
1 0 0 1 1 1 1 -3 -3 -3 1 0 0 0
)");
  EXPECT_FALSE(part(1, ascii));
  fs::resize_file(path, fs::file_size(path) - 1000);
  EXPECT_FALSE(read_part_of_splat_ply(
                   path, [](size_t) { return 1000; }, pool_)
                   .ok())
      << "it is cut off";
}

}  // namespace
}  // namespace io::test
