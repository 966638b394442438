// What the window's frames are timed with, and where it leaves what is slow to free.
#include "viewer/shell/frame_clock.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "viewer/live/disposal.h"

namespace viewer {
namespace {

using Clock = std::chrono::steady_clock;
using Part = FrameClock::Part;
using std::chrono::milliseconds;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

void spin(double wall_ms) {
  const auto end = Clock::now() + std::chrono::duration<double, std::milli>(wall_ms);
  while (Clock::now() < end) {
  }
}

TEST(FrameClock, WaitingForOthersCountsAndWaitingForInputDoesNot) {
  FrameClock clock;
  std::this_thread::sleep_for(milliseconds(30));
  clock.enter(Part::kOwn);
  std::this_thread::sleep_for(milliseconds(20));  // a lock, a file, another thread
  clock.enter(Part::kDrawing);
  std::this_thread::sleep_for(milliseconds(40));
  clock.enter(Part::kWaiting);
  std::this_thread::sleep_for(milliseconds(30));
  const FrameTime time = clock.take();
  EXPECT_GE(time.own_ms, 19);
  EXPECT_LT(time.own_ms, 39);
  EXPECT_GE(time.drawing_ms, 39);
  EXPECT_LT(time.drawing_ms, 69);
  EXPECT_DOUBLE_EQ(time.busy_ms(), time.own_ms + time.drawing_ms);
  EXPECT_EQ(clock.take().busy_ms(), 0) << "each frame is counted once";
}

TEST(FrameClock, AFrameMayBeTakenInTheMiddleOfAPart) {
  FrameClock clock;
  clock.enter(Part::kOwn);
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_GE(clock.take().own_ms, 9);
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_GE(clock.take().own_ms, 9);
}

// Two busy threads on one core: each runs half of the time.
TEST(FrameClock, WhatOthersTakeOfTheProcessorDoesNotCount) {
  if (!std::filesystem::exists("/proc/thread-self/schedstat")) GTEST_SKIP() << "the kernel does not tell run delays";
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  std::atomic<bool> stop{false};
  std::thread other([&] {  // inherits the core
    while (!stop) {
    }
  });
  FrameClock clock;
  const double cpu = thread_cpu_ms();
  clock.enter(Part::kOwn);
  spin(400);
  const FrameTime time = clock.take();
  const double used = thread_cpu_ms() - cpu;
  stop = true;
  other.join();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_GT(time.delayed_ms, 80) << "about half of the 400 ms";
  EXPECT_NEAR(time.own_ms, used, 20);
  EXPECT_NEAR(time.own_ms + time.delayed_ms, 400, 40);
}

TEST(Disposal, FreesOnAnotherThreadAndEverythingBeforeItEnds) {
  struct Value {
    std::atomic<int>* freed = nullptr;
    std::thread::id owner;
    Value(std::atomic<int>* count, std::thread::id id) : freed(count), owner(id) {}
    Value(Value&& other) noexcept : freed(std::exchange(other.freed, nullptr)), owner(other.owner) {}
    ~Value() {
      if (!freed) return;
      EXPECT_NE(std::this_thread::get_id(), owner);
      std::this_thread::sleep_for(milliseconds(20));
      ++*freed;
    }
  };
  std::atomic<int> freed{0};
  {
    Disposal disposal;
    const auto start = Clock::now();
    for (int i = 0; i < 5; ++i) disposal.add(Value(&freed, std::this_thread::get_id()));
    EXPECT_LT(Clock::now() - start, milliseconds(90)) << "add() does not wait for the freeing";
  }
  EXPECT_EQ(freed, 5);
}

}  // namespace
}  // namespace viewer
