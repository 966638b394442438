// Asks whether there is memory for a large model before it is made, for whoever reads one: a control group does not
// refuse memory, it ends the process. Nobody is asked unless a MemoryGuard stands in the thread.
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <utility>

namespace splat {

struct MemoryRefused : std::bad_alloc {
  explicit MemoryRefused(size_t wanted) : bytes(wanted) {}
  const char* what() const noexcept override { return "there is too little memory"; }
  size_t bytes;
};

class MemoryGuard {
 public:
  using MayTake = std::function<bool(size_t bytes)>;
  explicit MemoryGuard(MayTake may_take) : may_take_(std::move(may_take)), before_(current()) { current() = this; }
  ~MemoryGuard() { current() = before_; }
  MemoryGuard(const MemoryGuard&) = delete;
  MemoryGuard& operator=(const MemoryGuard&) = delete;

  // Throws MemoryRefused where the thread's guard says no to a model of this size.
  static void ask_for_model(size_t splats, int sh_degree) {
    const size_t bytes = splats * size_t(11 + 3 * (sh_degree + 1) * (sh_degree + 1)) * sizeof(float);
    if (current() && !current()->may_take_(bytes)) throw MemoryRefused(bytes);
  }

 private:
  static MemoryGuard*& current() {
    static thread_local MemoryGuard* guard = nullptr;
    return guard;
  }
  MayTake may_take_;
  MemoryGuard* before_;
};

}  // namespace splat
