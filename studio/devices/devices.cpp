#include "studio/devices/devices.h"

#include <utility>

#include "app/run/session.h"

namespace app {
namespace {

splat::Result<splat::BackendChoice> made(const DeviceOptions& options, bool says) {
  if (!says) return splat::make_backend(options.backend, options.index, options.threads, options.deterministic);
  splat::BackendChoice choice;
  if (const Outcome outcome = open_backend(options, choice); !outcome) return splat::Error{outcome.sentence};
  return choice;
}

}  // namespace

Devices::Devices(const DeviceOptions& options, Make make)
    : options_(options), make_(make ? std::move(make) : Make(made)) {}

splat::Result<std::unique_ptr<splat::Backend>> Devices::lend() {
  DeviceOptions wanted = options_;
  if (run_ && own_memory_) wanted.backend = "cpu", wanted.index = -1;
  SPLAT_ASSIGN_OR_RETURN(splat::BackendChoice choice, make_(wanted, !said_.exchange(true)));
  if (choice.backend->info().device_total_bytes > 0) own_memory_ = true;
  return std::move(choice.backend);
}

}  // namespace app
