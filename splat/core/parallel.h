// A persistent pool of threads for the host: fork-join loops over an index range.
// No work may depend on which thread runs which index: results are the same for every thread count
// (docs/architecture.md, promise 3).
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "splat/core/stop.h"

namespace splat {

// Non-owning reference to a callable: no allocation when a loop is started.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
        }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

class ThreadPool {
 public:
  // 0: every core the process may use; the caller is one of them. Fewer where the system refuses threads.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Calls body(index, thread) once for each index in [0, count), in no promised order: thread t starts with the t-th
  // part of the range, and helps the others when it is done. thread in [0, threads()) names a slot for scratch memory.
  // Returns when all are done; not re-entrant. Where a body throws, indices not begun are left out, and the first
  // exception comes out once no thread is in the loop any more.
  void for_each(size_t count, FunctionRef<void(size_t index, int thread)> body);

  // The same over chunks: body(begin, end, thread) for consecutive ranges of at most `chunk` indices.
  void for_chunks(size_t count, size_t chunk, FunctionRef<void(size_t begin, size_t end, int thread)> body);

  // Until it goes, loops of the pool ask between two indices, and end with Stopped where they shall.
  class Stoppable {
   public:
    Stoppable(ThreadPool& pool, const StopAsked& asked);
    ~Stoppable();
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;

   private:
    ThreadPool& pool_;
  };
  void end_if_asked() const;  // asks as well, for work beside the loops

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Over the pool's threads, or in order on this thread where there is no pool.
inline void for_each(ThreadPool* pool, size_t count, FunctionRef<void(size_t index, int thread)> body) {
  if (pool) return pool->for_each(count, body);
  for (size_t i = 0; i < count; ++i) body(i, 0);
}

inline void end_if_asked(const ThreadPool* pool) {
  if (pool) pool->end_if_asked();
}

// The processors that this process may run on (affinity mask), ascending; none: the system does not say.
std::vector<int> allowed_processors();
// Their number, at least 1.
int available_cores();

}  // namespace splat
