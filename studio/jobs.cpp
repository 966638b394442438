#include "studio/jobs.h"

#include <algorithm>
#include <utility>

namespace app {

Job& Jobs::begin(const std::string& name) {
  present_ = &all_.emplace_back();
  present_->name = name;
  reports_.put(viewer::WorkProgress{"opening " + name, -1, true});
  return *present_;
}

Job& Jobs::begin_reporting(const std::string& name) {
  Job& job = begin(name);
  job.reports = true;
  return job;
}

void Jobs::cancel() {
  std::erase_if(all_, [this](const Job& one) { return one.done && &one != present_; });
  for (Job& one : all_) one.watch.cancelled = true;
  if (!present_) return;
  present_ = nullptr;
  reports_.put(viewer::WorkProgress{});
}

std::optional<std::chrono::milliseconds> Jobs::say_progress() {
  constexpr std::chrono::milliseconds kOften(50);
  if (!present_) return std::nullopt;
  if (present_->done) {
    present_ = nullptr;
    reports_.put(viewer::WorkProgress{});
    return std::nullopt;
  }
  if (present_->reports) {
    if (auto progress = present_->progress.take()) reports_.put(std::move(*progress));
    return kOften;
  }
  const uint64_t read = present_->watch.bytes;
  const bool known = present_->file_bytes > 0 && read > 0;
  const float fraction = known ? std::min(1.0f, float(double(read) / double(present_->file_bytes))) : -1;
  reports_.put(viewer::WorkProgress{(fraction < 1 ? "reading " : "preparing ") + present_->name, fraction, true});
  return kOften;
}

}  // namespace app
