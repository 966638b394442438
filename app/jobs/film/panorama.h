// A picture of all directions out of six square ones: front, right, back, left, up and down of the camera. The squares
// reach a little over each other's edges and fade into each other there, since the same splat is not quite the same
// ellipse in two of them, nor always in the same order: from pixel to pixel by 2 of 255 at most in a picture of
// 3840x1920, whatever the squares show. Equirectangular: splat/math/equirectangular.h.
#pragma once

#include <array>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace app {

inline constexpr double kFaceReach = 1.37;  // tangent of half a square's angle; 1 would be a quarter turn exactly

int face_side(int panorama_width);  // px: as fine as the panorama
splat::View face_view(const splat::Rigid3& cam_from_world, int face, int side);

// faces: six of [planes,side,side]; panorama: [planes,height,width].
struct Panorama {
  int width = 0, height = 0, side = 0, planes = 3;
  // The squares were drawn from there, in the camera's frame; what lies at a distance of 1 keeps its place.
  std::array<double, 3> from{0, 0, 0};
};
void resample(const Panorama& shape, const std::array<splat::ImageF, 6>& faces, std::vector<float>& panorama,
              splat::ThreadPool& pool);

}  // namespace app
