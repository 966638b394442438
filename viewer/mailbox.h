// Values that cross from one thread to another: whole, by move, never shared. A Mailbox keeps only the newest value
// (states, images); a Queue keeps all of them in order (commands, messages). Neither makes the reader wait longer than
// a move of T takes. The waker, where one is set, is called after each put, from the writer's thread, outside the lock:
// the window uses it to wake up from waiting for input. Set it before the threads start, remove it after they have
// ended. Without a waker nothing is touched after the lock: the reader may destroy it as soon as it has the value.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace viewer {

template <class T>
class Mailbox {
 public:
  void set_waker(std::function<void()> waker) { waker_ = std::move(waker); }

  void put(T value) {
    bool wakes = false;
    {
      std::optional<T> fresh(std::move(value));
      std::lock_guard lock(mutex_);
      value_.swap(fresh);  // the old value is destroyed after the lock is released
      wakes = waker_ != nullptr;
    }
    if (wakes) waker_();
  }

  std::optional<T> take() {  // none: no value newer than the last one taken
    std::lock_guard lock(mutex_);
    return std::exchange(value_, std::nullopt);
  }
  bool waiting() const {  // whether a value has not been taken yet
    std::lock_guard lock(mutex_);
    return value_.has_value();
  }

 private:
  mutable std::mutex mutex_;
  std::optional<T> value_;
  std::function<void()> waker_;
};

template <class T>
class Queue {
 public:
  void set_waker(std::function<void()> waker) { waker_ = std::move(waker); }

  void put(T value) {
    bool wakes = false;
    {
      std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
      wakes = waker_ != nullptr;
      arrived_.notify_one();
    }
    if (wakes) waker_();
  }

  std::optional<T> take() {  // the oldest
    std::lock_guard lock(mutex_);
    return pop();
  }

  std::optional<T> wait(std::chrono::milliseconds longest) {  // the oldest, waiting for one to arrive
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, longest, [&] { return !values_.empty(); });
    return pop();
  }

 private:
  std::optional<T> pop() {
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<T> values_;
  std::function<void()> waker_;
};

}  // namespace viewer
