// Whether a camera could have taken its photo: focal lengths are counted in pixels, and other programs write them in
// widths, in millimetres or for photos of another size. Cameras are those of check_camera.h, with their size.
#pragma once

#include <string>

#include "splat/core/result.h"
#include "splat/model/camera.h"

namespace io {

// Turns focal lengths and a centre that are fractions of the photo's sides (of the longer side, in some), as
// RealEstate10K and OpenSfM write them, into pixels. They are taken for fractions where the centre lies between 0 and 1
// and no lens has the field of view that the focal lengths give in pixels. Returns whether they were fractions.
bool take_shares_of_sides(splat::SourceCamera& camera);

// An error for a field of view beyond 170 degrees. The problem and what to do, without file or photo.
splat::Status check_field_of_view(const splat::SourceCamera& camera);

// What is possible and hardly meant: a field of view below 3.2 degrees, a centre that is that of a picture of another
// size. Empty: nothing.
std::string doubt_of_camera(const splat::SourceCamera& camera);

}  // namespace io
