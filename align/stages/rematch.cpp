// Photos that found no place, once more: what they share with the others is little, so that a match may be clear from
// one side only, and more trials are spent on finding which matches agree.
#include <algorithm>
#include <set>

#include "align/match/match_pairs.h"
#include "align/stages/job.h"
#include "align/stages/pair_lists.h"

namespace align {

namespace {

constexpr MatchRule kWiderRule{0.7f, 0.85f, false};
constexpr int kMoreTrials = 5000;

std::vector<ImagePair> pairs_of_missing(const Job& job, const std::vector<DatabaseImage>& images,
                                        const MatchesFile& tried) {
  std::set<uint32_t> missing;
  for (const DatabaseImage& image : images)
    if (!std::binary_search(job.model.names.begin(), job.model.names.end(), image.name)) missing.insert(image.id);
  std::vector<ImagePair> pairs;
  for (const auto& [pair, count] : tried.counts())
    if (missing.contains(pair.first) || missing.contains(pair.second)) pairs.push_back(pair);
  return pairs;
}

}  // namespace

StageEnd rematch_missing(Job& job) {
  if (job.options.matcher != Matcher::kOurs) return {};
  std::vector<ImagePair> promising;
  {
    auto database = ColmapDatabase::open(job.paths.database);
    ALIGN_TRY(database);
    const auto images = database->images();
    ALIGN_TRY(images);
    const auto tried = MatchesFile::open(job.paths.matches, features_key(job, *images));
    ALIGN_TRY(tried);
    const std::vector<ImagePair> pairs = pairs_of_missing(job, *images, *tried);
    auto file = MatchesFile::open(job.paths.work / "matches_wider.bin", features_key(job, *images) + 1);
    ALIGN_TRY(file);
    MatchPairsOptions options;
    options.threads = job.options.threads;
    options.rule = kWiderRule;
    options.cancelled = job.options.cancelled;
    const auto finished = match_pairs(*database, pairs, *file, options);
    ALIGN_TRY(finished);
    if (!*finished) return {AlignEnd::kCancelled, "cancelled"};
    const auto counts = file->counts();
    for (const ImagePair pair : pairs)
      if (const auto found = counts.find(pair); found != counts.end() && found->second >= kLeastInliers)
        promising.push_back(pair);
    ALIGN_TRY(database->remove_pairs(promising));
    ALIGN_TRY(hand_over(*database, promising, *file));
  }
  return promising.empty() ? StageEnd{} : verify_pairs(job, promising, kMoreTrials);
}

}  // namespace align
