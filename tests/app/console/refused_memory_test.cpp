// What looks for memory must bear that there is none. Refused by standing in for operator new; what it gives is no
// zeros.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "app/console/memory_limits.h"
#include "tests/support/temp_folder.h"

namespace {

long g_until_refusal = -1;  // allocations that succeed before one is refused; -1: none is

void* granted(size_t size) {
  if (g_until_refusal >= 0 && g_until_refusal-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size);
  if (!memory) throw std::bad_alloc();
  return std::memset(memory, 0xBE, size);
}

}  // namespace

void* operator new(size_t size) { return granted(size); }
void* operator new[](size_t size) { return granted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

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
  for (bool more = true; more; ++refused) {
    g_until_refusal = refused;
    try {
      const auto limits = memory_limits(folder.path());
      more = g_until_refusal < 0;
      g_until_refusal = -1;
      if (!more) {
        EXPECT_EQ(limits.size(), 2u);
      }
    } catch (const std::bad_alloc&) {
      g_until_refusal = -1;
    }
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace app
