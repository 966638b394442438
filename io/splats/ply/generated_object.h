// Objects that neural networks made, by the marks that the writers of their repositories leave in a PLY, since none
// names itself: TRELLIS (Xiang et al. 2024), LGM and DreamGaussian (Tang et al. 2024, 2023).
#pragma once

#include "io/splats/common/splat_file.h"
#include "io/splats/ply/ply_header.h"

namespace io {

// Sets `generator` where the header and all values are as one of them writes, and with it what the file does not state:
// its vertical axis and whether it is drawn antialiased. Activated values are recognised, too, and stay as they are.
void recognise_generated_object(const PlyHeader& header, SplatFile& file);

}  // namespace io
