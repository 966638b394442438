// Processors whose cores do not share one cache or are not alike, by small copies of what Linux tells of them.
#include "app/cli/doctor/processor_caches.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/support/temp_folder.h"

namespace app {
namespace {

class ProcessorCaches : public testing::Test {
 protected:
  // Processors [first, last] and, where threads of a core are `apart`, as many again behind them; of one cache.
  void add(int first, int last, int apart, const std::string& cache, const std::string& size) {
    for (int i = first; i <= last; ++i) {
      const std::string siblings = apart > 0 ? std::to_string(i) + "," + std::to_string(i + apart) : std::to_string(i);
      add_one(i, siblings, cache, size);
      if (apart > 0) add_one(i + apart, siblings, cache, size);
    }
  }
  void add_one(int processor, const std::string& siblings, const std::string& cache, const std::string& size) {
    const std::string folder = "system/cpu/cpu" + std::to_string(processor) + "/";
    folder_.write(folder + "topology/thread_siblings_list", siblings + "\n");
    add_cache(folder + "cache/index0/", "1", "Data", siblings, "32K");
    add_cache(folder + "cache/index1/", "1", "Instruction", siblings, "32K");
    add_cache(folder + "cache/index2/", "2", "Unified", siblings, "1024K");
    add_cache(folder + "cache/index3/", "3", "Unified", cache, size);
  }
  void add_cache(const std::string& at, const char* level, const char* type, const std::string& of,
                 const std::string& size) {
    folder_.write(at + "level", std::string(level) + "\n");
    folder_.write(at + "type", std::string(type) + "\n");
    folder_.write(at + "shared_cpu_list", of + "\n");
    folder_.write(at + "size", size + "\n");
  }
  static std::vector<int> processors(int count) {
    std::vector<int> all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<CacheGroup> groups(int count) { return cache_groups(folder_.path(), processors(count)); }
  static std::string detail(const std::vector<CacheGroup>& groups) {
    const Checks checks = cache_checks(groups);
    EXPECT_EQ(checks.size(), 1u);
    return checks.empty() ? "" : checks[0].detail;
  }
  static bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  splat::test::TempFolder folder_;
};

TEST_F(ProcessorCaches, OfARyzen7950X3D) {
  add(0, 7, 16, "0-7,16-23", "98304K");
  add(8, 15, 16, "8-15,24-31", "32768K");
  const auto found = groups(32);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].processors, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}));
  EXPECT_EQ(found[0].cores, 8u);
  EXPECT_EQ(found[0].cache_bytes, uint64_t(96) << 20);
  EXPECT_EQ(found[1].cache_bytes, uint64_t(32) << 20);
  EXPECT_FALSE(found[0].slower || found[1].slower);
  const std::string text = detail(found);
  EXPECT_TRUE(says(text, "0-7,16-23: 8 cores with 96 MiB; 8-15,24-31: 8 cores with 32 MiB")) << text;
  EXPECT_TRUE(says(text, "'taskset -c 0-7,16-23' before hipsplat, or --threads 16, one a core")) << text;
  // Where the process may use half of them, they are all there is.
  const std::vector<int> half{8, 9, 10, 24, 25, 26};
  EXPECT_TRUE(cache_checks(cache_groups(folder_.path(), half)).empty());
}

TEST_F(ProcessorCaches, OfACorei913900K) {
  for (int core = 0; core < 8; ++core) {
    const std::string siblings = std::to_string(2 * core) + "-" + std::to_string(2 * core + 1);
    for (int thread = 0; thread < 2; ++thread) add_one(2 * core + thread, siblings, "0-31", "36864K");
  }
  for (int i = 16; i < 32; ++i) add_one(i, std::to_string(i), "0-31", "36864K");
  EXPECT_TRUE(cache_checks(groups(32)).empty()) << "nothing says that they differ";
  folder_.write("cpu_core/cpus", "0-15\n");
  folder_.write("cpu_atom/cpus", "16-31\n");
  const auto by_kind = groups(32);
  ASSERT_EQ(by_kind.size(), 2u);
  EXPECT_EQ(by_kind[0].cores, 8u);
  EXPECT_EQ(by_kind[1].cores, 16u);
  EXPECT_TRUE(!by_kind[0].slower && by_kind[1].slower);
  const std::string text = detail(by_kind);
  EXPECT_TRUE(says(text, "16-31: 16 slower cores")) << text;
  EXPECT_TRUE(says(text, "'taskset -c 0-15' before hipsplat, or --threads 24, one a core")) << text;
  // By the capacities of newer kernels, in which favoured cores differ a little from others of their kind.
  folder_.write("cpu_atom/cpus", "");
  for (int i = 0; i < 32; ++i)
    folder_.write("system/cpu/cpu" + std::to_string(i) + "/cpu_capacity", i >= 16  ? "623\n"
                                                                          : i == 4 ? "1024\n"
                                                                                   : "981\n");
  EXPECT_EQ(groups(32), by_kind);
}

TEST_F(ProcessorCaches, OfAnEpycOfTwelveCaches) {
  for (int ccd = 0; ccd < 12; ++ccd) {
    const int first = 8 * ccd;
    add(first, first + 7, 96,
        std::to_string(first) + "-" + std::to_string(first + 7) + "," + std::to_string(first + 96) + "-" +
            std::to_string(first + 103),
        "32768K");
  }
  const auto found = groups(192);
  EXPECT_EQ(found.size(), 12u);
  const std::string text = detail(found);
  EXPECT_TRUE(says(text, "12 groups, each of 8 cores with 32 MiB; the first is 0-7,96-103")) << text;
  EXPECT_TRUE(says(text, "--threads 96")) << text;
  EXPECT_FALSE(says(text, "taskset")) << "none is better than the others";
}

TEST_F(ProcessorCaches, OneCacheNeedsNoWords) {
  add(0, 5, 6, "0-11", "32768K");
  ASSERT_EQ(groups(12).size(), 1u);
  EXPECT_EQ(groups(12)[0].cores, 6u);
  EXPECT_TRUE(cache_checks(groups(12)).empty());
}

TEST_F(ProcessorCaches, FilesThatAreNotThereOrMakeNoSense) {
  EXPECT_EQ(groups(4).size(), 1u) << "alike, for all that is known";
  EXPECT_EQ(groups(4)[0].cores, 4u);
  EXPECT_TRUE(cache_groups(folder_.path(), {}).empty());
  EXPECT_TRUE(cache_checks({}).empty());
  folder_.write("cpu_atom/cpus", "2-x,99999999999\n");
  folder_.write("system/cpu/cpu1/cache/index0/level", "three\n");
  EXPECT_EQ(groups(4).size(), 1u);
}

// Small cores of an ARM chip, which has no list of them.
TEST_F(ProcessorCaches, SlowerCoresByTheirCapacity) {
  for (int i = 0; i < 8; ++i) {
    add_one(i, std::to_string(i), i < 4 ? "0-3" : "4-7", "2048K");
    folder_.write("system/cpu/cpu" + std::to_string(i) + "/cpu_capacity", i < 4 ? "446\n" : "1024\n");
  }
  const auto found = groups(8);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].slower && !found[1].slower);
  EXPECT_TRUE(says(detail(found), "taskset -c 4-7")) << detail(found);
  EXPECT_FALSE(says(detail(found), "--threads")) << "a core is a processor";
}

}  // namespace
}  // namespace app
