#include "viewer/live/disposal.h"

#include <chrono>

namespace viewer {

Disposal::Disposal()
    : thread_([this] {
        for (;;) {
          const auto value = values_.wait(std::chrono::hours(1));
          if (value && !*value) return;
        }
      }) {}

Disposal::~Disposal() {
  values_.put({});
  thread_.join();
}

}  // namespace viewer
