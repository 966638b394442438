// Which photos are compared, and their matches: by our own matcher, or left to COLMAP's, which verifies them as well.
#include "align/match/match_pairs.h"
#include "align/match/retrieval.h"
#include "align/stages/job.h"
#include "align/stages/pair_lists.h"

namespace align {

namespace fs = std::filesystem;

namespace {

constexpr size_t kFilmOverlap = 10;  // frames

}  // namespace

splat::Result<std::vector<ImagePair>> choose_pairs(Job& job, ColmapDatabase& database,
                                                   const std::vector<DatabaseImage>& images) {
  if (images.size() <= kAllPairsUpTo) return all_pairs(images);
  RetrievalOptions options;
  options.threads = job.options.threads;
  options.cancelled = job.options.cancelled;
  if (job.is_film) options.neighbours = 10;
  SPLAT_ASSIGN_OR_RETURN(std::vector<ImagePair> pairs, similar_pairs(database, images, options));
  return job.is_film ? merged(std::move(pairs), sequential_pairs(images, kFilmOverlap)) : std::move(pairs);
}

splat::Status write_pair_list(const Job& job, const fs::path& file, std::span<const ImagePair> pairs,
                              const std::vector<DatabaseImage>& images) {
  std::map<uint32_t, std::string> names;
  for (const DatabaseImage& image : images) names[image.id] = image.name;
  std::vector<std::string> lines;
  for (const ImagePair pair : pairs) lines.push_back(names.at(pair.first) + " " + names.at(pair.second));
  return job.write_lines(file, lines);
}

// A hash of the features in the database, so that matches of others are not taken for theirs.
uint64_t features_key(const Job& job, const std::vector<DatabaseImage>& images) {
  Stamp key;
  key.add("matches 1");
  for (const DatabaseImage& image : images) key.add(image.name).add(image.id).add(image.features);
  return key.add(job.features_stamp.text()).value();
}

namespace {

StageEnd match_by_colmap(Job& job, ColmapDatabase& database, const std::vector<ImagePair>& pairs,
                         const std::vector<DatabaseImage>& images) {
  constexpr size_t kBatch = 200;  // pairs: what a kill may cost
  const auto verified = database.verified_pairs();
  ALIGN_TRY(verified);
  std::vector<ImagePair> missing;
  for (const ImagePair pair : pairs)
    if (!verified->contains(pair)) missing.push_back(pair);
  const fs::path list = job.paths.work / "pairs.txt";
  for (size_t begin = 0; begin < missing.size(); begin += kBatch) {
    const auto batch = std::span(missing).subspan(begin, std::min(kBatch, missing.size() - begin));
    ALIGN_TRY(write_pair_list(job, list, batch, images));
    ColmapArguments arguments(job.colmap, "matches_importer");
    arguments.add("database_path", job.paths.database.string())
        .add("match_list_path", list.string())
        .add("match_type", "pairs")
        .add({"SiftMatching.use_gpu", "FeatureMatching.use_gpu"}, "0")
        .add({"SiftMatching.num_threads", "FeatureMatching.num_threads"}, std::to_string(job.threads()));
    ALIGN_STAGE(job.run_colmap(arguments));
    job.progress(pairs.size() - missing.size() + begin + batch.size());
  }
  return {};
}

StageEnd match_ourselves(Job& job, ColmapDatabase& database, const std::vector<ImagePair>& pairs,
                         const std::vector<DatabaseImage>& images) {
  auto file = MatchesFile::open(job.paths.matches, features_key(job, images));
  ALIGN_TRY(file);
  MatchPairsOptions options;
  options.threads = job.options.threads;
  options.cancelled = job.options.cancelled;
  options.progress = [&](size_t done, size_t) { job.progress(done); };
  const auto finished = match_pairs(database, pairs, *file, options);
  ALIGN_TRY(finished);
  return *finished ? StageEnd{} : StageEnd{AlignEnd::kCancelled, "cancelled"};
}

}  // namespace

StageEnd matching_stage(Job& job) {
  job.begin(Stage::kMatching);
  auto database = ColmapDatabase::open(job.paths.database);
  ALIGN_TRY(database);
  const auto images = database->images();
  ALIGN_TRY(images);
  job.stamp.add("matching").add(job.options.matcher == Matcher::kOurs ? "ours" : "colmap").add(job.is_film);
  if (job.record.done(Stage::kMatching, job.stamp)) return {};
  if (!job.record.begun(Stage::kMatching, job.stamp)) {
    ALIGN_TRY(database->remove_pairs());  // of the other matcher
    ALIGN_TRY(job.record.begin(Stage::kMatching, job.stamp));
  }
  const auto pairs = choose_pairs(job, *database, *images);
  ALIGN_TRY(pairs);
  if (job.cancelled()) return {AlignEnd::kCancelled, "cancelled"};
  job.set_total(pairs->size());
  ALIGN_STAGE(job.options.matcher == Matcher::kOurs ? match_ourselves(job, *database, *pairs, *images)
                                                    : match_by_colmap(job, *database, *pairs, *images));
  ALIGN_TRY(job.record.finish(Stage::kMatching, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
