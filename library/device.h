// hs_device: a backend, and whose turn it is.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "include/hipsplat.h"
#include "splat/backend/backend.h"

struct hs_device {
  std::mutex busy;  // held by the call that uses what follows
  std::unique_ptr<splat::Backend> backend;
  int index = -1;  // as it was asked for
  std::string reason, proof;
  uint64_t resident = 0;  // hs_splats::identity of what the backend holds; 0: of nobody's
};
