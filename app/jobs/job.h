// A job and whoever watches it: a command on a terminal, the window, a program that uses the library. A job fills
// nobody's screen. It says here what it does, what it expects to take and what has come of it, and asks whether it is
// to end; what it has to say about its input goes to the log (splat/core/log.h). How it ended is its Outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace app {

// What a job is going to take.
struct Prediction {
  uint64_t memory_bytes = 0;  // of the process, at most; 0: not known
  double seconds = 0;         // all of it; 0: not known
};

// How far a long job is, in the terms of that job. Made at every step: whoever watches asks only now and then for text.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual std::string sentence() const = 0;
  virtual nlohmann::json facts() const = 0;      // an object; its "type" says of what job
  virtual double share() const { return -1; }    // that is done, [0,1]; < 0: not known
  virtual bool urgent() const { return false; }  // another part of the job begins: shown at once
};

// Called by the job's thread, one call at a time; progress() and reading() by any, cancelled() whenever it likes.
class Monitor {
 public:
  Monitor() = default;
  virtual ~Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  virtual void stage(const std::string& /*name*/) {}          // begins; the stage before it is over
  virtual void step(size_t /*done*/, size_t /*total*/) {}     // of the present stage; cheap
  virtual void reading(size_t /*done*/, size_t /*total*/) {}  // photos, before the first stage
  virtual void progress(const Progress&) {}
  virtual void predicted(const Prediction&) {}  // anew whenever more is known
  // A result: as an object, whose "type" says what it is, and as lines for people.
  virtual void result(const nlohmann::json& /*facts*/, const std::string& /*text*/) {}
  virtual bool cancelled() { return false; }  // once true: the job ends at its next safe point
};

}  // namespace app
