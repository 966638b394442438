#include "mesh/texture/exposure.h"

#include <algorithm>
#include <cmath>

#include "mesh/picture_place.h"

namespace mesh {
namespace {

constexpr size_t kMostVertices = 60'000;
constexpr int kRounds = 60;
constexpr float kDark = 0.03f, kBright = 0.97f;  // what is clipped says nothing of exposure
constexpr float kMostDifference = 0.7f;          // of logarithms; more is a reflection, or another surface
constexpr double kPrior = 50;                    // vertices' worth of being 1

// What a photo shows at a vertex.
struct Sight {
  uint32_t vertex, view;
  Vec3 logarithm;
};

std::vector<Sight> sights_of(const TriangleMesh& mesh, const std::vector<VertexViews>& best,
                             const std::vector<TextureView>& views,
                             const std::function<splat::ImageF(size_t)>& picture) {
  const size_t step = std::max<size_t>(mesh.positions.size() / kMostVertices, 1);
  std::vector<Sight> sights;
  for (uint32_t i = 0; i < views.size(); ++i) {
    if (!views[i].photo) continue;
    const splat::ImageF image = picture(i);
    for (size_t v = 0; v < best.size(); v += step) {
      if (!(best[v].weight_of(i) > 0)) continue;
      const auto at = pixel_of(views[i].view, mesh.positions[v]);
      const Vec3 colour = colour_at(image, at[0], at[1]);
      Sight sight{uint32_t(v / step), i, {}};
      if (std::any_of(colour.begin(), colour.end(), [](float c) { return c < kDark || c > kBright; })) continue;
      for (size_t c = 0; c < 3; ++c) sight.logarithm[c] = std::log(colour[c]);
      sights.push_back(sight);
    }
  }
  return sights;
}

}  // namespace

std::vector<Vec3> level_exposures(const TriangleMesh& mesh, const std::vector<VertexViews>& best,
                                  const std::vector<TextureView>& views,
                                  const std::function<splat::ImageF(size_t)>& picture, splat::ThreadPool& pool) {
  const std::vector<Sight> sights = sights_of(mesh, best, views, picture);
  const size_t step = std::max<size_t>(mesh.positions.size() / kMostVertices, 1), vertices = best.size() / step + 1;
  std::vector<Vec3> factors(views.size(), {1, 1, 1});
  pool.for_each(3, [&](size_t c, int) {
    std::vector<double> gain(views.size(), 0);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<double> mean(vertices, 0), count(vertices, 0), change(views.size(), 0), weight(views.size(), kPrior);
      for (const Sight& s : sights) mean[s.vertex] += s.logarithm[c] + gain[s.view], ++count[s.vertex];
      for (size_t v = 0; v < vertices; ++v) mean[v] /= std::max(count[v], 1.0);
      for (const Sight& s : sights) {
        const double off = mean[s.vertex] - s.logarithm[c] - gain[s.view];
        if (count[s.vertex] < 2 || std::abs(off) > kMostDifference) continue;
        // A photo's own share of the mean hides that much of its difference.
        change[s.view] += off * count[s.vertex] / (count[s.vertex] - 1), ++weight[s.view];
      }
      double sum = 0, photos = 0;
      for (size_t i = 0; i < views.size(); ++i) {
        if (!views[i].photo) continue;
        gain[i] = (gain[i] * (weight[i] - kPrior) + change[i]) / weight[i];
        sum += gain[i], ++photos;
      }
      for (size_t i = 0; i < views.size(); ++i)
        if (views[i].photo) gain[i] -= sum / photos;
    }
    for (size_t i = 0; i < views.size(); ++i) factors[i][c] = float(std::exp(gain[i]));
  });
  return factors;
}

}  // namespace mesh
