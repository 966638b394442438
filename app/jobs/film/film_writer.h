// Writes the pictures of a film on a thread of its own while the next are drawn. Where `stopped` says so, nobody waits
// for an encoder that hangs.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "app/jobs/film/film_target.h"
#include "app/jobs/film/picture_queue.h"

namespace app {

class FilmWriter {
 public:
  explicit FilmWriter(FilmTarget& target, splat::StopAsked stopped = {})
      : stopped_(std::move(stopped)), thread_([this, &target] { write(target); }) {}
  ~FilmWriter() { stop(); }  // what waits is dropped
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  // Waits for room; false: an error has ended it, which end() returns, or it was stopped.
  bool put(FilmPicture picture) { return queue_.put(std::move(picture), stopped_); }
  // After the last picture; not `whole`: what waits is dropped. Waits for the thread, and throws what it threw.
  splat::Status end(bool whole) {
    if (whole && thread_.joinable()) {
      queue_.finish();
      while (!done_ && !(stopped_ && stopped_())) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      cut_short_ = !done_;
    }
    stop();
    if (thrown_) std::rethrow_exception(thrown_);
    return written_;
  }
  bool cut_short() const { return cut_short_; }  // end(true) was stopped: not all is written
  // As end(true), for a destructor, which has nobody to report to; whatever `stopped` says.
  void drain() noexcept {
    try {
      queue_.finish();
      if (thread_.joinable()) thread_.join();
      (void)end(true);
    } catch (...) {  // what is missing is drawn by who goes on with the film
    }
  }

 private:
  void write(FilmTarget& target) {
    try {
      written_ = target.write(queue_);
    } catch (...) {
      thrown_ = std::current_exception();
    }
    if (!written_ || thrown_) queue_.close();
    done_ = true;
  }
  void stop() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
  }

  splat::StopAsked stopped_;
  PictureQueue queue_;
  splat::Status written_;
  std::exception_ptr thrown_;
  std::atomic<bool> done_{false};
  bool cut_short_ = false;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace app
