#include "splat/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/parking.h"
#include "splat/core/stoppable_here.h"

namespace splat {

std::vector<int> allowed_processors() {
  std::vector<int> allowed;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set)) allowed.push_back(i);
#endif
  return allowed;
}

int available_cores() {
  const int allowed = int(allowed_processors().size());
  return allowed > 0 ? allowed : int(std::max(1u, std::thread::hardware_concurrency()));
}

namespace {

// Lets the other hardware thread of the core, and the memory system, get on with it.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// True once done() is, within some tens of us: an iteration's loops follow each other faster than a thread parks and
// wakes.
template <class Condition>
bool spin_until(const Condition& done) {
  constexpr int kSpins = 2000;
  for (int spin = 0; spin < kSpins; ++spin) {
    if (done()) return true;
    relax();
  }
  return done();
}

}  // namespace

// One loop at a time. Each thread has its share of the indices, as neighbours and always the same ones for the same
// count, so that what a loop leaves in a core's cache is found there by the next; who is done takes from the others'
// shares, one index after the other. `inside` counts the workers in the loop; kClosed is added to it when every index
// is taken, so that a worker that wakes up late stays out and nobody waits for it. No locks: parking is a wait on an
// atomic.
struct ThreadPool::Impl {
  using Body = FunctionRef<void(size_t, int)>;
  static constexpr int kClosed = 1 << 30;

  int threads = 1;
  std::vector<std::thread> workers;
  std::atomic<int> generation{0};  // one per loop
  std::atomic<int> inside{kClosed};
  struct alignas(64) Share {  // a cache line each
    std::atomic<size_t> next{0};
    size_t end = 0;
  };
  std::unique_ptr<Share[]> shares;  // [threads]
  const Body* body = nullptr;
  const StopAsked* stop_asked = nullptr;  // between two indices
  const StopAsked* asked_here = nullptr;  // likewise, by StoppableHere
  std::atomic<bool> stop{false}, busy{false};

  // The first body that throws ends the loop: indices not begun are left out.
  std::atomic<bool> failed{false};
  std::exception_ptr failure;

  void call(size_t index, int thread) {
    if (stop_asked) end_if(*stop_asked);
    if (asked_here) end_if(*asked_here);
    (*body)(index, thread);
  }

  void drain(int thread) noexcept try {
    for (int k = 0; k < threads; ++k) {
      Share& share = shares[(thread + k) % threads];
      for (size_t i = share.next.fetch_add(1, std::memory_order_relaxed); i < share.end;
           i = share.next.fetch_add(1, std::memory_order_relaxed))
        call(i, thread);
    }
  } catch (...) {
    if (!failed.exchange(true)) failure = std::current_exception();
    for (int t = 0; t < threads; ++t) shares[t].next.store(shares[t].end, std::memory_order_relaxed);
  }

  bool enter() {
    for (int n = inside.load(std::memory_order_relaxed); n < kClosed;)
      if (inside.compare_exchange_weak(n, n + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    return false;
  }

  void leave() {
    if (inside.fetch_sub(1, std::memory_order_acq_rel) == kClosed + 1) unpark_one(inside);
  }

  void work(int thread) {
    int seen = 0;
    for (;;) {
      const auto called = [&] { return generation.load(std::memory_order_acquire) != seen; };
      if (!spin_until(called)) park(generation, seen);
      seen = generation.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_relaxed)) return;
      if (!enter()) continue;
      drain(thread);
      leave();
    }
  }

  void open(size_t count) {
    for (int t = 0; t < threads; ++t) {
      shares[t].next.store(count * t / threads, std::memory_order_relaxed);
      shares[t].end = count * (t + 1) / threads;
    }
    inside.store(0, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_release);
    unpark_all(generation);
  }

  void close() {
    inside.fetch_add(kClosed, std::memory_order_acq_rel);
    if (spin_until([&] { return inside.load(std::memory_order_acquire) == kClosed; })) return;
    for (int n = inside.load(std::memory_order_acquire); n != kClosed; n = inside.load(std::memory_order_acquire))
      park(inside, n);
  }
};

namespace {
thread_local const StopAsked* g_asked_here = nullptr;
}  // namespace

StoppableHere::StoppableHere(const StopAsked& asked) : before_(g_asked_here) {
  if (asked) g_asked_here = &asked;
}
StoppableHere::~StoppableHere() { g_asked_here = before_; }

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  impl_->threads = threads > 0 ? threads : available_cores();
  impl_->shares = std::make_unique<Impl::Share[]>(size_t(impl_->threads));
  impl_->workers.reserve(size_t(impl_->threads));
  for (int t = 1; t < impl_->threads; ++t) try {
      impl_->workers.emplace_back([this, t] { impl_->work(t); });
    } catch (const std::exception&) {  // a limit on threads, or no memory for one: the work is done by those there are
      impl_->threads = t;
    }
}

ThreadPool::~ThreadPool() {
  impl_->stop.store(true, std::memory_order_relaxed);
  impl_->generation.fetch_add(1, std::memory_order_release);
  unpark_all(impl_->generation);
  for (std::thread& worker : impl_->workers) worker.join();
}

int ThreadPool::threads() const { return impl_->threads; }

void ThreadPool::for_each(size_t count, FunctionRef<void(size_t, int)> body) {
  if (count == 0) return;
  Impl& p = *impl_;
  SPLAT_CHECK(!p.busy.exchange(true));
  struct Leave {
    std::atomic<bool>& busy;
    ~Leave() { busy = false; }
  } leave{p.busy};
  p.body = &body;
  p.asked_here = g_asked_here;
  if (p.workers.empty() || count == 1) {
    for (size_t i = 0; i < count; ++i) p.call(i, 0);
    return;
  }
  p.open(count);
  p.drain(0);
  p.close();
  if (!p.failed) return;
  p.failed = false;
  std::rethrow_exception(std::exchange(p.failure, nullptr));
}

void ThreadPool::for_chunks(size_t count, size_t chunk, FunctionRef<void(size_t, size_t, int)> body) {
  SPLAT_CHECK_LT(size_t(0), chunk);
  for_each((count + chunk - 1) / chunk,
           [&](size_t c, int thread) { body(c * chunk, std::min(count, (c + 1) * chunk), thread); });
}

ThreadPool::Stoppable::Stoppable(ThreadPool& pool, const StopAsked& asked) : pool_(pool) {
  if (asked) pool.impl_->stop_asked = &asked;
}
ThreadPool::Stoppable::~Stoppable() { pool_.impl_->stop_asked = nullptr; }
void ThreadPool::end_if_asked() const {
  if (impl_->stop_asked) end_if(*impl_->stop_asked);
}

}  // namespace splat
