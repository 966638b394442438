// Photos that found no place, once more: what they share with the others is little, so that a match may be clear from
// one side only, and more trials are spent on finding which matches agree.
#include <algorithm>
#include <set>

#include "align/match/match_pairs.h"
#include "align/stages/job.h"
#include "align/stages/pair_lists.h"
#include "io/text.h"

namespace align {

namespace {

constexpr MatchRule kWiderRule{0.7f, 0.85f, false};
constexpr int kMoreTrials = 5000;
constexpr size_t kAnewBatch = 200;  // pairs of one call: what a kill may cost

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

struct Wider {
  MatchesFile file;
  std::vector<ImagePair> pairs;  // those with matches enough to be verified
  Stamp stamp;                   // of the pairs and the numbers of their matches
  bool finished = false;         // false: cancelled
};

splat::Result<Wider> match_wider(Job& job) {
  SPLAT_ASSIGN_OR_RETURN(ColmapDatabase database, ColmapDatabase::open(job.paths.database));
  SPLAT_ASSIGN_OR_RETURN(const std::vector<DatabaseImage> images, database.images());
  const uint64_t key = features_key(job, images);
  SPLAT_ASSIGN_OR_RETURN(const MatchesFile tried, MatchesFile::open(job.paths.matches, key));
  const std::vector<ImagePair> pairs = pairs_of_missing(job, images, tried);
  SPLAT_ASSIGN_OR_RETURN(MatchesFile file, MatchesFile::open(job.paths.work / "matches_wider.bin", key + 1));
  MatchPairsOptions options;
  options.threads = job.options.threads;
  options.rule = kWiderRule;
  options.cancelled = job.options.cancelled;
  SPLAT_ASSIGN_OR_RETURN(const bool finished, match_pairs(database, pairs, file, options));
  const auto counts = file.counts();
  Wider wider{std::move(file), {}, {}, finished};
  wider.stamp.add(int64_t(key));
  for (const ImagePair pair : pairs) {
    const auto found = counts.find(pair);
    if (found == counts.end() || found->second < kLeastInliers) continue;
    wider.pairs.push_back(pair);
    wider.stamp.add(int64_t(pair_id_of(pair))).add(found->second);
  }
  return wider;
}

// Anew, since COLMAP leaves alone what it verified before. The record says how many an earlier run that was cut short
// has done.
StageEnd verify_anew(Job& job, const Wider& wider) {
  constexpr const char* kRecord = "rematched";
  const std::string done_before = job.record.get(kRecord), of_these = wider.stamp.text() + ":";
  size_t begin = 0;
  if (done_before.starts_with(of_these)) io::parse_number(std::string_view(done_before).substr(of_these.size()), begin);
  while (begin < wider.pairs.size()) {
    const auto batch = std::span(wider.pairs).subspan(begin, std::min(kAnewBatch, wider.pairs.size() - begin));
    {
      auto database = ColmapDatabase::open(job.paths.database);
      ALIGN_TRY(database);
      ALIGN_TRY(database->remove_pairs(batch));
      ALIGN_TRY(hand_over(*database, batch, wider.file));
    }
    ALIGN_STAGE(verify_pairs(job, batch, kMoreTrials));
    begin += batch.size();
    ALIGN_TRY(job.record.set(kRecord, of_these + std::to_string(begin)));
  }
  return {};
}

}  // namespace

StageEnd rematch_missing(Job& job) {
  if (job.options.matcher != Matcher::kOurs) return {};
  const auto wider = match_wider(job);
  ALIGN_TRY(wider);
  return wider->finished ? verify_anew(job, *wider) : StageEnd{AlignEnd::kCancelled, "cancelled"};
}

}  // namespace align
