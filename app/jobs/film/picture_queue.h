// Pictures on their way from the thread that draws them to the one that writes them: a few at most, in order.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "app/jobs/film/frame_drawer.h"
#include "splat/core/stop.h"

namespace app {

class PictureQueue {
 public:
  // Waits for room; false: nobody takes pictures any more, or `stopped` says that nobody waits for them.
  bool put(FilmPicture picture, const splat::StopAsked& stopped = {}) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kAskEvery, [&] { return pictures_.size() < kMost || closed_; }))
      if (stopped && stopped()) return false;
    if (closed_) return false;
    pictures_.push_back(std::move(picture));
    changed_.notify_all();
    return true;
  }
  // Waits for a picture; none: there are no more.
  std::optional<FilmPicture> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !pictures_.empty() || finished_ || closed_; });
    if (closed_ || pictures_.empty()) return std::nullopt;
    FilmPicture picture = std::move(pictures_.front());
    pictures_.pop_front();
    changed_.notify_all();
    return picture;
  }
  void finish() { set(finished_); }  // no more will be put
  void close() { set(closed_); }     // both sides give up: what waits is dropped
  bool closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  static constexpr size_t kMost = 3;
  static constexpr std::chrono::milliseconds kAskEvery{50};
  void set(bool& flag) {
    const std::lock_guard lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FilmPicture> pictures_;
  bool finished_ = false, closed_ = false;
};

}  // namespace app
