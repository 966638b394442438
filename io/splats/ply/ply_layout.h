// What the properties of a splat PLY stand for, whoever wrote it: names as INRIA has them, with what CloudCompare puts
// before them (scalar_, scal_), and colours as red, green, blue in place of f_dc (nerfstudio's export). What changes
// the meaning of others is applied (filter_3D of Mip-Splatting), or said in a warning by name.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/splats/common/splat_file.h"
#include "io/splats/ply/ply_header.h"
#include "io/splats/ply/ply_rows.h"
#include "io/splats/ply/ply_splat.h"
#include "splat/core/result.h"

namespace io {

// Colours of points: red green blue (or diffuse_*, r g b), as 0..255 or, in two bytes, 0..65535 for whole numbers, 0..1
// for floats; both are found with 0..255, too, which only the values show.
struct ColourProperties {
  std::array<int, 3> property{-1, -1, -1};
  float scale = 1;  // to 0..255, by the type
  // By the values, `stride` apart in rows of three.
  float scale_of(std::span<const float> values, size_t stride = 3) const;
  bool found() const { return property[0] >= 0 && property[1] >= 0 && property[2] >= 0; }
};
ColourProperties find_colours(const PlyElement& vertices);

struct PlySplatLayout {
  const PlyElement* vertices = nullptr;  // of the header that was looked at
  RestProperties rest;
  ColourProperties colours;               // in place of f_dc; none where that is there
  int filter = -1;                        // filter_3D
  bool flat = false;                      // no scale_2
  float low_pass = splat::kUsualLowPass;  // px^2, of the program that wrote it
  std::string odd_rest;                   // why f_rest is left out, as a sentence; empty: it is not
  std::vector<std::string> warnings;

  // Whether a row's values are the model's, with no look at others.
  bool as_stored() const { return !colours.found() && filter < 0 && !flat && odd_rest.empty(); }
};

// Renames the properties of `header` to INRIA's names. Refused: a file without splats, by what it is; one that lacks
// some of their properties, by which it has and lacks.
splat::Result<PlySplatLayout> splat_layout(PlyHeader& header, const std::string& name);

// Whether it has what points do not have: two of opacity, scale, rotation and f_dc, or the marks of relatives of 3DGS.
bool has_splat_properties(PlyHeader header);

// Colours that were read as they stand (model.sh, degree 0) become coefficients.
void to_coefficients(const ColourProperties& colours, splat::Gaussians& model);

// Mip-Splatting's 3D filter (Yu et al. 2024), one standard deviation a splat, becomes part of its scales and opacity.
void fold_in_filter(const std::vector<float>& filter, splat::Gaussians& model);

// The properties and elements that reading as splats passes over: "motion_0 to motion_8", "the element 'face'".
std::vector<std::string> unread_parts(const PlyHeader& header, const PlySplatLayout& layout);
std::vector<std::string> unread_beside_points(const PlyHeader& header, const PlyElement& vertices);  // of a point cloud

}  // namespace io
