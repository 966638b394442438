// Runs HIP kernels on the CPU: blocks one after another, the threads of a block as fibres, so that barriers, shuffles,
// ballots and LDS behave as on a GPU of wave size 32 or 64. Reported as Fault, with the kernel, block, thread and
// place:
//   a barrier not reached by all threads of the block, or reached at different places;
//   a wave operation (shuffle, ballot) not reached by all lanes of the wave, or reached at different places;
//   LDS read before it was written, out of range, or without a barrier after another wave's write (and the reverse).
// Global memory lies between guard pages: an access out of range ends the process with a sentence (or with the address
// sanitizer's report). A switch of fibres costs a few nanoseconds; threads that never wait share one fibre.
// One thread of the host launches kernels at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace hip_emulator {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr Dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where a kernel calls a barrier or wave operation.
struct Site {
  const char* file = nullptr;
  unsigned line = 0, column = 0;
#ifdef __clang__  // clang 14 has no std::source_location with GCC's library
  static Site current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                      unsigned column = __builtin_COLUMN()) {
    return {file, line, column};
  }
#else
  static Site current(const std::source_location& at = std::source_location::current()) {
    return {at.file_name(), at.line(), at.column()};
  }
#endif
  bool operator==(const Site&) const = default;
};

// ---- the emulated device
struct Device {
  unsigned wave_size = 32;
  size_t memory_limit = size_t(1) << 32;  // bytes; an allocation beyond it fails
  size_t reported_memory = 0;             // what hipMemGetInfo() says in place of memory_limit, unless 0
  int count = 1;                          // of devices, all alike
  bool integrated = false;
  bool blocks_backwards = false;  // blocks run from the last to the first, as a device may
  std::string architecture = "emulated";
  // A second device that no code is for: as with AMD's runtimes before ROCm 6.2 nothing runs while it is visible.
  std::string beside;
  int version = 60200000;                          // of the runtime
  uint64_t full_after_allocations = ~uint64_t(0);  // from then on no memory is given out: somebody else has it
  uint64_t lost_after_launches = ~uint64_t(0);     // from then on every call fails, as when a device is lost
  uint64_t aborts_after_launches = ~uint64_t(0);   // the process, as runtimes do where a kernel faults
  uint64_t hangs_after_launches = ~uint64_t(0);
  bool asynchronous = false;  // kernels, copies, fills and sorts wait until the host waits for them
};
bool device_lost();
bool sees_second_kind();  // Device::beside, unless ROCR_VISIBLE_DEVICES is set
// Does the work now or, on an asynchronous device, in its turn. What it reads and writes must live until then.
void enqueue(std::function<void()> work);
void count_device();  // the calling thread's current one, in Counters::devices
void finish_everything();
struct Counters {
  uint64_t launches = 0, allocations = 0, waits = 0;  // waits: calls that block the host until the device is done
  uint64_t spinning_waits = 0;                        // of them, those that keep a core of the host busy
  uint64_t transfers = 0;                             // copies and fills
  uint64_t bytes_to_device = 0, bytes_to_host = 0;    // of copies
  uint64_t sorted_keys = 0;                           // handed to sort_pairs(), used or not
  size_t allocated_bytes = 0;
  // Bit = index: the thread's current device when a kernel, copy, fill or sort was asked for, memory, an event or a
  // stream made. Each belongs to that device; the emulated ones share everything.
  uint64_t devices = 0;
};
Device& device();
Counters& counters();

// Runs a kernel to its end, at once or when its turn comes. name: for messages; static storage.
void launch(const char* name, const Dim3& grid, const Dim3& block, std::function<void()> kernel);

// ---- what a kernel sees
struct Thread {
  Dim3 index;
  unsigned lane = 0, wave = 0;
};
struct Block {
  Dim3 index, block_size, grid_size;
};
extern Thread* current_thread;
extern Block current_block;

void barrier(const Site& site);
// Every lane of the wave hands in a value; returns all of them, by lane. Valid until the next wave operation.
const uint64_t* exchange(uint64_t value, const Site& site);
unsigned wave_size();

// width: of the groups of lanes, a power of two. A source outside the group gives the lane's own value.
enum class Shuffle { kFrom, kXor, kUp, kDown };
template <class T>
T shuffle(Shuffle kind, T value, int argument, unsigned width, const Site& site) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const unsigned lane = current_thread->lane, group = lane & ~(width - 1);
  const int within = int(lane & (width - 1));
  int source = within;
  if (kind == Shuffle::kFrom) source = argument & int(width - 1);
  if (kind == Shuffle::kXor) source = within ^ argument;
  if (kind == Shuffle::kUp) source = within - argument;
  if (kind == Shuffle::kDown) source = within + argument;
  const uint64_t* values = exchange(bits, site);
  if (source < 0 || source >= int(width)) source = within;
  T result;
  std::memcpy(static_cast<void*>(&result), values + group + unsigned(source), sizeof(T));
  return result;
}
uint64_t ballot(bool predicate, const Site& site);

// ---- LDS
// The history of one element since the block began; times count barriers.
struct LdsShadow {
  uint64_t written = 0, read = 0;
  unsigned writer = 0, reader = 0;  // waves; kSeveral once several have read since the last barrier
  static constexpr unsigned kSeveral = ~0u;
};
void check_lds_read(LdsShadow& shadow, const char* name, size_t index);
void check_lds_write(LdsShadow& shadow, const char* name, size_t index);
[[noreturn]] void lds_out_of_range(const char* name, size_t index, size_t count);

// An element of LDS: reading and writing are checked, &element is for atomics on initialised elements.
template <class T>
class LdsElement {
 public:
  LdsElement(T* value, LdsShadow* shadow, const char* name, size_t index)
      : value_(value), shadow_(shadow), name_(name), index_(index) {}
  operator T() const {
    check_lds_read(*shadow_, name_, index_);
    return *value_;
  }
  const LdsElement& operator=(const T& value) const {
    check_lds_write(*shadow_, name_, index_);
    *value_ = value;
    return *this;
  }
  const LdsElement& operator=(const LdsElement& other) const { return *this = T(other); }
  const LdsElement& operator+=(const T& value) const { return *this = T(*this) + value; }
  LdsElement(const LdsElement&) = default;
  T* operator&() const;  // atomics of several waves between two barriers are no race

 private:
  T* value_;
  LdsShadow* shadow_;
  const char* name_;
  size_t index_;
};
void check_lds_atomic(const LdsShadow& shadow, const char* name, size_t index);
template <class T>
T* LdsElement<T>::operator&() const {
  check_lds_atomic(*shadow_, name_, index_);
  return value_;
}

template <class T, size_t kCount>
class Lds {
 public:
  explicit Lds(const char* name) : name_(name) {}
  LdsElement<T> operator[](size_t i) {
    if (i >= kCount) lds_out_of_range(name_, i, kCount);
    return {values_ + i, shadows_ + i, name_, i};
  }

 private:
  const char* name_;
  T values_[kCount];
  LdsShadow shadows_[kCount];
};

}  // namespace hip_emulator
