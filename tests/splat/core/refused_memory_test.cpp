// A pool has as many threads as there is memory for.
#include <gtest/gtest.h>

#include <atomic>

#include "splat/core/parallel.h"
#include "tests/support/refused_memory.h"

namespace splat {
namespace {

TEST(ThreadPool, ThreadsThatFindNoMemoryAreDoneWithout) {
  constexpr int kThreads = 4;
  int with_fewer = 0;
  for (long n = 0; test::refusing(n,
                                  [&] {
                                    ThreadPool pool(kThreads);
                                    with_fewer += pool.threads() < kThreads;
                                    std::atomic<int> visited{0};
                                    pool.for_each(100, [&](size_t, int) { ++visited; });
                                    EXPECT_EQ(visited, 100);
                                  });
       ++n) {
  }
  EXPECT_EQ(with_fewer, kThreads - 1);
}

}  // namespace
}  // namespace splat
