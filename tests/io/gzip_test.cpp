// Gzip written in pieces by several threads is what zlib reads, and always the same.
#include "io/gzip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "splat/core/random.h"

namespace io::test {
namespace {

struct Part {
  GzipSearch search;
  std::string bytes;
};

std::string written(const std::vector<Part>& parts, int threads, size_t block) {
  splat::ThreadPool pool(threads);
  std::string file;
  GzipWriter gzip([&](std::string_view bytes) { file += bytes; }, pool);
  for (const Part& part : parts) {
    gzip.look_for(part.search);
    for (size_t at = 0; at < part.bytes.size(); at += block)
      gzip.write(std::span(part.bytes).subspan(at, std::min(block, part.bytes.size() - at)));
  }
  gzip.finish();
  return file;
}

std::string unpacked(const std::string& file, size_t bytes) {
  ByteStream stream(file, "file");
  GzipReader gzip(stream);
  std::string data(bytes + 1, '\0');
  const auto have = gzip.read_some(data);
  EXPECT_TRUE(have.ok()) << have.error().message;
  EXPECT_TRUE(gzip.at_end());  // with its checksum
  data.resize(have ? *have : 0);
  return data;
}

std::string noise(size_t bytes, uint32_t values) {
  splat::random::Sequence random(bytes, splat::random::kTest);
  std::string data(bytes, '\0');
  for (char& byte : data) byte = char(random.below(values));
  return data;
}

TEST(Gzip, PiecesAreOneStreamWhateverTheThreadsAndBlocks) {
  const std::vector<Part> parts{{GzipSearch::kMatches, noise(16, 256)},
                                {GzipSearch::kMatches, std::string(3'000'000, 'a') + noise(700'000, 8)},
                                {GzipSearch::kRuns, noise(2'500'000, 3)},
                                {GzipSearch::kRuns, ""},
                                {GzipSearch::kMatches, ""},
                                {GzipSearch::kRuns, noise(1 << 20, 256)},
                                {GzipSearch::kMatches, noise(5, 256)}};
  std::string whole;
  for (const Part& part : parts) whole += part.bytes;
  const std::string first = written(parts, 1, 100'000);
  EXPECT_LT(first.size(), whole.size() / 2);
  EXPECT_TRUE(unpacked(first, whole.size()) == whole);
  EXPECT_TRUE(written(parts, 3, 100'000) == first);
  EXPECT_TRUE(written(parts, 2, 5'000'000) == first);
  EXPECT_EQ(unpacked(written({}, 2, 1), 0), "");
}

// As cat, pigz and bgzip make them; zeros behind them are of tapes. What else lies there is left to the caller.
TEST(Gzip, MembersFollowEachOther) {
  const std::string a = noise(70'000, 200), b = noise(3, 9);
  const auto member = [](const std::string& bytes) { return written({{GzipSearch::kMatches, bytes}}, 1, 1 << 16); };
  for (const std::string& end : {std::string(), std::string(1, '\0'), std::string(200'000, '\0')}) {
    EXPECT_TRUE(unpacked(member(a) + member(b) + end, a.size() + b.size()) == a + b);
    EXPECT_TRUE(unpacked(member("") + member(a) + member("") + end, a.size()) == a);
  }
  const std::string more = member(a) + "garbage";
  ByteStream stream(more, "file");
  GzipReader gzip(stream);
  std::string data(a.size() + 1, '\0');
  EXPECT_EQ(*gzip.read_some(data), a.size());
  EXPECT_TRUE(gzip.at_end());
  EXPECT_EQ(stream.remaining(), 7u);
  const std::string two = member(a) + member(b);
  for (const size_t cut : {size_t(1), size_t(9), member(b).size() - 2}) {
    ByteStream short_stream(std::string_view(two).substr(0, two.size() - cut), "file");
    GzipReader reader(short_stream);
    EXPECT_FALSE(reader.read_some(data = std::string(a.size() + b.size() + 1, '\0')).ok()) << cut;
  }
}

TEST(Gzip, LookingForMatchesFindsThem) {
  std::string repeated;
  for (int i = 0; i < 400; ++i) repeated += noise(5000, 256);
  EXPECT_LT(written({{GzipSearch::kMatches, repeated}}, 2, 1 << 16).size(), repeated.size() / 50);
  EXPECT_GT(written({{GzipSearch::kRuns, repeated}}, 2, 1 << 16).size(), repeated.size() / 2);
}

}  // namespace
}  // namespace io::test
