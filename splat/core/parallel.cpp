#include "splat/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "splat/core/check.h"

namespace splat {

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

struct ThreadPool::Impl {
  using Body = FunctionRef<void(size_t, int)>;
  static constexpr int kSpins = 2000;  // ~20 us: an iteration's phases follow each other faster than a park and wake

  int threads = 1;
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, finished;
  std::atomic<uint64_t> generation{0};  // one per loop
  std::atomic<int> active{0};           // workers not yet done with the current loop
  std::atomic<size_t> next{0};
  size_t count = 0;
  const Body* body = nullptr;
  bool stop = false;
  std::atomic<bool> busy{false};

  void drain(int thread) {
    for (size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
         i = next.fetch_add(1, std::memory_order_relaxed))
      (*body)(i, thread);
  }

  void work(int thread) {
    uint64_t seen = 0;
    for (;;) {
      for (int spin = 0; spin < kSpins && generation.load(std::memory_order_acquire) == seen; ++spin)
        std::atomic_signal_fence(std::memory_order_seq_cst);
      if (generation.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return generation.load(std::memory_order_acquire) != seen; });
      }
      seen = generation.load(std::memory_order_acquire);
      if (stop) return;
      drain(thread);
      if (active.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        std::lock_guard lock(mutex);
        finished.notify_one();
      }
    }
  }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  impl_->threads = threads > 0 ? threads : available_cores();
  for (int t = 1; t < impl_->threads; ++t) impl_->workers.emplace_back([this, t] { impl_->work(t); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
    impl_->generation.fetch_add(1, std::memory_order_release);
  }
  impl_->wake.notify_all();
  for (std::thread& worker : impl_->workers) worker.join();
}

int ThreadPool::threads() const { return impl_->threads; }

void ThreadPool::for_each(size_t count, FunctionRef<void(size_t, int)> body) {
  if (count == 0) return;
  Impl& p = *impl_;
  SPLAT_CHECK(!p.busy.exchange(true));
  if (p.workers.empty() || count == 1) {
    for (size_t i = 0; i < count; ++i) body(i, 0);
    p.busy = false;
    return;
  }
  {
    std::lock_guard lock(p.mutex);
    p.count = count;
    p.body = &body;
    p.next.store(0, std::memory_order_relaxed);
    p.active.store(int(p.workers.size()), std::memory_order_relaxed);
    p.generation.fetch_add(1, std::memory_order_release);
  }
  p.wake.notify_all();
  p.drain(0);
  for (int spin = 0; spin < Impl::kSpins && p.active.load(std::memory_order_acquire) != 0; ++spin)
    std::atomic_signal_fence(std::memory_order_seq_cst);
  if (p.active.load(std::memory_order_acquire) != 0) {
    std::unique_lock lock(p.mutex);
    p.finished.wait(lock, [&] { return p.active.load(std::memory_order_acquire) == 0; });
  }
  p.busy = false;
}

void ThreadPool::for_chunks(size_t count, size_t chunk, FunctionRef<void(size_t, size_t, int)> body) {
  SPLAT_CHECK_LT(size_t(0), chunk);
  for_each((count + chunk - 1) / chunk,
           [&](size_t c, int thread) { body(c * chunk, std::min(count, (c + 1) * chunk), thread); });
}

}  // namespace splat
