#include "studio/devices/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/jobs/host/host.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "splat/core/log.h"

namespace studio {
namespace {

constexpr double kUsableFraction = 0.9;  // of what is free; the rest is left to photos and to others

// The figures of training, which reserves no more than drawing does.
uint64_t bytes_of(const Devices::Work& work, const splat::BackendInfo& device) {
  if (device.device_total_bytes == 0) return 0;
  return kDeviceBaseBytes + work.splats * device.device_bytes_per_splat + work.pixels * device.device_bytes_per_pixel;
}

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
  if (runs_ > 0 && own_memory_) wanted.backend = "cpu", wanted.index = -1;
  SPLAT_ASSIGN_OR_RETURN(splat::BackendChoice choice, make_(wanted, !said_.exchange(true)));
  if (choice.backend->info().device_total_bytes > 0) own_memory_ = true;
  return std::move(choice.backend);
}

std::optional<Devices::Loan> Devices::planned(std::unique_ptr<splat::Backend>& backend, const Work& work) {
  const splat::BackendInfo& device = backend->info();
  const uint64_t bytes = bytes_of(work, device);
  std::lock_guard lock(planning_);
  const uint64_t total = device.device_total_bytes, promised = std::min<uint64_t>(promised_, total);
  const uint64_t room = std::min(device.device_free_bytes, total - promised);
  if (double(bytes) > kUsableFraction * double(room)) return std::nullopt;
  return Loan{Promise(promised_, bytes), std::move(backend)};
}

splat::Result<Devices::Loan> Devices::lend(const Work& work) {
  SPLAT_ASSIGN_OR_RETURN(std::unique_ptr<splat::Backend> backend, lend());
  if (auto loan = planned(backend, work)) return std::move(*loan);
  splat::log::info(fmt::format("there is no room for this on {}: the processor does it", backend->info().device));
  backend.reset();
  DeviceOptions processor = options_;
  processor.backend = "cpu", processor.index = -1;
  SPLAT_ASSIGN_OR_RETURN(splat::BackendChoice choice, make_(processor, false));
  return Loan{{}, std::move(choice.backend)};
}

splat::Result<Devices::Loan> Devices::lend_exactly(const DeviceOptions& device, const Work& work) {
  SPLAT_ASSIGN_OR_RETURN(splat::BackendChoice choice, make_(device, false));
  if (auto loan = planned(choice.backend, work)) return std::move(*loan);
  const splat::BackendInfo& info = choice.backend->info();
  return splat::Error{fmt::format("there is not enough memory on {}: about {} are needed beside what is in use",
                                  info.device, human_bytes(bytes_of(work, info)))};
}

}  // namespace studio
