#include "knn/knn.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <nanoflann.hpp>
#include <thread>
#include <utility>

namespace knn {
namespace {

// What nanoflann asks of a point set.
struct PointSet {
  std::span<const float> xyz;  // [M,3]

  size_t kdtree_get_point_count() const { return xyz.size() / 3; }
  float kdtree_get_pt(size_t point, size_t axis) const { return xyz[3 * point + axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;  // nanoflann computes it
  }
};

using Metric = nanoflann::L2_Simple_Adaptor<float, PointSet>;
using KdTree = nanoflann::KDTreeSingleIndexAdaptor<Metric, PointSet, 3, uint32_t>;

constexpr size_t kLeafPoints = 10;
constexpr size_t kQueriesAtATime = 1024;

// Calls body(begin, end) over chunks of [0, count) from several threads, or fewer where the system refuses them. The
// first exception of a body comes out once all have ended.
template <class Body>
void for_chunks(size_t count, int threads, const Body& body) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  auto drain = [&] {
    try {
      for (size_t begin; !failed && (begin = next.fetch_add(kQueriesAtATime)) < count;)
        body(begin, std::min(count, begin + kQueriesAtATime));
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (int t = 1; t < threads; ++t) others.emplace_back(drain);
  } catch (const std::exception&) {
  }
  drain();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

struct PointIndex::Tree {
  explicit Tree(std::span<const float> points)
      : set{points}, tree(3, set, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafPoints)) {}
  const PointSet set;
  const KdTree tree;
};

PointIndex::PointIndex(std::vector<float> points)
    : points_(std::move(points)), tree_(std::make_unique<const Tree>(points_)) {}
PointIndex::~PointIndex() = default;

size_t PointIndex::nearest(const float* place, std::span<uint32_t> found) const {
  constexpr size_t kUsual = 16;
  std::array<float, kUsual> usual{};
  std::vector<float> more(found.size() > kUsual ? found.size() : 0);
  return tree_->tree.knnSearch(place, std::min(found.size(), size()), found.data(),
                               more.empty() ? usual.data() : more.data());
}

std::vector<float> mean_squared_distance_to_nearest(std::span<const float> points, int k, int threads) {
  const PointSet set{points};
  const size_t count = set.kdtree_get_point_count();
  std::vector<float> result(count, 0.0f);
  if (count < 2 || k < 1) return result;
  const size_t found = std::min(count, size_t(k) + 1);  // the point itself, or another in its place, comes first
  const KdTree tree(3, set, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafPoints));

  if (threads <= 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
  threads = int(std::min<size_t>(threads, (count + kQueriesAtATime - 1) / kQueriesAtATime));
  for_chunks(count, threads, [&](size_t begin, size_t end) {
    std::vector<uint32_t> indices(found);
    std::vector<float> squared(found);
    for (size_t i = begin; i < end; ++i) {
      (void)tree.knnSearch(&points[3 * i], found, indices.data(), squared.data());  // there are that many
      double sum = 0;
      for (size_t n = 1; n < found; ++n) sum += squared[n];
      result[i] = float(sum / double(found - 1));
    }
  });
  return result;
}

}  // namespace knn
