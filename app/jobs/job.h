// The interface between a job and its front end: a command on a terminal, the window, a program that uses the library.
// Through a Monitor a job reports stages, progress, predicted cost and results, and polls for cancellation; it prints
// nothing itself. Remarks about its input go to the log (splat/core/log.h), and its Outcome says how it ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace app {

// The predicted cost of a job.
struct Prediction {
  uint64_t memory_bytes = 0;  // of the process, at most; 0: not known
  double seconds = 0;         // all of it; 0: not known
};

// The progress of a long job, in its own terms. One is made at every step, so text is only formatted when asked for.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual std::string sentence() const = 0;          // without the time that is left
  virtual nlohmann::json facts() const = 0;          // an object; its "type" says of what job
  virtual double share() const { return -1; }        // of the work that is done, [0,1]; < 0: not known
  virtual double seconds_left() const { return 0; }  // 0: not known
  virtual bool urgent() const { return false; }      // another part of the job begins: shown at once
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
