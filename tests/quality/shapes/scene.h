// A shape's photos from all around, by formulas, as a COLMAP text model.
#pragma once

#include <filesystem>

#include "splat/core/result.h"
#include "tests/quality/shapes/shape.h"

namespace shapes {

inline constexpr int kViews = 48, kSize = 400;  // px

// images/*.png before black and sparse/0/*.txt, with points on the surface as COLMAP would find them.
splat::Status write_scene(const Shape& shape, const std::filesystem::path& folder, int views, int size);

}  // namespace shapes
