// Runs the cases of single instructions that make.py wrote: run_cases CASES WAVE_SIZE. Every register, every word of
// memory and of LDS must afterwards hold what is expected, or what it held before.
#include "tests/isa/instructions/run_cases.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/isa/machine/numbers.h"

namespace isa {
namespace {

std::vector<int (*)(void*)>& functions() {
  static std::vector<int (*)(void*)> functions;
  return functions;
}

constexpr size_t kMemoryWords = 256;
constexpr u32 kLdsBytes = 65536;

// A word that is expected: a value, one beside it, some NaN, anything.
struct Expected {
  std::string text;
  bool fits(u32 word) const {
    if (text == "any") return true;
    if (text == "nan" || text == "nan64") {
      const u32 infinite = text == "nan" ? 0x7f800000u : 0x7ff00000u;
      return (word & 0x7fffffffu) > infinite || (text == "nan64" && (word & 0x7fffffffu) == infinite);
    }
    if (text[0] != '~') return word == std::strtoul(text.c_str(), nullptr, 16);
    const u32 wanted = u32(std::strtoul(text.c_str() + 1, nullptr, 16));
    const u32 magnitude = wanted & 0x7fffffffu;
    if (magnitude <= 0x00800000u && (word & 0x7fffffffu) == 0) return true;  // flushed
    return word - wanted + 1 <= 2;
  }
};

template <int W>
class Runner {
 public:
  Runner() : memory_(kMemoryWords), wave_(std::make_unique<Wave<W>>()) {
    Memory::instance().add(u64(memory_.data()), 4 * memory_.size());
  }

  // The number of cases that failed.
  int run_file(const char* path) {
    std::ifstream file(path);
    int cases = 0, runs = 0, failed = 0;
    bool bad = false;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "case") {
        failed += bad, bad = false, ++cases;
        words >> number_;
        title_ = line;
      } else if (word == "run") {
        start();
      } else if (word == "end") {
        ++runs;
        if (!bad && !finish()) bad = true;
      } else {
        read(word, words);
      }
    }
    failed += bad;
    std::printf("%d cases of instructions, %d runs of %d lanes: %d failed\n", cases, runs, W, failed);
    return cases == 0 ? 1 : failed;
  }

 private:
  static u32 pattern(u32 a, u32 b) { return (a * 2654435761u ^ b * 40503u * 2246822519u) + 0x1234567u; }

  void start() {
    Wave<W>& w = *wave_;
    for (int n = 0; n < kScalars; ++n) w.s[n] = pattern(u32(n), 77), w.s_valid[n] = ~0u;
    for (int n = 0; n <= kVectors; ++n) {
      w.v_valid[n] = ~u64(0);
      for (int l = 0; l < W; ++l) w.v[n][l] = pattern(u32(n), u32(l));
    }
    set_mask(kExec, Wave<W>::kAll), set_mask(kVcc, 0);
    w.scc = false, w.scc_valid = true, w.resume = 0, w.executed = 0, w.block = &block_;
    for (size_t i = 0; i < memory_.size(); ++i) memory_[i] = pattern(u32(i), 5);
    block_.start(kLdsBytes);
    expected_.clear();
    stops_ = 0;
  }

  void set_mask(int at, u64 mask) {
    wave_->s[at] = u32(mask);
    if (W == 64 || at == kExec) wave_->s[at + 1] = u32(mask >> 32);
  }

  static std::vector<u64> numbers(std::istringstream& words) {
    std::vector<u64> all;
    for (std::string word; words >> word;) all.push_back(std::strtoull(word.c_str(), nullptr, 16));
    return all;
  }

  void read(const std::string& what, std::istringstream& words) {
    Wave<W>& w = *wave_;
    if (what == "=" || what == "?") {
      std::string rest;
      std::getline(words, rest);
      expected_.push_back(what + rest);
      return;
    }
    int at = 0;
    if (what == "s" || what == "v" || what == "address" || what == "scalar_address") words >> at;
    const std::vector<u64> all = numbers(words);
    const u64 base = u64(memory_.data());
    if (what == "s")
      w.s[at] = u32(all[0]);
    else if (what == "v")
      for (int l = 0; l < W; ++l) w.v[at][l] = u32(all[size_t(l)]);
    else if (what == "exec")
      set_mask(kExec, all[0]);
    else if (what == "vcc")
      set_mask(kVcc, all[0]);
    else if (what == "scc")
      w.scc = all[0];
    else if (what == "memory")
      for (size_t i = 0; i < all.size(); ++i) memory_[i] = u32(all[i]);
    else if (what == "lds")
      for (size_t i = 0; i < all.size(); ++i) put_lds(u32(4 * i), u32(all[i]));
    else if (what == "address")
      for (int l = 0; l < W; ++l)
        w.v[at][l] = u32(base + all[size_t(l)]), w.v[at + 1][l] = u32((base + all[size_t(l)]) >> 32);
    else if (what == "scalar_address")
      w.s[at] = u32(base + all[0]), w.s[at + 1] = u32((base + all[0]) >> 32);
    else
      std::printf("unknown word '%s' of case %d\n", what.c_str(), number_), std::exit(2);
  }

  void put_lds(u32 at, u32 word) { std::memcpy(block_.touch(0, at, 4, 4, 0, Access::kStore), &word, 4); }

  bool finish() {
    Wave<W>& w = *wave_;
    const Wave<W> before = w;
    const std::vector<u32> memory_before = memory_;
    const std::vector<u8> lds_before = block_.lds;
    place().kernel = title_.c_str();
    Memory::instance().begin_launch();
    Memory::instance().enter_block(Memory::instance().new_block());
    int stops = 0;
    while (functions()[size_t(number_)](&w) != kDone && ++stops < 1000) {
    }
    std::vector<std::vector<Expected>> vectors(kVectors + 1);
    std::vector<Expected> scalars(kScalars), memory(kMemoryWords), lds(kLdsBytes / 4);
    bool scc = before.scc;
    for (const std::string& line : expected_) take(line, before, vectors, scalars, memory, lds, scc);
    for (int n = 0; n < kVectors; ++n)
      for (int l = 0; l < W; ++l)
        if (!check('v', n, l, vectors[size_t(n)].empty() ? Expected() : vectors[size_t(n)][size_t(l)], before.v[n][l],
                   w.v[n][l]))
          return false;
    for (int n = 0; n < kScalars; ++n)
      if (!check('s', n, 0, scalars[size_t(n)], before.s[n], w.s[n])) return false;
    for (size_t i = 0; i < kMemoryWords; ++i)
      if (!check('m', int(i), 0, memory[i], memory_before[i], memory_[i])) return false;
    for (size_t i = 0; i < kLdsBytes / 4; ++i) {
      u32 old, now;
      std::memcpy(&old, lds_before.data() + 4 * i, 4), std::memcpy(&now, block_.lds.data() + 4 * i, 4);
      if (!check('l', int(i), 0, lds[i], old, now)) return false;
    }
    if (w.scc != scc || stops != stops_) {
      std::printf("%s: SCC %d instead of %d, %d stops instead of %d\n", title_.c_str(), w.scc, scc, stops, stops_);
      return false;
    }
    return true;
  }

  // Vector results are expected of the lanes that were active before.
  void take(const std::string& line, const Wave<W>& before, std::vector<std::vector<Expected>>& vectors,
            std::vector<Expected>& scalars, std::vector<Expected>& memory, std::vector<Expected>& lds, bool& scc) {
    std::istringstream words(line);
    std::string sign, what;
    int at = 0;
    words >> sign >> what;
    if (what == "s" || what == "v") words >> at;
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    const auto number = [&] { return std::strtoull(all.at(0).c_str(), nullptr, 16); };
    const auto mask = [&](int first) {
      char text[16];
      for (int i = 0; i < (W == 64 ? 2 : 1); ++i) {
        std::snprintf(text, sizeof text, "%x", u32(number() >> 32 * i));
        scalars[size_t(first + i)].text = text;
      }
    };
    if (sign == "?" && what == "v")
      vectors[size_t(at)].assign(W, {"any"});
    else if (sign == "?")
      scalars[size_t(at)].text = "any";
    else if (what == "s")
      scalars[size_t(at)].text = all.at(0);
    else if (what == "vcc")
      mask(kVcc);
    else if (what == "exec")
      mask(kExec);
    else if (what == "scc")
      scc = number();
    else if (what == "stops")
      stops_ = int(number());
    else if (what == "memory")
      for (size_t i = 0; i < all.size(); ++i) memory[i].text = all[i];
    else if (what == "lds")
      for (size_t i = 0; i < all.size(); ++i) lds[i].text = all[i];
    else if (what == "v") {
      vectors[size_t(at)].resize(W);
      for (int l = 0; l < W; ++l)
        if (before.exec() >> l & 1) vectors[size_t(at)][size_t(l)].text = all.at(size_t(l));
    }
  }

  bool check(char what, int at, int lane, const Expected& expected, u32 before, u32 now) {
    if (expected.text.empty() ? before == now : expected.fits(now)) return true;
    std::printf("%s: %c%d lane %d is %08x, expected %s, was %08x\n", title_.c_str(), what, at, lane, now,
                expected.text.empty() ? "no change" : expected.text.c_str(), before);
    return false;
  }

  std::vector<u32> memory_;
  std::unique_ptr<Wave<W>> wave_;
  Block block_;
  int number_ = 0, stops_ = 0;
  std::string title_;
  std::vector<std::string> expected_;
};

}  // namespace

CaseRegistration::CaseRegistration(int number, int (*run)(void* wave)) {
  if (functions().size() <= size_t(number)) functions().resize(size_t(number) + 1);
  functions()[size_t(number)] = run;
}

}  // namespace isa

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: run_cases CASES WAVE_SIZE keep|zero   (the upper half of results of 16 bits)\n");
    return 2;
  }
  isa::upper_half_kept = std::strcmp(argv[3], "keep") == 0;
  const bool wide = std::atoi(argv[2]) == 64;
  return (wide ? isa::Runner<64>().run_file(argv[1]) : isa::Runner<32>().run_file(argv[1])) ? 1 : 0;
}
