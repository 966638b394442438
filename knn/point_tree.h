// The tree behind knn.h: a balanced KD-tree with the box around the points of each of its parts. Parts no nearer than
// what has been found are left out, equally near ones too, so that many points in one place cost no more than others.
// A part is a number, as in a heap: part p has the halves 2p and 2p + 1; the whole is part 1.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace knn {

inline constexpr size_t kLeafPoints = 16;  // at most
inline constexpr float kInfinite = std::numeric_limits<float>::infinity();

struct Box {
  std::array<float, 3> low, high;
};

struct Leaf {
  alignas(64) float at[3][kLeafPoints];  // behind the last point infinite: no nearer than anything

  // Squared distances; as the boxes' they are rounded the same way at every step, so that none is below its box's.
  void distances_to(const float* place, float (&squared)[kLeafPoints]) const {
    for (size_t i = 0; i < kLeafPoints; ++i) {
      const float x = at[0][i] - place[0], y = at[1][i] - place[1], z = at[2][i] - place[2];
      squared[i] = x * x + y * y + z * z;
    }
  }
};

// The nearest so far, the nearest first.
struct Nearest {
  float* squared;   // [wanted] infinite where there is none yet
  uint32_t* index;  // likewise; null: not wanted
  size_t wanted;

  float worst() const { return squared[wanted - 1]; }
  void put(float distance, uint32_t point) {
    size_t at = wanted - 1;
    for (; at > 0 && squared[at - 1] > distance; --at) {
      squared[at] = squared[at - 1];
      if (index) index[at] = index[at - 1];
    }
    squared[at] = distance;
    if (index) index[at] = point;
  }
};

class PointTree {
 public:
  // points: [M,3]. pause: called now and then, from any thread; what it throws comes out.
  PointTree(std::span<const float> points, int threads, const std::function<void()>& pause = {});

  size_t leaves() const { return leaves_.size(); }
  const Leaf& leaf(size_t leaf) const { return leaves_[leaf]; }
  std::span<const uint32_t> points_of(size_t leaf) const {
    return {order_.data() + first_of(levels_, leaf), order_.data() + first_of(levels_, leaf + 1)};
  }
  const Box& box_of_leaf(size_t leaf) const { return boxes_[leaves() + leaf]; }

  // Squared; 0 where they overlap.
  static float gap(const Box& a, const Box& b) {
    float sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      const float apart = std::max(std::max(a.low[k] - b.high[k], b.low[k] - a.high[k]), 0.0f);
      sum += apart * apart;
    }
    return sum;
  }

  // scan(leaf) for the leaves of a part whose gap to `from` is below worst(), the nearer half of each part first.
  template <class Worst, class Scan>
  void walk(size_t part, const Box& from, Worst&& worst, Scan&& scan) const {
    struct Waiting {
      size_t part;
      float gap;
    };
    Waiting stack[64];
    int waiting = 0;
    stack[waiting++] = {part, gap(from, boxes_[part])};
    while (waiting > 0) {
      const Waiting next = stack[--waiting];
      if (!(next.gap < worst())) continue;
      if (next.part >= leaves()) {
        scan(next.part - leaves());
        continue;
      }
      Waiting near{2 * next.part, gap(from, boxes_[2 * next.part])};
      Waiting far{2 * next.part + 1, gap(from, boxes_[2 * next.part + 1])};
      if (far.gap < near.gap) std::swap(near, far);
      stack[waiting++] = far;
      stack[waiting++] = near;
    }
  }
  // The same over the whole tree but for one leaf, from its neighbours outwards.
  template <class Worst, class Scan>
  void walk_around(size_t leaf, Worst&& worst, Scan&& scan) const {
    for (size_t part = leaves() + leaf; part > 1; part /= 2) walk(part ^ 1, box_of_leaf(leaf), worst, scan);
  }

 private:
  struct Point {
    std::array<float, 3> at;
    uint32_t index;
  };
  size_t first_of(int level, size_t part) const { return size_t((uint64_t(order_.size()) * part) >> level); }
  void split(std::vector<Point>& points, int level, size_t part);
  void fill(std::span<const Point> points, size_t leaf);

  int levels_ = 0;
  std::vector<uint32_t> order_;  // [M] points, leaf by leaf
  std::vector<Leaf> leaves_;     // [2^levels]
  std::vector<Box> boxes_;       // [2^(levels+1)] of parts
};

// Calls body(begin, end) over chunks of [0, count) from several threads, or fewer where the system refuses them. The
// first exception of a body comes out once all have ended.
template <class Body>
void for_chunks(size_t count, size_t chunk, int threads, const Body& body) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  auto drain = [&] {
    try {
      for (size_t begin; !failed && (begin = next.fetch_add(chunk)) < count;)
        body(begin, std::min(count, begin + chunk));
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (size_t t = 1; t < size_t(threads) && t * chunk < count; ++t) others.emplace_back(drain);
  } catch (const std::exception&) {
  }
  drain();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace knn
