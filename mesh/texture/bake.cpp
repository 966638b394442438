#include "mesh/texture/bake.h"

#include <algorithm>
#include <cmath>

#include "mesh/picture_place.h"
#include "mesh/texture/mesh_view.h"
#include "mesh/texture/triangle_raster.h"

namespace mesh {
namespace {

constexpr int kDilations = 8;
constexpr size_t kFaceChunk = 1024;  // faces
constexpr float kGrey = 0.5f;

struct Texel {
  Vec3 sum{};
  float weight = 0;
};

class Bake {
 public:
  Bake(const TextureJob& job, splat::ThreadPool& pool)
      : job_(job), pool_(pool), side_(size_t(job.side)), owner_(side_ * side_, kNoFace), texels_(side_ * side_) {
    for (uint32_t f = 0; f < job.mesh.faces.size(); ++f)
      visit(f, [&](size_t at, const Vec3&) {
        if (owner_[at] == kNoFace) owner_[at] = f;
      });
  }

  void add(size_t view, const splat::ImageF& picture) {
    pool_.for_chunks(job_.mesh.faces.size(), kFaceChunk, [&](size_t begin, size_t end, int) {
      for (size_t f = begin; f < end; ++f) {
        Vec3 weights;
        for (size_t k = 0; k < 3; ++k) weights[k] = job_.best[job_.mesh.faces[f][k]].weight_of(view);
        if (std::max({weights[0], weights[1], weights[2]}) > 0) add_face(uint32_t(f), view, weights, picture);
      }
    });
  }

  splat::Image8 finish() {
    fill_unseen();
    std::vector<uint8_t> known(texels_.size());
    for (size_t i = 0; i < known.size(); ++i) known[i] = owner_[i] != kNoFace;
    for (int i = 0; i < kDilations; ++i) dilate(known);
    const Vec3 mean = mean_colour(known);
    splat::Image8 image{int(side_), int(side_), 3, std::vector<uint8_t>(3 * texels_.size())};
    for (size_t i = 0; i < texels_.size(); ++i)
      for (size_t c = 0; c < 3; ++c)
        image.pixels[3 * i + c] =
            uint8_t(std::lround(255 * std::clamp(known[i] ? texels_[i].sum[c] : mean[c], 0.0f, 1.0f)));
    return image;
  }

 private:
  // seen(texel, shares of the corners).
  template <class Seen>
  void visit(uint32_t face, Seen&& seen) const {
    std::array<Point2, 3> corners;
    for (size_t k = 0; k < 3; ++k)
      for (size_t d = 0; d < 2; ++d) corners[k][d] = job_.mesh.uvs[job_.mesh.faces[face][k]][d] * float(side_);
    for_each_covered(corners, job_.side, job_.side, [&](int x, int y, float a, float b, float c) {
      seen(size_t(y) * side_ + size_t(x), Vec3{a, b, c});
    });
  }

  void add_face(uint32_t f, size_t view, const Vec3& weights, const splat::ImageF& picture) {
    const Face& face = job_.mesh.faces[f];
    visit(f, [&](size_t at, const Vec3& share) {
      if (owner_[at] != f) return;
      const float weight = share[0] * weights[0] + share[1] * weights[1] + share[2] * weights[2];
      if (!(weight > 0)) return;
      Vec3 p{};
      for (size_t k = 0; k < 3; ++k)
        for (size_t d = 0; d < 3; ++d) p[d] += share[k] * job_.mesh.positions[face[k]][d];
      const auto px = pixel_of(job_.views[view].view, p);
      const Vec3 colour = colour_at(picture, px[0], px[1]);
      for (size_t c = 0; c < 3; ++c) texels_[at].sum[c] += weight * colour[c] * job_.exposures[view][c];
      texels_[at].weight += weight;
    });
  }

  // Sums become colours; where nothing was seen, those of the vertices.
  void fill_unseen() {
    pool_.for_chunks(job_.mesh.faces.size(), kFaceChunk, [&](size_t begin, size_t end, int) {
      for (size_t f = begin; f < end; ++f)
        visit(uint32_t(f), [&](size_t at, const Vec3& share) {
          if (owner_[at] != f) return;
          Texel& texel = texels_[at];
          for (size_t c = 0; c < 3; ++c) {
            if (texel.weight > 0) {
              texel.sum[c] /= texel.weight;
              continue;
            }
            texel.sum[c] = job_.mesh.colours.empty() ? kGrey : 0;
            for (size_t k = 0; k < 3 && !job_.mesh.colours.empty(); ++k)
              texel.sum[c] += share[k] * job_.mesh.colours[job_.mesh.faces[f][k]][c];
          }
        });
    });
  }

  // Colours grow by a texel: the mean of the neighbours that have one.
  void dilate(std::vector<uint8_t>& known) {
    std::vector<uint8_t> next = known;
    pool_.for_each(side_, [&](size_t y, int) {
      for (size_t x = 0; x < side_; ++x) {
        if (known[y * side_ + x]) continue;
        Texel sum;
        for (size_t v = y - (y > 0); v <= std::min(y + 1, side_ - 1); ++v)
          for (size_t u = x - (x > 0); u <= std::min(x + 1, side_ - 1); ++u) {
            const size_t other = v * side_ + u;
            if (!known[other]) continue;
            ++sum.weight;
            for (size_t c = 0; c < 3; ++c) sum.sum[c] += texels_[other].sum[c];
          }
        if (!(sum.weight > 0)) continue;
        for (size_t c = 0; c < 3; ++c) texels_[y * side_ + x].sum[c] = sum.sum[c] / sum.weight;
        next[y * side_ + x] = 1;
      }
    });
    known.swap(next);
  }

  Vec3 mean_colour(const std::vector<uint8_t>& known) const {
    std::array<double, 3> sum{};
    double count = 0;
    for (size_t i = 0; i < known.size(); ++i) {
      if (!known[i]) continue;
      for (size_t c = 0; c < 3; ++c) sum[c] += texels_[i].sum[c];
      ++count;
    }
    Vec3 mean{kGrey, kGrey, kGrey};
    for (size_t c = 0; c < 3 && count > 0; ++c) mean[c] = float(sum[c] / count);
    return mean;
  }

  const TextureJob& job_;
  splat::ThreadPool& pool_;
  size_t side_;
  std::vector<uint32_t> owner_;  // [side,side] face
  std::vector<Texel> texels_;
};

}  // namespace

splat::Image8 bake_texture(const TextureJob& job, const std::function<splat::ImageF(size_t)>& picture,
                           splat::ThreadPool& pool) {
  Bake bake(job, pool);
  for (size_t i = 0; i < job.views.size(); ++i) bake.add(i, picture(i));
  return bake.finish();
}

}  // namespace mesh
