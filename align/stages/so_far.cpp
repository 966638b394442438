#include "align/stages/so_far.h"

#include "align/photos/working_folder.h"

namespace align {

namespace fs = std::filesystem;

void ModelSoFar::tick() {
  constexpr auto kInterval = std::chrono::seconds(1);
  if (Clock::now() - last_ < kInterval) return;
  last_ = Clock::now();
  look();
}

void ModelSoFar::look() {
  if (!job_.options.model_so_far) return;
  const std::vector<fs::path> snapshots = models_in(job_.paths.snapshots);
  if (snapshots.empty()) return;
  const auto summary = summarise_model(snapshots.front());
  if (!summary || summary->names.size() <= shown_) return;
  const fs::path scene = job_.paths.so_far;
  if (!copy_model(snapshots.front(), job_.true_names(), scene / "sparse" / "0")) return;
  if (!link_or_copy(job_.photos.root, scene / "images")) return;
  shown_ = summary->names.size();
  job_.options.model_so_far(scene);
}

}  // namespace align
