#include "splat/core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "splat/core/stoppable_here.h"

namespace splat {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnceForAnyThreadCount) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<std::atomic<int>> visits(257);
      pool.for_each(visits.size(), [&](size_t i, int thread) {
        EXPECT_LT(thread, threads);
        visits[i]++;
      });
      for (auto& v : visits) EXPECT_EQ(v, 1);
    }
  }
}

TEST(ThreadPool, EndsWhereItIsAskedToAndIsAsBefore) {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<bool> stop{false};
    std::atomic<int> visits{0};
    const auto work = [&](size_t, int) { stop = ++visits >= 10; };
    {
      const StopAsked asked = [&] { return stop.load(); };
      const ThreadPool::Stoppable stoppable(pool, asked);
      EXPECT_THROW(pool.for_each(100000, work), Stopped);
      EXPECT_LT(visits, 10 + 2 * threads);
      EXPECT_THROW(pool.end_if_asked(), Stopped);
      EXPECT_THROW(pool.for_each(1, work), Stopped);
    }
    visits = 0;
    pool.end_if_asked();
    pool.for_each(100, work);
    EXPECT_EQ(visits, 100);
  }
}

TEST(ThreadPool, EndsForTheThreadThatIsAskedInEveryPool) {
  ThreadPool one(1), three(3);
  std::atomic<bool> stop{false};
  const StopAsked asked = [&] { return stop.load(); }, never;
  std::atomic<int> visits{0};
  const auto work = [&](size_t, int) { ++visits; };
  {
    const StoppableHere stoppable(asked);
    one.for_each(10, work);
    EXPECT_EQ(visits, 10);
    stop = true;
    const StoppableHere also(never);  // which changes nothing
    for (ThreadPool* pool : {&one, &three}) EXPECT_THROW(pool->for_each(100000, work), Stopped);
    std::thread([&] { three.for_each(10, work); }).join();
    EXPECT_GE(visits, 20) << "another thread's loops go on";
  }
  visits = 0;
  three.for_each(100, work);
  EXPECT_EQ(visits, 100);
}

// One index that takes as long as all the others together: they are done meanwhile, whoever's share they are in.
TEST(ThreadPool, WhoIsDoneHelpsTheOthers) {
  for (int threads : {2, 3}) {
    ThreadPool pool(threads);
    constexpr size_t kCount = 100;
    for (size_t slow = 0; slow < kCount; slow += 9) {
      std::atomic<size_t> done{0};
      pool.for_each(kCount, [&](size_t i, int) {
        if (i == slow)
          while (done < kCount - 1) std::this_thread::yield();
        ++done;
      });
      EXPECT_EQ(done, kCount);
    }
  }
}

TEST(ThreadPool, ChunksCoverTheRangeWithoutOverlap) {
  ThreadPool pool(3);
  std::vector<std::atomic<int>> visits(1000);
  pool.for_chunks(visits.size(), 64, [&](size_t begin, size_t end, int) {
    EXPECT_LE(end - begin, 64u);
    for (size_t i = begin; i < end; ++i) visits[i]++;
  });
  for (auto& v : visits) EXPECT_EQ(v, 1);
  pool.for_chunks(0, 64, [&](size_t, size_t, int) { FAIL(); });
}

TEST(ThreadPool, AnExceptionOfAnyThreadComesOutAndThePoolGoesOn) {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    for (size_t bad : {size_t(0), size_t(50), size_t(99)}) {
      EXPECT_THROW(pool.for_each(100,
                                 [&](size_t i, int) {
                                   if (i == bad) throw std::bad_alloc();
                                 }),
                   std::bad_alloc);
      std::atomic<int> done{0};
      pool.for_each(100, [&](size_t, int) { ++done; });
      EXPECT_EQ(done, 100);
    }
  }
}

TEST(Parallel, ThePoolTakesEveryProcessorThatMayBeUsed) {
  const std::vector<int> allowed = allowed_processors();
  EXPECT_TRUE(std::is_sorted(allowed.begin(), allowed.end()));
  EXPECT_EQ(allowed.empty() ? available_cores() : int(allowed.size()), available_cores());
  EXPECT_EQ(ThreadPool(0).threads(), available_cores());
}

}  // namespace
}  // namespace splat
