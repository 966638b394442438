#include "tests/isa/runtime/statistics.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "tests/isa/runtime/code_objects.h"

namespace isa {
namespace {

const char* setting(const char* name) {
  const char* const text = std::getenv(name);
  return text && *text && std::strcmp(text, "0") != 0 ? text : nullptr;
}

// ISA_STATS
struct Table {
  struct Row {
    u64 launches = 0, waves = 0, instructions = 0;
    double seconds = 0;
  };
  const bool wanted = setting("ISA_STATS");
  std::map<std::string, Row> rows;
  ~Table() {
    if (!wanted || rows.empty()) return;
    Row all;
    std::fprintf(stderr, "%9s %10s %13s %8s  kernel\n", "launches", "waves", "instructions", "seconds");
    for (const auto& [name, row] : rows) {
      std::fprintf(stderr, "%9llu %10llu %13llu %8.2f  %.100s\n", static_cast<unsigned long long>(row.launches),
                   static_cast<unsigned long long>(row.waves), static_cast<unsigned long long>(row.instructions),
                   row.seconds, name.c_str());
      all.instructions += row.instructions, all.seconds += row.seconds;
    }
    std::fprintf(stderr, "%.1f M wave instructions in %.1f s\n", double(all.instructions) / 1e6, all.seconds);
  }
};
Table& table() {
  static Table table;
  return table;
}

// ISA_COUNT. Lines are whole in the file when a fault ends the process.
class CountFile {
 public:
  CountFile() {
    const char* const path = setting("ISA_COUNT");
    if (!path) return;
    file_ = std::fopen(path, "w");
    if (!file_) fault(0, "ISA_COUNT: cannot write '%s'", path);
    std::setvbuf(file_, nullptr, _IOLBF, 0);
    std::fputs("architecture,kernel,wave,registers,lds,blocks,threads,waves,longest", file_);
#define UNIT(name) std::fputs("," #name "," #name "_lanes", file_);
#include "tests/isa/machine/units.inc"
#undef UNIT
    for (const char* kind : {"load", "store", "atomic", "scalar_load"})
      for (const char* what : {"requests", "bytes", "lines"}) std::fprintf(file_, ",%s_%s", kind, what);
    std::fputs(",lines_read,lines_written,lds_cycles,lds_conflicts\n", file_);
  }
  ~CountFile() {
    if (file_) std::fclose(file_);
  }
  CountFile(const CountFile&) = delete;
  CountFile& operator=(const CountFile&) = delete;
  bool wanted() const { return file_; }

  void write_launch(const KernelCode& kernel, const Executed& executed, const Traffic& traffic) {
    std::fprintf(file_, "%s,%s,%d,%u", architecture(), kernel.name, kernel.wave_size, kernel.vectors);
    for (u64 value : {executed.lds, executed.blocks, executed.threads, executed.waves, executed.longest}) put(value);
    u64 instructions[kUnits] = {}, lanes[kUnits] = {};
    const Segments& s = kernel.segments;
    for (int i = 0; i < s.count; ++i)
      for (int u = 0; u < kUnits; ++u) {
        instructions[u] += s.instructions[i][u] * s.visits[i][0];
        lanes[u] += s.instructions[i][u] * s.visits[i][1];
      }
    for (int u = 0; u < kUnits; ++u) put(instructions[u]), put(lanes[u]);
    for (const Requests& r : {traffic.loads, traffic.stores, traffic.atomics, traffic.scalar_loads})
      put(r.lanes), put(r.bytes), put(r.lines);
    put(traffic.lines_read), put(traffic.lines_written), put(traffic.lds_cycles), put(traffic.lds_conflicts);
    std::fputc('\n', file_);
  }
  // Its bytes stand in the columns of loads.
  void write_transfer(const char* call, size_t bytes) {
    std::fprintf(file_, "%s,%s,0,0,0,0,0,0,0", architecture(), call);
    for (int u = 0; u < kUnits; ++u) std::fputs(",0,0", file_);
    std::fprintf(file_, ",0,%zu", bytes);
    for (int i = 0; i < 14; ++i) std::fputs(",0", file_);
    std::fputc('\n', file_);
  }

 private:
  void put(u64 value) { std::fprintf(file_, ",%llu", static_cast<unsigned long long>(value)); }

  std::FILE* file_ = nullptr;
};
CountFile& count_file() {
  static CountFile file;
  return file;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Of the cache nearest to the lanes.
u32 line_bytes() {
  const std::string name = architecture();
  return name.rfind("gfx9", 0) == 0 && name != "gfx942" ? 64 : 128;
}

}  // namespace

LaunchStatistics::LaunchStatistics(const KernelCode& kernel) : kernel_(kernel), start_(seconds()) {
  (void)table();
  if (!count_file().wanted()) return;
  for (int i = 0; i < kernel.segments.count; ++i) std::fill_n(kernel.segments.visits[i], 2, 0);
  begin_traffic(line_bytes());
}

void LaunchStatistics::finish(const Executed& executed) const {
  Table::Row& row = table().rows[kernel_.name];
  row.launches += 1;
  row.waves += executed.waves;
  row.instructions += executed.instructions;
  row.seconds += seconds() - start_;
  if (count_file().wanted()) count_file().write_launch(kernel_, executed, end_traffic());
}

void count_transfer(const char* call, size_t bytes) {
  if (count_file().wanted()) count_file().write_transfer(call, bytes);
}

}  // namespace isa
