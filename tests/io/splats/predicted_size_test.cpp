// Sizes of files that are not written yet, and what the table of formats says of each: the window's save dialog shows
// both.
#include "io/splats/predicted_size.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "io/io.h"
#include "splat/core/random.h"
#include "splat/model/gaussian_rows.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/support/temp_folder.h"

namespace io {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;

Gaussians noise(size_t count) {
  Gaussians model;
  model.sh_degree = 3;
  model.resize(count);
  splat::random::Sequence sequence(7, splat::random::kTest);
  splat::visit_arrays(model, [&](const char*, std::vector<float>& values, size_t) {
    for (float& value : values) value = float(2 * sequence.uniform() - 1);
  });
  return model;
}

// 1: it is as predicted.
double written_over_predicted(const SplatFormatEntry& format, const Gaussians& model, int degree) {
  const splat::test::TempFolder folder;
  const fs::path path = folder.path() / ("file" + std::string(format.output_extensions.front()));
  EXPECT_TRUE(write_splat_file(path, model, {}, {.max_sh_degree = degree}).ok());
  const auto bytes = predicted_bytes(format, size_sample(model, [](size_t) { return true; }), degree);
  EXPECT_TRUE(bytes.ok());
  return bytes ? double(fs::file_size(path)) / double(*bytes) : 0;
}

void expect_predicted(const Gaussians& model) {
  for (const SplatFormatEntry& format : splat_formats())
    for (const int degree : {0, splat::kMaxShDegree}) {
      if (!format.write) continue;
      const double ratio = written_over_predicted(format, model, degree);
      EXPECT_NEAR(ratio, 1, format.compressed ? 0.2 : 0.001) << format.name << " of degree " << degree;
      testing::Test::RecordProperty(std::string(format.extensions.front().substr(1)) + std::to_string(degree),
                                    std::to_string(ratio));
    }
}

TEST(PredictedSize, OfNoise) { expect_predicted(noise(20'000)); }

TEST(PredictedSize, OfAScene) {
  const fs::path scene = test::kRealSplats / "playbot_31k_sh2.ply";
  if (!fs::exists(scene)) GTEST_SKIP() << "no real splats here";
  expect_predicted(read_splat_file(scene)->gaussians);
}

// Of links that others have laid into the system's temporary folder nothing is written through.
TEST(PredictedSize, FollowsNoLinksOfOthers) {
  const splat::test::TempFolder folder;
  const fs::path other = folder.write("other.txt", "mine");
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", folder.path().c_str(), 1);
  for (int i = 0; i < 1000; ++i)
    fs::create_symlink(
        other, folder.path() / ("hipsplat-size-" + std::to_string(getpid()) + "-" + std::to_string(i) + ".ply"));
  EXPECT_TRUE(predicted_bytes(splat_format(SplatFormat::kPly), {noise(10), 10}, 0).ok());
  before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_EQ(fs::file_size(other), 4u);
}

TEST(PredictedSize, OfFewSplatsIsThatOfTheFile) {
  for (const SplatFormatEntry& format : splat_formats())
    if (format.write && format.format != SplatFormat::kHtml) {  // its title is the file's name
      EXPECT_EQ(written_over_predicted(format, noise(3000), splat::kMaxShDegree), 1) << format.name;
    }
}

TEST(PredictedSize, GoesByTheRowsThatAreWritten) {
  const Gaussians model = noise(40'000);
  const SizeSample sample = size_sample(model, [](size_t row) { return row >= 20'000 && row % 2 == 0; });
  EXPECT_EQ(sample.of, 10'000u);
  EXPECT_LE(sample.splats.size(), 8192u);
  EXPECT_EQ(sample.splats.means[0], model.means[3 * 20'000]);
  EXPECT_NEAR(double(*predicted_bytes(splat_format(SplatFormat::kSplat), sample, 3)), 32 * 10'000, 1);
}

TEST(PredictedSize, NothingOfTheSampleStays) {
  const std::string mine = "hipsplat-size-" + std::to_string(::getpid()) + "-";
  const auto samples = [&] {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path()))
      if (entry.path().filename().string().starts_with(mine)) found.insert(entry.path());
    return found;
  };
  const auto before = samples();  // of a killed process that had this one's number
  for (const SplatFormatEntry& format : splat_formats())
    if (format.write) {
      EXPECT_TRUE(predicted_bytes(format, size_sample(noise(10), [](size_t) { return true; }), 3).ok());
    }
  EXPECT_EQ(samples(), before);
}

// One home for these facts: the table in the program. The documentation repeats it to the word.
TEST(SplatFormats, EachThatIsWrittenSaysWhatItLosesAndWhatOpensIt) {
  std::ifstream file(test_paths::source() / "docs/formats.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const SplatFormatEntry& format : splat_formats()) {
    if (!format.write) continue;
    EXPECT_FALSE(format.loses.empty()) << format.name;
    EXPECT_FALSE(format.opened_by.empty()) << format.name;
    EXPECT_EQ(format.loss.empty(), format.loses == "nothing" || format.loses == "the last digits") << format.name;
    const size_t row = page.find("\n| `" + std::string(format.output_extensions.front()) + "`");
    ASSERT_NE(row, std::string::npos) << format.name;
    const std::string line = page.substr(row + 1, page.find('\n', row + 1) - row - 1);
    EXPECT_TRUE(line.ends_with("| " + std::string(format.loses) + " | " + std::string(format.opened_by) + " |"))
        << line;
  }
}

}  // namespace
}  // namespace io
