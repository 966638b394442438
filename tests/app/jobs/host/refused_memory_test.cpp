// What looks for memory must bear that there is none.
#include <gtest/gtest.h>

#include "app/jobs/host/memory_limits.h"
#include "tests/support/refused_memory.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

// Each allocation in turn; the process is in the group that is mounted.
TEST(MemoryLimits, AreAskedForWithoutMemory) {
  const splat::test::TempFolder folder;
  folder.write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 12000000 kB\n");
  folder.write("proc/self/cgroup", "4:memory:/\n");
  folder.write("proc/self/mountinfo", "35 24 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  folder.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000000\n");
  folder.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000000\n");
  long refused = 0;
  while (splat::test::refusing(refused, [&] { (void)memory_limits(folder.path()); })) ++refused;
  EXPECT_GT(refused, 50);
  EXPECT_EQ(memory_limits(folder.path()).size(), 2u);
}

}  // namespace
}  // namespace app
