// A made-up town whose photos are exact: houses on a ground of 16 x 8, painted by formulas, seen from a drone that
// flies lanes above it. z is up. The same every time.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/camera.h"

namespace town {

using Point = std::array<double, 3>;

struct Options {
  int cameras = 400;
  int width = 160, height = 120;   // px
  bool dusk = false;               // every photo has its own exposure, and every fourth is taken at dusk;
  bool dusk_in_the_east = false;   // there all but every fourth, so that its blocks have darker photos
  std::array<double, 3> offset{};  // added to all positions: coordinates as a survey has them
};

struct Photo {
  std::string name;
  splat::Rigid3 cam_from_world;
  std::array<double, 3> gain{1, 1, 1};  // of the exposure, by channel
};
std::vector<Photo> photos_of(const Options& options);

// sRGB in [0,1] of what the ray meets first; the sky where it meets nothing.
Point colour_along(const Point& from, const Point& direction);

// A COLMAP text model with its photos; its points lie on the surfaces.
splat::Status write_town(const std::filesystem::path& folder, const Options& options);

}  // namespace town
