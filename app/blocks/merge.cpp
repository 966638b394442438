#include "app/blocks/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/blocks/block_state.h"
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

Result<std::vector<fs::path>> files_of(const City& city) {
  std::vector<fs::path> files;
  std::vector<size_t> missing;
  for (size_t k = 0; k < city.blocks.size(); ++k) {
    SPLAT_ASSIGN_OR_RETURN(const BlockState state, read_block(city, k));
    if (state.stage != BlockState::Stage::kDone) missing.push_back(k);
    files.push_back(city.block_folder(k) / state.splat_file);
  }
  if (missing.empty()) return files;
  return Error{fmt::format("blocks that are not trained yet: {}; --blocks train trains one, --blocks status shows all",
                           fmt::join(missing, ", "))};
}

// The blocks' own splats as rows of one model, the block that is read now in memory.
class OwnedRows {
 public:
  OwnedRows(const City& city, std::vector<fs::path> files) : city_(city), files_(std::move(files)) {}

  Status count() {
    for (size_t k = 0; k < files_.size(); ++k) {
      load(k);
      if (!problem_.ok()) return problem_;
      sh_degree_ = std::max(sh_degree_, part_.sh_degree);
      counts_.push_back(part_.size());
    }
    return {};
  }
  const std::vector<uint64_t>& counts() const { return counts_; }
  const Status& problem() const { return problem_; }

  io::SplatRows rows() {
    return {size_t(std::accumulate(counts_.begin(), counts_.end(), uint64_t(0))), sh_degree_,
            [this](size_t first, size_t count, splat::Gaussians& block) { read(first, count, block); }};
  }

 private:
  void load(size_t block) {
    if (loaded_ == block) return;
    part_ = {};
    auto file = io::read_splat_file(files_[block]);
    loaded_ = block;
    if (file)
      part_ = splat::blocks::owned_part(file->gaussians, city_.ground, city_.blocks[block].cell);
    else
      problem_ = file.error();
  }

  void read(size_t first, size_t count, splat::Gaussians& rows) {
    rows = {};
    rows.sh_degree = sh_degree_;
    size_t begin = 0;
    for (size_t k = 0; k < counts_.size() && count > 0; begin += counts_[k], ++k) {
      if (first >= begin + counts_[k]) continue;
      load(k);
      if (!problem_.ok()) return rows.resize(rows.size() + count);  // whatever they are: the file is not kept
      std::vector<uint32_t> taken(std::min(count, begin + counts_[k] - first));
      std::iota(taken.begin(), taken.end(), uint32_t(first - begin));
      splat::append_rows(splat::with_sh_degree(splat::gather_rows(part_, taken), sh_degree_), rows);
      first += taken.size();
      count -= taken.size();
    }
  }

  const City& city_;
  std::vector<fs::path> files_;
  std::vector<uint64_t> counts_;
  int sh_degree_ = 0;
  std::optional<size_t> loaded_;
  splat::Gaussians part_;
  Status problem_;
};

}  // namespace

Result<Merged> merge_city(const City& city, const fs::path& file, bool survey) {
  io::SplatFileInfo info;
  SPLAT_ASSIGN_OR_RETURN(info.frame, io::read_scene_json(city.folder));
  info.survey = survey;
  if (survey && !info.frame.says_something())
    return Error{fmt::format("'{}' does not say where on earth it lies: there are no survey coordinates to write",
                             city.folder.string())};
  if (survey) SPLAT_TRY(io::check_survey_format(file));
  SPLAT_ASSIGN_OR_RETURN(std::vector<fs::path> files, files_of(city));
  OwnedRows owned(city, std::move(files));
  SPLAT_TRY(owned.count());
  info.antialiased = city.antialiased;
  for (const Block& block : city.blocks) info.iteration = std::max(info.iteration, block.iterations);
  info.view_up = city.view_up;
  SPLAT_ASSIGN_OR_RETURN(const io::SplatWriteReport report, io::write_splat_file(file, owned.rows(), info));
  if (!owned.problem().ok()) {
    std::error_code code;
    fs::remove(file, code);
    return owned.problem().error();
  }
  return Merged{file, owned.counts(), report.written};
}

}  // namespace app
