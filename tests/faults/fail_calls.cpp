// A library for LD_PRELOAD that lets calls of one kind fail: HIPSPLAT_FAIL names the kind, HIPSPLAT_FAIL_AT the number
// of the first call that fails (from 1; 0: none), HIPSPLAT_FAIL_FOR how many fail from there on (1). Calls are counted
// from the start of main() on; their number is written to the file HIPSPLAT_FAIL_COUNT at the end. With
// HIPSPLAT_FAIL_KILL the process is killed there instead, as by kill -9. HIPSPLAT_FAIL_PLACES names a file that gets
// the call stack of each call, as a number of 64 bits: equal stacks are equal places in the program. Built for a
// program under AddressSanitizer (HIPSPLAT_FAIL_SANITIZED) it hands memory on to that, which needs
// ASAN_OPTIONS=verify_asan_link_order=0:alloc_dealloc_mismatch=0, and stands in for operator new as well.
#include <dlfcn.h>
#include <execinfo.h>
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
#include <cstdint>
#include <new>

namespace {

enum Kind { kNone, kMalloc, kWrite, kSync, kRename, kOpen, kMap, kThread, kFolder, kLock };

std::atomic<long> g_calls{0};
std::atomic<bool> g_armed{false};
Kind g_kind = kNone;
long g_first = 0, g_count = 1;
int g_errno = 0;
bool g_kill = false;
constexpr long kMostPlaces = 1 << 20;
uint64_t* g_places = nullptr;         // [kMostPlaces], mapped; of each call
thread_local bool t_looking = false;  // finding the stack may take memory itself

// FNV-1a over the return addresses.
void note_place(long call) {
  if (!g_places || call > kMostPlaces) return;
  t_looking = true;
  void* frames[64];
  const int count = backtrace(frames, 64);
  uint64_t hash = 0xCBF29CE484222325u;
  for (int i = 0; i < count; ++i) hash = (hash ^ uint64_t(frames[i])) * 0x100000001B3u;
  g_places[call - 1] = hash;
  t_looking = false;
}

// Whether this call is to fail, errno set.
bool fails(Kind kind, int usual_errno) {
  if (kind != g_kind || t_looking || !g_armed.load(std::memory_order_relaxed)) return false;
  const long call = g_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  note_place(call);
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

// The file is as long as there is room for; what is not used stays zero.
void map_places() {
  const char* path = getenv("HIPSPLAT_FAIL_PLACES");
  if (!path) return;
  const int fd = real<int (*)(const char*, int, ...)>("open")(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  constexpr size_t kBytes = kMostPlaces * sizeof(uint64_t);
  if (fd < 0 || ftruncate(fd, kBytes) != 0) abort();
  using Map = void* (*)(void*, size_t, int, int, int, off_t);
  void* const mapped = real<Map>("mmap")(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) abort();
  close(fd);
  void* frames[4];
  backtrace(frames, 4);  // loads what it needs
  g_places = static_cast<uint64_t*>(mapped);
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
  map_places();
  g_armed = true;
  const int code = g_main(count, words, environment);
  g_armed = false;
  write_count();
  return code;
}

}  // namespace

extern "C" {

#ifdef HIPSPLAT_FAIL_SANITIZED
// Of AddressSanitizer, which stands behind this library.
#define NEXT_OF(name, Type)                   \
  static const auto next = real<Type>(#name); \
  if (fails(kMalloc, ENOMEM)) return nullptr; \
  return next
void* malloc(size_t size) { NEXT_OF(malloc, void* (*)(size_t))(size); }
void* calloc(size_t count, size_t size) { NEXT_OF(calloc, void* (*)(size_t, size_t))(count, size); }
void* realloc(void* old, size_t size) { NEXT_OF(realloc, void* (*)(void*, size_t))(old, size); }
void* memalign(size_t alignment, size_t size) { NEXT_OF(memalign, void* (*)(size_t, size_t))(alignment, size); }
#else
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's names
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(kMalloc, ENOMEM) ? nullptr : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) {
  return fails(kMalloc, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
#endif
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

// NOLINTNEXTLINE(bugprone-reserved-identifier): glibc's name
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

#ifdef HIPSPLAT_FAIL_SANITIZED

// As the standard library's, which AddressSanitizer replaces by ones that ask no std::new_handler.
namespace {
template <class Allocate>
void* memory_or_throw(const Allocate& allocate) {
  for (;;) {
    if (void* const memory = allocate()) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
template <class Allocate>
void* memory_or_null(const Allocate& allocate) noexcept try {
  return memory_or_throw(allocate);
} catch (...) {
  return nullptr;
}
}  // namespace

void* operator new(size_t size) {
  return memory_or_throw([&] { return malloc(size); });
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, std::align_val_t alignment) {
  return memory_or_throw([&] { return memalign(size_t(alignment), size); });
}
void* operator new[](size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return memory_or_null([&] { return malloc(size); });
}
void* operator new[](size_t size, const std::nothrow_t& no) noexcept { return operator new(size, no); }

#endif
