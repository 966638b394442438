#include "app/jobs/host/host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/jobs/training/inria_layout.h"

namespace app {
namespace {

TEST(Host, MemoryIsThereAndPlausible) {
  const HostMemory memory = host_memory();
  EXPECT_GT(memory.total_bytes, 100'000'000u);
  EXPECT_GT(memory.available_bytes, 0u);
  EXPECT_LE(memory.available_bytes, memory.total_bytes);
  EXPECT_GT(peak_rss_bytes(), 1'000'000u);
  EXPECT_LT(peak_rss_bytes(), memory.total_bytes);
  EXPECT_FALSE(simd_level().empty());
}

TEST(Host, TheMostMemoryIsCountedAnew) {
  constexpr uint64_t kAbout = 10'000'000;  // the system counts in portions
  uint64_t before = 0;
  {
    const std::vector<char> held(200'000'000, 'x');
    before = peak_rss_bytes();
    EXPECT_GE(before, held.size());
  }
  EXPECT_GT(peak_rss_bytes(), before - kAbout) << "it is of all that was";
  begin_peak_rss_anew();
  EXPECT_LT(peak_rss_bytes(), before - 100'000'000) << before;
  EXPECT_GT(peak_rss_bytes() + kAbout, rss_bytes());
}

TEST(Words, ForPeople) {
  EXPECT_EQ(human_bytes(68), "68 bytes");
  EXPECT_EQ(human_bytes(512'000), "512 kB");
  EXPECT_EQ(human_bytes(1'500'000), "1.5 MB");
  EXPECT_EQ(human_bytes(24'684'000'000), "25 GB");
  EXPECT_EQ(human_count(7), "7");
  EXPECT_EQ(human_count(123456), "123 456");
  EXPECT_EQ(human_count(1234567), "1 234 567");
  EXPECT_EQ(human_duration(0.04), "0.0 s");
  EXPECT_EQ(human_duration(59.2), "59 s");
  EXPECT_EQ(human_duration(200), "3 min 20 s");
  EXPECT_EQ(human_duration(3 * 3600 + 299), "3 h 04 min");
}

TEST(InriaLayout, QuotesLikePython) {
  Options options;
  options.input = "/data/it's here";
  options.output = "/out/x/../y/";
  options.dataset.resolution = 2;
  options.train.background = splat::BackgroundMode::kWhite;
  const std::string text = cfg_args_text(options, {});
  for (const char* part : {"source_path='/data/it\\'s here'", "model_path='/out/y'", "resolution=2",
                           "white_background=True", "eval=False"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(InriaLayout, ASizeIsTheWidthThatThePhotosHaveThen) {
  Options options;
  options.dataset.resolution = 400;
  splat::Dataset portrait;
  portrait.views.resize(1);
  portrait.views[0].camera.width = 300, portrait.views[0].camera.height = 400;
  EXPECT_NE(cfg_args_text(options, portrait).find("resolution=300,"), std::string::npos);
  options.dataset.resolution = 4;
  EXPECT_NE(cfg_args_text(options, portrait).find("resolution=4,"), std::string::npos);
}

}  // namespace
}  // namespace app
