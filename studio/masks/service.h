// Photos to paint masks on, and the files of what was painted, where the next run finds them. A mask that stood there
// before this session is kept beside the new one.
#pragma once

#include <filesystem>
#include <set>

#include "studio/context.h"
#include "studio/masks/kept_paint.h"
#include "studio/masks/messages.h"
#include "studio/service.h"

namespace studio {

class MaskService final : public Service {
 public:
  explicit MaskService(Context& context);

 private:
  void show(int view);
  splat::Status read(const splat::DatasetView& view, MaskPhoto& answer) const;
  void keep(KeepPaint&& paint);
  void find();
  void save(SaveMask&& painted);
  struct Place {
    std::filesystem::path file;
    std::filesystem::path elsewhere;  // the folder in which it is written where that cannot be; empty: there is none
  };
  splat::Result<Place> place_of(const splat::DatasetView& view) const;
  splat::Status write(const splat::DatasetView& view, const std::filesystem::path& file,
                      const std::vector<PaintStep>& steps);

  Context& context_;
  std::set<std::filesystem::path> written_;  // of the writing thread: these are not kept
  PaintKeeper keeper_{context_.config};      // of the thread that opens
};

}  // namespace studio
