// Geometric verification by COLMAP of the matches that we found. Its cost is the trials that it spends on pairs which
// show nothing in common, so their number follows from the matches: a pair of n matches counts only with 15 of them
// agreeing, which chance finds fast where n is small.
#include <algorithm>
#include <array>

#include "align/match/match_pairs.h"
#include "align/stages/job.h"
#include "align/stages/pair_lists.h"

namespace align {

namespace {

constexpr size_t kBatch = 1000;  // pairs of one call: what a kill may cost

struct Tier {
  uint32_t below;  // matches
  int trials;
};
constexpr std::array<Tier, 2> kTiers{{{50, 500}, {~0u, 1000}}};

ColmapArguments verifier_arguments(Job& job, const std::filesystem::path& list, int trials) {
  ColmapArguments arguments(job.colmap, "matches_importer");
  arguments.add("database_path", job.paths.database.string())
      .add("match_list_path", list.string())
      .add("match_type", "pairs")
      .add({"SiftMatching.use_gpu", "FeatureMatching.use_gpu"}, "0")
      .add({"SiftMatching.num_threads", "FeatureMatching.num_threads"}, std::to_string(job.threads()))
      .add({"SiftMatching.guided_matching", "FeatureMatching.guided_matching"}, "0")
      .add({"SiftMatching.max_num_trials", "TwoViewGeometry.max_num_trials"}, std::to_string(trials));
  return arguments;
}

StageEnd verify(Job& job, const std::vector<ImagePair>& pairs, int trials, const MatchesFile& file, size_t& done) {
  for (size_t begin = 0; begin < pairs.size(); begin += kBatch) {
    const auto batch = std::span(pairs).subspan(begin, std::min(kBatch, pairs.size() - begin));
    {
      auto database = ColmapDatabase::open(job.paths.database);
      ALIGN_TRY(database);
      ALIGN_TRY(hand_over(*database, batch, file));
    }
    ALIGN_STAGE(verify_pairs(job, batch, trials));
    done += batch.size();
    job.progress(done);
  }
  return {};
}

}  // namespace

StageEnd verify_pairs(Job& job, std::span<const ImagePair> pairs, int trials) {
  const auto list = job.paths.work / "pairs.txt";
  auto images = [&]() -> splat::Result<std::vector<DatabaseImage>> {
    SPLAT_ASSIGN_OR_RETURN(ColmapDatabase database, ColmapDatabase::open(job.paths.database));
    return database.images();
  }();
  ALIGN_TRY(images);
  ALIGN_TRY(write_pair_list(job, list, pairs, *images));
  return job.run_colmap(verifier_arguments(job, list, trials));
}

StageEnd verification_stage(Job& job) {
  job.begin(Stage::kVerification);
  if (job.options.matcher == Matcher::kColmap) return {};  // its matcher has done it
  job.stamp.add("verification 1");
  for (const Tier& tier : kTiers) job.stamp.add(tier.below).add(tier.trials);
  if (job.record.done(Stage::kVerification, job.stamp)) return {};
  ALIGN_TRY(job.record.begin(Stage::kVerification, job.stamp));

  std::vector<DatabaseImage> images;
  std::map<ImagePair, Verified> verified;
  {
    auto database = ColmapDatabase::open(job.paths.database);
    ALIGN_TRY(database);
    auto read_images = database->images();
    ALIGN_TRY(read_images);
    images = std::move(*read_images);
    auto read_pairs = database->verified_pairs();
    ALIGN_TRY(read_pairs);
    verified = std::move(*read_pairs);
  }
  const auto file = MatchesFile::open(job.paths.matches, features_key(job, images));
  ALIGN_TRY(file);
  std::array<std::vector<ImagePair>, kTiers.size()> tiers;
  size_t total = 0, done = 0;
  for (const auto& [pair, count] : file->counts()) {
    if (count < kLeastInliers) continue;
    ++total;
    size_t tier = 0;
    while (count >= kTiers[tier].below) ++tier;
    if (verified.contains(pair))
      ++done;
    else
      tiers[tier].push_back(pair);
  }
  job.set_total(total);
  job.progress(done);
  for (size_t tier = 0; tier < kTiers.size(); ++tier)
    ALIGN_STAGE(verify(job, tiers[tier], kTiers[tier].trials, *file, done));
  ALIGN_TRY(job.record.finish(Stage::kVerification, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
