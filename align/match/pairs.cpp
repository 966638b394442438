#include "align/match/pairs.h"

#include <algorithm>

namespace align {

namespace {

ImagePair ordered(uint32_t a, uint32_t b) { return a < b ? ImagePair{a, b} : ImagePair{b, a}; }

std::vector<ImagePair> sorted(std::vector<ImagePair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

std::vector<ImagePair> all_pairs(const std::vector<DatabaseImage>& images) {
  std::vector<ImagePair> pairs;
  for (size_t i = 0; i < images.size(); ++i)
    for (size_t j = i + 1; j < images.size(); ++j) pairs.push_back(ordered(images[i].id, images[j].id));
  return sorted(std::move(pairs));
}

std::vector<ImagePair> sequential_pairs(const std::vector<DatabaseImage>& images, size_t overlap) {
  std::vector<ImagePair> pairs;
  for (size_t i = 0; i < images.size(); ++i) {
    const auto add = [&](size_t step) {
      if (i + step < images.size()) pairs.push_back(ordered(images[i].id, images[i + step].id));
    };
    for (size_t step = 1; step <= overlap; ++step) add(step);
    for (size_t step = 1; step < images.size(); step *= 2) add(step);
  }
  return sorted(std::move(pairs));
}

std::vector<ImagePair> merged(std::vector<ImagePair> a, const std::vector<ImagePair>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return sorted(std::move(a));
}

}  // namespace align
