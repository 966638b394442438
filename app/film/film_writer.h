// Writes the pictures of a film on a thread of its own while the next are drawn.
#pragma once

#include <exception>
#include <thread>

#include "app/film/film_target.h"
#include "app/film/picture_queue.h"

namespace app {

class FilmWriter {
 public:
  explicit FilmWriter(FilmTarget& target) : thread_([this, &target] { write(target); }) {}
  ~FilmWriter() { stop(); }  // what waits is dropped
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  // Waits for room; false: an error has ended it, which end() returns.
  bool put(FilmPicture picture) { return queue_.put(std::move(picture)); }
  // After the last picture; not `whole`: what waits is dropped. Waits for the thread, and throws what it threw.
  splat::Status end(bool whole) {
    if (whole && thread_.joinable()) {
      queue_.finish();
      thread_.join();
    }
    stop();
    if (thrown_) std::rethrow_exception(thrown_);
    return written_;
  }
  // As end(true), for a destructor, which has nobody to report to.
  void drain() noexcept {
    try {
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
  }
  void stop() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
  }

  PictureQueue queue_;
  splat::Status written_;
  std::exception_ptr thrown_;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace app
