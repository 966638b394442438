#include "app/jobs/blocks/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/jobs/blocks/block_state.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/replaced_file.h"
#include "io/atomic_file.h"
#include "io/beside_splats.h"
#include "io/io.h"
#include "io/scene_json.h"
#include "splat/blocks/merge.h"
#include "splat/model/gaussian_rows.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

struct TrainedBlock {
  fs::path file;
  uint64_t splats = 0;  // that were trained
};

Result<std::vector<TrainedBlock>> trained_blocks(const City& city) {
  std::vector<TrainedBlock> blocks;
  std::vector<size_t> missing;
  for (size_t k = 0; k < city.blocks.size(); ++k) {
    SPLAT_ASSIGN_OR_RETURN(const BlockState state, read_block(city, k));
    if (state.stage != BlockState::Stage::kDone) missing.push_back(k);
    blocks.push_back({city.block_folder(k) / state.splat_file, state.splats});
  }
  if (missing.empty()) return blocks;
  return Error{fmt::format(
      "blocks that are not trained yet: {}; hipsplat blocks train trains one, hipsplat blocks status shows all",
      fmt::join(missing, ", "))};
}

// Ends the writing of a file, which then leaves what was there before.
struct CannotRead {
  Error error;
};

// The blocks' own splats as rows of one model, the block that is read now in memory.
class OwnedRows {
 public:
  OwnedRows(const City& city, std::vector<TrainedBlock> blocks) : city_(city), blocks_(std::move(blocks)) {}

  Status count() {
    for (size_t k = 0; k < blocks_.size(); ++k) {
      SPLAT_TRY(load(k));
      sh_degree_ = std::max(sh_degree_, part_.sh_degree);
      counts_.push_back(part_.size());
    }
    return {};
  }
  const std::vector<uint64_t>& counts() const { return counts_; }

  io::SplatRows rows() {
    return {size_t(std::accumulate(counts_.begin(), counts_.end(), uint64_t(0))), sh_degree_,
            [this](size_t first, size_t count, splat::Gaussians& block) { read(first, count, block); }};
  }

 private:
  Status load(size_t block) {
    if (loaded_ == block) return {};
    part_ = {};
    loaded_.reset();
    SPLAT_ASSIGN_OR_RETURN(const io::SplatFile file, io::read_splat_file(blocks_[block].file));
    if (file.gaussians.size() != blocks_[block].splats)
      return Error{
          fmt::format("'{}' has {} splats, and {} were trained: remove the folder of block {}, and train it anew",
                      blocks_[block].file.string(), file.gaussians.size(), blocks_[block].splats, block)};
    part_ = splat::blocks::owned_part(file.gaussians, city_.ground, city_.blocks[block].cell);
    if (block < counts_.size() && part_.size() != counts_[block])
      return Error{fmt::format("'{}' was changed while it was merged", blocks_[block].file.string())};
    loaded_ = block;
    return {};
  }

  void read(size_t first, size_t count, splat::Gaussians& rows) {
    rows = {};
    rows.sh_degree = sh_degree_;
    size_t begin = 0;
    for (size_t k = 0; k < counts_.size() && count > 0; begin += counts_[k], ++k) {
      if (first >= begin + counts_[k]) continue;
      if (const Status status = load(k); !status) throw CannotRead{status.error()};
      std::vector<uint32_t> taken(std::min(count, begin + counts_[k] - first));
      std::iota(taken.begin(), taken.end(), uint32_t(first - begin));
      splat::append_rows(splat::with_sh_degree(splat::gather_rows(part_, taken), sh_degree_), rows);
      first += taken.size();
      count -= taken.size();
    }
  }

  const City& city_;
  std::vector<TrainedBlock> blocks_;
  std::vector<uint64_t> counts_;
  int sh_degree_ = 0;
  std::optional<size_t> loaded_;
  splat::Gaussians part_;
};

}  // namespace

Result<Merged> merge_city(const City& city, const fs::path& file, bool survey, const io::Beside& beside) try {
  io::SplatFileInfo info;
  SPLAT_ASSIGN_OR_RETURN(info.frame, io::read_scene_json(city.folder));
  info.survey = survey;
  if (survey && !info.frame.says_something())
    return Error{fmt::format("'{}' does not say where on earth it lies: there are no survey coordinates to write",
                             city.folder.string())};
  if (survey) SPLAT_TRY(io::check_survey_format(file));
  SPLAT_ASSIGN_OR_RETURN(std::vector<TrainedBlock> blocks, trained_blocks(city));
  OwnedRows owned(city, std::move(blocks));
  SPLAT_TRY(owned.count());
  info.antialiased = city.antialiased;
  info.low_pass = city.low_pass;
  for (const Block& block : city.blocks) info.iteration = std::max(info.iteration, block.iterations);
  info.view_up = city.view_up;
  SPLAT_ASSIGN_OR_RETURN(const io::SplatWriteReport report, io::write_splat_file(file, owned.rows(), info, {}, beside));
  return Merged{file, owned.counts(), report.written};
} catch (const CannotRead& problem) {
  return problem.error;
}

Outcome merge_city(const City& city, const Options& options, Merged& merged) {
  OutputLock lock;
  if (const Status status = lock.take(city.folder / kLockName); !status) return bad_input(status.error());
  const fs::path file = options.output.empty() ? merged_city(city.folder) : options.output;
  if (const Status status = check_replaceable(file, FileKind::kSplats, {.force = options.force}); !status)
    return bad_input(status.error());
  io::remove_dead_partial_files_of(file);
  auto made = merge_city(city, file, options.convert.survey, beside_of(options.force));
  if (!made) return bad_input(made.error());
  merged = std::move(*made);
  return done();
}

}  // namespace app
