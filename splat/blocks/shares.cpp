#include "splat/blocks/shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/math/sh.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/resized_camera.h"

namespace splat::blocks {
namespace {

constexpr float kLeastOfPixel = 0.1f;  // of what is drawn in a pixel that the part must fill for it to count

View small(const DatasetView& view) {
  View small = view.view();
  const auto divided = [](int size) { return (size + kMaskDivisor - 1) / kMaskDivisor; };
  small.camera = resized(small.camera, divided(small.camera.width), divided(small.camera.height));
  return small;
}

RenderSettings plain_look() {
  RenderSettings look;
  look.sh_degree = 0;
  return look;
}

// One colour, whatever the side.
Gaussians painted(const Gaussians& model, float value) {
  Gaussians flat = with_sh_degree(model, 0);
  std::fill(flat.sh.begin(), flat.sh.end(), (value - 0.5f) / float(math::kSh0));
  return flat;
}

}  // namespace

std::vector<std::vector<float>> measure_shares(Backend& backend, const Dataset& dataset, const Gaussians& model,
                                               const CellsOnGround& over, const StopAsked& stop) {
  const auto& [ground, cells] = over;
  std::vector<size_t> owner;
  for (size_t i = 0; i < model.size(); ++i) owner.push_back(cell_of(cells, ground.at(model, i)));
  backend.upload(painted(model, 1));
  std::vector<std::vector<float>> shares;
  Contributions contributions;
  for (const DatasetView& view : dataset.views) {
    end_if(stop);
    backend.forward(small(view), plain_look());
    backend.read_contributions({}, contributions);
    std::vector<double> sums(cells.size() + 1, 0);
    for (size_t i = 0; i < owner.size(); ++i) sums[owner[i]] += double(contributions.weight_sum[i]);
    const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
    std::vector<float>& row = shares.emplace_back(cells.size(), 0.0f);
    if (all > 0)
      for (size_t c = 0; c < cells.size(); ++c) row[c] = float(sums[c] / all);
  }
  return shares;
}

std::vector<std::vector<int>> choose_views(const Dataset& dataset, const Ground& ground, std::span<const Cell> cells,
                                           const std::vector<std::vector<float>>& shares, const ViewChoice& choice) {
  std::vector<int> all(dataset.views.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Point2> cameras = cameras_on(ground, dataset, all);
  const Cell bounds = bounds_of(cameras);
  std::vector<std::vector<int>> chosen;
  for (size_t c = 0; c < cells.size(); ++c) {
    const Cell wide = widened(cells[c], bounds, choice.margin);
    std::vector<int> trained, views;
    for (const int view : all) {
      if (!wide.contains(cameras[size_t(view)]) && double(shares[size_t(view)][c]) < choice.least_share) continue;
      (dataset.views[size_t(view)].held_out ? views : trained).push_back(view);
    }
    std::stable_sort(trained.begin(), trained.end(),
                     [&](int a, int b) { return shares[size_t(a)][c] > shares[size_t(b)][c]; });
    trained.resize(std::min(trained.size(), choice.most));
    views.insert(views.end(), trained.begin(), trained.end());
    std::sort(views.begin(), views.end());
    chosen.push_back(std::move(views));
  }
  return chosen;
}

std::vector<ShareMask> measure_masks(Backend& backend, const Dataset& dataset, const Gaussians& part,
                                     const Gaussians& others) {
  Gaussians both = painted(part, 1);
  append_rows(painted(others, 0), both);
  backend.upload(both);
  std::vector<ShareMask> masks;
  ImageF picture;
  std::vector<float> transmittance;
  for (const DatasetView& view : dataset.views) {
    const View drawn = small(view);
    backend.forward(drawn, plain_look());
    backend.read_image(picture);
    backend.read_transmittance(transmittance);
    ShareMask& mask = masks.emplace_back(ShareMask{drawn.camera.width, drawn.camera.height, {}});
    // Where hardly anything is drawn at all, nothing may grow either.
    for (size_t p = 0; p < transmittance.size(); ++p) {
      const float all = 1 - transmittance[p];
      mask.counts.push_back(all < kLeastOfPixel || picture.rgb[p] >= kLeastOfPixel * all ? 255 : 0);
    }
  }
  return masks;
}

}  // namespace splat::blocks
