// A picture as its EXIF orientation says that it is to be looked at (Exif 2.32, 4.6.4, tag 0x0112).
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace io {

// Orientations 5 to 8 lay the picture on its side.
inline bool swaps_sides(int orientation) { return orientation >= 5; }

// Pixels [H,W,channels]; width and height become those of the result.
template <class T>
std::vector<T> upright(const std::vector<T>& stored, int& width, int& height, int channels, int orientation) {
  const int in_width = width, in_height = height;
  if (swaps_sides(orientation)) std::swap(width, height);
  const bool flip_u = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool flip_v = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  std::vector<T> turned;
  turned.reserve(stored.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int u = swaps_sides(orientation) ? y : x, v = swaps_sides(orientation) ? x : y;
      if (flip_u) u = in_width - 1 - u;
      if (flip_v) v = in_height - 1 - v;
      const T* pixel = &stored[(size_t(v) * size_t(in_width) + size_t(u)) * size_t(channels)];
      turned.insert(turned.end(), pixel, pixel + channels);
    }
  return turned;
}

// Whether a mask or a depth map lies as its photo is stored, on its side, by its own shape.
inline bool lies_as_stored(int width, int height, int upright_width, int upright_height, int orientation) {
  const double shape = std::log(double(width) / height), photo = std::log(double(upright_width) / upright_height);
  return swaps_sides(orientation) && std::abs(shape + photo) < std::abs(shape - photo);
}

}  // namespace io
