// What all of io/ uses of splat/, by short names; for sources, not for headers.
#pragma once

#include "splat/core/result.h"
#include "splat/model/gaussians.h"

namespace io {

using splat::Error;
using splat::Gaussians;
using splat::Result;
using splat::Status;

}  // namespace io
