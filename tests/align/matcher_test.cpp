// The matcher against a search that tries everything in the obvious way.
#include "align/match/matcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/core/random.h"

namespace align {

void PrintTo(const MatchLevel& level, std::ostream* out) { *out << level.name; }
void PrintTo(const Match& match, std::ostream* out) { *out << match.first << "-" << match.second; }

namespace {

using Descriptors = std::vector<uint8_t>;
using splat::random::Sequence;

struct Nearest {
  int best_index = -1;
  int32_t best = 0, second = 0;
};

// COLMAP's loops.
Nearest nearest_of(const uint8_t* descriptor, const Descriptors& others) {
  Nearest found;
  for (size_t j = 0; j < others.size() / kDescriptorBytes; ++j) {
    int32_t dot = 0;
    for (size_t k = 0; k < kDescriptorBytes; ++k) dot += int32_t(descriptor[k]) * others[j * kDescriptorBytes + k];
    if (dot > found.best) {
      found.best_index = int(j);
      found.second = found.best;
      found.best = dot;
    } else if (dot > found.second) {
      found.second = dot;
    }
  }
  return found;
}

int match_one_way(const uint8_t* descriptor, const Descriptors& others, const MatchRule& rule) {
  const Nearest found = nearest_of(descriptor, others);
  if (found.best_index < 0) return -1;
  const float scale = 1.0f / (512.0f * 512.0f);
  const float best = std::acos(std::min(scale * float(found.best), 1.0f));
  const float second = std::acos(std::min(scale * float(found.second), 1.0f));
  return best > rule.max_distance || best >= rule.max_ratio * second ? -1 : found.best_index;
}

std::vector<Match> expected_matches(const Descriptors& a, const Descriptors& b, const MatchRule& rule) {
  std::vector<Match> matches;
  for (size_t i = 0; i < a.size() / kDescriptorBytes; ++i) {
    const int j = match_one_way(a.data() + i * kDescriptorBytes, b, rule);
    if (j >= 0 && match_one_way(b.data() + size_t(j) * kDescriptorBytes, a, rule) == int(i))
      matches.push_back({uint32_t(i), uint32_t(j)});
  }
  return matches;
}

// Like SIFT's: few large values, length 512.
void add_descriptor(Descriptors& descriptors, Sequence& random) {
  float values[kDescriptorBytes], norm = 0;
  for (float& value : values) {
    value = std::pow(random.uniform(), 4.0f);
    norm += value * value;
  }
  for (const float value : values)
    descriptors.push_back(uint8_t(std::min(255.0f, std::round(512 * value / std::sqrt(norm)))));
}

Descriptors random_descriptors(size_t count, Sequence& random) {
  Descriptors descriptors;
  for (size_t i = 0; i < count; ++i) add_descriptor(descriptors, random);
  return descriptors;
}

// Some of `from`, in another order and a little changed; some twice; the rest is new.
Descriptors seen_again(const Descriptors& from, size_t count, Sequence& random) {
  Descriptors descriptors;
  const uint32_t n = uint32_t(from.size() / kDescriptorBytes);
  while (descriptors.size() < count * kDescriptorBytes) {
    if (n == 0 || random.uniform() < 0.3f) {
      add_descriptor(descriptors, random);
      continue;
    }
    const size_t source = random.below(n) * kDescriptorBytes;
    const uint32_t noise = 1 + random.below(60);
    for (size_t k = 0; k < kDescriptorBytes; ++k) {
      const int value = from[source + k] + int(random.below(noise)) - int(noise / 2);
      descriptors.push_back(uint8_t(std::clamp(value, 0, 255)));
    }
  }
  return descriptors;
}

std::string level_name(const testing::TestParamInfo<MatchLevel>& info) { return info.param.name; }

class MatcherTest : public testing::TestWithParam<MatchLevel> {};
INSTANTIATE_TEST_SUITE_P(Levels, MatcherTest, testing::ValuesIn(usable_match_levels()), level_name);

TEST_P(MatcherTest, FindsWhatTryingEverythingFinds) {
  Sequence random(1, splat::random::kTest);
  PairMatcher matcher(GetParam());
  size_t found = 0;
  for (const auto& [n_a, n_b] : std::vector<std::pair<size_t, size_t>>{
           {0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 2}, {2, 1}, {7, 65}, {64, 64}, {300, 257}, {49, 500}, {97, 31}}) {
    const Descriptors a = random_descriptors(n_a, random), b = seen_again(a, n_b, random);
    const auto matches = matcher.match(a, b);
    const std::vector<Match> expected = expected_matches(a, b, {});
    EXPECT_EQ(std::vector<Match>(matches.begin(), matches.end()), expected) << n_a << " and " << n_b;
    found += expected.size();
  }
  EXPECT_GT(found, 100u);
}

TEST_P(MatcherTest, ObeysTheRuleItIsGiven) {
  Sequence random(2, splat::random::kTest);
  const Descriptors a = random_descriptors(200, random), b = seen_again(a, 200, random);
  const MatchRule strict{0.35f, 0.6f};
  PairMatcher matcher(GetParam(), strict);
  const auto matches = matcher.match(a, b);
  const std::vector<Match> expected = expected_matches(a, b, strict);
  EXPECT_EQ(std::vector<Match>(matches.begin(), matches.end()), expected);
  EXPECT_LT(expected.size(), expected_matches(a, b, {}).size());
  EXPECT_GT(expected.size(), 5u);
}

// With the ratio asked of one side only, a match may be clear from either; both must still be each other's best.
TEST_P(MatcherTest, OneClearSideCanSuffice) {
  Sequence random(4, splat::random::kTest);
  const Descriptors a = random_descriptors(150, random), b = seen_again(a, 200, random);
  const MatchRule both{0.7f, 0.8f, true}, either{0.7f, 0.8f, false};
  PairMatcher matcher(GetParam(), either);
  const auto matches = matcher.match(a, b);
  std::vector<Match> expected;
  for (size_t i = 0; i < a.size() / kDescriptorBytes; ++i) {
    const uint8_t* descriptor = a.data() + i * kDescriptorBytes;
    const Nearest there = nearest_of(descriptor, b);
    const uint8_t* other = b.data() + size_t(there.best_index) * kDescriptorBytes;
    const Nearest back = nearest_of(other, a);
    if (back.best_index != int(i) || there.best == there.second || back.best == back.second) continue;
    if (match_one_way(descriptor, b, both) >= 0 || match_one_way(other, a, both) >= 0)
      expected.push_back({uint32_t(i), uint32_t(there.best_index)});
  }
  EXPECT_EQ(std::vector<Match>(matches.begin(), matches.end()), expected);
  EXPECT_GT(expected.size(), expected_matches(a, b, both).size());
}

// Instructions that add two products of bytes to 16 bits saturate; the largest bytes show it.
TEST_P(MatcherTest, ProductsAreExactForAllBytes) {
  Sequence random(3, splat::random::kTest);
  for (const int least : {0, 200, 255}) {
    Descriptors a(70 * kDescriptorBytes), b(130 * kDescriptorBytes);
    for (uint8_t& value : a) value = uint8_t(least + int(random.below(uint32_t(256 - least))));
    for (uint8_t& value : b) value = uint8_t(least + int(random.below(uint32_t(256 - least))));
    std::vector<int32_t> best_a(70), second_a(70), best_b(130), second_b(130);
    splat::AlignedBuffer<std::byte> scratch;
    const MatchKernels kernels = GetParam().kernels;
    scratch.resize(kernels.scratch_bytes(70, 130));
    kernels.best_two({a.data(),
                      b.data(),
                      70,
                      130,
                      {best_a.data(), second_a.data()},
                      {best_b.data(), second_b.data()},
                      scratch.data()});
    for (size_t i = 0; i < 70; ++i) {
      const Nearest expected = nearest_of(a.data() + i * kDescriptorBytes, b);
      ASSERT_EQ(best_a[i], expected.best) << i;
      ASSERT_EQ(second_a[i], expected.second) << i;
    }
    for (size_t j = 0; j < 130; ++j) {
      const Nearest expected = nearest_of(b.data() + j * kDescriptorBytes, a);
      ASSERT_EQ(best_b[j], expected.best) << j;
      ASSERT_EQ(second_b[j], expected.second) << j;
    }
  }
}

TEST(MatchLevels, TheVariableThatLimitsTheEngineLimitsTheMatcher) {
  const std::vector<MatchLevel> levels = usable_match_levels();
  ASSERT_FALSE(levels.empty());
  const char* before = std::getenv("HIPSPLAT_SIMD");
  const std::string kept = before ? before : "";
  unsetenv("HIPSPLAT_SIMD");
  EXPECT_STREQ(choose_match_level().name, levels.back().name);
  setenv("HIPSPLAT_SIMD", levels.front().name, 1);
  EXPECT_STREQ(choose_match_level().name, levels.front().name);
  before ? setenv("HIPSPLAT_SIMD", kept.c_str(), 1) : unsetenv("HIPSPLAT_SIMD");
}

}  // namespace
}  // namespace align
