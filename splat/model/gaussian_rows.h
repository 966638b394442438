// Row operations on host models, Gaussians or Ellipsoids: all arrays of one move together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/check.h"
#include "splat/model/gaussians.h"

namespace splat {

// Calls visit(name, array, width) for every array; width is the number of floats of one row. With further models of the
// same kind and SH degree: visit(name, array, theirs ..., width).
template <class Model, class Visitor, class... Others>
void visit_arrays(Model& g, Visitor&& visit, Others&... others) {
  visit("means", g.means, others.means..., size_t(3));
  visit("log_scales", g.log_scales, others.log_scales..., size_t(3));
  visit("quats", g.quats, others.quats..., size_t(4));
  visit("logit_opacities", g.logit_opacities, others.logit_opacities..., size_t(1));
  if constexpr (kHasColours<Model>) visit("sh", g.sh, others.sh..., size_t(g.coefficients()) * 3);
}

// A bug unless all arrays have the same number of rows, and the model has this degree.
template <class Model>
void check_shapes(const Model& model) {
  visit_arrays(model, [&](const char*, const std::vector<float>& values, size_t width) {
    SPLAT_CHECK_EQ(values.size(), model.size() * width);
  });
}
inline void check_shapes(const Gaussians& model, int sh_degree) {
  SPLAT_CHECK_EQ(model.sh_degree, sh_degree);
  check_shapes(model);
}

// Room for `rows` rows, so that appending them takes no more than they need.
template <class Model>
void reserve_rows(Model& model, size_t rows) {
  visit_arrays(model, [&](const char*, std::vector<float>& values, size_t width) { values.reserve(rows * width); });
}

// Row i of the result is row rows[i] of `from`.
template <class Model>
Model gather_rows(const Model& from, std::span<const uint32_t> rows) {
  Model to;
  if constexpr (kHasColours<Model>) to.sh_degree = from.sh_degree;
  const auto gather = [&](const char*, const std::vector<float>& source, std::vector<float>& target, size_t width) {
    target.reserve(rows.size() * width);
    for (uint32_t row : rows)
      target.insert(target.end(), source.begin() + row * width, source.begin() + (row + 1) * width);
  };
  visit_arrays(from, gather, to);
  return to;
}

// Appends `rows` to `model`, of the same kind and SH degree.
template <class Model>
void append_rows(const Model& rows, Model& model) {
  visit_arrays(
      model,
      [](const char*, std::vector<float>& target, const std::vector<float>& source, size_t) {
        target.insert(target.end(), source.begin(), source.end());
      },
      rows);
}

// The same splats at another SH degree: further coefficients are dropped, or zero.
inline Gaussians with_sh_degree(const Gaussians& from, int degree) {
  Gaussians to = from;
  to.sh_degree = degree;
  const size_t old_width = size_t(from.coefficients()) * 3, width = size_t(to.coefficients()) * 3;
  if (width == old_width) return to;
  to.sh.assign(from.size() * width, 0.0f);
  for (size_t i = 0; i < from.size(); ++i)
    for (size_t c = 0; c < std::min(width, old_width); ++c) to.sh[i * width + c] = from.sh[i * old_width + c];
  return to;
}

}  // namespace splat
