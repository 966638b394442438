// The number of a process that has ended, as temporary files of killed programs carry it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace splat::test {

inline pid_t dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

}  // namespace splat::test
