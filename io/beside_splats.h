// Splat files with what lies beside them: index.spz of index.html, NAME.scene.json where the format has no place for
// it. What is there under such a name and was not written with the file of that name that is there stays (companion.h).
#pragma once

#include <filesystem>

#include "io/companion.h"
#include "io/scene_json.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

// An error where a file of somebody else's has the name of one that would be written beside `path`, as far as that is
// known before: without `info` nothing is known of scene.json.
splat::Status check_beside_splats(const std::filesystem::path& path, const SplatFileInfo* info, const Beside& beside);

// As in io.h, which replaces nothing that is not its own.
splat::Result<SplatWriteReport> write_splat_file(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                                 const SplatFileInfo& info, const SplatWriteOptions& options,
                                                 const Beside& beside);
splat::Result<SplatWriteReport> write_splat_file(const std::filesystem::path& path, const SplatRows& splats,
                                                 const SplatFileInfo& info, const SplatWriteOptions& options,
                                                 const Beside& beside);

// Says nothing, and sets `stale`, where it was written for another file of that name: its "of" is its file's stamp.
splat::Result<BesideSplats> read_scene_json_of(const std::filesystem::path& splats, bool& stale);

// scene.json of splats that are written, of which `known` is true and `said` has no place in their format. check(),
// before they are: an error where something is there that was not written with the splats that are there, and says
// something else. write(), after: with nothing to say ours is removed.
class SceneJsonOf {
 public:
  static splat::Result<SceneJsonOf> check(const std::filesystem::path& splats, const BesideSplats& said,
                                          const BesideSplats& known, const Beside& beside);
  splat::Status write() const;

 private:
  std::filesystem::path splats_;
  BesideSplats facts_;
  bool remove_ = false;
};

}  // namespace io
