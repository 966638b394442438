#include "tests/isa/machine/memory_ops.h"

#include <cstring>

#include "tests/isa/machine/counts.h"
#include "tests/isa/machine/lane_loop.h"

namespace isa {
namespace {

constexpr const char* kUnknownAddress = "is part of an address";
constexpr const char* kUnknownData = "is stored";

template <class F>
void each(u64 exec, F f) {
  for (u64 left = exec; left; left &= left - 1) f(std::countr_zero(left));
}

// Addresses of the active lanes.
template <int W>
struct Addresses {
  u64 base = 0;
  const u32* low;
  const u32* high = nullptr;
  Addresses(Wave<W>& w, Address at) : low(w.v[at.vector]) {
    u64 valid = w.v_valid[at.vector];
    base = u64(at.offset);
    if (at.scalar >= 0) {
      const Bits bits = scalar_bits(w, s(u32(at.scalar)), true);
      if (~bits.valid) valid = 0;
      base += bits.value;
    } else {
      valid &= w.v_valid[at.vector + 1];
      high = w.v[at.vector + 1];
    }
    if (w.exec() & ~valid) unknown_used(w.at, kUnknownAddress);
  }
  u64 operator[](int lane) const { return base + (high ? low[lane] | u64(high[lane]) << 32 : low[lane]); }
};

template <int W>
void count(Requests Traffic::*kind, const Addresses<W>& at, u64 exec, u32 bytes) {
  if (!counting_traffic) return;
  u64 addresses[W];
  size_t lanes = 0;
  each(exec, [&](int l) { addresses[lanes++] = at[l]; });
  count_memory(kind, {addresses, lanes}, bytes);
}

template <int W>
void demand(Wave<W>& w, int data, int words) {
  for (int i = 0; i < words; ++i)
    if (w.exec() & ~w.v_valid[data + i]) unknown_used(w.at, kUnknownData);
}

u32 widened(u32 raw, int bytes, bool sign) {
  if (!sign) return raw;
  return bytes == 1 ? u32(i32(int8_t(raw))) : u32(i32(i16(raw)));
}

template <class T>
T changed(Atomic how, T old, T data, T compare) {
  using S = std::make_signed_t<T>;
  switch (how) {
    case Atomic::kSwap:
      return data;
    case Atomic::kCompareSwap:
      return old == compare ? data : old;
    case Atomic::kAdd:
      return old + data;
    case Atomic::kSub:
      return old - data;
    case Atomic::kSmin:
      return S(data) < S(old) ? data : old;
    case Atomic::kUmin:
      return data < old ? data : old;
    case Atomic::kSmax:
      return S(data) > S(old) ? data : old;
    case Atomic::kUmax:
      return data > old ? data : old;
    case Atomic::kAnd:
      return old & data;
    case Atomic::kOr:
      return old | data;
    case Atomic::kXor:
      return old ^ data;
    case Atomic::kAddF32:
      return bits_of(float_of(u32(old)) + float_of(u32(data)));
    case Atomic::kAddF64:
      return T(std::bit_cast<u64>(std::bit_cast<f64>(u64(old)) + std::bit_cast<f64>(u64(data))));
  }
  return old;
}

template <class T, int W>
T from_registers(Wave<W>& w, int first, int lane) {
  T value = w.v[first][lane];
  if constexpr (is_wide<T>) value |= T(w.v[first + 1][lane]) << 32;
  return value;
}
template <class T, int W>
void to_registers(Wave<W>& w, int first, int lane, T value) {
  w.v[first][lane] = u32(value);
  if constexpr (is_wide<T>) w.v[first + 1][lane] = u32(value >> 32);
}

// One lane after the other, as the hardware's order is not known.
template <class T, int W, class Place>
void atomic(Wave<W>& w, Atomic how, int d, int data, Place place) {
  const u64 exec = w.exec();
  const int words = is_wide<T> ? 2 : 1;
  demand(w, data, how == Atomic::kCompareSwap ? 2 * words : words);
  each(exec, [&](int l) {
    u8* const at = place(l);
    T old;
    std::memcpy(&old, at, sizeof old);
    const T given = from_registers<T>(w, data, l);
    const T compare = how == Atomic::kCompareSwap ? from_registers<T>(w, data + words, l) : 0;
    const T now = changed(how, old, given, compare);
    std::memcpy(at, &now, sizeof now);
    if (d >= 0) to_registers<T>(w, d, l, old);
  });
  for (int i = 0; d >= 0 && i < words; ++i) mark_written(w, d + i, exec, ~u64(0));
}

}  // namespace

template <int W>
void global_load(Wave<W>& w, int d, Address address, int words, bool coherent) {
  const u64 exec = w.exec();
  if (!exec) return;
  const Addresses<W> at(w, address);
  count(&Traffic::loads, at, exec, 4 * u32(words));
  Memory& memory = Memory::instance();
  const Access kind = coherent ? Access::kCoherentLoad : Access::kLoad;
  u32 value[W][4];
  each(exec,
       [&](int l) { std::memcpy(value[l], memory.touch(w.at, at[l], 4 * u32(words), 4, kind), 4 * size_t(words)); });
  for (int i = 0; i < words; ++i) {
    each(exec, [&](int l) { w.v[d + i][l] = value[l][i]; });
    mark_written(w, d + i, exec, ~u64(0));
  }
}
template <int W>
void global_load_narrow(Wave<W>& w, int d, Address address, int bytes, bool sign) {
  const u64 exec = w.exec();
  if (!exec) return;
  const Addresses<W> at(w, address);
  count(&Traffic::loads, at, exec, u32(bytes));
  Memory& memory = Memory::instance();
  u32 value[W];
  each(exec, [&](int l) {
    u32 raw = 0;
    std::memcpy(&raw, memory.touch(w.at, at[l], u32(bytes), u32(bytes), Access::kLoad), size_t(bytes));
    value[l] = widened(raw, bytes, sign);
  });
  each(exec, [&](int l) { w.v[d][l] = value[l]; });
  mark_written(w, d, exec, ~u64(0));
}
template <int W>
void global_store(Wave<W>& w, Address address, int data, int words) {
  const u64 exec = w.exec();
  if (!exec) return;
  const Addresses<W> at(w, address);
  count(&Traffic::stores, at, exec, 4 * u32(words));
  Memory& memory = Memory::instance();
  demand(w, data, words);
  each(exec, [&](int l) {
    u8* const to = memory.touch(w.at, at[l], 4 * u32(words), 4, Access::kStore);
    for (int i = 0; i < words; ++i) std::memcpy(to + 4 * i, &w.v[data + i][l], 4);
  });
}
template <int W>
void global_store_narrow(Wave<W>& w, Address address, int data, int bytes) {
  const u64 exec = w.exec();
  if (!exec) return;
  const Addresses<W> at(w, address);
  count(&Traffic::stores, at, exec, u32(bytes));
  Memory& memory = Memory::instance();
  demand(w, data, 1);
  each(exec, [&](int l) {
    std::memcpy(memory.touch(w.at, at[l], u32(bytes), u32(bytes), Access::kStore), &w.v[data][l], size_t(bytes));
  });
}
template <class T, int W>
void global_atomic(Wave<W>& w, Atomic how, int d, Address address, int data) {
  if (!w.exec()) return;
  const Addresses<W> at(w, address);
  count(&Traffic::atomics, at, w.exec(), sizeof(T));
  atomic<T>(w, how, d, data,
            [&](int l) { return Memory::instance().touch(w.at, at[l], sizeof(T), sizeof(T), Access::kAtomic); });
}

template <int W>
void s_load(Wave<W>& w, int d, int base, Operand more, i64 offset, int words) {
  if (!scalar_valid<u64>(w, s(u32(base))) || !scalar_valid<u32>(w, more)) unknown_used(w.at, kUnknownAddress);
  const u64 at = scalar<u64>(w, s(u32(base))) + scalar<u32>(w, more) + u64(offset);
  if (counting_traffic) count_memory(&Traffic::scalar_loads, {&at, 1}, 4 * u32(words));
  u32 value[16];
  std::memcpy(value, Memory::instance().touch(w.at, at, 4 * u32(words), 4, Access::kLoad), 4 * size_t(words));
  for (int i = 0; i < words; ++i) put_scalar_word(w, d + i, value[i], ~0u);
}

namespace {
// Reads and writes of LDS demand the alignment of their whole size, but three words that of four.
constexpr u32 lds_alignment(int words) { return words == 1 ? 4 : words == 2 ? 8 : 16; }

template <int W>
void demand_address(Wave<W>& w, int address) {
  if (w.exec() & ~w.v_valid[address]) unknown_used(w.at, kUnknownAddress);
}
template <int W>
void count(Wave<W>& w, int address, u32 offset, u32 bytes, bool each_lane = false) {
  if (!counting_traffic) return;
  u32 addresses[W];
  for (int l = 0; l < W; ++l) addresses[l] = w.v[address][l] + offset;
  count_lds({addresses, W}, w.exec(), bytes, each_lane);
}
// Addresses of LDS have 32 bits and wrap: compilers add offsets to negative ones.
template <int W>
u8* lds_touch(Wave<W>& w, int address, int lane, u32 offset, u32 size, u32 alignment, Access kind) {
  return w.block->touch(w.at, w.v[address][lane] + offset, size, alignment, w.number, kind);
}

// Reads `words` words at each of the offsets into consecutive registers.
template <int W>
void ds_read_words(Wave<W>& w, int d, int address, const u32* offsets, int places, int words) {
  const u64 exec = w.exec();
  demand_address(w, address);
  for (int place = 0; place < places; ++place) count(w, address, offsets[place], 4 * u32(words));
  u32 value[W][4];
  u64 known[4] = {};
  each(exec, [&](int l) {
    for (int place = 0; place < places; ++place) {
      const u32 at = w.v[address][l] + offsets[place];
      const u8* const from =
          lds_touch(w, address, l, offsets[place], 4 * u32(words), lds_alignment(words), Access::kLoad);
      std::memcpy(value[l] + place * words, from, 4 * size_t(words));
      for (int i = 0; i < words; ++i) known[place * words + i] |= u64(w.block->is_known(at + 4 * u32(i), 4)) << l;
    }
  });
  for (int i = 0; i < places * words; ++i) {
    each(exec, [&](int l) { w.v[d + i][l] = value[l][i]; });
    mark_written(w, d + i, exec, known[i]);
  }
}
}  // namespace

template <int W>
void ds_read(Wave<W>& w, int d, int address, u32 offset, int words) {
  ds_read_words(w, d, address, &offset, 1, words);
}
template <int W>
void ds_read2(Wave<W>& w, int d, int address, u32 offset0, u32 offset1, int words) {
  const u32 offsets[] = {offset0, offset1};
  ds_read_words(w, d, address, offsets, 2, words);
}
template <int W>
void ds_read_narrow(Wave<W>& w, int d, int address, u32 offset, int bytes, bool sign) {
  const u64 exec = w.exec();
  demand_address(w, address);
  count(w, address, offset, u32(bytes));
  u32 value[W];
  u64 known = 0;
  each(exec, [&](int l) {
    u32 raw = 0;
    std::memcpy(&raw, lds_touch(w, address, l, offset, u32(bytes), u32(bytes), Access::kLoad), size_t(bytes));
    value[l] = widened(raw, bytes, sign);
    known |= u64(w.block->is_known(w.v[address][l] + offset, u32(bytes))) << l;
  });
  each(exec, [&](int l) { w.v[d][l] = value[l]; });
  mark_written(w, d, exec, known);
}
// Storing what nobody wrote is no fault yet: rocPRIM moves places without an element along.
template <int W>
void ds_write(Wave<W>& w, int address, int data, u32 offset, int words) {
  demand_address(w, address);
  count(w, address, offset, 4 * u32(words));
  each(w.exec(), [&](int l) {
    u8* const to = lds_touch(w, address, l, offset, 4 * u32(words), lds_alignment(words), Access::kStore);
    for (int i = 0; i < words; ++i) {
      std::memcpy(to + 4 * i, &w.v[data + i][l], 4);
      w.block->mark(w.v[address][l] + offset + 4 * u32(i), 4, w.v_valid[data + i] >> l & 1);
    }
  });
}
template <int W>
void ds_write2(Wave<W>& w, int address, int data0, int data1, u32 offset0, u32 offset1, int words) {
  ds_write(w, address, data0, offset0, words);
  ds_write(w, address, data1, offset1, words);
}
template <int W>
void ds_write_narrow(Wave<W>& w, int address, int data, u32 offset, int bytes) {
  demand_address(w, address);
  count(w, address, offset, u32(bytes));
  each(w.exec(), [&](int l) {
    u8* const to = lds_touch(w, address, l, offset, u32(bytes), u32(bytes), Access::kStore);
    std::memcpy(to, &w.v[data][l], size_t(bytes));
    w.block->mark(w.v[address][l] + offset, u32(bytes), w.v_valid[data] >> l & 1);
  });
}
template <class T, int W>
void ds_atomic(Wave<W>& w, Atomic how, int d, int address, int data, u32 offset) {
  demand_address(w, address);
  count(w, address, offset, sizeof(T), true);
  atomic<T>(w, how, d, data,
            [&](int l) { return lds_touch(w, address, l, offset, sizeof(T), sizeof(T), Access::kAtomic); });
}

#define FOR_WAVE(W)                                                      \
  template void global_load(Wave<W>&, int, Address, int, bool);          \
  template void global_load_narrow(Wave<W>&, int, Address, int, bool);   \
  template void global_store(Wave<W>&, Address, int, int);               \
  template void global_store_narrow(Wave<W>&, Address, int, int);        \
  template void global_atomic<u32>(Wave<W>&, Atomic, int, Address, int); \
  template void global_atomic<u64>(Wave<W>&, Atomic, int, Address, int); \
  template void s_load(Wave<W>&, int, int, Operand, i64, int);           \
  template void ds_read(Wave<W>&, int, int, u32, int);                   \
  template void ds_read2(Wave<W>&, int, int, u32, u32, int);             \
  template void ds_read_narrow(Wave<W>&, int, int, u32, int, bool);      \
  template void ds_write(Wave<W>&, int, int, u32, int);                  \
  template void ds_write2(Wave<W>&, int, int, int, u32, u32, int);       \
  template void ds_write_narrow(Wave<W>&, int, int, u32, int);           \
  template void ds_atomic<u32>(Wave<W>&, Atomic, int, int, int, u32);    \
  template void ds_atomic<u64>(Wave<W>&, Atomic, int, int, int, u32);
FOR_WAVE(32)
FOR_WAVE(64)

}  // namespace isa
