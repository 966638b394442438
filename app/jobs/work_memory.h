// Memory of the commands that do not train: what a piece of work takes beside what the process holds by then, as
// measured on the CPU backend (docs/notebook/reliability.md), and an error in one sentence, before it begins, where
// that is more than there is. Never much more than it takes: nothing is refused that would fit.
#pragma once

#include <cstdint>
#include <string>

#include "app/jobs/host/host.h"
#include "io/splats/common/splat_file.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/gaussians.h"

namespace app {

uint64_t bytes_to_write(io::SplatFormat format, const splat::Gaussians& model);
uint64_t bytes_to_serve(const splat::Gaussians& model);
// Pictures of at most this size; a backend that works in the host's memory holds a copy of its own.
uint64_t bytes_to_draw(const splat::BackendInfo& backend, const splat::Gaussians& model, uint64_t pixels);
uint64_t bytes_to_register(const splat::Gaussians& moved, const splat::Gaussians& fixed);

// `work`: what it is, as the beginning of a sentence: "writing 'x.html'".
splat::Status check_work(const std::string& work, uint64_t bytes, const HostMemory& memory = host_memory());

}  // namespace app
