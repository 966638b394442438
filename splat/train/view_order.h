// Which training view each iteration uses: a random permutation of all views per epoch. Stateless: the answer depends
// on (seed, count, iteration) only; the current epochs' permutations are merely cached.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace splat {

class ViewOrder {
 public:
  ViewOrder(uint64_t seed, std::vector<int> views);  // views: at least one

  int at(int iteration);                                             // iteration >= 1
  void upcoming(int iteration, int count, std::vector<int>& views);  // those of iteration, iteration+1, ...

 private:
  struct Epoch {
    int64_t index = -1;
    std::vector<int> order;
  };
  const std::vector<int>& epoch(int64_t index);

  uint64_t seed_;
  std::vector<int> views_;
  std::array<Epoch, 2> cache_;
};

}  // namespace splat
