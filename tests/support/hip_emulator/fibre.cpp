#include "tests/support/hip_emulator/fibre.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define SPLAT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPLAT_ASAN 1
#endif
#endif
#ifdef SPLAT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#define SPLAT_FIBRE_ASSEMBLY 1
#else
#include <ucontext.h>
#endif

#ifdef SPLAT_FIBRE_ASSEMBLY
// void splat_fibre_switch(void** save_stack_pointer, void* stack_pointer)
extern "C" void splat_fibre_switch(void** save, void* stack_pointer);
#if defined(__x86_64__)
asm(R"(
.text
.globl splat_fibre_switch
.type splat_fibre_switch, @function
splat_fibre_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
.size splat_fibre_switch, .-splat_fibre_switch
)");
#else
asm(R"(
.text
.globl splat_fibre_switch
.type splat_fibre_switch, %function
splat_fibre_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size splat_fibre_switch, .-splat_fibre_switch
)");
#endif
#endif

namespace hip_emulator {
namespace {

#ifdef SPLAT_ASAN
constexpr size_t kStackBytes = 512 << 10;  // its frames are larger
#else
constexpr size_t kStackBytes = 128 << 10;
#endif

size_t page_bytes() { return size_t(sysconf(_SC_PAGESIZE)); }

#ifdef SPLAT_FIBRE_ASSEMBLY
void* new_context() { return nullptr; }
void delete_context(void* /*context*/) {}
#else
void* new_context() { return new ucontext_t; }
void delete_context(void* context) { delete static_cast<ucontext_t*>(context); }
#endif

Fibre* g_from = nullptr;  // of the switch under way
Fibre* g_to = nullptr;

}  // namespace

Fibre::Fibre() : context_(new_context()) {}

Fibre::Fibre(void (*entry)()) : entry_(entry), context_(new_context()) {
  void* p = mmap(nullptr, kStackBytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(p);
  mprotect(memory_, page_bytes(), PROT_NONE);
  bottom_ = memory_ + page_bytes();
  size_ = kStackBytes;
  restart();
}

Fibre::~Fibre() {
  delete_context(context_);
  if (memory_) munmap(memory_, kStackBytes + page_bytes());
}

void Fibre::restart() {
#ifdef SPLAT_ASAN
  ASAN_UNPOISON_MEMORY_REGION(bottom_, size_);
#endif
  fake_stack_ = nullptr;
#ifdef SPLAT_FIBRE_ASSEMBLY
  auto* top = reinterpret_cast<void**>(memory_ + page_bytes() + kStackBytes);
#if defined(__x86_64__)
  top -= 2;
  top[0] = reinterpret_cast<void*>(&Fibre::start);  // returned to: the stack pointer is then as after a call
  stack_pointer_ = top - 6;
#else
  stack_pointer_ = top - 20;
  static_cast<void**>(stack_pointer_)[11] = reinterpret_cast<void*>(&Fibre::start);
#endif
#else
  auto* context = static_cast<ucontext_t*>(context_);
  getcontext(context);
  context->uc_stack.ss_sp = memory_ + page_bytes();
  context->uc_stack.ss_size = kStackBytes;
  makecontext(context, &Fibre::start, 0);
#endif
}

void Fibre::switch_to(Fibre& to) {
  g_from = this;
  g_to = &to;
#ifdef SPLAT_ASAN
  __sanitizer_start_switch_fiber(&fake_stack_, to.bottom_, to.size_);
#endif
#ifdef SPLAT_FIBRE_ASSEMBLY
  splat_fibre_switch(&stack_pointer_, to.stack_pointer_);
#else
  swapcontext(static_cast<ucontext_t*>(context_), static_cast<ucontext_t*>(to.context_));
#endif
#ifdef SPLAT_ASAN
  __sanitizer_finish_switch_fiber(fake_stack_, &g_from->bottom_, &g_from->size_);
#endif
}

void Fibre::start() {
#ifdef SPLAT_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &g_from->bottom_, &g_from->size_);
#endif
  g_to->entry_();
  std::abort();  // entry() never returns
}

}  // namespace hip_emulator
