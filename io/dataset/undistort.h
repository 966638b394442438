// Photos of any lens -> photos of a pinhole, every pixel valid or masked out.
// The pinhole has the photo's size, its principal point and its focal ratio; its focal length is the shortest that
// leaves at most kMaxBlankFraction of the picture without source (the idea of COLMAP's image_undistorter, blank_pixels
// between 0 and 1) and a field of view of at most kMaxFieldOfViewDeg each way. Lenses without distortion stay
// untouched, bit-exact.
#pragma once

#include <cstdint>
#include <vector>

#include "io/dataset/source_photo.h"
#include "splat/core/parallel.h"
#include "splat/model/image.h"
#include "splat/model/lens.h"

namespace io {

inline constexpr double kMaxBlankFraction = 0.04;
inline constexpr double kMaxFieldOfViewDeg = 120;

struct UndistortPlan {
  splat::PinholeCamera camera;
  bool identity = true;            // no distortion: the photo is used as it is
  bool field_of_view_cut = false;  // kMaxFieldOfViewDeg decided
  double blank_fraction = 0;       // of the new picture: has no source
  double kept_fraction = 1;        // of the photo: is still seen
};
UndistortPlan plan_undistortion(const splat::Lens& lens);

// Where each pixel of the pinhole picture lies in the photo. 6 bytes a pixel; computed once per camera.
struct Remap {
  static constexpr uint16_t kBlank = 0xFFFF;
  struct Tap {
    uint16_t x = kBlank, y = 0;              // px: left top of the 2x2 pixels to mix, kBlank: no source
    uint8_t fraction_x = 0, fraction_y = 0;  // 1/256 px to the right, down
  };
  int source_width = 0, source_height = 0;  // px
  int width = 0, height = 0;                // px
  bool has_blanks = false;
  std::vector<Tap> taps;  // [H,W]
};
Remap make_remap(const splat::Lens& lens, const splat::PinholeCamera& camera, splat::ThreadPool* pool = nullptr);

// [H,W] of the photo: the index of the pixel of the pinhole picture that each of its pixels lies in, or kOutside.
inline constexpr uint32_t kOutside = 0xFFFFFFFF;
std::vector<uint32_t> places_in_pinhole(const splat::Lens& lens, const splat::PinholeCamera& camera,
                                        splat::ThreadPool* pool = nullptr);

// Bilinear, fixed point; of [source_height,source_width]. The mask comes back empty when every pixel counts.
splat::TrainingImage undistort(const SourcePhoto& photo, const Remap& remap);

}  // namespace io
