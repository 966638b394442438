// For threads whose work may wait: they take processor time that others leave.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace app {

inline constexpr int kLowNice = 15, kLowestNice = 19;

inline void lower_own_priority(int nice = kLowNice) {
  setpriority(PRIO_PROCESS, id_t(gettid()), nice);  // of the calling thread alone, on Linux
}

}  // namespace app
