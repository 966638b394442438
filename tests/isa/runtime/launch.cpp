#include "tests/isa/runtime/launch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "tests/isa/machine/numbers.h"
#include "tests/isa/runtime/code_objects.h"
#include "tests/isa/runtime/statistics.h"

namespace isa {
namespace {

u32 environment_number(const char* name) {
  const char* const text = std::getenv(name);
  return text ? u32(std::strtoul(text, nullptr, 10)) : 0;
}

struct Settings {
  u32 order = environment_number("ISA_ORDER");
  std::mt19937 random{order};
  Settings() { near_seed = environment_number("ISA_NEAR"); }
};
Settings& settings() {
  static Settings settings;
  return settings;
}

bool starts_with(const char* text, const char* prefix) { return std::strncmp(text, prefix, std::strlen(prefix)) == 0; }
bool is_rocprim(const KernelCode& kernel) { return std::strstr(kernel.name, "7rocprim"); }

// Memory that a launch brings along: the arguments, and the packet that some kernels read the block's size from.
class LaunchMemory {
 public:
  LaunchMemory(const KernelCode& kernel, const Grid& grid, void** arguments) : kernarg_(kernel.kernarg + 64, 0xee) {
    const auto put = [&](int at, const auto& value) { std::memcpy(kernarg_.data() + at, &value, sizeof value); };
    for (size_t i = 0; i < kernel.arguments.size(); ++i)
      std::memcpy(kernarg_.data() + kernel.arguments[i].offset, arguments[i], kernel.arguments[i].size);
    if (kernel.block_count >= 0)
      for (int a = 0; a < 3; ++a) put(kernel.block_count + 4 * a, grid.blocks[a]);
    if (kernel.group_size >= 0)
      for (int a = 0; a < 3; ++a)
        put(kernel.group_size + 2 * a, u16(grid.threads[a])), put(kernel.group_size + 6 + 2 * a, u16(0));
    if (kernel.grid_dims >= 0) put(kernel.grid_dims, u16(grid.blocks[2] > 1 ? 3 : grid.blocks[1] > 1 ? 2 : 1));
    for (int a = 0; a < 3; ++a) {  // hsa_kernel_dispatch_packet_t
      const u16 threads = u16(grid.threads[a]);
      const u32 all = grid.blocks[a] * grid.threads[a];
      std::memcpy(packet_ + 4 + 2 * a, &threads, 2);
      std::memcpy(packet_ + 12 + 4 * a, &all, 4);
    }
    Memory::instance().add(u64(kernarg_.data()), kernarg_.size());
    Memory::instance().add(u64(packet_), sizeof packet_);
  }
  ~LaunchMemory() {
    Memory::instance().remove(u64(kernarg_.data()));
    Memory::instance().remove(u64(packet_));
  }
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;
  u64 kernarg() const { return u64(kernarg_.data()); }
  u64 packet() const { return u64(packet_); }

 private:
  std::vector<u8> kernarg_;
  alignas(64) u8 packet_[64] = {};
};

enum class State : char { kReady, kAtBarrier, kEnded };

template <int W>
struct RunningBlock {
  Block block;
  std::vector<Wave<W>> waves;
  std::vector<State> states;
  size_t alive = 0;
};

// Registers as the hardware leaves them to the first instruction. LLVM, "AMDGPU Usage", "Initial Kernel Execution
// State".
template <int W>
void start_wave(Wave<W>& w, const KernelCode& k, const Grid& grid, const Block& block, u32 number,
                const LaunchMemory& memory) {
  std::fill(std::begin(w.s_valid), std::end(w.s_valid), 0);
  std::fill(std::begin(w.v_valid), std::end(w.v_valid), 0);
  w.scc_valid = false;
  w.at = w.resume = 0, w.executed = 0, w.number = int(number);
  const auto set = [&](int at, u32 value) { w.s[at] = value, w.s_valid[at] = ~0u; };
  int at = 0;
  const auto pair = [&](bool wanted, u64 value) {
    if (wanted) set(at, u32(value)), set(at + 1, u32(value >> 32)), at += 2;
  };
  if (k.properties & 1) at += 4;  // scratch
  pair(k.properties & 2, memory.packet());
  pair(k.properties & 4, 0);
  pair(k.properties & 8, memory.kernarg());
  pair(k.properties & 16, 0);
  pair(k.properties & 32, 0);
  at = int(k.rsrc2 >> 1 & 31);
  if (starts_with(architecture(), "gfx12")) {
    set(kTrap + 9, block.id[0]), set(kTrap + 7, block.id[1] | block.id[2] << 16);
  } else {
    for (int a = 0; a < 3; ++a)
      if (k.rsrc2 >> (7 + a) & 1) set(at++, block.id[a]);
  }
  const bool packed = starts_with(architecture(), "gfx90a") || starts_with(architecture(), "gfx94") ||
                      starts_with(architecture(), "gfx11") || starts_with(architecture(), "gfx12");
  const u32 threads = grid.threads[0] * grid.threads[1] * grid.threads[2], dimensions = k.rsrc2 >> 11 & 3;
  u64 exec = 0;
  for (u32 l = 0; l < u32(W) && number * W + l < threads; ++l) {
    const u32 t = number * W + l;
    const u32 id[3] = {t % grid.threads[0], t / grid.threads[0] % grid.threads[1],
                       t / grid.threads[0] / grid.threads[1]};
    w.v[0][l] = packed ? id[0] | id[1] << 10 | id[2] << 20 : id[0];
    for (u32 a = 1; a <= dimensions && !packed; ++a) w.v[a][l] = id[a];
    exec |= u64(1) << l;
  }
  for (u32 a = 0; a <= (packed ? 0 : dimensions); ++a) w.v_valid[a] = exec;
  set(kExec, u32(exec)), set(kExec + 1, u32(exec >> 32));
}

template <int W>
void start_block(RunningBlock<W>& b, const KernelCode& k, const Grid& grid, u32 index, u32 lds,
                 const LaunchMemory& memory) {
  Block& block = b.block;
  block.id[0] = index % grid.blocks[0];
  block.id[1] = index / grid.blocks[0] % grid.blocks[1];
  block.id[2] = index / grid.blocks[0] / grid.blocks[1];
  block.number = Memory::instance().new_block();
  block.start(lds);
  const u32 threads = grid.threads[0] * grid.threads[1] * grid.threads[2];
  b.alive = (threads + W - 1) / W;
  b.states.assign(b.alive, State::kReady);
  if (b.waves.size() < b.alive) b.waves = std::vector<Wave<W>>(b.alive);
  for (u32 n = 0; n < b.alive; ++n) {
    b.waves[n].block = &block;
    start_wave(b.waves[n], k, grid, block, n, memory);
  }
}

// Runs a wave to the next place where it stops.
template <int W>
void go_on(RunningBlock<W>& b, size_t n, const KernelCode& k, Executed& executed) {
  Memory::instance().enter_block(b.block.number);
  std::copy_n(b.block.id, 3, place().block);
  const int what = k.run(&b.waves[n]);
  if (what == kDone) {
    b.states[n] = State::kEnded, --b.alive;
    executed.instructions += b.waves[n].executed;
    executed.longest = std::max(executed.longest, b.waves[n].executed);
  }
  if (what == kBarrier) b.states[n] = State::kAtBarrier;
  if (b.alive && std::none_of(b.states.begin(), b.states.end(), [](State s) { return s == State::kReady; })) {
    for (State& s : b.states)
      if (s == State::kAtBarrier) s = State::kReady;
    ++b.block.phase;
  }
}

template <int W>
void run_in_order(const KernelCode& k, const Grid& grid, const LaunchMemory& memory, Executed& executed) {
  static RunningBlock<W> b;
  for (u32 index = 0; index < executed.blocks; ++index) {
    start_block(b, k, grid, index, u32(executed.lds), memory);
    while (b.alive)
      for (size_t n = 0; n < b.states.size(); ++n)
        if (b.states[n] == State::kReady) go_on(b, n, k, executed);
  }
}

template <int W>
void run_shuffled(const KernelCode& k, const Grid& grid, const LaunchMemory& memory, Executed& executed) {
  static RunningBlock<W> running[4];
  std::mt19937& random = settings().random;
  std::vector<u32> order(executed.blocks);
  std::iota(order.begin(), order.end(), 0);
  if (!is_rocprim(k)) std::shuffle(order.begin(), order.end(), random);
  std::vector<std::pair<int, size_t>> ready;
  for (auto& b : running) b.alive = 0;
  for (size_t next = 0;;) {
    ready.clear();
    for (int i = 0; i < 4; ++i) {
      if (!running[i].alive && next < order.size())
        start_block(running[i], k, grid, order[next++], u32(executed.lds), memory);
      for (size_t n = 0; running[i].alive && n < running[i].states.size(); ++n)
        if (running[i].states[n] == State::kReady) ready.emplace_back(i, n);
    }
    if (ready.empty()) return;
    const auto [i, n] = ready[random() % ready.size()];
    go_on(running[i], n, k, executed);
  }
}

template <int W>
void run(const KernelCode& k, const Grid& grid, const LaunchMemory& memory, Executed& executed) {
  settings().order ? run_shuffled<W>(k, grid, memory, executed) : run_in_order<W>(k, grid, memory, executed);
}

}  // namespace

void launch(const KernelCode& kernel, const Grid& grid, void** arguments, size_t dynamic_lds) {
  upper_half_kept = !starts_with(architecture(), "gfx9");
  (void)settings();
  place().kernel = kernel.name;
  place().may_use_unknown = is_rocprim(kernel);
  const LaunchStatistics statistics(kernel);
  const LaunchMemory memory(kernel, grid, arguments);
  Memory::instance().begin_launch();
  Executed executed;
  executed.lds = kernel.lds + dynamic_lds;
  executed.blocks = u64(grid.blocks[0]) * grid.blocks[1] * grid.blocks[2];
  executed.threads = u64(grid.threads[0]) * grid.threads[1] * grid.threads[2];
  executed.waves = executed.blocks * ((executed.threads + u32(kernel.wave_size) - 1) / u32(kernel.wave_size));
  kernel.wave_size == 64 ? run<64>(kernel, grid, memory, executed) : run<32>(kernel, grid, memory, executed);
  statistics.finish(executed);
  place() = {};
}

}  // namespace isa
