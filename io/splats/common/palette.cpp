#include "io/splats/common/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "splat/core/check.h"
#include "splat/core/parallel.h"
#include "splat/core/random.h"

namespace io {

using splat::ThreadPool;
using Rows = std::vector<uint32_t>;

namespace {

constexpr size_t kLanes = 16;           // centroids compared at a time
constexpr size_t kBranch = 64;          // children of a node
constexpr size_t kLeaf = 160;           // entries that are found by flat k-means
constexpr size_t kSamplePerEntry = 64;  // rows that k-means looks at before all are assigned
constexpr int kIterations = 8;
constexpr size_t kChunkRows = 1024;
constexpr float kFar = 1e15f;  // of the centroids that fill up a block of lanes

// Centroids in blocks of kLanes, dimension by dimension, so that one row is compared with kLanes at a time.
class Centroids {
 public:
  Centroids(size_t count, size_t dimensions)
      : count_(count), dimensions_(dimensions), blocks_((count + kLanes - 1) / kLanes * kLanes * dimensions, kFar) {}

  size_t size() const { return count_; }
  float& at(size_t centroid, size_t d) {
    return blocks_[(centroid / kLanes * dimensions_ + d) * kLanes + centroid % kLanes];
  }
  void set(size_t centroid, const float* row) {
    for (size_t d = 0; d < dimensions_; ++d) at(centroid, d) = row[d];
  }

  struct Nearest {
    uint32_t centroid;
    float squared;  // distance
  };
  Nearest nearest(const float* row) const {
    Nearest best{0, std::numeric_limits<float>::infinity()};
    for (size_t first = 0; first < count_; first += kLanes) {
      const float* block = blocks_.data() + first * dimensions_;
      std::array<float, kLanes> squared{};
      for (size_t d = 0; d < dimensions_; ++d, block += kLanes)
        for (size_t lane = 0; lane < kLanes; ++lane) {
          const float difference = row[d] - block[lane];
          squared[lane] += difference * difference;
        }
      for (size_t lane = 0; lane < kLanes; ++lane)
        if (squared[lane] < best.squared) best = {uint32_t(first + lane), squared[lane]};
    }
    return best;
  }

 private:
  size_t count_, dimensions_;
  std::vector<float> blocks_;
};

class PaletteBuilder {
 public:
  PaletteBuilder(const PaletteInput& input, uint64_t seed) : input_(input), seed_(seed) {}

  const float* row(uint32_t r) const { return input_.values + size_t(r) * input_.stride; }

  // A cluster's members (indices into input.rows) in `most` parts or fewer, none empty.
  std::vector<Rows> split(const Rows& members, size_t most, uint64_t stream, ThreadPool* pool) const {
    splat::random::Sequence random(seed_, stream);
    const Rows sample = sample_of(members, most * kSamplePerEntry, random);
    Centroids centroids(most, input_.dimensions);
    for (size_t k = 0; k < most; ++k)  // one from each slice of the sample
      centroids.set(
          k,
          row_of(
              sample[(k * sample.size() + random.below(uint32_t(sample.size() / most + 1))) / most % sample.size()]));
    for (int iteration = 0; iteration < kIterations; ++iteration) improve(centroids, sample, pool);
    const Labels labels = assign(centroids, members, pool);
    std::vector<Rows> parts(most);
    for (size_t i = 0; i < members.size(); ++i) parts[labels.centroid[i]].push_back(members[i]);
    std::erase_if(parts, [](const Rows& part) { return part.empty(); });
    return parts;
  }

  std::vector<double> mean_of(const Rows& members) const {
    std::vector<double> mean(input_.dimensions, 0.0);
    for (const uint32_t member : members)
      for (size_t d = 0; d < mean.size(); ++d) mean[d] += row_of(member)[d];
    for (double& value : mean) value /= double(std::max<size_t>(members.size(), 1));
    return mean;
  }

  double error_of(const Rows& members) const {
    const std::vector<double> mean = mean_of(members);
    double error = 0;
    for (const uint32_t member : members)
      for (size_t d = 0; d < mean.size(); ++d) error += (row_of(member)[d] - mean[d]) * (row_of(member)[d] - mean[d]);
    return error;
  }

  // The leaves below a cluster that gets `most` entries.
  void grow(const Rows& members, size_t most, uint64_t stream, std::vector<Rows>& leaves) const {
    if (most <= 1 || members.size() <= 1) {
      leaves.push_back(members);
      return;
    }
    if (most >= members.size()) {
      for (const uint32_t member : members) leaves.push_back({member});
      return;
    }
    std::vector<Rows> parts = split(members, most <= kLeaf ? most : kBranch, stream, nullptr);
    if (most <= kLeaf || parts.size() <= 1) {
      std::move(parts.begin(), parts.end(), std::back_inserter(leaves));
      return;
    }
    const std::vector<size_t> shares = shares_of(parts, most, nullptr);
    for (size_t p = 0; p < parts.size(); ++p) grow(parts[p], shares[p], stream * 131 + p + 1, leaves);
  }

  // `most` entries dealt out by the parts' errors: at least one each, at most one a member.
  std::vector<size_t> shares_of(const std::vector<Rows>& parts, size_t most, ThreadPool* pool) const {
    std::vector<double> errors(parts.size());
    splat::for_each(pool, parts.size(), [&](size_t p, int) { errors[p] = error_of(parts[p]); });
    const double total = std::accumulate(errors.begin(), errors.end(), 0.0);
    const double spare = double(most - std::min(most, parts.size()));
    std::vector<size_t> shares(parts.size(), 1);
    for (size_t p = 0; p < parts.size(); ++p) {
      if (total > 0) shares[p] += size_t(spare * errors[p] / total);
      shares[p] = std::min(shares[p], parts[p].size());
    }
    return shares;
  }

 private:
  struct Labels {
    std::vector<uint32_t> centroid;
    std::vector<float> squared;
  };

  const float* row_of(uint32_t member) const { return row(input_.rows[member]); }

  static Rows sample_of(const Rows& members, size_t most, splat::random::Sequence& random) {
    if (members.size() <= most) return members;
    Rows sample(most);
    for (size_t i = 0; i < most; ++i) {  // one from each of equal slices
      const size_t begin = i * members.size() / most, end = (i + 1) * members.size() / most;
      sample[i] = members[begin + random.below(uint32_t(end - begin))];
    }
    return sample;
  }

  Labels assign(const Centroids& centroids, const Rows& members, ThreadPool* pool) const {
    Labels labels{std::vector<uint32_t>(members.size()), std::vector<float>(members.size())};
    const auto some = [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) {
        const Centroids::Nearest nearest = centroids.nearest(row_of(members[i]));
        labels.centroid[i] = nearest.centroid;
        labels.squared[i] = nearest.squared;
      }
    };
    if (pool) {
      pool->for_chunks(members.size(), kChunkRows, some);
    } else {
      some(0, members.size(), 0);
    }
    return labels;
  }

  // One step of Lloyd's. Centroids without rows move to the rows that are worst off.
  void improve(Centroids& centroids, const Rows& sample, ThreadPool* pool) const {
    const Labels labels = assign(centroids, sample, pool);
    std::vector<double> sums(centroids.size() * input_.dimensions, 0.0);
    std::vector<size_t> counts(centroids.size(), 0);
    for (size_t i = 0; i < sample.size(); ++i) {
      const size_t k = labels.centroid[i];
      ++counts[k];
      for (size_t d = 0; d < input_.dimensions; ++d) sums[k * input_.dimensions + d] += row_of(sample[i])[d];
    }
    Rows worst;
    for (size_t k = 0; k < centroids.size(); ++k) {
      if (counts[k] > 0) {
        for (size_t d = 0; d < input_.dimensions; ++d)
          centroids.at(k, d) = float(sums[k * input_.dimensions + d] / double(counts[k]));
        continue;
      }
      if (worst.empty()) worst = by_distance(labels.squared);
      centroids.set(k, row_of(sample[worst.back()]));
      worst.pop_back();
    }
  }

  static Rows by_distance(const std::vector<float>& squared) {
    Rows order(squared.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return squared[a] < squared[b]; });
    return order;
  }

  const PaletteInput& input_;
  uint64_t seed_;
};

Palette palette_of(const PaletteBuilder& builder, const PaletteInput& input, const std::vector<Rows>& leaves) {
  SPLAT_CHECK_LE(leaves.size(), size_t(65536));
  Palette palette;
  palette.labels.resize(input.rows.size());
  palette.entries.reserve(leaves.size() * input.dimensions);
  for (size_t entry = 0; entry < leaves.size(); ++entry) {
    for (const double value : builder.mean_of(leaves[entry])) palette.entries.push_back(float(value));
    for (const uint32_t member : leaves[entry]) palette.labels[member] = uint16_t(entry);
  }
  return palette;
}

}  // namespace

Palette make_palette(const PaletteInput& input, size_t most, uint64_t seed, ThreadPool& pool,
                     const std::function<void(double)>& progress) {
  const PaletteBuilder builder(input, seed);
  Rows all(input.rows.size());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<Rows> leaves;
  if (most <= kLeaf || most >= all.size()) {
    if (!all.empty()) builder.grow(all, most, 1, leaves);
    return palette_of(builder, input, leaves);
  }
  const std::vector<Rows> parts = builder.split(all, kBranch, 1, &pool);
  const std::vector<size_t> shares = builder.shares_of(parts, most, &pool);
  std::vector<std::vector<Rows>> grown(parts.size());
  constexpr size_t kBatch = 8;  // parts between two reports of progress
  for (size_t done = 0; done < parts.size(); done += kBatch) {
    if (progress) progress(0.1 + 0.9 * double(done) / double(parts.size()));
    pool.for_each(std::min(kBatch, parts.size() - done), [&](size_t p, int) {
      builder.grow(parts[done + p], shares[done + p], done + p + 2, grown[done + p]);
    });
  }
  for (std::vector<Rows>& some : grown) std::move(some.begin(), some.end(), std::back_inserter(leaves));
  return palette_of(builder, input, leaves);
}

}  // namespace io
