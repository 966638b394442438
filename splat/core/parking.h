// Sleeping until an atomic has another value: std::atomic::wait() where it is the system's own. On Windows GCC 12's
// library puts a lock beside it, and a notification between its look at the value and its sleep is lost.
#pragma once

#include <atomic>

namespace splat {

#ifdef _WIN32
void park(const std::atomic<int>& value, int seen);  // returns once the value is not `seen`
void unpark_one(std::atomic<int>& value);            // after it has changed
void unpark_all(std::atomic<int>& value);
#else
inline void park(const std::atomic<int>& value, int seen) { value.wait(seen, std::memory_order_acquire); }
inline void unpark_one(std::atomic<int>& value) { value.notify_one(); }
inline void unpark_all(std::atomic<int>& value) { value.notify_all(); }
#endif

}  // namespace splat
