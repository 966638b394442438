#include "app/cli/terminal/stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>
#include <utility>

namespace app {

namespace {

constexpr size_t kEnoughBytes = size_t(8) << 20;  // as Linux has it by default

bool is_small() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < kEnoughBytes;
}

}  // namespace

int run_with_enough_stack(const std::function<int()>& work) {
  if (!is_small()) return work();
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return work();
  std::pair<const std::function<int()>&, int> call(work, 0);
  pthread_t thread{};
  bool begun = ::pthread_attr_setstacksize(&attributes, kEnoughBytes) == 0;
#ifdef __GLIBC__
  if (begun) (void)::pthread_setattr_default_np(&attributes);  // of all threads from here on
#endif
  const auto run = [](void* given) -> void* {
    auto& asked = *static_cast<decltype(call)*>(given);
    asked.second = asked.first();
    return nullptr;
  };
  begun = begun && ::pthread_create(&thread, &attributes, run, &call) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!begun) return work();
  ::pthread_join(thread, nullptr);
  return call.second;
}

}  // namespace app
