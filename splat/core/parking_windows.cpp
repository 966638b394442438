#include "splat/core/parking.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace splat {

static_assert(sizeof(std::atomic<int>) == sizeof(int) && std::atomic<int>::is_always_lock_free);

void park(const std::atomic<int>& value, int seen) {
  while (value.load(std::memory_order_acquire) == seen)
    ::WaitOnAddress(const_cast<std::atomic<int>*>(&value), &seen, sizeof seen, INFINITE);
}

void unpark_one(std::atomic<int>& value) { ::WakeByAddressSingle(&value); }

void unpark_all(std::atomic<int>& value) { ::WakeByAddressAll(&value); }

}  // namespace splat
