#include "tests/support/hip_emulator/hip_emulator.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "tests/support/hip_emulator/fibre.h"

namespace hip_emulator {

Thread* current_thread = nullptr;
Block current_block;

Device& device() {
  static Device device;
  return device;
}
Counters& counters() {
  static Counters counters;
  return counters;
}

namespace {

constexpr unsigned kMaxThreads = 1024, kMaxWave = 64;

enum class State : uint8_t { kNotStarted, kReady, kRunning, kAtWaveOperation, kAtBarrier, kFinished };

struct Lane : Thread {
  State state = State::kNotStarted;
  Fibre* fibre = nullptr;
};

struct Wave {
  unsigned first = 0, lanes = 0;  // threads of the block
  unsigned ready = 0;             // that are not started, ready or running
  unsigned arrived = 0;           // at the wave operation under way
  unsigned parity = 0;
  Site site;                          // of that operation
  uint64_t values[2][kMaxWave] = {};  // of two successive operations: slow lanes still read the first
  uint64_t ballots[2] = {};
};

std::string text_of(const Site& site) {
  return std::string(site.file ? site.file : "?") + ":" + std::to_string(site.line);
}

// Schedules the threads of one block after another. A wave runs on until all its lanes wait or have finished.
class Scheduler {
 public:
  void run(const char* name, const Dim3& grid, const Dim3& block, const std::function<void()>& kernel);

  void barrier(const Site& site);
  const uint64_t* exchange(uint64_t value, const Site& site);
  uint64_t ballot(bool predicate, const Site& site);
  void say(std::string what);  // what is wrong; stop() follows
  [[noreturn]] void stop();
  std::string place() const;
  bool running() const { return running_; }

  uint64_t time = 1;         // counts barriers and blocks
  uint64_t block_began = 1;  // time of the block's begin
  unsigned wave_size = 32;

 private:
  void start_block();
  void suspend();      // the current lane waits; returns when it may go on
  Lane* next_lane();   // to run now, or null when the block is done
  void run_threads();  // on a fibre of its own, for ever
  void resume(Lane& lane);
  Wave& wave() { return waves_[current_thread->wave]; }
  Lane& lane() { return *static_cast<Lane*>(current_thread); }
  void check_stuck(const Wave& wave);
  [[noreturn]] void stuck_at_barrier();
  Fibre* free_fibre();

  const char* name_ = "";
  const std::function<void()>* kernel_ = nullptr;
  unsigned threads_ = 0;
  std::vector<Lane> lanes_ = std::vector<Lane>(kMaxThreads);
  std::vector<Wave> waves_ = std::vector<Wave>(kMaxThreads / 32);
  unsigned wave_count_ = 0;
  unsigned finished_ = 0, at_barrier_ = 0;
  Site barrier_site_;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<Fibre*> free_;
  Fibre host_;
  bool running_ = false;
  Lane* next_ = nullptr;       // what the fibre switched to takes up
  Fibre* starting_ = nullptr;  // that fibre, when it has no thread yet
  std::optional<std::string> fault_;
};

Scheduler& scheduler() {
  static Scheduler scheduler;
  return scheduler;
}

Fibre* Scheduler::free_fibre() {
  if (free_.empty()) {
    fibres_.push_back(std::make_unique<Fibre>([] { hip_emulator::scheduler().run_threads(); }));
    return fibres_.back().get();
  }
  Fibre* fibre = free_.back();
  free_.pop_back();
  return fibre;
}

void Scheduler::start_block() {
  finished_ = at_barrier_ = 0;
  block_began = ++time;
  for (unsigned w = 0; w < wave_count_; ++w) {
    Wave& wave = waves_[w];
    wave.first = w * wave_size;
    wave.lanes = wave.ready = std::min(wave_size, threads_ - wave.first);
    wave.arrived = 0;
  }
  const Dim3& size = current_block.block_size;
  for (unsigned i = 0; i < threads_; ++i) {
    Lane& lane = lanes_[i];
    lane.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    lane.lane = i % wave_size;
    lane.wave = i / wave_size;
    lane.state = State::kNotStarted;
    lane.fibre = nullptr;
  }
}

void Scheduler::run(const char* name, const Dim3& grid, const Dim3& block, const std::function<void()>& kernel) {
  name_ = name;
  kernel_ = &kernel;
  wave_size = device().wave_size;
  threads_ = block.x * block.y * block.z;
  if (running_) throw Fault("a kernel was launched from a kernel");
  if (threads_ == 0 || threads_ > kMaxThreads || grid.x == 0 || grid.y == 0 || grid.z == 0)
    throw Fault(std::string("kernel ") + name + ": a grid without blocks, or a block of no or over 1024 threads");
  wave_count_ = (threads_ + wave_size - 1) / wave_size;
  current_block.block_size = block;
  current_block.grid_size = grid;
  running_ = true;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  for (uint64_t i = 0; i < blocks && !fault_; ++i) {
    const uint64_t b = device().blocks_backwards ? blocks - 1 - i : i;
    current_block.index = {unsigned(b % grid.x), unsigned(b / grid.x % grid.y), unsigned(b / grid.x / grid.y)};
    start_block();
    current_thread = nullptr;
    next_ = &lanes_[0];
    starting_ = free_fibre();
    host_.switch_to(*starting_);
  }
  running_ = false;
  current_thread = nullptr;
  if (!fault_) return;
  free_.clear();  // whatever the other threads were doing is forgotten
  for (auto& fibre : fibres_) {
    fibre->restart();
    free_.push_back(fibre.get());
  }
  const std::string what = *fault_;
  fault_.reset();
  throw Fault(what);
}

Lane* Scheduler::next_lane() {
  const unsigned now = current_thread->wave;
  for (unsigned i = 0; i < wave_count_; ++i) {
    Wave& wave = waves_[(now + i) % wave_count_];
    if (wave.ready == 0) {
      check_stuck(wave);
      continue;
    }
    const unsigned from = i == 0 ? current_thread->lane + 1 : 0;
    for (unsigned k = 0; k < wave.lanes; ++k) {
      unsigned at = from + k;
      if (at >= wave.lanes) at -= wave.lanes;
      Lane& lane = lanes_[wave.first + at];
      if (lane.state == State::kNotStarted || lane.state == State::kReady) return &lane;
    }
  }
  if (finished_ < threads_) stuck_at_barrier();
  return nullptr;
}

// All lanes of the wave wait or have finished: do they wait for lanes that never come?
void Scheduler::check_stuck(const Wave& wave) {
  if (wave.arrived == 0) return;
  unsigned finished = 0, at_barrier = 0;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const State state = lanes_[wave.first + i].state;
    finished += state == State::kFinished;
    at_barrier += state == State::kAtBarrier;
  }
  say("divergent flow: the wave operation at " + text_of(wave.site) + " was reached by " +
      std::to_string(wave.arrived) + " of " + std::to_string(wave.lanes) + " lanes; " + std::to_string(finished) +
      " have finished, " + std::to_string(at_barrier) + " wait at a barrier");
  stop();
}

void Scheduler::stuck_at_barrier() {
  say("the barrier at " + text_of(barrier_site_) + " was reached by " + std::to_string(at_barrier_) + " of " +
      std::to_string(threads_) + " threads; " + std::to_string(finished_) + " have finished");
  stop();
}

// Leaves the current lane's fibre for the next lane's.
void Scheduler::resume(Lane& next) {
  Fibre* const from = lane().fibre;
  next_ = &next;
  if (next.state == State::kNotStarted) {
    starting_ = free_fibre();
    from->switch_to(*starting_);
  } else {
    next.state = State::kRunning;
    current_thread = &next;
    from->switch_to(*next.fibre);
  }
}

void Scheduler::suspend() {
  --wave().ready;
  Lane* next = next_lane();
  resume(*next);  // never null: this one has not finished
}

void Scheduler::run_threads() {
  Fibre* const self = starting_;
  for (Lane* next = next_;;) {
    next->state = State::kRunning;
    next->fibre = self;
    current_thread = next;
    (*kernel_)();
    next->state = State::kFinished;
    --waves_[next->wave].ready;
    ++finished_;
    next = next_lane();
    if (next && next->state == State::kNotStarted) continue;
    free_.push_back(self);
    if (next) next->state = State::kRunning;
    current_thread = next;
    self->switch_to(next ? *next->fibre : host_);
    next = next_;  // taken up again for another thread
  }
}

void Scheduler::barrier(const Site& site) {
  if (at_barrier_ > 0 && !(site == barrier_site_)) {
    say("the barriers at " + text_of(barrier_site_) + " and " + text_of(site) +
        " were reached by different threads of the block at once");
    stop();
  }
  barrier_site_ = site;
  if (++at_barrier_ < threads_) {
    lane().state = State::kAtBarrier;
    return suspend();
  }
  at_barrier_ = 0;
  ++time;
  for (unsigned w = 0; w < wave_count_; ++w) waves_[w].ready = waves_[w].lanes;
  for (unsigned i = 0; i < threads_; ++i)
    if (lanes_[i].state == State::kAtBarrier) lanes_[i].state = State::kReady;
}

const uint64_t* Scheduler::exchange(uint64_t value, const Site& site) {
  Wave& w = wave();
  if (w.lanes < wave_size) {
    say("the wave operation at " + text_of(site) + " is in a block of no whole waves");
    stop();
  }
  if (w.arrived > 0 && !(site == w.site)) {
    say("divergent flow: the wave operations at " + text_of(w.site) + " and " + text_of(site) +
        " were reached by different lanes of a wave at once");
    stop();
  }
  const unsigned parity = w.parity;
  w.site = site;
  w.values[parity][lane().lane] = value;
  if (++w.arrived < w.lanes) {
    lane().state = State::kAtWaveOperation;
    suspend();
    return w.values[parity];
  }
  w.arrived = 0;
  w.parity ^= 1;
  w.ready = w.lanes;
  uint64_t ballot = 0;
  for (unsigned i = 0; i < w.lanes; ++i) {
    ballot |= (w.values[parity][i] & 1) << i;
    if (lanes_[w.first + i].state == State::kAtWaveOperation) lanes_[w.first + i].state = State::kReady;
  }
  w.ballots[parity] = ballot;
  return w.values[parity];
}

uint64_t Scheduler::ballot(bool predicate, const Site& site) {
  const uint64_t* values = exchange(predicate, site);
  return wave().ballots[values == wave().values[1]];
}

std::string Scheduler::place() const {
  const Dim3& block = current_block.index;
  std::string text = std::string("kernel ") + name_ + ", block (" + std::to_string(block.x) + "," +
                     std::to_string(block.y) + "," + std::to_string(block.z) + ")";
  if (current_thread)
    text += ", thread (" + std::to_string(current_thread->index.x) + "," + std::to_string(current_thread->index.y) +
            "," + std::to_string(current_thread->index.z) + ")";
  return text;
}

void Scheduler::say(std::string what) {
  what.insert(0, place() + ": ");
  fault_ = std::move(what);
}

// The stack is never returned to: nothing on it may own memory, not even a temporary of the sentence.
void Scheduler::stop() {
  lane().fibre->switch_to(host_);
  std::abort();
}

}  // namespace

void launch(const char* name, const Dim3& grid, const Dim3& block, std::function<void()> kernel) {
  ++counters().launches;
  if (counters().launches > device().aborts_after_launches || sees_second_kind()) std::abort();
  while (counters().launches > device().hangs_after_launches) pause();
  enqueue([=, kernel = std::move(kernel)] { scheduler().run(name, grid, block, kernel); });
}

std::string kernel_place() { return scheduler().running() ? scheduler().place() : "the host"; }

void barrier(const Site& site) { scheduler().barrier(site); }
const uint64_t* exchange(uint64_t value, const Site& site) { return scheduler().exchange(value, site); }
uint64_t ballot(bool predicate, const Site& site) { return scheduler().ballot(predicate, site); }
unsigned wave_size() { return scheduler().wave_size; }

// ---- LDS

namespace {
std::string element(const char* name, size_t index) { return std::string(name) + "[" + std::to_string(index) + "]"; }
}  // namespace

void check_lds_read(LdsShadow& shadow, const char* name, size_t index) {
  Scheduler& s = scheduler();
  const unsigned wave = current_thread->wave;
  if (shadow.written < s.block_began) {
    s.say("LDS " + element(name, index) + " is read before it was written");
    s.stop();
  }
  if (shadow.written == s.time && shadow.writer != wave) {
    s.say("LDS " + element(name, index) + " is read without a barrier after another wave wrote it");
    s.stop();
  }
  shadow.reader = shadow.read == s.time && shadow.reader != wave ? LdsShadow::kSeveral : wave;
  shadow.read = s.time;
}

void check_lds_write(LdsShadow& shadow, const char* name, size_t index) {
  Scheduler& s = scheduler();
  const unsigned wave = current_thread->wave;
  if (shadow.read == s.time && shadow.reader != wave) {
    s.say("LDS " + element(name, index) + " is written without a barrier after another wave read it");
    s.stop();
  }
  if (shadow.written == s.time && shadow.writer != wave) {
    s.say("LDS " + element(name, index) + " is written by two waves without a barrier between");
    s.stop();
  }
  shadow.writer = wave;
  shadow.written = s.time;
}

void check_lds_atomic(const LdsShadow& shadow, const char* name, size_t index) {
  Scheduler& s = scheduler();
  if (shadow.written < s.block_began) {
    s.say("LDS " + element(name, index) + " is used by an atomic before it was written");
    s.stop();
  }
  if (shadow.written == s.time && shadow.writer != current_thread->wave) {
    s.say("LDS " + element(name, index) + " is used by an atomic without a barrier after another wave wrote it");
    s.stop();
  }
}

void lds_out_of_range(const char* name, size_t index, size_t count) {
  scheduler().say("LDS " + element(name, index) + " is out of range: it has " + std::to_string(count) + " elements");
  scheduler().stop();
}

}  // namespace hip_emulator
