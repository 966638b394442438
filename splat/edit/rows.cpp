#include "splat/edit/rows.h"

#include <algorithm>
#include <vector>

#include "splat/model/gaussian_rows.h"

namespace splat::edit {
namespace {

size_t width_of_sh(int degree) { return size_t(sh_coefficients(degree)) * 3; }

// Follows each cycle of the permutation, with one row set aside.
void reorder(std::vector<float>& values, size_t width, std::span<const uint32_t> order) {
  std::vector<bool> placed(order.size(), false);
  std::vector<float> aside(width);
  const auto row = [&](size_t i) { return values.data() + i * width; };
  for (size_t first = 0; first < order.size(); ++first) {
    if (placed[first] || order[first] == first) continue;
    std::copy_n(row(first), width, aside.data());
    size_t to = first;
    for (size_t from = order[to]; from != first; from = order[to]) {
      std::copy_n(row(from), width, row(to));
      placed[to] = true;
      to = from;
    }
    std::copy_n(aside.data(), width, row(to));
    placed[to] = true;
  }
}

}  // namespace

void keep_rows(Gaussians& model, std::span<const uint8_t> keep) {
  SPLAT_CHECK_EQ(keep.size(), model.size());
  visit_arrays(model, [&](const char*, std::vector<float>& values, size_t width) {
    size_t kept = 0;
    for (size_t i = 0; i < keep.size(); ++i) {
      if (!keep[i]) continue;
      if (kept != i) std::copy_n(values.data() + i * width, width, values.data() + kept * width);
      ++kept;
    }
    values.resize(kept * width);
  });
}

void reorder_rows(Gaussians& model, std::span<const uint32_t> order) {
  SPLAT_CHECK_EQ(order.size(), model.size());
  visit_arrays(model, [&](const char*, std::vector<float>& values, size_t width) { reorder(values, width, order); });
}

void reduce_sh_degree(Gaussians& model, int degree) {
  if (degree >= model.sh_degree) return;
  const size_t rows = model.size(), old_width = width_of_sh(model.sh_degree), width = width_of_sh(degree);
  for (size_t i = 1; i < rows; ++i)
    std::copy_n(model.sh.data() + i * old_width, width,
                model.sh.data() + i * width);  // forwards: never over unread rows
  model.sh.resize(rows * width);
  model.sh.shrink_to_fit();
  model.sh_degree = degree;
}

void raise_sh_degree(Gaussians& model, int degree) {
  if (degree <= model.sh_degree) return;
  const size_t rows = model.size(), old_width = width_of_sh(model.sh_degree), width = width_of_sh(degree);
  model.sh.resize(rows * width);
  for (size_t i = rows; i-- > 0;) {  // backwards: never over unread rows
    float* const row = model.sh.data() + i * width;
    std::copy_backward(model.sh.data() + i * old_width, model.sh.data() + (i + 1) * old_width, row + old_width);
    std::fill(row + old_width, row + width, 0.0f);
  }
  model.sh_degree = degree;
}

}  // namespace splat::edit
