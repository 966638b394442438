#include "studio/job_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/jobs/host/host.h"

namespace studio {
namespace {

constexpr double kMostByTime = 0.99;  // what takes longer than expected stands there

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

std::string per_cent(size_t done, size_t total) {
  return total > 0 ? fmt::format(", {:.0f} %", 100 * double(done) / double(total)) : "";
}

}  // namespace

void JobMonitor::stage(const std::string& name) {
  stage_ = name;
  if (counted_.empty()) say("");
}

void JobMonitor::step(size_t done, size_t total) {
  counted_.empty() ? say(per_cent(done, total)) : say_counted(done, total);
}

void JobMonitor::reading(size_t done, size_t total) {
  stage_ = "reading the photos";
  say(per_cent(done, total));
}

void JobMonitor::progress(const Progress& progress) {
  std::string text = job_.name + ": " + progress.sentence();
  if (progress.seconds_left() > 0) text += ", " + human_duration(progress.seconds_left()) + " to go";
  job_.progress.put({std::move(text), float(progress.share()), true, if_closed_});
}

void JobMonitor::predicted(const Prediction& prediction) {
  prediction_ = prediction;
  since_ = Clock::now();
}

void JobMonitor::say(const std::string& part) {
  std::string text = job_.name + ": " + stage_ + part;
  if (prediction_.seconds > 0) {
    fraction_ = std::max(fraction_, float(std::min(seconds_since(since_) / prediction_.seconds, kMostByTime)));
    text += fmt::format(" (about {} and {} in all)", human_duration(prediction_.seconds),
                        human_bytes(prediction_.memory_bytes));
  } else if (prediction_.memory_bytes > 0) {
    text += fmt::format(" (with about {} of memory)", human_bytes(prediction_.memory_bytes));
  }
  job_.progress.put({std::move(text), fraction_, true, if_closed_});
}

// The first one has no pace yet.
void JobMonitor::say_counted(size_t done, size_t total) {
  if (done <= 1) since_ = Clock::now();
  const double pace = done > 1 ? seconds_since(since_) / double(done - 1) : 0;
  std::string text = fmt::format("{}: {} of {} {}", job_.name, done, total, counted_);
  if (pace > 0) text += ", " + human_duration(pace * double(total - done)) + " to go";
  job_.progress.put({std::move(text), float(double(done) / double(total)), true, if_closed_});
}

}  // namespace studio
