#include "align/match/retrieval.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "splat/core/parallel.h"
#include "splat/core/random.h"

namespace align {

using splat::Result;

namespace {

constexpr size_t kCentres = 64, kDimensions = kDescriptorBytes;
constexpr size_t kSamples = 50'000;     // descriptors that the centres are made from
constexpr int kRounds = 8;              // of k-means
constexpr size_t kMostFeatures = 2000;  // of a photo; every n-th of more
constexpr float kLength = 512;          // of a descriptor

using Vector = std::vector<float>;  // [n, kDimensions]

void append(Vector& to, const uint8_t* descriptor) {
  for (size_t k = 0; k < kDimensions; ++k) to.push_back(float(descriptor[k]) / kLength);
}

float squared_distance(const float* a, const float* b) {
  float parts[16] = {};
  for (size_t k = 0; k < kDimensions; k += 16)
    for (size_t i = 0; i < 16; ++i) parts[i] += (a[k + i] - b[k + i]) * (a[k + i] - b[k + i]);
  float sum = 0;
  for (const float part : parts) sum += part;
  return sum;
}

size_t nearest(const Vector& centres, const float* x) {
  size_t best = 0;
  float least = INFINITY;
  for (size_t c = 0; c < kCentres; ++c) {
    const float distance = squared_distance(centres.data() + c * kDimensions, x);
    if (distance < least) least = distance, best = c;
  }
  return best;
}

// k-means; a centre without members stays where it is.
Vector make_centres(const Vector& samples, splat::ThreadPool& pool) {
  const size_t count = samples.size() / kDimensions;
  Vector centres;
  splat::random::Sequence random(1, splat::random::kRetrieval);
  for (size_t c = 0; c < kCentres; ++c) {
    const size_t at = count == 0 ? 0 : random.below(uint32_t(count));
    for (size_t k = 0; k < kDimensions; ++k) centres.push_back(count == 0 ? 0 : samples[at * kDimensions + k]);
  }
  std::vector<size_t> member_of(count);
  for (int round = 0; round < kRounds; ++round) {
    pool.for_chunks(count, 512, [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) member_of[i] = nearest(centres, samples.data() + i * kDimensions);
    });
    Vector sums(kCentres * kDimensions, 0.0f);
    std::vector<size_t> members(kCentres, 0);
    for (size_t i = 0; i < count; ++i) {
      ++members[member_of[i]];
      for (size_t k = 0; k < kDimensions; ++k) sums[member_of[i] * kDimensions + k] += samples[i * kDimensions + k];
    }
    for (size_t c = 0; c < kCentres; ++c)
      for (size_t k = 0; members[c] > 0 && k < kDimensions; ++k)
        centres[c * kDimensions + k] = sums[c * kDimensions + k] / float(members[c]);
  }
  return centres;
}

// Residuals from the nearest centre, summed per centre; square roots of their values (with sign), length 1.
Vector vlad_of(const Vector& centres, std::span<const uint8_t> descriptors) {
  Vector vlad(kCentres * kDimensions, 0.0f), x;
  const size_t count = descriptors.size() / kDimensions, step = count / kMostFeatures + 1;
  for (size_t i = 0; i < count; i += step) {
    x.clear();
    append(x, descriptors.data() + i * kDimensions);
    const size_t c = nearest(centres, x.data());
    for (size_t k = 0; k < kDimensions; ++k) vlad[c * kDimensions + k] += x[k] - centres[c * kDimensions + k];
  }
  double norm = 0;
  for (float& value : vlad) {
    value = std::copysign(std::sqrt(std::abs(value)), value);
    norm += double(value) * value;
  }
  for (float& value : vlad) value = norm > 0 ? float(value / std::sqrt(norm)) : 0;
  return vlad;
}

float likeness(const Vector& a, const Vector& b) {
  float parts[16] = {};
  for (size_t k = 0; k < a.size(); k += 16)
    for (size_t i = 0; i < 16; ++i) parts[i] += a[k + i] * b[k + i];
  float sum = 0;
  for (const float part : parts) sum += part;
  return sum;
}

}  // namespace

Result<std::vector<ImagePair>> similar_pairs(ColmapDatabase& database, const std::vector<DatabaseImage>& images,
                                             const RetrievalOptions& options) {
  std::vector<std::vector<uint8_t>> descriptors;
  Vector samples;
  const size_t of_each = std::max<size_t>(1, kSamples / std::max<size_t>(1, images.size()));
  for (const DatabaseImage& image : images) {
    SPLAT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, database.descriptors(image.id));
    const size_t count = bytes.size() / kDimensions, step = count / of_each + 1;
    for (size_t i = 0; i < count; i += step) append(samples, bytes.data() + i * kDimensions);
    descriptors.push_back(std::move(bytes));
  }
  splat::ThreadPool pool(options.threads);
  const Vector centres = make_centres(samples, pool);
  std::vector<Vector> vlads(images.size());
  const auto go_on = [&] { return !options.cancelled || !options.cancelled(); };
  pool.for_each(images.size(), [&](size_t i, int) {
    if (go_on()) vlads[i] = vlad_of(centres, descriptors[i]);
  });
  std::vector<std::vector<ImagePair>> of_image(images.size());
  pool.for_each(images.size(), [&](size_t i, int) {
    std::vector<std::pair<float, size_t>> others;
    for (size_t j = 0; go_on() && j < images.size(); ++j)
      if (j != i) others.emplace_back(-likeness(vlads[i], vlads[j]), j);
    const size_t kept = std::min(options.neighbours, others.size());
    std::partial_sort(others.begin(), others.begin() + long(kept), others.end());
    for (size_t n = 0; n < kept; ++n) {
      const uint32_t a = images[i].id, b = images[others[n].second].id;
      of_image[i].push_back({std::min(a, b), std::max(a, b)});
    }
  });
  std::vector<ImagePair> pairs;
  for (const auto& list : of_image) pairs.insert(pairs.end(), list.begin(), list.end());
  return merged(std::move(pairs), sequential_pairs(images, options.by_name));
}

}  // namespace align
