// Taking splats out of a model, reducing it, moving it: what stands between reading a file and writing it again. In
// place, in a fixed order (that of FilterSettings), and without a second copy of the model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/repair.h"
#include "splat/model/box.h"
#include "splat/model/gaussians.h"
#include "splat/model/transform.h"

namespace splat::edit {

struct Sphere {
  std::array<double, 3> centre{};
  double radius = 0;  // world units
};

// In the order in which they are applied. Box and sphere are in the coordinates before `transform`.
struct FilterSettings {
  Repairs repairs{};
  bool drop_invalid = false;      // rows with a NaN, an infinite position, colour or rotation, or a zero quaternion
  double min_opacity = 0;         // 0..1; below it a row goes
  std::optional<Box> crop_box{};  // rows whose centre is outside go
  std::optional<Sphere> crop_sphere{};
  uint64_t max_splats = 0;  // the rows that contribute most stay; 0: all
  int max_sh_degree = kMaxShDegree;
  std::optional<Similarity> transform{};
  bool morton = false;  // reorder along a Morton curve
};

// Rows that each filter took out.
struct FilterReport {
  size_t invalid = 0, transparent = 0, outside_box = 0, outside_sphere = 0, least = 0;
  FilterReport& operator+=(const FilterReport& more);
  size_t removed() const { return invalid + transparent + outside_box + outside_sphere + least; }
};

// Whether the settings take out any row by its own values (all but max_splats do).
bool looks_at_rows(const FilterSettings& settings);

FilterReport apply_filters(Gaussians& model, const FilterSettings& settings, ThreadPool& pool);

// The settings that look at one row alone, and the others: filtering each of several models by the first, merging them
// and filtering the result by the second is the same as filtering all of it, in less memory.
FilterSettings row_by_row(FilterSettings settings);
FilterSettings all_at_once(const FilterSettings& settings);

// What a splat adds to pictures, without knowing the cameras: opacity times its mean shadow (Cauchy: a quarter of the
// surface; here the mean of the three products of two standard deviations). 0 for rows that cannot be drawn.
std::vector<float> contributions(const Gaussians& model, ThreadPool& pool);  // [N]

}  // namespace splat::edit
