// Paint of masks that is not saved yet, kept in hipsplat/paint of the XDG config folder, a file a photo, so that it
// outlives a crash and a signal. Masks themselves are written when the user says so. A lock beside the file is held
// while a window has paint of the photo: another window does not offer what is painted there.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/jobs/output_lock.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "studio/masks/painting.h"

namespace studio {

class PaintKeeper {
 public:
  explicit PaintKeeper(std::filesystem::path config) : config_(std::move(config)) {}  // empty: nothing is kept

  // In place of what was kept of this photo; without steps nothing is, any more.
  splat::Status keep(const splat::DatasetView& photo, const std::vector<PaintStep>& steps);
  // None: there are none, the file is damaged, photo or mask have changed since, or another window paints there.
  std::vector<PaintStep> kept(const splat::DatasetView& photo) const;
  std::optional<size_t> find(const std::vector<splat::DatasetView>& photos) const;  // the first with some

 private:
  std::filesystem::path file_of(const splat::DatasetView& photo) const;

  const std::filesystem::path config_;
  std::map<std::filesystem::path, OutputLock> locks_;  // of the photos that this window has painted on, by file_of()
};

}  // namespace studio
