#include "splat/backend/reference/reference_model.h"

#include <algorithm>

#include "splat/core/check.h"

namespace splat::reference {
namespace {

template <class From, class To>
void copy_ellipsoids(const From& from, To& to) {
  to.means.assign(from.means.begin(), from.means.end());
  to.log_scales.assign(from.log_scales.begin(), from.log_scales.end());
  to.quats.assign(from.quats.begin(), from.quats.end());
  to.logit_opacities.assign(from.logit_opacities.begin(), from.logit_opacities.end());
}

template <class From, class To>
void copy_values(const From& from, To& to) {
  copy_ellipsoids(from, to);
  to.sh_degree = from.sh_degree;
  to.sh.assign(from.sh.begin(), from.sh.end());
}

}  // namespace

std::array<Model::Group, 5> Model::groups() {
  return {{{&means, 3}, {&log_scales, 3}, {&quats, 4}, {&logit_opacities, 1}, {&sh, 3 * size_t(coefficients())}}};
}

void Model::resize(size_t n) {
  for (const Group& group : groups()) group.values->resize(n * group.width);
}

Model Model::gathered(std::span<const uint32_t> rows) const {
  Model out;
  out.sh_degree = sh_degree;
  const auto to = out.groups(), from = const_cast<Model&>(*this).groups();  // only read
  for (size_t g = 0; g < to.size(); ++g)
    for (const uint32_t row : rows) {
      const auto begin = from[g].values->begin() + std::ptrdiff_t(row * from[g].width);
      to[g].values->insert(to[g].values->end(), begin, begin + std::ptrdiff_t(from[g].width));
    }
  return out;
}

void Model::append(Model rows) {
  SPLAT_CHECK_EQ(sh_degree, rows.sh_degree);
  const auto to = groups(), from = rows.groups();
  for (size_t g = 0; g < to.size(); ++g)
    to[g].values->insert(to[g].values->end(), from[g].values->begin(), from[g].values->end());
}

Model Model::rows(size_t first, size_t count) const {
  SPLAT_CHECK(first <= size() && count <= size() - first);
  Model out;
  out.sh_degree = sh_degree;
  const auto to = out.groups(), from = const_cast<Model&>(*this).groups();  // only read
  for (size_t g = 0; g < to.size(); ++g) {
    const auto begin = from[g].values->begin() + std::ptrdiff_t(first * from[g].width);
    to[g].values->assign(begin, begin + std::ptrdiff_t(count * from[g].width));
  }
  return out;
}

void Model::write(std::span<const uint32_t> indices, Model rows) {
  SPLAT_CHECK_EQ(sh_degree, rows.sh_degree);
  SPLAT_CHECK_EQ(indices.size(), rows.size());
  const auto to = groups(), from = rows.groups();
  for (size_t g = 0; g < to.size(); ++g) {
    const size_t width = to[g].width;
    for (size_t i = 0; i < indices.size(); ++i)
      std::copy_n(from[g].values->begin() + std::ptrdiff_t(i * width), width,
                  to[g].values->begin() + std::ptrdiff_t(indices[i] * width));
  }
}

Model to_double(const Gaussians& model) {
  Model out;
  copy_values(model, out);
  for (const Model::Group& group : out.groups()) SPLAT_CHECK_EQ(group.values->size(), model.size() * group.width);
  return out;
}

void to_float(const Model& model, Gaussians& out) { copy_values(model, out); }

void ellipsoids_to_double(const Ellipsoids& rows, Model& out) {
  SPLAT_CHECK_EQ(rows.size(), out.size());
  copy_ellipsoids(rows, out);
}

void ellipsoids_to_float(const Model& model, Ellipsoids& out) { copy_ellipsoids(model, out); }

Model zeros_like(const Model& model) {
  Model out;
  out.sh_degree = model.sh_degree;
  out.resize(model.size());
  return out;
}

}  // namespace splat::reference
