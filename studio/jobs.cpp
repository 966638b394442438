#include "studio/jobs.h"

#include <algorithm>
#include <utility>

namespace studio {

Job& Jobs::begin(const std::string& name) {
  std::erase_if(all_, [](const Job& one) { return one.done.load(); });
  Job& job = all_.emplace_back();
  job.name = name;
  shown_ = true;
  reports_.put(WorkProgress{"opening " + name, -1, true});
  return job;
}

Job& Jobs::begin_reporting(const std::string& name) {
  Job& job = begin(name);
  job.reports = true;
  return job;
}

void Jobs::cancel() {
  std::erase_if(all_, [](const Job& one) { return one.done.load(); });
  for (Job& one : all_) one.watch.cancelled = true;
  if (std::exchange(shown_, false)) reports_.put(WorkProgress{});
}

// One that was begun beside another, as a file that is added while a mesh is made, gives the box back to it.
Job* Jobs::present() {
  const auto works = [](const Job& one) { return !one.done && !one.watch.cancelled; };
  const auto newest = std::find_if(all_.rbegin(), all_.rend(), works);
  return newest == all_.rend() ? nullptr : &*newest;
}

std::optional<std::chrono::milliseconds> Jobs::say_progress() {
  constexpr std::chrono::milliseconds kOften(50);
  if (!shown_) return std::nullopt;
  Job* const present = this->present();
  if (!present) {
    shown_ = false;
    reports_.put(WorkProgress{});
    return std::nullopt;
  }
  if (present->reports) {
    if (auto progress = present->progress.take()) reports_.put(std::move(*progress));
    return kOften;
  }
  const uint64_t read = present->watch.bytes;
  const bool known = present->file_bytes > 0 && read > 0;
  const float fraction = known ? std::min(1.0f, float(double(read) / double(present->file_bytes))) : -1;
  reports_.put(WorkProgress{(fraction < 1 ? "reading " : "preparing ") + present->name, fraction, true});
  return kOften;
}

}  // namespace studio
