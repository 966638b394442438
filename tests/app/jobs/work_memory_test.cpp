// What commands that do not train take: predicted, and refused in a sentence where it is more than there is.
#include "app/jobs/work_memory.h"

#include <gtest/gtest.h>

#include "app/jobs/host/reading_memory.h"
#include "io/io.h"
#include "splat/core/memory_guard.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_SANITIZERS GTEST_SKIP() << "the sanitizers have memory of their own"
#else
#define SKIP_UNDER_SANITIZERS
#endif

constexpr uint64_t kMB = 1'000'000;

TEST(WorkMemory, TooMuchIsRefusedInASentence) {
  const HostMemory job{1000 * kMB, 200 * kMB, "cgroup /job"};
  EXPECT_TRUE(check_work("this", 200 * kMB, job).ok());
  const auto refused = check_work("writing 'x.html'", 201 * kMB, job);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().message,
      "writing 'x.html' needs 201 MB of memory more, and 200 MB are available (cgroup /job): close other programs, "
      "raise that limit, or use a machine with more");
  const HostMemory machine{1000 * kMB, 200 * kMB, "machine", 300 * kMB};  // it would be slow, and work
  EXPECT_TRUE(check_work("this", 500 * kMB, machine).ok());
  EXPECT_EQ(check_work("this", 501 * kMB, machine).error().message.find("machine)"), std::string::npos);
}

TEST(WorkMemory, AGuardAsksBeforeAModelIsMade) {
  size_t asked = 0;
  const splat::MemoryGuard guard([&](size_t bytes) { return (asked = bytes) <= 236 * kMB; });
  splat::MemoryGuard::ask_for_model(1'000'000, 3);
  EXPECT_EQ(asked, 236 * kMB);
  EXPECT_THROW(splat::MemoryGuard::ask_for_model(1'000'001, 3), splat::MemoryRefused);
  {
    const splat::MemoryGuard inner([](size_t) { return true; });
    splat::MemoryGuard::ask_for_model(2'000'000, 3);
  }
  EXPECT_THROW(splat::MemoryGuard::ask_for_model(2'000'000, 3), splat::MemoryRefused);
  EXPECT_TRUE(may_take(1000));
}

class WorkOfConvert : public testing::Test {
 protected:
  static constexpr size_t kSplats = 150'000;
  WorkOfConvert() { EXPECT_TRUE(io::write_splat_file(folder_.path() / "in.ply", model_, {}, {}).ok()); }
  test::Ran to(const std::string& extension, const test::RunOptions& options = {}) const {
    return test::run({"--convert", (folder_.path() / "in.ply").string(), "-o",
                      (folder_.path() / ("out" + extension)).string(), "--json", "--force", "--threads", "2"},
                     options);
  }
  const splat::Gaussians model_ = splat::test::cloud(kSplats, 3);
  splat::test::TempFolder folder_;
};

TEST_F(WorkOfConvert, IsPredicted) {
  SKIP_UNDER_SANITIZERS;
  const double reading = double(to(".ply").peak_rss_bytes);
  for (const auto& [extension, format] :
       {std::pair{".spz", io::SplatFormat::kSpz}, {".sog", io::SplatFormat::kSog}, {".html", io::SplatFormat::kHtml}}) {
    const test::Ran ran = to(extension);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NEAR((reading + double(bytes_to_write(format, model_))) / double(ran.peak_rss_bytes), 1, 0.15) << extension;
  }
}

// By more and more room: refused while reading or before writing, or else done, and no half of a file.
TEST_F(WorkOfConvert, EndsInASentenceUnderEveryLimit) {
  SKIP_UNDER_SANITIZERS;
  bool refused_reading = false, refused_writing = false, done = false;
  test::RunOptions limited;
  for (uint64_t megabytes = 80; megabytes <= 800 && !done; megabytes += 16) {
    limited.address_space_bytes = megabytes * kMB;
    const test::Ran ran = to(".html", limited);
    done = ran.code == 0;
    if (done) break;
    EXPECT_FALSE(fs::exists(folder_.path() / "out.html")) << megabytes;
    if (ran.err.empty() || ran.err.find("error while loading") != std::string::npos) continue;  // it cannot even start
    ASSERT_TRUE(ran.code == 1 || ran.code == 2) << megabytes << " MB: " << ran.code << ran.err;
    ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
    refused_reading = refused_reading || ran.err.find("of memory to be read") != std::string::npos;
    refused_writing = refused_writing || ran.err.find("of memory more") != std::string::npos;
    EXPECT_EQ(ran.code, ran.err.find("out of memory") == std::string::npos ? 2 : 1) << ran.err;
  }
  EXPECT_TRUE(done);
  EXPECT_TRUE(refused_reading);
  EXPECT_TRUE(refused_writing);
}

class WorkOfDrawing : public WorkOfConvert {
 protected:
  // By more and more room: that of the first run whose refusal has these words.
  test::Ran refused(std::vector<std::string> words, const std::string& said) const {
    words.insert(words.begin() + 1, (folder_.path() / "in.ply").string());
    words.insert(words.end(),
                 {"-o", (folder_.path() / "out").string() + (words[0] == "mesh" ? ".glb" : ""), "--threads", "2"});
    test::RunOptions limited;
    test::Ran ran;
    for (uint64_t megabytes = 100; megabytes <= 800 && ran.code != 0; megabytes += 20) {
      limited.address_space_bytes = megabytes * kMB;
      ran = test::run(words, limited);
      if (ran.err.find(said) != std::string::npos) break;
    }
    EXPECT_FALSE(fs::exists(folder_.path() / "out") || fs::exists(folder_.path() / "out.glb"));
    return ran;
  }
};

TEST_F(WorkOfDrawing, AFilmCountsTheModelThatItDraws) {
  SKIP_UNDER_SANITIZERS;
  test::expect_refused(refused({"render", "--path", "orbit", "--seconds", "0.1", "--size", "64x48"}, "a film of"), 2,
                       {"a film of 64x48 needs", "are available"});
}

// 48 depth maps of 768 x 768 pixels, beside the model.
TEST_F(WorkOfDrawing, AMeshCountsTheDepthsOfAllItsViews) {
  SKIP_UNDER_SANITIZERS;
  const test::Ran ran = refused({"mesh"}, "drawing '");
  test::expect_refused(ran, 2, {"in.ply' needs", "of memory more"});
  const size_t needs = ran.err.find("' needs ");
  ASSERT_NE(needs, std::string::npos) << ran.err;
  EXPECT_GT(std::atof(ran.err.c_str() + needs + 8), 48 * 768 * 768 * 4 / 1e6) << ran.err;
}

}  // namespace
}  // namespace app
