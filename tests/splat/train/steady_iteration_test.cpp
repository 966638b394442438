// Between two densifications a training iteration on the CPU backend neither allocates nor takes a lock, once every
// view has been seen and exposures have been judged (exposure.h). Counted by standing in for the C library's functions.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPLAT_COUNTS 0  // the sanitizers stand there already
#else
#define SPLAT_COUNTS 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0}, locks{0};

void count(std::atomic<int>& counter) {
  if (counting.load(std::memory_order_relaxed)) counter.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#if SPLAT_COUNTS
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's names
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(size_t size) { return count(allocations), __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return count(allocations), __libc_calloc(n, size); }
void* realloc(void* old, size_t size) { return count(allocations), __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return count(allocations), __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static Lock real = nullptr;
  if (!real) real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return count(locks), real(mutex);
}
}
#endif

namespace splat {
namespace {

constexpr int kWarmUp = 120;  // exposures are judged after 100

// Runs `warm_up` iterations, then counts over `iterations`; both between densifications.
void train_and_count(int threads, const TrainConfig& config, int warm_up, int iterations) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  Result<std::unique_ptr<CpuBackend>> backend = make_cpu_backend({threads, cpu::SimdLevel::kAuto});
  ASSERT_TRUE(backend.ok());
  Trainer trainer(config, {tiny.dataset, tiny.images, **backend, threads, 0});
  ASSERT_TRUE(trainer.initialise().ok());
  tiny.images.asked.reserve(size_t(config.iterations));
  for (int i = 0; i < warm_up; ++i) ASSERT_TRUE(trainer.step().ok());
  allocations = locks = 0;
  counting = true;
  bool ok = true;
  for (int i = 0; i < iterations; ++i) ok &= trainer.step().ok();
  counting = false;
  EXPECT_TRUE(ok);
  EXPECT_EQ(allocations, 0) << "with " << threads << " threads";
  EXPECT_EQ(locks, 0) << "with " << threads << " threads";
}

TrainConfig long_config() {
  TrainConfig config;
  config.iterations = 30000;
  config.sh_degree_interval = 10;
  return config;
}

TEST(SteadyIteration, NeitherAllocatesNorLocks) {
  if (!SPLAT_COUNTS) GTEST_SKIP() << "not with sanitizers";
  for (int threads : {1, 2, 3}) train_and_count(threads, long_config(), kWarmUp, 200);
}

TEST(SteadyIteration, AtReducedResolutionToo) {
  if (!SPLAT_COUNTS) GTEST_SKIP() << "not with sanitizers";
  TrainConfig config = long_config();
  config.progressive_divisor = 2;
  train_and_count(2, config, kWarmUp, 200);
}

TEST(SteadyIteration, TheCountersCount) {
  if (!SPLAT_COUNTS) GTEST_SKIP() << "not with sanitizers";
  allocations = locks = 0;
  counting = true;
  void* volatile p = std::malloc(1);
  std::free(p);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  counting = false;
  EXPECT_EQ(allocations, 1);
  EXPECT_EQ(locks, 1);
}

}  // namespace
}  // namespace splat
