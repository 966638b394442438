// A loop over a pool's threads, or in order on this thread where there is no pool.
#pragma once

#include <cstddef>

#include "splat/core/parallel.h"

namespace splat {

inline void for_each(ThreadPool* pool, size_t count, FunctionRef<void(size_t index, int thread)> body) {
  if (pool) return pool->for_each(count, body);
  for (size_t i = 0; i < count; ++i) body(i, 0);
}

}  // namespace splat
