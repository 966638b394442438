// How large a splat file becomes, before it is written: by a sample of its splats, which is written to the system's
// temporary folder. Up to 8192 splats, that is the file; of more, what half the sample takes less is what a splat adds:
// exact to some bytes where every splat takes as many, else to about a tenth, as long as the sample is like the rest.
// Cost: a pass over the splats for the sample; some 0.1 s a format that compresses.
#pragma once

#include <cstdint>
#include <functional>

#include "io/splats/formats.h"
#include "splat/core/result.h"

namespace io {

struct SizeSample {
  splat::Gaussians splats;
  size_t of = 0;  // that are to be written
};
// Runs of neighbours from all of those rows that are to be written.
SizeSample size_sample(const splat::Gaussians& model, const std::function<bool(size_t row)>& written);

// Bytes of a file in that format, with spherical harmonics up to this degree. The error is the disk's.
splat::Result<uint64_t> predicted_bytes(const SplatFormatEntry& format, const SizeSample& sample, int max_sh_degree);

}  // namespace io
