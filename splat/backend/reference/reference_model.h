// The model's rows in double: parameters, gradients and Adam's moments all have this shape.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/gaussians.h"

namespace splat::reference {

struct Model {
  int sh_degree = 0;
  std::vector<double> means;            // [N,3]
  std::vector<double> log_scales;       // [N,3]
  std::vector<double> quats;            // [N,4]
  std::vector<double> logit_opacities;  // [N]
  std::vector<double> sh;               // [N,K,3]

  size_t size() const { return logit_opacities.size(); }
  int coefficients() const { return sh_coefficients(sh_degree); }

  // Every array above with its values per splat, for what is done to all of them alike.
  struct Group {
    std::vector<double>* values;
    size_t width;
  };
  std::array<Group, 5> groups();

  void resize(size_t n);                                 // new rows are zero
  Model gathered(std::span<const uint32_t> rows) const;  // row i is row rows[i]
  void append(Model rows);
  Model rows(size_t first, size_t count) const;               // a copy of some
  void write(std::span<const uint32_t> indices, Model rows);  // row indices[i] = rows[i]
};

Model to_double(const Gaussians& model);
void to_float(const Model& model, Gaussians& out);
// All but the colours; of as many rows.
void ellipsoids_to_double(const Ellipsoids& rows, Model& out);
void ellipsoids_to_float(const Model& model, Ellipsoids& out);
Model zeros_like(const Model& model);

}  // namespace splat::reference
