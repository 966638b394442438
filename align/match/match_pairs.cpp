#include "align/match/match_pairs.h"

#include <algorithm>
#include <chrono>

#include "splat/core/parallel.h"

namespace align {

using splat::Result, splat::Status;

namespace {

constexpr size_t kFirstChunk = 64, kLargestChunk = 4096;  // pairs between two looks at cancelled() and the file
constexpr double kChunkSeconds = 1;
constexpr size_t kTransactionPairs = 500;

Result<std::map<uint32_t, std::vector<uint8_t>>> read_descriptors(ColmapDatabase& database,
                                                                  std::span<const ImagePair> pairs) {
  std::map<uint32_t, std::vector<uint8_t>> descriptors;
  for (const ImagePair pair : pairs)
    for (const uint32_t id : {pair.first, pair.second})
      if (!descriptors.contains(id)) {
        SPLAT_ASSIGN_OR_RETURN(descriptors[id], database.descriptors(id));
      }
  return descriptors;
}

}  // namespace

Result<bool> match_pairs(ColmapDatabase& database, std::span<const ImagePair> pairs, MatchesFile& file,
                         const MatchPairsOptions& options) {
  using Clock = std::chrono::steady_clock;
  std::vector<ImagePair> missing;
  for (const ImagePair pair : pairs)
    if (!file.contains(pair)) missing.push_back(pair);
  SPLAT_ASSIGN_OR_RETURN(const auto descriptors, read_descriptors(database, missing));

  splat::ThreadPool pool(options.threads);
  std::vector<PairMatcher> matchers;
  const MatchLevel level = choose_match_level();
  for (int t = 0; t < pool.threads(); ++t) matchers.emplace_back(level, options.rule);
  size_t chunk = kFirstChunk;
  std::vector<std::vector<Match>> found;
  std::vector<ColmapDatabase::PairMatches> batch;
  for (size_t done = 0; done < missing.size();) {
    if (options.cancelled && options.cancelled()) return false;
    const size_t count = std::min(chunk, missing.size() - done);
    const Clock::time_point start = Clock::now();
    found.assign(count, {});
    pool.for_each(count, [&](size_t i, int thread) {
      const ImagePair pair = missing[done + i];
      const auto matches = matchers[size_t(thread)].match(descriptors.at(pair.first), descriptors.at(pair.second));
      found[i].assign(matches.begin(), matches.end());
    });
    batch.clear();
    for (size_t i = 0; i < count; ++i) batch.push_back({missing[done + i], found[i]});
    SPLAT_TRY(file.append(batch));
    done += count;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    chunk = std::clamp(size_t(double(count) * kChunkSeconds / std::max(seconds, 1e-3)), kFirstChunk, kLargestChunk);
    if (options.progress) options.progress(pairs.size() - missing.size() + done, pairs.size());
  }
  return true;
}

Status hand_over(ColmapDatabase& database, std::span<const ImagePair> pairs, const MatchesFile& file) {
  for (size_t begin = 0; begin < pairs.size(); begin += kTransactionPairs) {
    const auto part = pairs.subspan(begin, std::min(kTransactionPairs, pairs.size() - begin));
    std::vector<std::vector<Match>> matches;
    std::vector<ColmapDatabase::PairMatches> batch;
    matches.reserve(part.size());
    for (const ImagePair pair : part) {
      SPLAT_ASSIGN_OR_RETURN(std::vector<Match> of_pair, file.read(pair));
      matches.push_back(std::move(of_pair));
      batch.push_back({pair, matches.back()});
    }
    SPLAT_TRY(database.write_matches(batch));
  }
  return {};
}

}  // namespace align
