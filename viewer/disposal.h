// Frees what is large on a thread of its own: giving gigabytes back to the system takes tenths of a second, which the
// window's thread does not have.
#pragma once

#include <memory>
#include <thread>
#include <utility>

#include "viewer/mailbox.h"

namespace viewer {

class Disposal {
 public:
  Disposal();
  ~Disposal();  // once everything is freed
  Disposal(const Disposal&) = delete;
  Disposal& operator=(const Disposal&) = delete;

  template <class T>
  void add(T value) {  // returns at once
    values_.put(std::make_shared<T>(std::move(value)));
  }

 private:
  Queue<std::shared_ptr<void>> values_;  // null ends the thread
  std::thread thread_;
};

}  // namespace viewer
