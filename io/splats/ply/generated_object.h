// Objects that neural networks made, by the marks that the writers of their repositories leave in a PLY, since none
// names itself: TRELLIS (Xiang et al. 2024), LGM and DreamGaussian (Tang et al. 2024, 2023).
#pragma once

#include "io/splats/common/splat_file.h"
#include "io/splats/ply/ply_header.h"

namespace io {

// Sets `generator` where the values have a mark of their own (TRELLIS adds a least size to every splat), and with it
// what the file does not state: its vertical axis, that it is drawn antialiased and with which low pass. Where header
// and values are as LGM or DreamGaussian write them, which other programs may do as well, sets `resembles` alone.
void recognise_generated_object(const PlyHeader& header, SplatFile& file);

}  // namespace io
