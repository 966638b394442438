#include "knn/knn.h"

#include "knn/point_tree.h"

namespace knn {
namespace {

constexpr size_t kLeavesAtATime = 128;

int threads_of(int wanted) { return wanted > 0 ? wanted : int(std::max(1u, std::thread::hardware_concurrency())); }

// The k nearest others of each point of a leaf, all at a time.
class LeafNeighbours {
 public:
  LeafNeighbours(const PointTree& tree, size_t k) : tree_(tree), k_(k), squared_(k * kLeafPoints) {}

  void find(size_t leaf) {
    const size_t count = tree_.points_of(leaf).size();
    std::fill(squared_.begin(), squared_.end(), kInfinite);
    worst_ = kInfinite;
    for (size_t i = 0; i < kLeafPoints; ++i)
      for (size_t axis = 0; axis < 3; ++axis) place_[i][axis] = tree_.leaf(leaf).at[axis][i];
    scan(leaf, count, true);
    tree_.walk_around(
        leaf, [&] { return worst_; }, [&](size_t other) { scan(other, count, false); });
  }
  // The nearest others of the leaf's i-th point, of which there are k or all.
  const float* squared(size_t i) const { return &squared_[i * k_]; }

 private:
  void scan(size_t leaf, size_t count, bool own) {
    worst_ = 0;
    for (size_t i = 0; i < count; ++i) {
      Nearest nearest{&squared_[i * k_], nullptr, k_};
      const Box point{place_[i], place_[i]};
      if (own || PointTree::gap(point, tree_.box_of_leaf(leaf)) < nearest.worst()) {
        float squared[kLeafPoints];
        tree_.leaf(leaf).distances_to(place_[i].data(), squared);
        if (own) squared[i] = kInfinite;
        for (float distance : squared)
          if (distance < nearest.worst()) nearest.put(distance, 0);
      }
      worst_ = std::max(worst_, nearest.worst());
    }
  }

  const PointTree& tree_;
  const size_t k_;
  std::vector<float> squared_;  // [kLeafPoints,k]
  std::array<float, 3> place_[kLeafPoints];
  float worst_ = kInfinite;
};

}  // namespace

struct PointIndex::Tree : PointTree {
  using PointTree::PointTree;
};

PointIndex::PointIndex(std::vector<float> points)
    : points_(std::move(points)), tree_(std::make_unique<const Tree>(points_, threads_of(0))) {}
PointIndex::~PointIndex() = default;

size_t PointIndex::nearest(const float* place, std::span<uint32_t> found) const {
  constexpr size_t kUsual = 16;
  const size_t wanted = std::min(found.size(), size());
  if (wanted == 0) return 0;
  std::array<float, kUsual> usual;
  std::vector<float> more(wanted > kUsual ? wanted : 0);
  Nearest nearest{more.empty() ? usual.data() : more.data(), found.data(), wanted};
  std::fill_n(nearest.squared, wanted, kInfinite);
  const std::array<float, 3> at{place[0], place[1], place[2]};
  const auto scan = [&](size_t leaf) {
    float squared[kLeafPoints];
    tree_->leaf(leaf).distances_to(place, squared);
    const auto points = tree_->points_of(leaf);
    for (size_t i = 0; i < points.size(); ++i)
      if (squared[i] < nearest.worst()) nearest.put(squared[i], points[i]);
  };
  tree_->walk(
      1, {at, at}, [&] { return nearest.worst(); }, scan);
  return size_t(std::lower_bound(nearest.squared, nearest.squared + wanted, kInfinite) - nearest.squared);
}

std::vector<float> mean_squared_distance_to_nearest(std::span<const float> points, int k, int threads,
                                                    const std::function<void()>& pause) {
  const size_t count = points.size() / 3;
  std::vector<float> result(count, 0.0f);
  if (count < 2 || k < 1) return result;
  const size_t found = std::min(count - 1, size_t(k));
  const PointTree tree(points, threads_of(threads), pause);
  for_chunks(tree.leaves(), kLeavesAtATime, threads_of(threads), [&](size_t begin, size_t end) {
    if (pause) pause();
    LeafNeighbours neighbours(tree, found);
    for (size_t leaf = begin; leaf < end; ++leaf) {
      neighbours.find(leaf);
      const auto in_leaf = tree.points_of(leaf);
      for (size_t i = 0; i < in_leaf.size(); ++i) {
        double sum = 0;
        for (size_t n = 0; n < found; ++n) sum += neighbours.squared(i)[n];
        result[in_leaf[i]] = float(sum / double(found));
      }
    }
  });
  return result;
}

}  // namespace knn
