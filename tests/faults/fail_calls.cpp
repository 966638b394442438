// A library for LD_PRELOAD that lets calls of one kind fail: HIPSPLAT_FAIL names the kind, HIPSPLAT_FAIL_AT the number
// of the first call that fails (from 1; 0: none), HIPSPLAT_FAIL_FOR how many fail from there on (1). Calls are counted
// from the start of main() on; their number is written to the file HIPSPLAT_FAIL_COUNT at the end. With
// HIPSPLAT_FAIL_KILL the process is killed there instead, as by kill -9.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

namespace {

enum Kind { kNone, kMalloc, kWrite, kSync, kRename, kOpen, kMap, kThread, kFolder, kLock };

std::atomic<long> g_calls{0};
std::atomic<bool> g_armed{false};
Kind g_kind = kNone;
long g_first = 0, g_count = 1;
int g_errno = 0;
bool g_kill = false;

// Whether this call is to fail, errno set.
bool fails(Kind kind, int usual_errno) {
  if (kind != g_kind || !g_armed.load(std::memory_order_relaxed)) return false;
  const long call = g_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (g_first == 0 || call < g_first || call >= g_first + g_count) return false;
  if (g_kill) kill(getpid(), SIGKILL);
  errno = g_errno != 0 ? g_errno : usual_errno;
  return true;
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void read_settings() {
  const char* const names[] = {"none", "malloc", "write",  "fsync", "rename",
                               "open", "mmap",   "thread", "mkdir", "flock"};
  const char* const kind = getenv("HIPSPLAT_FAIL");
  for (int i = 0; kind && i < int(sizeof names / sizeof *names); ++i)
    if (strcmp(kind, names[i]) == 0) g_kind = Kind(i);
  if (const char* at = getenv("HIPSPLAT_FAIL_AT")) g_first = atol(at);
  if (const char* count = getenv("HIPSPLAT_FAIL_FOR")) g_count = atol(count);
  if (const char* number = getenv("HIPSPLAT_FAIL_ERRNO")) g_errno = atoi(number);
  g_kill = getenv("HIPSPLAT_FAIL_KILL") != nullptr;
}

using Main = int (*)(int, char**, char**);
Main g_main = nullptr;

void write_count() {
  const char* path = getenv("HIPSPLAT_FAIL_COUNT");
  if (!path) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", g_calls.load());
  using Open = int (*)(const char*, int, ...);
  using Write = ssize_t (*)(int, const void*, size_t);
  const int fd = real<Open>("open")(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return;
  if (real<Write>("write")(fd, text, size_t(length)) < 0) abort();
  close(fd);
}

int armed_main(int count, char** words, char** environment) {
  g_armed = true;
  const int code = g_main(count, words, environment);
  g_armed = false;
  write_count();
  return code;
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) {
  return fails(kMalloc, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

int __libc_start_main(Main main, int count, char** words, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  read_settings();
  g_main = main;
  return real<Start>("__libc_start_main")(armed_main, count, words, init, fini, rtld_fini, stack_end);
}

ssize_t write(int fd, const void* bytes, size_t count) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  return fails(kWrite, ENOSPC) ? -1 : next(fd, bytes, count);
}
ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return fails(kWrite, ENOSPC) ? -1 : next(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void* bytes, size_t count, off_t offset) { return pwrite(fd, bytes, count, offset); }
int fallocate(int fd, int mode, off_t offset, off_t size) {
  static const auto next = real<int (*)(int, int, off_t, off_t)>("fallocate");
  return fails(kWrite, ENOSPC) ? -1 : next(fd, mode, offset, size);
}
int fallocate64(int fd, int mode, off_t offset, off_t size) { return fallocate(fd, mode, offset, size); }

int fsync(int fd) {
  static const auto next = real<int (*)(int)>("fsync");
  return fails(kSync, EIO) ? -1 : next(fd);
}

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return fails(kRename, ESTALE) ? -1 : next(from, to);
}

int open(const char* path, int flags, ...) {
  static const auto next = real<int (*)(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode_t(va_arg(more, unsigned)) : 0;
  va_end(more);
  return fails(kOpen, EMFILE) ? -1 : next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode_t(va_arg(more, unsigned)) : 0;
  va_end(more);
  return open(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static const auto next = real<FILE* (*)(const char*, const char*)>("fopen");
  return fails(kOpen, EMFILE) ? nullptr : next(path, mode);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

void* mmap(void* where, size_t size, int protection, int flags, int fd, off_t offset) {
  static const auto next = real<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  return fails(kMap, ENOMEM) ? MAP_FAILED : next(where, size, protection, flags, fd, offset);
}
void* mmap64(void* where, size_t size, int protection, int flags, int fd, off_t offset) {
  return mmap(where, size, protection, flags, fd, offset);
}
void* mremap(void* old, size_t old_size, size_t size, int flags, ...) {
  static const auto next = real<void* (*)(void*, size_t, size_t, int, ...)>("mremap");
  va_list more;
  va_start(more, flags);
  void* const where = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  return fails(kMap, ENOMEM) ? MAP_FAILED : next(old, old_size, size, flags, where);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  static const auto next = real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return fails(kThread, EAGAIN) ? EAGAIN : next(thread, attributes, start, argument);
}

int mkdir(const char* path, mode_t mode) {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  return fails(kFolder, EROFS) ? -1 : next(path, mode);
}

int flock(int fd, int operation) {
  static const auto next = real<int (*)(int, int)>("flock");
  return fails(kLock, ENOLCK) ? -1 : next(fd, operation);
}

}  // extern "C"
