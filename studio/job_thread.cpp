#include "studio/job_thread.h"

#include <chrono>
#include <exception>
#include <string>

#include "app/jobs/host/low_priority.h"
#include "splat/core/log.h"

namespace studio {
namespace {

constexpr auto kLong = std::chrono::hours(1);

}  // namespace

JobThread::JobThread(Priority priority)
    : thread_([this, priority] {
        if (priority == Priority::kLow) lower_own_priority();
        for (;;) {
          auto job = jobs_.wait(kLong);
          if (!job) continue;
          if (!*job) return;
          try {
            (*job)();
          } catch (const std::bad_alloc&) {
            splat::log::error("there is not enough memory for this: close other programs, and try again");
          } catch (const std::exception& error) {
            splat::log::error(std::string("unexpected problem: ") + error.what());
          }
        }
      }) {}

JobThread::~JobThread() {
  jobs_.put({});
  thread_.join();
}

}  // namespace studio
