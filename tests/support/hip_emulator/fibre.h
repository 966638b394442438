// A stack of its own to run on. Switching keeps the callee-saved registers only: a few nanoseconds on x86-64 and arm64,
// where it is a handful of instructions; ucontext elsewhere. The address sanitizer learns of every switch.
#pragma once

#include <cstddef>

namespace hip_emulator {

class Fibre {
 public:
  // The stack that runs now, e.g. the host thread's.
  Fibre();
  // Runs entry(), which must never return, once switched to.
  explicit Fibre(void (*entry)());
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // Leaves `this`, which must be the fibre that runs now, for `to`; returns once something switches back.
  void switch_to(Fibre& to);
  // Forgets what lies on the stack: the next switch calls entry() anew.
  void restart();

 private:
  static void start();

  void (*entry_)() = nullptr;
  std::byte* memory_ = nullptr;  // a guard page, then the stack
  void* stack_pointer_ = nullptr;
  void* context_;  // ucontext_t, where it is used; else null
  // For the address sanitizer.
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  size_t size_ = 0;
};

}  // namespace hip_emulator
