#include "app/jobs/host/last_resort.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "app/jobs/outcome.h"
#include "io/atomic_file.h"

namespace app {
namespace {

constexpr size_t kReserveBytes = 16'000'000;  // never written: address space, no memory

std::atomic<void*> g_reserve{nullptr};

void on_no_memory() {
  void* const reserve = g_reserve.exchange(nullptr);
  if (!reserve) throw std::bad_alloc();
  std::free(reserve);
}

[[noreturn]] void on_terminate() {
  io::remove_partial_files();
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
    ::_exit(int(ExitCode::kFailed));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: unexpected problem: %s\n", error.what());
    ::_exit(int(ExitCode::kFailed));
  } catch (...) {
  }
  // Parts of the standard library end so when they find no memory.
  std::fputs("error: unexpected problem, perhaps out of memory\n", stderr);
  ::_exit(int(ExitCode::kFailed));
}

// A stack grows when it is written; under a limit on address space that can fail later, and ends in a signal.
__attribute__((noinline)) void grow_stack() {
  constexpr size_t kRoom = size_t(512) << 10, kPage = 4096;
  std::array<volatile char, kRoom> room;
  for (size_t i = 0; i < kRoom; i += kPage) room[i] = 0;
}

}  // namespace

void say_out_of_memory() noexcept {
  constexpr std::string_view kSentence = "error: out of memory\n";
  if (::write(STDERR_FILENO, kSentence.data(), kSentence.size()) < 0) return;
}

void hold_reserve() noexcept {
  if (!g_reserve.load(std::memory_order_relaxed)) std::free(g_reserve.exchange(std::malloc(kReserveBytes)));
}

void release_reserve() noexcept { std::free(g_reserve.exchange(nullptr)); }

void install_out_of_memory_handlers() {
  std::set_terminate(on_terminate);
  std::set_new_handler(on_no_memory);
  grow_stack();
  hold_reserve();
}

}  // namespace app
