// What the operating system says and holds for the process, asked in ways that are safe in every thread.
#pragma once

#include <cstdlib>
#include <string>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace splat {

// What the system says of a number that errno held, in any thread: "No such file or directory".
inline std::string error_text(int number) { return std::generic_category().message(number); }

// An environment variable, null where it is not set. Nothing here sets one once there are threads, so that any thread
// may call it.
inline const char* environment(const char* name) { return std::getenv(name); }  // NOLINT(concurrency-mt-unsafe)

// Gives the system back what the C library keeps of freed memory, after work that held much of it in small pieces.
inline void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace splat
