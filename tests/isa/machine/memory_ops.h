// Loads, stores and atomics of memory and of LDS, and scalar loads.
#pragma once

#include <type_traits>

#include "tests/isa/machine/memory.h"

namespace isa {

// The address of a lane: a pair of vector registers, or a pair of scalar registers plus one vector register.
struct Address {
  u32 vector;
  int scalar;  // -1: none
  i64 offset;
};

// `words` registers from d on; kinds of narrow loads: of 8 or 16 bits, zeros or the sign above.
template <int W>
void global_load(Wave<W>& w, int d, Address at, int words, bool coherent);
template <int W>
void global_load_narrow(Wave<W>& w, int d, Address at, int bytes, bool sign);
template <int W>
void global_store(Wave<W>& w, Address at, int data, int words);
template <int W>
void global_store_narrow(Wave<W>& w, Address at, int data, int bytes);

enum class Atomic { kSwap, kCompareSwap, kAdd, kSub, kSmin, kUmin, kSmax, kUmax, kAnd, kOr, kXor, kAddF32, kAddF64 };
// d: register for the old value, -1: not asked for. T: u32 or u64.
template <class T, int W>
void global_atomic(Wave<W>& w, Atomic how, int d, Address at, int data);

// A scalar load of `words` words: base is a pair of registers, more an offset in a register or constant. The hardware
// ignores the two low bits of the address; here they are a fault.
template <int W>
void s_load(Wave<W>& w, int d, int base, Operand more, i64 offset, int words);

// LDS. address: a vector register. The "2" forms access two places, of `words` words each.
template <int W>
void ds_read(Wave<W>& w, int d, int address, u32 offset, int words);
template <int W>
void ds_read2(Wave<W>& w, int d, int address, u32 offset0, u32 offset1, int words);
template <int W>
void ds_read_narrow(Wave<W>& w, int d, int address, u32 offset, int bytes, bool sign);
template <int W>
void ds_write(Wave<W>& w, int address, int data, u32 offset, int words);
template <int W>
void ds_write2(Wave<W>& w, int address, int data0, int data1, u32 offset0, u32 offset1, int words);
template <int W>
void ds_write_narrow(Wave<W>& w, int address, int data, u32 offset, int bytes);
template <class T, int W>
void ds_atomic(Wave<W>& w, Atomic how, int d, int address, int data, u32 offset);

}  // namespace isa
